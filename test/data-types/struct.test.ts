import { beforeAll, describe, expect, it } from "vitest";
import { isStruct, StructArray } from "../../src/data-types/extra/struct.js";
import {
  dataTypeFromV2,
  dataTypeFromV3,
  loadExtraDataTypes,
  parseDataType,
} from "../../src/data-types/registry.js";
import type { Json } from "../../src/metadata/json.js";
import { fromHex, invalid, roundTrip, toHex, unfit } from "./support.js";

beforeAll(loadExtraDataTypes);

const struct = (...fields: Json[]): Json => ({ name: "struct", configuration: { fields } });
const field = (name: string, data_type: Json): Json => ({ name, data_type });
const point = struct(field("x", "int32"), field("y", "float64"), field("tag", "uint8"));

describe("JSON", () => {
  it("v3 in the order of its fields, packed", () => {
    const type = dataTypeFromV3(point);
    expect(type).toMatchObject({
      name: "struct",
      itemSize: 13,
      swapUnit: 1,
      swapRuns: [
        [0, 4, 1],
        [4, 8, 1],
        [12, 1, 1],
      ],
      needsEndian: true,
    });
    expect(type.toV3()).toEqual(point);
    expect(type.toV2("big")).toEqual([
      ["x", ">i4"],
      ["y", ">f8"],
      ["tag", "|u1"],
    ]);
  });

  it("fields of one unit swap as one", () => {
    const type = dataTypeFromV3(struct(field("re", "float32"), field("z", "complex64")));
    expect(type).toMatchObject({ itemSize: 12, swapUnit: 4 });
    expect(type.swapRuns).toBeUndefined();
    expect(dataTypeFromV3(struct(field("a", "int8"), field("b", "bool")))).toMatchObject({
      swapUnit: 1,
      needsEndian: false,
    });
  });

  it("the legacy name and pairs are read, and written in the form of today", () => {
    const legacy = {
      name: "structured",
      configuration: {
        fields: [
          ["a", "int32"],
          ["b", "float64"],
        ],
      },
    };
    expect(dataTypeFromV3(legacy).toV3()).toEqual(struct(field("a", "int32"), field("b", "float64")));
  });

  it("nests, in v2 with subarrays", () => {
    const dtype: Json = [
      [
        "p",
        [
          ["x", "<i4"],
          ["y", "<f4"],
        ],
      ],
      ["v", "|u1"],
      ["m", "<u2", [2, 3]],
    ];
    const { dataType, endian } = dataTypeFromV2(dtype);
    expect(dataType).toMatchObject({
      itemSize: 21,
      swapRuns: [
        [0, 4, 2],
        [8, 1, 1],
        [9, 2, 6],
      ],
    });
    expect(endian).toBe("little");
    expect(dataType.toV2("little")).toEqual(dtype);
    expect(dataTypeFromV2([["a", "<i4", 3]]).dataType.toV2("big")).toEqual([["a", ">i4", [3]]]);
    expect(() => dataType.toV3()).toThrow(expect.objectContaining({ tag: "UnsupportedError" }));
  });

  it("names the padding of aligned numpy types as numpy does", () => {
    const { dataType } = dataTypeFromV2([
      ["a", "|u1"],
      ["", "|V3"],
      ["b", "<i4"],
    ]);
    expect(isStruct(dataType) && dataType.fields.map(({ name, offset }) => [name, offset])).toEqual([
      ["a", 0],
      ["f1", 1],
      ["b", 4],
    ]);
  });

  it.each<[string, Json, string]>([
    ["no fields", struct(), "at least one field"],
    ["no list", { name: "struct", configuration: { fields: {} } }, "list of fields"],
    ["no configuration", "struct", "exactly fields"],
    ["an empty name", struct(field("", "int8")), "field name"],
    ["a name twice", struct(field("a", "int8"), field("a", "int16")), '"a" twice'],
    ["variable length", struct(field("a", "string")), "fixed size"],
    ["a number as name", struct({ name: 1, data_type: "int8" }), "{ name, data_type }"],
    ["a third member", struct({ name: "a", data_type: "int8", offset: 0 }), "{ name, data_type }"],
    ["a bad field", struct(field("a", { name: "int8", configuration: { endianness: "big" } })), 'field "a"'],
    ["a size of 4 GiB", struct(...["a", "b"].map((name) => field(name, "r16777216000"))), "2^31"],
  ])("v3 with %s is refused", (_, json, message) => {
    expect(() => dataTypeFromV3(json)).toThrow(invalid(message));
  });

  it.each<[Json, string]>([
    [[], "at least one field"],
    [[["a"]], "[name, dtype]"],
    [[["", "<i4"]], "field name"],
    [
      [
        ["a", "<i4"],
        ["a", "<i4"],
      ],
      '"a" twice',
    ],
    [[["a", "<i4", [0]]], "positive extents"],
    [[["a", "<i4", []]], "positive extents"],
    [[["a", "<i4", [65536, 65536]]], "positive extents"],
    [[["a", "|V0"]], 'field "a"'],
  ])("v2 %j is refused", (json, message) => {
    expect(() => dataTypeFromV2(json)).toThrow(invalid(message));
  });

  it("a field of an unknown type is an unknown type, which may still be loaded", () => {
    expect(() => dataTypeFromV2([["a", "|O"]])).toThrow(
      expect.objectContaining({ tag: "UnknownDataTypeError" }),
    );
  });

  it("nesting has an end", () => {
    let json: Json = "int8";
    for (let depth = 0; depth < 200; depth++) json = struct(field("a", json));
    expect(() => dataTypeFromV3(json)).toThrow(invalid("nested at most"));
  });

  it("subarrays cannot ask for more memory than anyone reads", () => {
    const mixed: Json = [
      ["x", ">i2"],
      ["y", "<i4"],
    ];
    const wide = [["a", "<f4", [1024, 1024]]];
    expect(dataTypeFromV2(wide).dataType).toMatchObject({ itemSize: 2 ** 22, swapUnit: 4 });
    for (const dtype of [
      [["a", mixed, [100_000_000]]],
      [["a", [["b", mixed, [2000]]], [2000]]],
      [
        ["a", "<f4", [1024, 1024]],
        ["b", "|u1"],
      ],
      [["a", [["b", "<f4", [1024]]], [1025]]],
    ]) {
      expect(() => dataTypeFromV2(dtype)).toThrow(invalid("1048576 values"));
    }
  });

  it('a field called "__proto__" is one like any other', () => {
    const type = dataTypeFromV3(struct(field("__proto__", "uint8"), field("constructor", "uint8")));
    const fill = JSON.parse('{"__proto__": 1, "constructor": 2}');
    expect(roundTrip(type, fill, 3)).toEqual(["0102", fill]);
  });
});

