/**
 * The checklist of README.md: data types. Values of every type are in the fixtures
 * (test/interop/draft-fixtures.test.ts).
 */
import { afterEach, expect, test } from "vitest";
import { create, get, type Json, open, root, set } from "../../../src/index.js";
import { draftExtensions } from "../../../src/main/codecs.js";
import { loadExtraDataTypes, parseDataType } from "../../../src/main/data-types.js";
import { arrayDocument, decode, failure, hierarchy, numbers, RecordingStore } from "./hierarchy.js";

await loadExtraDataTypes();
afterEach(() => draftExtensions.clear());

/** Writes 1 and reads it, as a core type of the draft. */
async function roundTrip(
  identifier: string,
): Promise<{ document: Json; chunk: number[]; values: unknown[] }> {
  const store = new RecordingStore();
  const array = await create(root(store).resolve("a"), {
    zarrFormat: "draft",
    shape: [1],
    chunkShape: [1],
    dtype: parseDataType(
      identifier === "bool" ? "|b1" : /^[<>]/.test(identifier) ? identifier : `|${identifier}`,
    ),
    endian: identifier.startsWith(">") ? "big" : "little",
    attributes: {},
  });
  const { dataType } = array;
  const isBigInt = typeof dataType.defaultScalar === "bigint";
  await set(array, null, isBigInt ? 1n : identifier === "bool" ? true : 1);
  const { data } = await get(await open(root(store).resolve("a"), { kind: "array" }));
  return {
    document: decode(store.values.get("/meta/root/a.array.json")),
    chunk: [...(store.values.get("/data/root/a/c0") ?? [])],
    values: numbers({ data }),
  };
}

test.each([
  ["bool", [1]],
  ["i1", [1]],
  ["u1", [1]],
  ["<i2", [1, 0]],
  [">i2", [0, 1]],
  ["<i4", [1, 0, 0, 0]],
  [">i4", [0, 0, 0, 1]],
  ["<i8", [1, 0, 0, 0, 0, 0, 0, 0]],
  [">i8", [0, 0, 0, 0, 0, 0, 0, 1]],
  ["<u2", [1, 0]],
  [">u2", [0, 1]],
  ["<u4", [1, 0, 0, 0]],
  [">u4", [0, 0, 0, 1]],
  ["<u8", [1, 0, 0, 0, 0, 0, 0, 0]],
  [">u8", [0, 0, 0, 0, 0, 0, 0, 1]],
  ["<f2", [0, 0x3c]],
  [">f2", [0x3c, 0]],
  ["<f4", [0, 0, 0x80, 0x3f]],
  [">f4", [0x3f, 0x80, 0, 0]],
  ["<f8", [0, 0, 0, 0, 0, 0, 0xf0, 0x3f]],
  [">f8", [0x3f, 0xf0, 0, 0, 0, 0, 0, 0]],
])("18. The core data types in their sizes and byte orders: %s", async (identifier, bytes) => {
  const { document, chunk, values } = await roundTrip(identifier);
  expect(document).toMatchObject({ data_type: identifier });
  expect(chunk).toEqual(bytes);
  expect(values).toEqual([1]);
});

test("19. A bool is one byte, 0 or 1", async () => {
  const document = arrayDocument({ data_type: "bool", fill_value: false, shape: [4] });
  const store = hierarchy(
    { "meta/root/a.array.json": document },
    { "data/root/a/c0": [0, 1], "data/root/a/c1": [2, 255] },
  );
  const array = await open(root(store).resolve("a"), { kind: "array" });
  // Another byte than 0 is true, and read as the byte 1.
  expect([...(await get(array)).data]).toEqual([false, true, true, true]);
  if (!array.is("bool")) throw new Error("expected bool");
  await set(array, null, true);
  expect([...(store.values.get("/data/root/a/c0") ?? [])]).toEqual([1, 1]);
});

test("20. Floats are those of IEEE 754", async () => {
  const special = [0, 0x80, 0, 0x7c, 0, 0xfc, 1, 0x7e, 1, 0];
  const document = arrayDocument({
    data_type: "<f2",
    shape: [5],
    chunk_grid: { type: "regular", chunk_shape: [5], separator: "/" },
  });
  const store = hierarchy({ "meta/root/a.array.json": document }, { "data/root/a/c0": special });
  const array = await open(root(store).resolve("a"), { kind: "array" });
  const { data } = await get(array);
  expect(numbers({ data })).toEqual([
    -0,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NaN,
    2 ** -24,
  ]);
});

test("21. Raw bits: r8, r16, r24 and on", async () => {
  for (const [id, itemSize] of [
    ["r8", 1],
    ["r16", 2],
    ["r24", 3],
    ["r1024", 128],
  ] as const) {
    const document = arrayDocument({ data_type: id, fill_value: null });
    const chunk = Array.from({ length: 2 * itemSize }, (_, i) => (i + 1) % 256);
    const store = hierarchy({ "meta/root/a.array.json": document }, { "data/root/a/c0": chunk });
    const array = await open(root(store).resolve("a"), { kind: "array" });
    const { data } = await get(array);
    expect([...(array.dataType.bytesOf(data) ?? [])]).toEqual(chunk);
    const copy = new RecordingStore();
    await create(copy, { zarrFormat: "draft", shape: [1], dtype: array.dataType, fillValue: null });
    expect(decode(copy.values.get("/meta/root.array.json"))).toMatchObject({ data_type: id });
  }
  for (const id of ["r", "r0", "r7", "r12", "r-8", "r8.0", "R8"]) {
    const store = hierarchy({ "meta/root/a.array.json": arrayDocument({ data_type: id }) });
    expect(await failure(open(root(store).resolve("a")))).toMatch(
      /UnknownDataTypeError|InvalidMetadataError/,
    );
  }
});

test("22. Other data types come by extensions, which may be any JSON", async () => {
  const data_type = { extension: "http://example.org/percent", type: { any: ["json", null] } };
  const document = arrayDocument({ data_type, fill_value: 7 });
  const store = hierarchy({ "meta/root/a.array.json": document }, {});
  const location = root(store).resolve("a");
  expect(await failure(open(location))).toBe("UnknownDataTypeError");
  const types: Json[] = [];
  draftExtensions.set("http://example.org/percent", {
    dataType(type) {
      types.push(type);
      return { dataType: parseDataType("uint8"), endian: undefined };
    },
  });
  const array = await open(location, { kind: "array" });
  expect(types).toEqual([{ any: ["json", null] }]);
  expect(numbers(await get(array))).toEqual([7, 7]);
  draftExtensions.set("http://example.org/percent", {
    writeDataType: ({ name }) => (name === "uint8" ? { type: "percent", fallback: "u1" } : undefined),
  });
  await create(root(store).resolve("b"), { zarrFormat: "draft", shape: [1], dtype: "uint8", fillValue: 5 });
  expect(decode(store.values.get("/meta/root/b.array.json"))).toMatchObject({
    data_type: { extension: "http://example.org/percent", type: "percent", fallback: "u1" },
    fill_value: 5,
  });
  await create(root(store).resolve("c"), { zarrFormat: "draft", shape: [1], dtype: "int8" });
  expect(decode(store.values.get("/meta/root/c.array.json"))).toMatchObject({ data_type: "i1" });
});
