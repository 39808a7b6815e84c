/** Arrow vectors of results, over the same memory, and back. */
import * as arrow from "apache-arrow";
import { describe, expect, it } from "vitest";
import { fromArrowVector, toArrowVector } from "../../../src/formats/arrow.js";
import { create, get, isZarrError, open, set } from "../../../src/index.js";
import { TEXTS as ALL, toBytes } from "./elements.js";

/** Arrow's own decoder takes a byte order mark away. */
const TEXTS = ALL.filter((text) => !text.startsWith("\ufeff"));

async function column(dtype: string, codecs: readonly string[]) {
  const store = new Map<string, Uint8Array>();
  const array = await create(store, { shape: [TEXTS.length], dtype, codecs });
  await set(array, null, {
    data: dtype.endsWith("string") ? TEXTS : TEXTS.map(toBytes),
    shape: [TEXTS.length],
  });
  const { data } = await get(await open(store, { kind: "array" }), null, { as: "column" });
  return { data, store };
}

describe("columns", () => {
  it.each([
    ["string", "Utf8"],
    ["binary", "Binary"],
    ["large_string", "LargeUtf8"],
    ["large_binary", "LargeBinary"],
  ])("of %s are %s over the memory of the chunk", async (dtype, type) => {
    const { data, store } = await column(dtype, ["bytes"]);
    const vector = toArrowVector(data);
    expect(String(vector.type)).toBe(type);
    const values = [...vector].map((value: unknown) =>
      value instanceof Uint8Array ? Uint8Array.from(value) : value,
    );
    expect(values).toEqual(dtype.endsWith("string") ? TEXTS : TEXTS.map(toBytes));
    const [piece] = vector.data;
    expect(piece?.values.buffer).toBe(store.get("/c/0")?.buffer);
    expect(piece?.valueOffsets.buffer).toBe(store.get("/c/0")?.buffer);
  });

  it("parts of columns are parts of vectors, and vectors can be written", async () => {
    const { data } = await column("string", ["vlen-utf8"]);
    const vector = toArrowVector(data.subarray(3, 9));
    expect([...vector]).toEqual(TEXTS.slice(3, 9));
    for (const [source, expected] of [
      [vector, TEXTS.slice(3, 9)],
      [vector.slice(1, 4), TEXTS.slice(4, 7)],
      [vector.concat(arrow.vectorFromArray(["x", "é"], new arrow.Utf8())), [...TEXTS.slice(3, 9), "x", "é"]],
      [arrow.vectorFromArray(["a", "", "😀"], new arrow.LargeUtf8()), ["a", "", "😀"]],
    ] as const) {
      for (const given of [source, { data: source, shape: [expected.length] }, fromArrowVector(source)]) {
        const options = { shape: [expected.length], chunkShape: [2], dtype: "string" } as const;
        const array = await create(new Map(), options);
        await set(array, null, Object(given));
        expect((await get(array)).data).toEqual(expected);
      }
    }
  });

  it("vectors are written as they are: text, bytes, what a dictionary holds", async () => {
    const array = await create(new Map(), { shape: [2, 3], chunkShape: [2, 2], dtype: "string", order: "F" });
    // Typed, no conversion in between.
    await set(array, null, arrow.vectorFromArray(["a", "é", "", "😀", "e", "f"], new arrow.Utf8()));
    expect((await get(array)).data).toEqual(["a", "é", "", "😀", "e", "f"]);
    await set(array, [1, null], arrow.vectorFromArray(["x", "yy", "x"]));
    expect((await get(array)).data).toEqual(["a", "é", "", "x", "yy", "x"]);
    const dictionary = arrow.vectorFromArray(["one", "two", "one", "two", "two", "one"]);
    expect(arrow.DataType.isDictionary(dictionary.type)).toBe(true);
    await set(array, null, dictionary.slice(1).concat(dictionary.slice(0, 1)));
    expect((await get(array)).data).toEqual(["two", "one", "two", "two", "one", "one"]);
    const bytes = await create(new Map(), { shape: [2], dtype: "binary" });
    await set(
      bytes,
      null,
      arrow.vectorFromArray([Uint8Array.of(1), Uint8Array.of(2, 3)], new arrow.Binary()),
    );
    expect((await get(bytes)).data).toEqual([Uint8Array.of(1), Uint8Array.of(2, 3)]);
  });

  it("a column of Arrow IPC, with padding and in batches, is written", async () => {
    const batch = (texts: string[]) =>
      new arrow.Table({ texts: arrow.vectorFromArray(texts, new arrow.Utf8()) });
    const table = batch(["a", "bb"]).concat(batch(["", "ccc"]));
    const read = arrow.tableFromIPC(arrow.tableToIPC(table, "file")).getChild("texts");
    if (read === null) throw new Error("expected a column");
    expect(read.data).toHaveLength(2);
    const array = await create(new Map(), { shape: [4], dtype: "string", codecs: ["bytes"] });
    await set(array, null, read);
    expect((await get(array)).data).toEqual(["a", "bb", "", "ccc"]);
  });

  it("vectors of another length, with nulls, or of another type are refused before anything is written", async () => {
    const store = new Map<string, Uint8Array>();
    const text = await create(store, { shape: [2], dtype: "string" });
    for (const [given, tag] of [
      [arrow.vectorFromArray(["a", "b", "c"], new arrow.Utf8()), "InvalidArgumentError"],
      [arrow.vectorFromArray(["a", null], new arrow.Utf8()), "InvalidArgumentError"],
      [arrow.vectorFromArray([1, 2], new arrow.Int8()), "InvalidArgumentError"],
      [arrow.vectorFromArray([{ a: 1 }, { a: 2 }]), "UnsupportedError"],
    ] as const) {
      const error: unknown = await set(text, null, given).catch((reason: unknown) => reason);
      expect(isZarrError(error, tag), String(error)).toBe(true);
    }
    const seconds = await create(store, { shape: [2], dtype: "<M8[s]", overwrite: true });
    const vector = arrow.vectorFromArray([1, 2], new arrow.TimestampMillisecond());
    const error: unknown = await set(seconds, null, vector).catch((reason: unknown) => reason);
    expect(isZarrError(error, "InvalidArgumentError"), String(error)).toBe(true);
    expect(store.size).toBe(1);
  });

  it("values, nulls and objects are refused", async () => {
    const nulls = arrow.vectorFromArray(["a", null], new arrow.Utf8());
    const lists = arrow.vectorFromArray([[1], [2]], new arrow.List(new arrow.Field("x", new arrow.Int8())));
    for (const [call, tag] of [
      [() => toArrowVector(["a"]), "InvalidArgumentError"],
      [() => fromArrowVector(nulls), "InvalidArgumentError"],
      [() => fromArrowVector(lists), "UnsupportedError"],
      [() => toArrowVector({}), "UnsupportedError"],
    ] as const) {
      let error: unknown;
      try {
        call();
      } catch (reason) {
        error = reason;
      }
      expect(isZarrError(error, tag)).toBe(true);
    }
  });
});

