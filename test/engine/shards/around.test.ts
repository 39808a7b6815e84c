/**
 * Shards behind codecs that change values, which are decoded and encoded as a whole; and damage in places
 * other than the outermost index.
 */
import { describe, expect, test } from "vitest";
import { create, get, isZarrError, type JsonObject, open, set, slice } from "../../../src/index.js";
import { rejection } from "../../array/untyped.js";
import { CRC32C, LITTLE, TRANSPOSED } from "../../setup/codecs.js";

const KEY = "/c/0/0";
const SHAPE = [10, 11];

function sharding(chunkShape: readonly number[], codecs: readonly JsonObject[], location: string) {
  return {
    name: "sharding_indexed",
    configuration: {
      chunk_shape: chunkShape,
      codecs,
      index_codecs: [LITTLE, CRC32C],
      index_location: location,
    },
  };
}

const scaled = {
  name: "numcodecs.fixedscaleoffset",
  configuration: { offset: 0, scale: 10, dtype: "<f4", astype: "<i2" },
};
const delta = { name: "numcodecs.delta", configuration: { dtype: "<f4" } };
const rounded = { name: "numcodecs.bitround", configuration: { keepbits: 23 } };

describe.each(["start", "end"])("an index at the %s behind codecs that change values", (location) => {
  test.each([
    ["fixedscaleoffset", [scaled]],
    ["bitround", [rounded]],
    ["delta and a transpose", [delta, TRANSPOSED]],
  ])("%s", async (_, before) => {
    const values = new Map<string, Uint8Array>();
    const array = await create(values, {
      shape: SHAPE,
      dtype: "float32",
      chunkShape: [8, 8],
      fillValue: 0,
      codecs: [...before, sharding([2, 4], [LITTLE, CRC32C], location)],
    });
    const data = Float32Array.from({ length: 110 }, (_, i) => (i % 50) / 2);
    await set(array, null, { data, shape: SHAPE });
    await set(array, [slice(2, 5), slice(3, 6)], 7);
    for (let y = 2; y < 5; y++) data.fill(7, 11 * y + 3, 11 * y + 6);
    expect((await get(await open(values, { kind: "array" }))).data).toEqual(data);
    expect(await get(array, [9, 10])).toBe(data[109]);
  });

  test("a wrong checksum, of the index or of an inner chunk, names the shard", async () => {
    const values = new Map<string, Uint8Array>();
    const array = await create(values, {
      shape: [8, 8],
      dtype: "float32",
      chunkShape: [8, 8],
      codecs: [rounded, sharding([4, 4], [LITTLE, CRC32C], location)],
    });
    await set(array, null, 3);
    const shard = values.get(KEY) ?? new Uint8Array();
    const index = location === "start" ? 5 : shard.length - 6;
    const inner = location === "start" ? shard.length - 6 : 3 * 68 + 5;
    for (const [at, reason] of [
      [index, "checksum"],
      [inner, "inner chunk [1, 1] of the shard"],
    ] as const) {
      const damaged = shard.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 4;
      values.set(KEY, damaged);
      const error = await rejection(get, [array]);
      expect(error).toMatchObject({ tag: "CodecError", key: KEY, chunk: [0, 0] });
      if (isZarrError(error)) expect(error.message).toContain(reason);
    }
  });
});

describe("damage deep in a shard", () => {
  const nested = sharding([4, 4], [sharding([2, 2], [{ name: "bytes" }, CRC32C], "end")], "start");

  async function written(codecs: readonly JsonObject[]) {
    const values = new Map<string, Uint8Array>();
    await create(values, {
      shape: [16, 16],
      dtype: "uint8",
      chunkShape: [8, 8],
      codecs: codecs.map((codec) => ({ name: String(codec.name), ...codec })),
    });
    const array = await open(values, { kind: "array" });
    if (!array.is("uint8")) throw new Error("expected uint8");
    await set(array, null, 5);
    return { values, array };
  }

  test("the checksum of an inner chunk: its coordinates in the array", async () => {
    const { values, array } = await written([sharding([4, 4], [{ name: "bytes" }, CRC32C], "end")]);
    const shard = (values.get("/c/1/0") ?? new Uint8Array()).slice();
    // The second inner chunk of 16 bytes and their checksum.
    shard[20 + 3] = 6;
    values.set("/c/1/0", shard);
    for (const selection of [null, [8, 4]]) {
      const error = await rejection(get, [array, selection]);
      expect(error).toMatchObject({ tag: "CodecError", key: "/c/1/0", chunk: [2, 1] });
    }
    expect(await get(array, [8, 0])).toBe(5);
  });

  test("the index of a shard in a shard: the inner shard's coordinates", async () => {
    const { values, array } = await written([nested]);
    const shard = (values.get("/c/0/1") ?? new Uint8Array()).slice();
    // The last bytes of a shard are the checksum of the last inner shard's index.
    const last = shard.length - 1;
    shard[last] = (shard[last] ?? 0) ^ 1;
    values.set("/c/0/1", shard);
    for (const selection of [null, [7, 15]]) {
      const error = await rejection(get, [array, selection]);
      expect(error).toMatchObject({ tag: "CodecError", key: "/c/0/1", chunk: [1, 3] });
    }
    expect(await get(array, [0, 8])).toBe(5);
  });

  test("a damaged shard is not written over in part, and is as a whole", async () => {
    const { values, array } = await written([nested]);
    const shard = (values.get(KEY) ?? new Uint8Array()).slice();
    shard[0] = (shard[0] ?? 0) ^ 1;
    values.set(KEY, shard);
    const error = await rejection(set, [array, [0, 0], 1]);
    expect(error).toMatchObject({ tag: "CodecError", key: KEY });
    expect(values.get(KEY)).toBe(shard);
    await set(array, [slice(8), slice(8)], 9);
    expect(await get(array, [7, 7])).toBe(9);
  });
});
