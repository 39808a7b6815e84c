/** Columns: their memory, what they offer, and writing them. */
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  create,
  get,
  getChunk,
  isZarrError,
  open,
  set,
  slice,
  type UnicodeStringArray,
} from "../../../src/index.js";
import type { Column } from "../../../src/main/data-types.js";
import { TEXTS, toBytes } from "./elements.js";
import { BIG, BYTES, GZIP, LITTLE, vlen } from "./vlen-chains.js";

async function written(dtype: string, codecs: readonly string[], shape = [TEXTS.length], chunkShape = shape) {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, { shape, chunkShape, dtype, codecs });
  await set(array, null, { data: /string/.test(dtype) ? TEXTS : TEXTS.map(toBytes), shape });
  return { store, array: await open(store, { kind: "array" }) };
}

describe("memory", () => {
  it.each(["string", "binary", "large_string", "large_binary"])(
    "of a %s chunk in ZEP 7's layout is the column's",
    async (dtype) => {
      const { store, array } = await written(dtype, ["bytes"]);
      const chunk = store.get("/c/0");
      if (chunk === undefined) throw new Error("no chunk");
      const { data: column } = await get(array, null, { as: "column" });
      expect(column.data.buffer).toBe(chunk.buffer);
      expect(column.offsets.buffer).toBe(chunk.buffer);
      expect(column.offsets.byteOffset).toBe(chunk.byteOffset);
      expect(column.data.byteOffset % 64).toBe(chunk.byteOffset % 64);
      expect(column.offsets).toBeInstanceOf(dtype.startsWith("large") ? BigInt64Array : Int32Array);
    },
  );

  it("of a chunk in zarrs.vlen is the column's where no codec changes it", async () => {
    const shape = [TEXTS.length];
    for (const [location, index, ownOffsets] of [
      ["start", [LITTLE], false],
      ["start", [BIG], true],
      ["start", [LITTLE, GZIP], true],
      // Behind data of no multiple of 4 bytes.
      ["end", [LITTLE], true],
    ] as const) {
      const store = new Map<string, Uint8Array>();
      const codecs = JSON.parse(JSON.stringify([vlen(index, [BYTES], "uint32", location)]));
      const array = await create(store, { shape, dtype: "string", codecs });
      await set(array, null, TEXTS);
      const chunk = store.get("/c/0")?.slice() ?? new Uint8Array();
      store.set("/c/0", chunk);
      const { data: column } = await get(array, null, { as: "column" });
      expect(column.data.buffer).toBe(chunk.buffer);
      expect(column.offsets.buffer !== chunk.buffer).toBe(ownOffsets);
      expect(column.toArray()).toEqual(TEXTS);
    }
  });

  it("of values is never the store's", async () => {
    const { store, array } = await written("binary", ["bytes"]);
    const before = store.get("/c/0")?.slice();
    const { data } = await get(array);
    if (!Array.isArray(data)) throw new Error("expected an array");
    for (const value of data) if (value instanceof Uint8Array) value.fill(255);
    expect(store.get("/c/0")).toEqual(before);
  });

  it("of a column from compressed, sharded or several chunks is its own", async () => {
    for (const [codecs, chunkShape, shards] of [
      [["bytes", "gzip"], [TEXTS.length], undefined],
      [["bytes", "crc32c"], [TEXTS.length], undefined],
      [["bytes"], [5], undefined],
      [["bytes"], [5], [20]],
    ] as const) {
      const store = new Map<string, Uint8Array>();
      const array = await create(store, {
        shape: [TEXTS.length],
        chunkShape,
        shards,
        dtype: "string",
        codecs,
      });
      await set(array, null, TEXTS);
      const first = (await get(array, null, { as: "column" })).data;
      const kept = [first.offsets.slice(), first.data.slice()];
      // Other reads use the scratch memory again.
      for (let i = 0; i < 3; i++) await get(array, [slice(null, null, -1)], { as: "column" });
      expect([first.offsets, first.data.slice()]).toEqual(kept);
      expect(first.toArray()).toEqual(TEXTS);
    }
  });
});

