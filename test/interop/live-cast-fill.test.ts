/**
 * `cast_value` whose fill value does not come back, which the specification forbids: read as zarr-python
 * reads it, never written.
 */
import { describe, expect, it } from "vitest";
import { create, get, type Json, open, set, slice } from "../../src/index.js";
import { copyNode } from "../../src/main/copy.js";
import { GZIP, LITTLE } from "../setup/codecs.js";
import { ask, zarrPython } from "../setup/python.js";
import { encodeStore } from "./wazarr.js";

const python = zarrPython();

/** [4] in chunks of [2], of which only the first is there, and of it, in shards, only the first element. */
function storeOf(
  fill_value: Json,
  cast: { readonly [member: string]: Json },
  isSharded: boolean,
): Map<string, Uint8Array> {
  const sharding = {
    name: "sharding_indexed",
    configuration: { chunk_shape: [1], codecs: [LITTLE], index_codecs: [LITTLE], index_location: "end" },
  };
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape: [4],
    data_type: "float64",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
    chunk_key_encoding: { name: "default" },
    fill_value,
    codecs: [{ name: "cast_value", configuration: cast }, isSharded ? sharding : LITTLE],
    attributes: {},
  };
  const index = new Uint8Array(BigUint64Array.of(0n, 1n, 2n ** 64n - 1n, 2n ** 64n - 1n).buffer);
  const chunk = isSharded ? Uint8Array.of(5, ...index) : Uint8Array.of(5, 5);
  return new Map([
    ["/zarr.json", new TextEncoder().encode(JSON.stringify(document))],
    ["/c/0", chunk],
  ]);
}

const toHex = (values: Float64Array): string => Buffer.from(values.buffer).toString("hex");

describe.each([
  [0.5, { data_type: "int8" }, 0],
  [300, { data_type: "uint8", out_of_range: "clamp" }, 255],
])("fill value %s, %j", (fill, cast, stored) => {
  it.each([
    ["chunks", false, [5, 5, fill, fill]],
    ["shards", true, [5, stored, fill, fill]],
  ] as const)("in %s", async (_, isSharded, expected) => {
    const store = storeOf(fill, cast, isSharded);
    const array = await open(store, { kind: "array" });
    expect((await get(array)).data).toEqual(Float64Array.from(expected));
    if (python.executable !== undefined) {
      const request = { store: encodeStore(store), path: "/", zarr_format: 3 as const };
      const { read } = await ask(python, { write: [], read: [request] });
      expect(read).toMatchObject([{ data: toHex(Float64Array.from(expected)) }]);
    }
    const before = new Map(store);
    const refused = { tag: "InvalidMetadataError", codec: "cast_value" };
    await expect(set(array, [0], 7)).rejects.toMatchObject(refused);
    expect(store).toEqual(before);
    await expect(copyNode(store, new Map(), { chunkShape: [4] })).rejects.toMatchObject(refused);
    const target = new Map<string, Uint8Array>();
    const codecs = [{ name: "cast_value", configuration: cast }];
    const shards = isSharded ? { chunkShape: [1], shards: [2] } : {};
    await expect(
      create(target, { shape: [4], dtype: "float64", fillValue: fill, codecs, ...shards }),
    ).rejects.toMatchObject(refused);
    expect(target.size).toBe(0);
  });
});

describe.each([
  [-1, { data_type: "uint8" }],
  [300, { data_type: "uint8" }],
  ["NaN", { data_type: "uint8" }],
] as const)("fill value %s, which %j cannot hold", (fill, cast) => {
  const refused = { tag: "InvalidMetadataError", codec: "cast_value", member: "fill_value" };

  it("is not needed to read chunks, nor for chunks that are missing", async () => {
    const array = await open(storeOf(fill, cast, false), { kind: "array" });
    expect((await get(array)).data).toEqual(Float64Array.from([5, 5, Number(fill), Number(fill)]));
    await expect(set(array, [0], 7)).rejects.toMatchObject(refused);
    const codecs = [{ name: "cast_value", configuration: cast }];
    await expect(
      create(new Map(), { shape: [4], dtype: "float64", fillValue: Number(fill), codecs }),
    ).rejects.toMatchObject(refused);
  });

  it("is refused where a shard lacks an inner chunk, which has its stored form", async () => {
    const store = storeOf(fill, cast, true);
    const array = await open(store, { kind: "array" });
    expect((await get(array, [slice(2, 4)])).data).toEqual(Float64Array.from([Number(fill), Number(fill)]));
    await expect(get(array)).rejects.toMatchObject(refused);
  });

  it("after scale_offset, as zarrita reads it", async () => {
    const store = storeOf(0, { data_type: "uint8" }, false);
    const document = JSON.parse(new TextDecoder().decode(store.get("/zarr.json")));
    document.codecs.unshift({ name: "scale_offset", configuration: { offset: 10, scale: 10 } });
    store.set("/zarr.json", new TextEncoder().encode(JSON.stringify(document)));
    const array = await open(store, { kind: "array" });
    expect((await get(array)).data).toEqual(Float64Array.of(10.5, 10.5, 0, 0));
  });
});

describe("codecs that change the size of elements: the byte order is that of what they store", () => {
  const cast = (data_type: string) => ({ name: "cast_value", configuration: { data_type } });
  const astype = (decode_dtype: string, encode_dtype: string) => ({
    name: "numcodecs.astype",
    configuration: { decode_dtype, encode_dtype },
  });
  it.each([
    ["uint8", cast("int32"), { endian: "little" }],
    ["int32", cast("int8"), {}],
    ["float64", cast("bfloat16"), { endian: "little" }],
    ["uint8", astype("|u1", "<f8"), { endian: "little" }],
    ["float32", astype("<f4", "|i1"), {}],
  ] as const)("%s, %j", async (dtype, codec, configuration) => {
    for (const codecs of [
      [codec],
      [codec, "bytes"],
      [codec, { name: "bytes" }],
      [codec, GZIP],
      [codec, "bytes", GZIP],
    ]) {
      for (const shards of [{}, { chunkShape: [2], shards: [4] }]) {
        const store = new Map<string, Uint8Array>();
        const array = await create(store, { shape: [4], dtype, codecs, fillValue: 0, ...shards });
        const text = new TextDecoder().decode(store.get("/zarr.json"));
        if (!("shards" in shards)) {
          const { codecs: written } = JSON.parse(text);
          expect(written[1].configuration ?? {}).toEqual(configuration);
        }
        for (const [i, value] of [1, 2, 3, 100].entries()) await set(array, [i], value);
        expect(Array.from((await get(await open(store, { kind: "array" }))).data, Number)).toEqual([
          1, 2, 3, 100,
        ]);
      }
    }
    const little = new Map<string, Uint8Array>();
    const copy = new Map<string, Uint8Array>();
    const source = await create(little, { shape: [2], dtype, codecs: [codec], fillValue: 0 });
    for (const [i, value] of [1, 2].entries()) await set(source, [i], value);
    await copyNode(little, copy, { endian: "big" });
    expect(Array.from((await get(await open(copy, { kind: "array" }))).data, Number)).toEqual([1, 2]);
  });
});
