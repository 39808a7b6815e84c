/** json2, json and msgpack2 of elements of a fixed size: chunks of numcodecs 0.16 and 0.17 (v2 arrays). */
import { describe, expect, it } from "vitest";
import { create, get, open, set } from "../../../src/index.js";

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const hex = (value: string): Uint8Array =>
  Uint8Array.from(value.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

function arrayOf(id: string, dtype: string, shape: readonly number[], chunk: Uint8Array) {
  const document = {
    ...{ zarr_format: 2, shape, chunks: shape, dtype, fill_value: null, order: "C" },
    ...{ compressor: null, filters: [{ id }] },
  };
  const key = shape.map(() => 0).join(".");
  return new Map([
    ["/.zarray", text(JSON.stringify(document))],
    [`/${key}`, chunk],
  ]);
}

const CASES = [
  ["json2", "<i4", [3], text('[0,1,2,"<i4",[3]]'), [0, 1, 2]],
  ["json2", "<f8", [2], text('[1.5,NaN,"<f8",[2]]'), [1.5, Number.NaN]],
  ["json2", "|b1", [2], text('[true,false,"|b1",[2]]'), [true, false]],
  ["json2", "<U3", [2], text('["a","bc","<U3",[2]]'), ["a", "bc"]],
  ["json2", ">i2", [2, 2], text('[[0,1],[2,3],">i2",[2,2]]'), [0, 1, 2, 3]],
  ["json2", "<u8", [1], text('[18446744073709551615,"<u8",[1]]'), [2n ** 64n - 1n]],
  ["json", "<i4", [2, 1], text('[[7],[8],"<i4"]'), [7, 8]],
  ["msgpack2", "<i4", [3], hex("95000102a33c69349103"), [0, 1, 2]],
  ["msgpack2", "<f8", [2], hex("94cb3ff8000000000000cb7ff8000000000000a33c66389102"), [1.5, Number.NaN]],
  ["msgpack2", "|b1", [2], hex("94c3c2a37c62319102"), [true, false]],
  ["msgpack2", "<U3", [2], hex("94a161a26263a33c55339102"), ["a", "bc"]],
  ["msgpack2", "|S3", [2], hex("94c40161c4026263a37c53339102"), [text("a"), text("bc")]],
] as const;

it.each(CASES)("%s of %s %j", async (id, dtype, shape, chunk, values) => {
  const { data } = await get(await open(arrayOf(id, dtype, shape, chunk), { kind: "array" }));
  expect(Array.from(Object(data))).toEqual(values);
});

it.each([
  ["json2", "int16", [1, -2, 3, 4]],
  ["json2", "float32", [0.1, -0, Number.NaN, Number.POSITIVE_INFINITY].map(Math.fround)],
  ["json2", "bool", [true, false, true, true]],
  ["msgpack2", "float64", [0.1, -0, 3, 1e300]],
  ["msgpack2", "uint64", [0n, 2n ** 64n - 1n, 5n, 7n]],
] as const)("%s of %s: what is written is read again", async (id, dtype, values) => {
  for (const zarrFormat of [2, 3] as const) {
    const codecs = zarrFormat === 2 ? { filters: [{ id }], compressor: null } : [`numcodecs.${id}`];
    const store = new Map<string, Uint8Array>();
    const array = await create(store, { shape: [2, 2], dtype, zarrFormat, codecs, fillValue: values[0] });
    await set(array, null, Object({ data: values, shape: [2, 2] }));
    const chunk = store.get(zarrFormat === 2 ? "/0.0" : "/c/0/0");
    expect(chunk?.length).toBeGreaterThan(10);
    if (dtype === "int16") expect(new TextDecoder().decode(chunk)).toBe('[1,-2,3,4,"<i2",[4]]');
    expect(Array.from(Object((await get(array)).data))).toEqual(values);
  }
});

describe("what is refused", () => {
  it.each([
    ["json2", "<i4", '[0,1.5,"<i4",[2]]', /expected an integer .* got 1.5 in element 1/],
    ["json2", "|u1", '[0,256,"|u1",[2]]', /expected an integer from 0 to 255 as uint8, got 256 in element 1/],
    ["json2", "<i4", '[0,1,"<i8",[2]]', /expected elements of int32, got a chunk of "<i8"/],
    ["json2", "<i4", '[0,1,"|O",[2]]', /expected elements of int32, got a chunk of "\|O"/],
    ["json2", "<i4", '[0,1,2,"<i4",[3]]', /a shape of 2 elements/],
    ["json2", "<U1", '["a","bc","<U1",[2]]', /in element 1/],
    ["json2", "|b1", '[true,null,"|b1",[2]]', /true or false as a bool, got null in element 1/],
  ])("%s of %s: %s", async (id, dtype, chunk, message) => {
    const array = await open(arrayOf(id, dtype, [2], text(chunk)), { kind: "array" });
    await expect(get(array)).rejects.toThrow(message);
  });

  it("types that numcodecs does not write so", async () => {
    for (const [id, dtype] of [
      ["json2", "<c8"],
      ["json2", "|S3"],
      ["msgpack2", "<M8[s]"],
    ] as const) {
      const array = await open(arrayOf(id, dtype, [2], text("[]")), { kind: "array" });
      await expect(get(array)).rejects.toThrow(/of a fixed size, got/);
    }
  });
});
