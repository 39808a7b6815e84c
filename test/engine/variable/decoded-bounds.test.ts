/**
 * Chunks whose elements have no fixed size decode to so many bytes and no more: what is longer is a
 * CodecError that says what to do.
 */
import { describe, expect, it } from "vitest";
import { setKernels } from "../../../src/extend.js";
import {
  create,
  get,
  getChunk,
  getCoordinates,
  getOrthogonal,
  isZarrError,
  open,
  read,
  set,
} from "../../../src/index.js";
import { BOMBS, explode, explodeZip, zipBomb } from "../../attack/bombs.js";
import { LITTLE } from "../../setup/codecs.js";

const MIB = 1 << 20;

describe("maximumDecodedBytes", () => {
  it.each(BOMBS)("stops $name, with either kernels", async (bomb) => {
    const chunk = await bomb.make(2);
    for (const kernels of ["wasm", "javascript"] as const) {
      setKernels(kernels);
      const error = await explode(bomb, chunk, { maximumDecodedBytes: MIB });
      if (!isZarrError(error, "CodecError")) throw new Error(`expected a CodecError, got ${String(error)}`);
      expect(error.key).toBe("/c/0");
      expect(error.chunk).toEqual([0]);
      expect(error.codec).toBeDefined();
      expect(error.message).toContain(`at most ${MIB}`);
      expect(error.message).toContain(`its ${chunk.length} stored bytes are too few for more`);
      expect(error.message).toContain("maximumDecodedBytes");
    }
    setKernels("auto");
  });

  it("is 256 MiB where little is stored and nothing is said", async () => {
    const [bomb] = BOMBS.filter(({ name }) => name === "zstd without a length");
    if (bomb === undefined) throw new Error("no such bomb");
    const error = await explode(bomb, await bomb.make(257), {});
    expect(String(error)).toContain(`at most ${256 * MIB} `);
  });

  it("lets through what fits", async () => {
    const [bomb] = BOMBS.filter(({ name }) => name === "zstd");
    if (bomb === undefined) throw new Error("no such bomb");
    const data = await explode(bomb, await bomb.make(2), { maximumDecodedBytes: 2 * MIB + 8 });
    const [element] = Array.isArray(data) ? data : [];
    expect(element).toHaveLength(2 * MIB);
  });

  it("is an option of all that read, and of chunks that their shape says are larger", async () => {
    const array = await create(new Map<string, Uint8Array>(), {
      shape: [100],
      chunkShape: [50],
      dtype: "int32",
    });
    const reads = (maximumDecodedBytes: number): readonly (() => Promise<unknown>)[] => [
      () => get(array, null, { maximumDecodedBytes }),
      () => getChunk(array, [0], { maximumDecodedBytes }),
      () => getOrthogonal(array, [[1, 2]], { maximumDecodedBytes }),
      () => getCoordinates(array, [[1, 2]], { maximumDecodedBytes }),
      () => read(array, null, { maximumDecodedBytes }).next(),
    ];
    for (const each of reads(200)) await expect(each()).resolves.toBeDefined();
    for (const each of reads(199)) {
      await expect(each()).rejects.toThrow(
        'expected chunks of at most 199 decoded bytes, got 200 by their shape; read with a larger maximumDecodedBytes (node "/")',
      );
    }
    for (const wrong of [0, -1, Number.NaN]) {
      for (const each of reads(wrong))
        await expect(each()).rejects.toThrow("maximumDecodedBytes: expected a number above 0");
    }
  });

  it("holds for inner chunks of shards, and in data of zarrs.vlen", async () => {
    const bytes = new TextEncoder().encode("x".repeat(5000));
    const codec = (name: string, configuration: object = {}) => ({
      name,
      configuration: JSON.parse(JSON.stringify(configuration)),
    });
    const data_codecs = [codec("bytes"), codec("zstd", { level: 1, checksum: false })];
    const index_codecs = [codec("bytes", { endian: "little" })];
    const vlen = codec("zarrs.vlen", { index_codecs, data_codecs, index_data_type: "uint32" });
    for (const codecs of [["vlen-bytes", "zstd"], [vlen]]) {
      for (const shards of [undefined, [4]]) {
        const store = new Map<string, Uint8Array>();
        const made = await create(store, { shape: [4], chunkShape: [2], shards, dtype: "bytes", codecs });
        await set(made, null, { data: [bytes, bytes, bytes, bytes], shape: [4] });
        const array = await open(store, { kind: "array" });
        await expect(get(array, null, { maximumDecodedBytes: 20_000 })).resolves.toBeDefined();
        await expect(get(array, null, { maximumDecodedBytes: 9000 })).rejects.toThrow(
          /at most 9000 .*maximumDecodedBytes \(key "\/c\/0"/,
        );
      }
    }
  });
});

describe("chunks without a compressor", () => {
  it("are as long as their elements are", async () => {
    const store = new Map<string, Uint8Array>();
    const array = await create(store, { shape: [2], dtype: "string", codecs: ["vlen-utf8"] });
    await set(array, null, { data: ["x".repeat(MIB), "y"], shape: [2] });
    const read = await open(store, { kind: "array" });
    if (!read.is("string")) throw new Error(`expected text, got ${read.dtype}`);
    expect(await get(read, [0])).toHaveLength(MIB);
  });

  it("and shards behind a checksum are as long as their inner chunks", async () => {
    const store = new Map<string, Uint8Array>();
    const codecs = [
      {
        name: "sharding_indexed",
        configuration: {
          chunk_shape: [2],
          codecs: [LITTLE],
          index_codecs: [LITTLE],
          index_location: "end",
        },
      },
      "crc32c",
    ];
    const array = await create(store, { shape: [4], chunkShape: [4], dtype: "int32", codecs });
    await set(array, null, Int32Array.of(1, 2, 3, 4));
    const { data } = await get(await open(store, { kind: "array" }));
    expect(data).toEqual(Int32Array.of(1, 2, 3, 4));
  });
});

describe("deflated entries of zip archives", () => {
  it("stop at the length that the directory says", async () => {
    const error = await explodeZip(zipBomb(8, 4 * MIB), undefined);
    expect(isZarrError(error, "StoreError") && error.message).toContain(
      "the data decode to more bytes than the chunk has",
    );
  });

  it("are not inflated where they say that they are longer than asked for", async () => {
    const error = await explodeZip(zipBomb(8, 8 * MIB + 8), MIB);
    expect(isZarrError(error, "StoreError") && error.message).toContain(String(MIB));
  });

  it("cannot claim what their bytes cannot make", async () => {
    const error = await explodeZip(zipBomb(1, 2 ** 31), undefined);
    expect(isZarrError(error, "StoreError") && error.message).toContain("can hold a value of the length");
  });
});