describe("a column", () => {
  it("gives elements, lengths, parts and all", async () => {
    const { array } = await written("string", ["vlen-utf8"]);
    const { data: column, shape, stride } = await get(array, null, { as: "column" });
    expect([shape, stride]).toEqual([[TEXTS.length], [1]]);
    expect(column).toHaveLength(TEXTS.length);
    expect([...column]).toEqual(TEXTS);
    expect(TEXTS.map((_, i) => column.get(i))).toEqual(TEXTS);
    expect(TEXTS.map((_, i) => column.byteLengthOf(i))).toEqual(TEXTS.map((text) => toBytes(text).length));
    for (const [begin, end] of [
      [0, 3],
      [3, -2],
      [-5, undefined],
      [9, 4],
      [-99, 99],
    ] as const) {
      expect(column.subarray(begin, end).toArray()).toEqual(TEXTS.slice(begin, end));
    }
    expect(column.subarray(4, 12).subarray(2).get(1)).toBe(TEXTS[7]);
    for (const index of [-1, TEXTS.length, 0.5]) {
      expect(() => column.get(index)).toThrow(/expected an index from 0 to/);
      expect(() => column.byteLengthOf(index)).toThrow(/expected an index/);
    }
  });

  it("of a scalar selection is the scalar, of an array of numbers an error", async () => {
    const { array } = await written("string", ["vlen-utf8"]);
    expect(await get(array, [4], { as: "column" })).toBe(TEXTS[4]);
    const numbers = await create(new Map(), { shape: [3], dtype: "int8" });
    await expect(get(numbers, null, { as: "column" })).rejects.toThrow(
      /as: cannot convert elements of data type/,
    );
  });

  it("is written as it is, in whole or in part, whatever its offsets", async () => {
    const { array: source } = await written("string", ["vlen-utf8"]);
    const column = (await get(source, null, { as: "column" })).data;
    const ends = Array.from({ length: TEXTS.length + 1 }, (_, i) => Number(column.offsets[i]));
    const wide = { offsets: BigInt64Array.from(ends, BigInt), data: column.data };
    const unsigned = { offsets: Uint32Array.from(ends), data: column.data };
    for (const codecs of [["vlen-utf8"], ["bytes"]]) {
      for (const [given, expected] of [
        [column, TEXTS],
        [wide, TEXTS],
        [unsigned, TEXTS],
        [column.subarray(3, 8), TEXTS.slice(3, 8)],
      ] as const) {
        const array = await create(new Map(), {
          shape: [expected.length],
          chunkShape: [4],
          dtype: "string",
          codecs,
        });
        await set(array, null, given);
        expect((await get(array)).data).toEqual(expected);
      }
      const large = await create(new Map(), { shape: [5], dtype: "large_string", codecs: ["bytes"] });
      await set(large, [slice(null, null, -1)], column.subarray(3, 8));
      expect((await get(large)).data).toEqual(TEXTS.slice(3, 8).toReversed());
    }
  });

  it.each([
    ["decreases", Int32Array.of(0, 3, 2, 4)],
    ["ends behind its data", Int32Array.of(0, 1, 2, 9)],
    ["begins below 0", Int32Array.of(-1, 1, 2, 3)],
    ["has another length", Int32Array.of(0, 1, 2)],
    ["is empty", new Int32Array(0)],
  ])("is refused when it %s", async (_, offsets) => {
    const array = await create(new Map(), { shape: [3], dtype: "string" });
    const error: unknown = await set(array, null, { offsets, data: new Uint8Array(4) }).catch(
      (reason: unknown) => reason,
    );
    expect(isZarrError(error, "InvalidArgumentError")).toBe(true);
  });
});

describe("what TypeScript knows", () => {
  it("of an array of text that was opened, once it is asked whether it is one", async () => {
    const { array } = await written("string", ["vlen-utf8"]);
    if (!array.is("string")) throw new Error("expected string");
    const { data } = await get(array);
    expectTypeOf(data).toEqualTypeOf<string[] | UnicodeStringArray>();
    expectTypeOf((await get(array, null, { as: "column" })).data).toEqualTypeOf<Column<string>>();
    expectTypeOf(await get(array, [3])).toEqualTypeOf<string>();
    expectTypeOf(set<"string", Map<string, Uint8Array>>)
      .parameter(2)
      .extract<number>()
      .toBeNever();
    expect(data).toEqual(TEXTS);
    expect([array.is("large_string"), array.is("bytes"), array.is("number")]).toEqual([false, false, false]);
  });

  it("of arrays of bytes", async () => {
    const { array } = await written("large_binary", ["bytes"]);
    if (!array.is("large_binary")) throw new Error("expected large_binary");
    expectTypeOf((await get(array)).data).toEqualTypeOf<Uint8Array[]>();
    expectTypeOf(await get(array, [3], { as: "column" })).toEqualTypeOf<Uint8Array>();
    expect([array.is("binary"), array.is("string")]).toEqual([false, false]);
  });

  it("text of fixed length is text, too", async () => {
    const array = await create(new Map(), { shape: [1], dtype: "<U4", zarrFormat: 2 });
    expect(array.is("string")).toBe(true);
    if (array.is("string")) expectTypeOf((await get(array)).data).toEqualTypeOf<UnicodeStringArray>();
  });
});

