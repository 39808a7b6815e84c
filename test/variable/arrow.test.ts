/** Arrow vectors of results, over the same memory, and back. */
import * as arrow from "apache-arrow";
import { describe, expect, it } from "vitest";
import { fromArrowVector, toArrowVector } from "../../src/arrow.js";
import { create, get, isZarrError, open, set } from "../../src/index.js";
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
      const array = await create(new Map(), { shape: [expected.length], chunkShape: [2], dtype: "string" });
      const given = fromArrowVector(source);
      if (!("offsets" in given)) throw new Error("expected a column");
      await set(array, null, given);
      expect((await get(array)).data).toEqual(expected);
    }
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
  it.each([
    ["int8", "Int8"],
    ["int16", "Int16"],
    ["int32", "Int32"],
    ["uint8", "Uint8"],
    ["uint16", "Uint16"],
    ["uint32", "Uint32"],
    ["float32", "Float32"],
    ["float64", "Float64"],
  ] as const)("%s as %s over the same memory, and back", async (dtype, type) => {
    const array = await create(new Map(), { shape: [2, 3], dtype });
    await set(array, null, { data: [1, 2, 3, 4, 5, 6], shape: [2, 3] });
    const { data } = await get(array);
    const vector = toArrowVector(data);
    expect(String(vector.type)).toBe(type);
    expect([...vector]).toEqual([1, 2, 3, 4, 5, 6]);
    expect(vector.data[0]?.values.buffer).toBe(data.buffer);
    const back = fromArrowVector(vector);
    expect("buffer" in back && back.buffer).toBe(data.buffer);
    expect([...Object(fromArrowVector(vector.concat(vector)))]).toEqual([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]);
  });

  it.each([
    ["int64", [1n, -(2n ** 62n)], [1n, -(2n ** 62n)]],
    ["uint64", [1n, 2n ** 63n], [1n, 2n ** 63n]],
    ["float16", [1.5, -2], [1.5, -2]],
    ["bool", [true, false, true], [true, false, true]],
  ] as const)("%s", async (dtype, values, expected) => {
    const array = await create(new Map(), { shape: [values.length], dtype: String(dtype) });
    await set(array, null, Object({ data: values, shape: [values.length] }));
    expect([...toArrowVector(Object(await get(array)).data)]).toEqual(expected);
  });

  it("complex numbers, raw bytes and datetimes", async () => {
    const complex = await create(new Map(), { shape: [2], dtype: "complex64" });
    await set(complex, null, {
      data: [
        { re: 1, im: 2 },
        { re: 3, im: 4 },
      ],
      shape: [2],
    });
    expect([...toArrowVector((await get(complex)).data)].map((pair) => [...pair])).toEqual([
      [1, 2],
      [3, 4],
    ]);
    const raw = await create(new Map(), { shape: [2], dtype: "r16" });
    await set(raw, null, { data: [Uint8Array.of(1, 2), Uint8Array.of(3, 4)], shape: [2] });
    expect([...toArrowVector((await get(raw)).data)]).toEqual([Uint8Array.of(1, 2), Uint8Array.of(3, 4)]);
    const times = await create(new Map(), { shape: [2], dtype: "<M8[ms]" });
    await set(times, null, { data: [0n, 86_400_000n], shape: [2] });
    const vector = toArrowVector((await get(times)).data);
    expect(String(vector.type)).toBe("Timestamp<MILLISECOND>");
    expect([...vector]).toEqual([0, 86_400_000]);
  });
});
