/**
 * What is wrong with a data type, its fill value or its elements is a typed error that names the member and
 * what is allowed; nothing is written. Everything here goes through the public functions: documents are
 * opened, arrays created, elements set.
 */
import { describe, expect, it } from "vitest";
import { create, get, type Json, open, set } from "../../src/index.js";
import { LITTLE } from "../setup/codecs.js";

const document = (members: Record<string, Json>): Uint8Array =>
  new TextEncoder().encode(
    JSON.stringify({
      zarr_format: 3,
      node_type: "array",
      shape: [2],
      chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
      chunk_key_encoding: { name: "default" },
      codecs: [LITTLE],
      ...members,
    }),
  );
const v2Document = (dtype: Json, fill_value: Json = null): Uint8Array =>
  new TextEncoder().encode(
    JSON.stringify({
      zarr_format: 2,
      shape: [2],
      chunks: [2],
      dtype,
      fill_value,
      order: "C",
      compressor: null,
      filters: null,
    }),
  );

const openV3 = (members: Record<string, Json>): Promise<unknown> =>
  open(new Map([["/zarr.json", document(members)]]), { kind: "array" });
const openV2 = (dtype: Json, fill?: Json): Promise<unknown> =>
  open(new Map([["/.zarray", v2Document(dtype, fill)]]), { kind: "array" });

const configured = (name: string, configuration: Record<string, Json>): Json => ({ name, configuration });
const struct = (...fields: Json[]): Json => configured("struct", { fields });
const field = (name: Json, data_type: Json): Json => ({ name, data_type });

/** A `data_type` of v3: the member that the error names, and what it says is allowed. */
const documents: readonly [clause: string, data_type: Json, member: string, allowed: string][] = [
  ["an unknown name", "int33", "data_type", "Registered: int8, int16"],
  ["an unknown name of an object", { name: "float7_e3m3" }, "data_type", "Registered: int8, int16"],
  ["no name at all", 7, "data_type", "Registered: int8, int16"],
  ["a member that nobody knows", { name: "int32", endian: "big" }, "data_type.endian", "only name"],
  ["a missing configuration", "raw_bytes", "data_type.configuration.length_bytes", "exactly length_bytes"],
  [
    "a missing member of the configuration",
    configured("numpy.datetime64", { unit: "s" }),
    "data_type.configuration.scale_factor",
    "exactly unit and scale_factor",
  ],
  [
    "a configuration that the type does not have",
    configured("float32", { endian: "little" }),
    "data_type.configuration.endian",
    "no configuration",
  ],
  [
    "an extra member of the configuration",
    configured("fixed_length_utf32", { length_bytes: 4, encoding: "utf-32" }),
    "data_type.configuration.encoding",
    "exactly length_bytes",
  ],
  [
    "a length of zero",
    configured("null_terminated_bytes", { length_bytes: 0 }),
    "data_type.configuration.length_bytes",
    "a positive integer",
  ],
  [
    "a negative length",
    configured("raw_bytes", { length_bytes: -8 }),
    "data_type.configuration.length_bytes",
    "a positive integer",
  ],
  [
    "a length between two code points",
    configured("fixed_length_utf32", { length_bytes: 6 }),
    "data_type.configuration.length_bytes",
    "a positive multiple of 4",
  ],
  ["no bits", "r0", "data_type", "a positive multiple of 8"],
  ["bits that are no bytes", "r12", "data_type", "a positive multiple of 8"],
  [
    "a field name twice",
    struct(field("a", "int8"), field("a", "int8")),
    "data_type.configuration.fields[1]",
    "different field names",
  ],
  [
    "an empty field name",
    struct(field("a", "int8"), field("", "int8")),
    "data_type.configuration.fields[1]",
    "a field name",
  ],
  ["no fields", struct(), "data_type.configuration.fields", "at least one field"],
  [
    "a field of variable length",
    struct(field("a", "string")),
    "data_type.configuration.fields[0]",
    "fixed size",
  ],
  [
    "a field of variable length, nested",
    struct(field("a", struct(field("b", "bytes")))),
    "data_type.configuration.fields[0]",
    "fixed size",
  ],
  [
    "a unit that does not exist",
    configured("numpy.timedelta64", { unit: "minutes", scale_factor: 1 }),
    "data_type.configuration.unit",
    "one of Y, M, W, D, h, m, s, ms, us, μs, ns, ps, fs, as, generic",
  ],
  [
    "a scale of zero",
    configured("numpy.timedelta64", { unit: "s", scale_factor: 0 }),
    "data_type.configuration.scale_factor",
    "an integer from 1 to 2147483647",
  ],
];

describe("a document of v3 is refused for", () => {
  it.each(documents)("%s", async (_, data_type, member, allowed) => {
    await expect(openV3({ data_type, fill_value: 0 })).rejects.toMatchObject({
      member,
      key: "/zarr.json",
      message: expect.stringContaining(allowed),
      tag: expect.stringMatching(/^(InvalidMetadataError|UnknownDataTypeError)$/),
    });
  });
});