describe("byte order of each field", () => {
  const mixed: Json = [
    ["a", "<i4"],
    ["b", ">f8"],
    ["c", "|S2"],
    [
      "d",
      [
        ["e", "<u2"],
        ["f", ">u2"],
      ],
    ],
  ];

  it("only the big-endian fields swap", () => {
    const { dataType, endian } = dataTypeFromV2(mixed);
    expect(endian).toBe("big");
    expect(dataType.toV2("big")).toEqual(mixed);
    expect(dataType.swapRuns).toEqual([
      [0, 1, 4],
      [4, 8, 1],
      [12, 1, 4],
      [16, 2, 1],
    ]);
    expect(dataType.uniform?.swapRuns).toEqual([
      [0, 4, 1],
      [4, 8, 1],
      [12, 1, 2],
      [14, 2, 2],
    ]);
    expect(dataType.uniform?.toV2("little")).toEqual([
      ["a", "<i4"],
      ["b", "<f8"],
      ["c", "|S2"],
      [
        "d",
        [
          ["e", "<u2"],
          ["f", "<u2"],
        ],
      ],
    ]);
    expect(dataType.toV3()).toEqual(dataType.uniform?.toV3());
  });

  it("little-endian subarrays beside big-endian fields stay as they are", () => {
    const { dataType, endian } = dataTypeFromV2([
      ["a", "<i4", [2]],
      ["b", ">i4"],
    ]);
    expect([dataType.swapRuns, endian]).toEqual([
      [
        [0, 1, 8],
        [8, 4, 1],
      ],
      "big",
    ]);
    expect(dataType.toV2("big")).toEqual([
      ["a", "<i4", [2]],
      ["b", ">i4"],
    ]);
  });

  it("base64 holds the bytes as they are stored", () => {
    const { dataType, endian } = dataTypeFromV2(mixed);
    const stored = fromHex("01000000" + "3ff0000000000000" + "6162" + "0200" + "0003");
    const base64 = btoa(String.fromCharCode(...stored));
    expect(dataType.scalarFromJson(base64, 2, endian)).toEqual({
      a: 1,
      b: 1,
      c: Uint8Array.of(0x61, 0x62),
      d: { e: 2, f: 3 },
    });
    expect(roundTrip(dataType, base64, 2, endian)).toEqual([
      "01000000" + "000000000000f03f" + "6162" + "0200" + "0300",
      base64,
    ]);
  });
});