describe("writing", () => {
  it("refuses what is no string, or no text that UTF-8 has", async () => {
    const array = await create(new Map(), { shape: [3], dtype: "string" });
    const values: readonly unknown[] = [["a", 1, "b"], ["a", "b"], 5, [null, "", ""]];
    for (const value of values) {
      const error: unknown = await set(array, null, Object(value)).catch((reason: unknown) => reason);
      expect(isZarrError(error, "InvalidArgumentError"), String(value)).toBe(true);
    }
    for (const text of [
      ["\ud83d", "\ude00", ""],
      ["a", "b\udc00", "é"],
    ]) {
      await expect(set(array, null, text)).rejects.toThrow(/half a surrogate pair/);
    }
  });

  it("leaves chunks of nothing but fill value out, whatever it is", async () => {
    for (const fillValue of ["", "fill é"]) {
      for (const codecs of [["vlen-utf8"], ["bytes"]]) {
        const store = new Map<string, Uint8Array>();
        const array = await create(store, {
          shape: [4, 5],
          chunkShape: [2, 2],
          dtype: "string",
          codecs,
          fillValue,
        });
        await set(array, null, "x");
        expect(store.size).toBe(7);
        await set(array, [slice(0, 2), slice(0, 3)], fillValue);
        expect([...store.keys()].filter((key) => key.startsWith("/c")).sort()).toEqual([
          "/c/0/1",
          "/c/0/2",
          "/c/1/0",
          "/c/1/1",
          "/c/1/2",
        ]);
        expect((await get(array, [0, null])).data).toEqual([fillValue, fillValue, fillValue, "x", "x"]);
        expect((await get(array, [0, null], { as: "column" })).data.toArray()).toEqual([
          fillValue,
          fillValue,
          fillValue,
          "x",
          "x",
        ]);
        await set(array, null, fillValue, { writeEmptyChunks: true });
        expect(store.size).toBe(7);
        expect(new Set(Array.from(Object(await get(array)).data))).toEqual(new Set([fillValue]));
      }
    }
  });

  it("of empty arrays and selections does nothing", async () => {
    const store = new Map<string, Uint8Array>();
    const array = await create(store, { shape: [0, 3], chunkShape: [1, 2], dtype: "string" });
    await set(array, null, { data: [], shape: [0, 3] });
    expect((await get(array)).data).toEqual([]);
    expect((await get(array, null, { as: "column" })).data.toArray()).toEqual([]);
    expect(store.size).toBe(1);
  });

  it("of chunks reads the part beyond the edge as fill value", async () => {
    const array = await create(new Map(), { shape: [3], chunkShape: [2], dtype: "string", fillValue: "f" });
    await set(array, null, ["a", "b", "c"]);
    expect((await getChunk(array, [1])).data).toEqual(["c", "f"]);
  });

  it("keeps everything when many write parts of one chunk at once", async () => {
    const array = await create(new Map(), {
      shape: [40],
      chunkShape: [40],
      dtype: "string",
      codecs: ["bytes", "gzip"],
    });
    await Promise.all(Array.from({ length: 40 }, (_, i) => set(array, [i], `value ${i}`)));
    expect((await get(array)).data).toEqual(Array.from({ length: 40 }, (_, i) => `value ${i}`));
  });

  it("compresses elements that are longer than most", async () => {
    const texts = ["", "é".repeat(2 ** 19), "a", "x".repeat(2 ** 20), ""];
    const vlen = {
      name: "zarrs.vlen",
      configuration: {
        index_codecs: [{ name: "bytes", configuration: { endian: "little" } }],
        data_codecs: ["bytes", "zstd"],
        index_data_type: "uint32",
        index_location: "start",
      },
    };
    for (const codecs of [["bytes", "zstd"], ["vlen-utf8", "zstd"], [vlen]]) {
      const store = new Map<string, Uint8Array>();
      const array = await create(store, { shape: [5], dtype: "string", codecs });
      await set(array, null, texts);
      expect((await get(array)).data).toEqual(texts);
      expect(store.get("/c/0")?.length).toBeLessThan(1000);
    }
  });

  it("takes elements of a megabyte between short ones", async () => {
    const texts = ["", "é".repeat(2 ** 19), "a", "x".repeat(2 ** 20), ""];
    for (const codecs of [["vlen-utf8"], ["bytes", "zstd"], ["zarrs.vlen_v2"]]) {
      const array = await create(new Map(), { shape: [5], dtype: "string", codecs });
      await set(array, null, texts);
      const { data } = await get(array);
      expect(Array.isArray(data) && texts.every((text, i) => text === data[i])).toBe(true);
      const column = (await get(array, [slice(null, null, -1)], { as: "column" })).data.toArray();
      expect(texts.every((text, i) => text === column[4 - i])).toBe(true);
    }
  });
});
