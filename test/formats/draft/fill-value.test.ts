/** The checklist of README.md: fill values. */
import { expect, test } from "vitest";
import {
  create,
  get,
  getChunk,
  type Json,
  open,
  root,
  set,
  type Array as ZarrArray,
} from "../../../src/index.js";
import { copyNode } from "../../../src/main/copy.js";
import {
  arrayDocument,
  decode,
  failure,
  hierarchy,
  numbers,
  openChanged,
  openDocument,
  RecordingStore,
} from "./hierarchy.js";

const fillOf = async (data_type: Json, fill_value: Json): Promise<unknown> =>
  (await openDocument(JSON.parse(JSON.stringify(arrayDocument({ data_type, fill_value }))))).fillValue;

async function expectFills(data_type: Json, wrong: readonly Json[]): Promise<void> {
  for (const fill_value of wrong) {
    const message = `${JSON.stringify(data_type)} ${JSON.stringify(fill_value)}`;
    expect([message, await failure(openChanged({ data_type, fill_value }))]).toEqual([
      message,
      "InvalidMetadataError",
    ]);
  }
}

/** With a fill value in digits that JSON.stringify would not write. */
function openFill(data_type: Json, digits: string): Promise<ZarrArray> {
  const document = JSON.stringify(arrayDocument({ data_type, fill_value: "FILL" })).replace('"FILL"', digits);
  const store = hierarchy({});
  store.values.set("/meta/root/a.array.json", new TextEncoder().encode(document));
  return open(root(store).resolve("a"), { kind: "array" });
}

test("35. The fill value of a bool is true or false, nothing else", async () => {
  expect(await fillOf("bool", true)).toBe(true);
  expect(await fillOf("bool", false)).toBe(false);
  await expectFills("bool", [0, 1, "true", "false", "0x01", "0b00000001", [], {}]);
});

test("36. The fill value of an integer is a number without fraction or exponent, in range", async () => {
  await expectFills("<i4", [1.5, 2 ** 31, -(2 ** 31) - 1, "1.0", "NaN", true, [], {}, ""]);
  await expectFills("u1", [256, -1]);
  await expectFills("<u2", [-1, 65536]);
  for (const text of ["1.5", "1e-1", "1e30", "18446744073709551616", "-9223372036854775809"]) {
    expect([text, await failure(openFill("<i8", text))]).toEqual([text, "InvalidMetadataError"]);
  }
  // A whole number in another notation is still that number.
  for (const text of ["10.0", "1e1", "100e-1"]) expect((await openFill("<i8", text)).fillValue).toBe(10n);
  for (const [data_type, digits] of [
    ["<u8", "18446744073709551615"],
    ["<i8", "-9223372036854775808"],
    [">i8", "9007199254740993"],
  ] as const) {
    const array = await openFill(data_type, digits);
    expect(array.fillValue).toBe(BigInt(digits));
    const copy = new RecordingStore();
    await create(copy, {
      zarrFormat: "draft",
      shape: [1],
      dtype: array.dataType,
      fillValue: BigInt(digits),
    });
    const written = new TextDecoder().decode(copy.values.get("/meta/root.array.json"));
    expect(written).toContain(`"fill_value": ${digits},`);
  }
});

test("37. The fill value null is undefined: read as zeros, and every chunk is written", async () => {
  const array = await openChanged({ fill_value: null });
  expect(array.fillValue).toBeNull();
  expect(numbers(await get(array))).toEqual([0, 0]);
  const store = new RecordingStore();
  const options = { zarrFormat: "draft", shape: [2], dtype: "uint8" } as const;
  await set(await create(store, { ...options, fillValue: null }), null, Uint8Array.of(0, 0));
  expect(decode(store.values.get("/meta/root.array.json"))).toMatchObject({ fill_value: null });
  expect(store.values.get("/data/root/c0")).toEqual(Uint8Array.of(0, 0));
  const { fill_value: _, ...without } = arrayDocument();
  expect((await openDocument(without)).fillValue).toBeNull();
});

test("38. The fill value of an extension type is the extension's", async () => {
  const complex = {
    extension: "https://purl.org/zarr/spec/protocol/extensions/complex-dtypes/1.0",
    type: "<c8",
  };
  expect(await fillOf(complex, [1, "NaN"])).toEqual({ re: 1, im: Number.NaN });
  const text = { extension: "TODO: unicode array protocol URL", type: "<U3" };
  expect(await fillOf(text, "abc")).toBe("abc");
});

test("39. 0x and 0b are the bits of a number, in full width", async () => {
  expect(await fillOf("<f4", "0x3fc00000")).toBe(1.5);
  expect(await fillOf(">f4", "0x3fc00000")).toBe(1.5);
  expect(await fillOf("<f2", "0b0011111000000000")).toBe(1.5);
  expect(await fillOf("<i2", "0xfffe")).toBe(-2);
  expect(await fillOf(">u8", "0xffffffffffffffff")).toBe(2n ** 64n - 1n);
  expect(await fillOf("r16", "0x01ff")).toEqual(Uint8Array.of(1, 255));
  await expectFills("<f8", [
    "0x7ff8",
    "0x",
    "0b1",
    "0x7ff80000000000000",
    "0x7ff800000000000g",
    "7ff8000000000000",
  ]);
  await expectFills("<i2", ["0xfff", "0xfffff", "0b1"]);
  await expectFills("r16", ["0x01", "0x010203", "0b1"]);
  // The bits of a NaN survive, read and written.
  const store = hierarchy({
    "meta/root/a.array.json": arrayDocument({ data_type: "<f4", fill_value: "0x7fa00001" }),
  });
  const array = await open(root(store).resolve("a"), { kind: "array" });
  const { data } = await getChunk(array, [0]);
  expect([...(array.dataType.bytesOf(data) ?? [])]).toEqual([1, 0, 0xa0, 0x7f, 1, 0, 0xa0, 0x7f]);
  const copy = new RecordingStore();
  await copyNode(array, copy);
  expect(decode(copy.values.get("/meta/root.array.json"))).toMatchObject({ fill_value: "0x7fa00001" });
});

test("40. NaN, +Infinity, -Infinity for floats; Infinity as zarr-python and GDAL write it", async () => {
  for (const type of ["<f2", ">f4", "<f8"]) {
    expect(await fillOf(type, "NaN")).toBeNaN();
    expect(await fillOf(type, "+Infinity")).toBe(Number.POSITIVE_INFINITY);
    expect(await fillOf(type, "Infinity")).toBe(Number.POSITIVE_INFINITY);
    expect(await fillOf(type, "-Infinity")).toBe(Number.NEGATIVE_INFINITY);
    await expectFills(type, ["text", "", true, [], {}]);
  }
  const store = new RecordingStore();
  const fillValue = Number.POSITIVE_INFINITY;
  await create(store, { zarrFormat: "draft", shape: [1], dtype: "float64", fillValue });
  expect(decode(store.values.get("/meta/root.array.json"))).toMatchObject({ fill_value: "+Infinity" });
});