describe("fill values", () => {
  it("are objects in v3, with every bit", () => {
    const type = dataTypeFromV3(struct(field("a", "float32"), field("b", struct(field("c", "uint64")))));
    const fill = { a: "0x7fc00001", b: { c: 18446744073709551615n } };
    expect(roundTrip(type, fill, 3)).toEqual(["0100c07fffffffffffffffff", fill]);
  });

  it("are base64 in v2 and in legacy v3, with every bit", () => {
    const type = dataTypeFromV3(struct(field("a", "float32"), field("b", "int16")));
    expect(roundTrip(type, "AQDAfwIA", 2)).toEqual(["0100c07f0200", "AQDAfwIA"]);
    expect(roundTrip(type, "f8AAAQAC", 2, "big")).toEqual(["0100c07f0200", "f8AAAQAC"]);
    expect(roundTrip(type, "AQDAfwIA", 3)).toEqual(["0100c07f0200", { a: "0x7fc00001", b: 2 }]);
    expect(roundTrip(type, 0, 2)[0]).toBe("000000000000");
  });

  it.each<Json>([
    { x: 1 },
    { x: 1, y: 2 },
    { x: 1, y: 2, tag: 3, z: 4 },
    { x: 1, y: 2, tag: 300 },
    "AAAA",
    "?",
    0,
    null,
    [1, 2, 3],
  ])("%j is refused", (json) => {
    expect(() => dataTypeFromV3(point).scalarFromJson(json, 3)).toThrow(invalid("got"));
  });

  it("have a default for each field", () => {
    expect(dataTypeFromV3(point).defaultScalar).toEqual({ x: 0, y: 0, tag: 0 });
  });
});