describe("elements of fixed size", () => {
  /** dtype, values, Arrow's type, whether it shares the memory. */
  it.each<[string, readonly unknown[], string, boolean]>([
    ["int8", [1, -2, 3], "Int8", true],
    ["int16", [1, -2, 3], "Int16", true],
    ["int32", [1, -2, 3], "Int32", true],
    ["int64", [1n, -(2n ** 62n), 3n], "Int64", true],
    ["uint8", [1, 2, 255], "Uint8", true],
    ["uint16", [1, 2, 65535], "Uint16", true],
    ["uint32", [1, 2, 2 ** 32 - 1], "Uint32", true],
    ["uint64", [1n, 2n ** 63n, 3n], "Uint64", true],
    ["float16", [1.5, -2, 0.25], "Float16", true],
    ["float32", [1.5, -2, 0.25], "Float32", true],
    ["float64", [1.5, -2, 0.1], "Float64", true],
    [
      "complex64",
      [
        { re: 1, im: 2 },
        { re: 3, im: 4 },
        { re: 5, im: 6 },
      ],
      "FixedSizeList[2]<Float32>",
      true,
    ],
    [
      "complex128",
      [
        { re: 1, im: 2 },
        { re: 3, im: 4 },
        { re: 5, im: 6 },
      ],
      "FixedSizeList[2]<Float64>",
      true,
    ],
    ["r16", [Uint8Array.of(1, 2), Uint8Array.of(3, 4), Uint8Array.of(5, 6)], "FixedSizeBinary[2]", true],
    ["<M8[ms]", [0n, 86_400_000n, -5n], "Timestamp<MILLISECOND>", true],
    ["<M8[us]", [0n, 1n, 2n], "Timestamp<MICROSECOND>", true],
    ["<m8[ns]", [0n, 1n, 2n], "Duration<NANOSECOND>", true],
    ["<M8[D]", [0n, 1n, 2n], "Int64", true],
    ["bool", [true, false, true], "Bool", false],
    ["bfloat16", [1.5, -2, 0.25], "Float32", false],
    ["float8_e4m3", [1.5, -2, 0.25], "Float32", false],
    [
      "complex_bfloat16",
      [
        { re: 1, im: 2 },
        { re: 3, im: 4 },
        { re: 5, im: 6 },
      ],
      "FixedSizeList[2]<Float32>",
      false,
    ],
    ["int4", [1, -2, 7], "Int8", false],
    ["uint2", [1, 2, 3], "Uint8", false],
    ["<U3", ["a", "é😀", ""], "Utf8", false],
  ])("%s as a vector, and the vector written", async (dtype, values, type, isShared) => {
    const shape = [values.length];
    const array = await create(new Map(), { shape, dtype });
    await set(array, null, Object({ data: values, shape }));
    const { data } = await get(array);
    const vector = toArrowVector(data);
    expect(String(vector.type)).toBe(type);
    expect(vector.length).toBe(values.length);
    const [piece] = vector.data;
    const buffer: unknown = (piece?.children[0] ?? piece)?.values.buffer;
    expect(buffer === Object(data).buffer).toBe(isShared);
    for (const given of isShared || dtype === "bool"
      ? [vector, vector.slice(0, 1).concat(vector.slice(1))]
      : []) {
      const target = await create(new Map(), { shape, dtype });
      await set(target, null, given);
      expect(Array.from(Object((await get(target)).data))).toEqual(Array.from(Object(data)));
      const elements = fromArrowVector(given);
      if (given === vector && dtype !== "bool") {
        expect("buffer" in elements && elements.buffer).toBe(buffer);
      }
    }
  });

  it("structs are vectors of their fields", async () => {
    const dtype = [
      ["x", "<i4"],
      ["y", "<f8"],
    ] as const;
    const array = await create(new Map(), { shape: [2], dtype, zarrFormat: 2 });
    await set(array, null, {
      data: [
        { x: 1, y: 0.5 },
        { x: 2, y: 1.5 },
      ],
      shape: [2],
    });
    const vector = toArrowVector((await get(array)).data);
    expect(String(vector.type)).toBe("Struct<{x:Int32, y:Float64}>");
    expect([...vector].map((row) => row?.toJSON())).toEqual([
      { x: 1, y: 0.5 },
      { x: 2, y: 1.5 },
    ]);
  });

  it("vectors of other numbers are cast one by one, as arrays are", async () => {
    const array = await create(new Map(), { shape: [2, 2], dtype: "float32" });
    await set(array, null, arrow.vectorFromArray([1, 2, 3, 4], new arrow.Int16()));
    expect((await get(array)).data).toEqual(Float32Array.of(1, 2, 3, 4));
  });

  it("booleans that begin in the middle of a byte", async () => {
    const array = await create(new Map(), { shape: [5], dtype: "bool" });
    const bits = Array.from({ length: 20 }, (_, i) => i % 3 === 0);
    await set(array, null, arrow.vectorFromArray(bits, new arrow.Bool()).slice(11, 16));
    expect([...(await get(array)).data]).toEqual(bits.slice(11, 16));
  });
});