describe("an array is not created, and nothing written, for", () => {
  it.each(documents)("%s", async (_, dtype, __, allowed) => {
    for (const zarrFormat of [2, 3, "draft"] as const) {
      const store = new Map<string, Uint8Array>();
      await expect(create(store, { shape: [2], dtype, zarrFormat })).rejects.toMatchObject({
        message: expect.stringContaining(allowed),
        tag: expect.stringMatching(/^(InvalidMetadataError|UnknownDataTypeError)$/),
      });
      expect(store.size).toBe(0);
    }
  });
});

it.each<[Json, string]>([
  ["<i3", "Registered: int8, int16"],
  ["|S0", "a positive integer"],
  ["<U-1", "Registered: int8, int16"],
  ["|V0", "a positive integer"],
  ["<M8[minutes]", "one of Y, M, W, D"],
  ["<M8[0s]", "1 to 2147483647"],
  [[["a", "|O"]], "objects need a filter"],
  [
    [
      ["a", "|i1"],
      ["a", "|i1"],
    ],
    "different field names",
  ],
  [[["", "<i4"]], "a field name"],
  [[], "at least one field"],
  [[["a", "<i4", [0]]], "positive extents"],
  [[["a", "<i4", [-1]]], "positive extents"],
  ["|O", "objects need a filter"],
])("a document of v2 is refused for %j", async (dtype, allowed) => {
  await expect(openV2(dtype)).rejects.toMatchObject({
    member: expect.stringMatching(/^dtype/),
    key: "/.zarray",
    message: expect.stringContaining(allowed),
  });
});

const utf32 = configured("fixed_length_utf32", { length_bytes: 8 });
const fixed = configured("null_terminated_bytes", { length_bytes: 2 });
const values: readonly [data_type: Json, fill_value: Json, value: unknown, allowed: string][] = [
  ["int8", 128, 128, "from -128 to 127"],
  ["uint64", -1, -1n, "from 0 to 18446744073709551615"],
  ["uint8", 1.5, 1.5, "from 0 to 255"],
  ["int4", 8, 8, "from -8 to 7"],
  ["uint2", 4, 4, "from 0 to 3"],
  ["bool", 2, 2, "true or false"],
  ["float32", "one", "one", "a number in the range of float32"],
  ["float64", "0x7fc00001", "0x7fc00001", "a number in the range of float64"],
  ["float8_e4m3fnuz", "Infinity", Number.POSITIVE_INFINITY, "a number in the range of float8_e4m3fnuz"],
  ["complex64", [1], [1], "complex64"],
  [utf32, "abc", "abc", "at most 2 code points"],
  [utf32, "\ud800", "\ud800", "at most 2 code points"],
  [fixed, "YWJj", "abc", "at most 2 bytes"],
  ["r16", [1, 2, 3], [1, 2, 3], "2 bytes"],
  ["r16", [1, 256], [1, 256], "integers from 0 to 255"],
  [configured("numpy.datetime64", { unit: "s", scale_factor: 1 }), "yesterday", "yesterday", "NaT"],
  [struct(field("a", "int8")), { b: 1 }, { b: 1 }, "exactly the fields a"],
  [struct(field("a", "int8")), { a: 300 }, { a: 300 }, "from -128 to 127"],
];

describe("values outside of the type", () => {
  it.each(values)("%j has no fill value %j", async (dtype, fill_value, value, allowed) => {
    await expect(openV3({ data_type: dtype, fill_value })).rejects.toMatchObject({
      tag: "InvalidMetadataError",
      member: "fill_value",
      message: expect.stringContaining(allowed),
    });
    const store = new Map<string, Uint8Array>();
    await expect(create(store, { shape: [2], dtype, fillValue: value })).rejects.toMatchObject({
      tag: "InvalidArgumentError",
      message: expect.stringContaining(allowed),
    });
    expect(store.size).toBe(0);
  });

  it.each(values)("%j has no element like %j", async (dtype, _, value, allowed) => {
    const store = new Map<string, Uint8Array>();
    const array = await create(store, { shape: [2], dtype });
    const keys = [...store.keys()];
    for (const selection of [[1], null] as const) {
      await expect(set(array, selection, value)).rejects.toMatchObject({
        tag: "InvalidArgumentError",
        message: expect.stringContaining(allowed),
      });
    }
    const { defaultScalar } = array.dataType;
    await expect(set(array, null, { data: [defaultScalar, value], shape: [2] })).rejects.toMatchObject({
      tag: "InvalidArgumentError",
      message: expect.stringContaining(allowed),
    });
    expect([...store.keys()]).toEqual(keys);
  });
});

it.each(["00001100", "00d80000", "ffdf0000", "ffffffff"])("UTF-32 with %s is refused", async (unit) => {
  const chunk = Uint8Array.from(`61000000${unit}`.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  const data_type = configured("fixed_length_utf32", { length_bytes: 4 });
  const store = new Map([
    ["/zarr.json", document({ data_type, fill_value: "" })],
    ["/c/0", chunk],
  ]);
  const array = await open(store, { kind: "array" });
  const { data } = await get(array);
  expect(() => [...data]).toThrow(
    expect.objectContaining({ tag: "CodecError", message: expect.stringContaining("Unicode code point") }),
  );
  await expect(get(array, [1])).rejects.toMatchObject({ tag: "CodecError" });
  expect(await get(array, [0])).toBe("a");
});