describe("StructArray", () => {
  const sample = (): StructArray => {
    const view = dataTypeFromV3(point).view(new Uint8Array(39));
    if (!(view instanceof StructArray)) throw new Error("no StructArray");
    for (let index = 0; index < 3; index++) view.set(index, { x: index - 1, y: index / 2, tag: index });
    return view;
  };

  it("gives records and columns over the same memory", () => {
    const array = sample();
    expect(array.toArray()).toEqual([
      { x: -1, y: 0, tag: 0 },
      { x: 0, y: 0.5, tag: 1 },
      { x: 1, y: 1, tag: 2 },
    ]);
    const y = array.column("y");
    y.set(0, 9);
    expect(array.get(0)).toEqual({ x: -1, y: 9, tag: 0 });
    expect(array.subarray(1).column("y").toArray()).toEqual([0.5, 1]);
    expect(y.buffer).toBe(array.buffer);
    expect(y.toData()).toEqual(Float64Array.of(9, 0.5, 1));
    expect(array.fieldNames).toEqual(["x", "y", "tag"]);
  });

  it("copies columns of fields at any offset, from any address", () => {
    const sizes = ["r8", "int16", "float32", "float64", "r24", "complex128", "int16"];
    for (let first = 0; first < sizes.length; first++) {
      const names = [...sizes.slice(first), ...sizes.slice(0, first)];
      const type = dataTypeFromV3(struct(...names.map((size, index) => field(`f${index}`, size))));
      for (const [skew, length] of [
        [0, 5],
        [1, 5],
        [2, 5],
        [4, 5],
        [0, 1],
        [0, 0],
      ] as const) {
        const memory = Uint8Array.from({ length: skew + length * type.itemSize }, (_, i) => i * 37);
        const array = type.view(memory.subarray(skew));
        if (!(array instanceof StructArray)) throw new Error("no StructArray");
        for (const { name, offset, dataType } of array.dataType.fields) {
          const expected = Array.from({ length }, (_, i) => skew + i * type.itemSize + offset).map((at) =>
            toHex(memory.subarray(at, at + dataType.itemSize)),
          );
          const bytes = dataType.bytesOf(array.column(name).toData()) ?? new Uint8Array(0);
          expect(toHex(bytes)).toBe(expected.join(""));
        }
      }
    }
  });

  it("refuses what does not fit", () => {
    const array = sample();
    for (const value of [{ x: 1 }, { x: 1, y: 2, tag: 256 }, { x: 1, y: 2, tag: 1, z: 0 }, null, [1, 2, 3]]) {
      expect(() => parseDataType(point).cast(value)).toThrow(unfit("got"));
    }
    expect(() => array.column("z")).toThrow(unfit("x, y, tag"));
    expect(() => array.column("tag").set(0, -1)).toThrow(unfit("uint8"));
    expect(() => array.get(3)).toThrow(unfit("from 0 to 2"));
    expect(array.toArray()).toEqual(sample().toArray());
  });

  it("is known again by another object of the same type only", () => {
    const array = sample();
    expect(dataTypeFromV3(point).bytesOf(array)?.length).toBe(39);
    expect(
      parseDataType([
        ["x", "<i4"],
        ["y", "<f8"],
        ["tag", "|u1"],
      ]).bytesOf(array)?.length,
    ).toBe(39);
    expect(
      parseDataType([
        ["x", "<i4"],
        ["y", "<i8"],
        ["tag", "|u1"],
      ]).bytesOf(array),
    ).toBeUndefined();
    expect(
      parseDataType([
        ["x", "<i4"],
        ["z", "<f8"],
        ["tag", "|u1"],
      ]).bytesOf(array),
    ).toBeUndefined();
  });

  it("reads subarrays as nested lists", () => {
    const { dataType } = dataTypeFromV2([
      ["m", "<u2", [2, 2]],
      ["b", "|u1"],
    ]);
    const bytes = fromHex("010002000300040005");
    expect(dataType.readScalar(bytes)).toEqual({
      m: [
        [1, 2],
        [3, 4],
      ],
      b: 5,
    });
    const copy = new Uint8Array(9);
    dataType.writeScalar(
      dataType.cast({
        m: [
          [1, 2],
          [3, 4],
        ],
        b: 5,
      }),
      copy,
    );
    expect(toHex(copy)).toBe("010002000300040005");
    expect(() => dataType.cast({ m: [[1, 2], [3]], b: 5 })).toThrow(unfit("shape [2, 2]"));
    const view = dataType.view(bytes);
    if (!(view instanceof StructArray)) throw new Error("no StructArray");
    expect(view.column("m").get(0)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });
});
