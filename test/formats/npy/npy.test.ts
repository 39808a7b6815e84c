/** npy files that numpy wrote, and headers that numpy would have written. */
import { describe, expect, test } from "vitest";
import { product } from "../../../src/base/shape.js";
import { elementJson, elementsOf } from "../../../src/cli/text/element-json.js";
import {
  formatNpyHeader,
  npyDataOffset,
  parseNpyHeader,
  toMemoryOrder,
} from "../../../src/formats/npy/file.js";
import { isZarrError } from "../../../src/index.js";
import { loadKernels } from "../../../src/kernels/load.js";
import { parseDataType } from "../../../src/main/data-types.js";
import type { Json } from "../../../src/metadata/json.js";
import numpy from "../../fixtures/npy.json?raw";
import { bytesFromBase64 } from "../../interop/elements.js";

interface Case {
  readonly name: string;
  readonly npy: string;
  readonly shape: readonly number[];
  readonly elements: readonly Json[];
}
const { cases }: { readonly cases: readonly Case[] } = JSON.parse(numpy);

/** Elements of a file in C order, as JSON. */
async function readElements(file: Uint8Array): Promise<Json[]> {
  const header = await parseNpyHeader(file);
  const { dataType, shape, order } = header;
  const bytes = toMemoryOrder(header, file.slice(header.dataOffset), await loadKernels());
  const stored = [...elementsOf(dataType.view(bytes), dataType)].map((element) =>
    elementJson(element, dataType),
  );
  if (order === "C") return stored;
  return stored.map((_, i) => {
    const index = shape.map((length, d) => Math.floor(i / product(shape.slice(d + 1))) % length);
    const at = index.reduce((sum, position, d) => sum + position * product(shape.slice(0, d)), 0);
    return stored[at] ?? null;
  });
}

describe("files of numpy", () => {
  for (const { name, npy, shape, elements } of cases) {
    test(name, async () => {
      const file = bytesFromBase64(npy);
      const before = file.slice();
      expect((await parseNpyHeader(file)).shape).toEqual(shape);
      expect(await readElements(file)).toEqual(elements);
      expect(await readElements(file)).toEqual(elements);
      expect(file).toEqual(before);
    });
  }

  test("headers say what those of numpy say", async () => {
    const text = (header: Uint8Array): string =>
      new TextDecoder("utf-8").decode(header.subarray(header[6] === 1 ? 10 : 12)).trimEnd();
    const alike: string[] = [];
    for (const { name, npy } of cases) {
      const file = bytesFromBase64(npy);
      const { dataType, shape, dataOffset } = await parseNpyHeader(file);
      const header = formatNpyHeader(dataType, shape);
      expect(header.length % 64).toBe(0);
      expect(header.at(-1)).toBe(10);
      // numpy keeps the byte order, the memory order and the padding of its arrays, and was told which
      // version to write.
      if (/^>|order F|aligned|^version [23]/.test(name)) continue;
      expect(header[6]).toBe(file[6]);
      expect(text(header)).toBe(text(file.subarray(0, dataOffset)).replace("\\t", "\\x09"));
      alike.push(name);
    }
    expect(alike.length).toBeGreaterThan(25);
  });
});

test("a header that does not fit into 64 KiB is of version 2", async () => {
  const fields = Array.from({ length: 3000 }, (_, i) => ({ name: `field number ${i}`, data_type: "uint8" }));
  // Loads the data types beyond the plain ones.
  await parseNpyHeader(formatNpyHeader(parseDataType("uint8"), []));
  const file = bytesFromBase64(cases.find(({ name }) => name === "<struct")?.npy ?? "");
  await parseNpyHeader(file);
  const dataType = parseDataType({ name: "struct", configuration: { fields } });
  const header = formatNpyHeader(dataType, [2]);
  expect([...header.subarray(6, 8)]).toEqual([2, 0]);
  expect(header.length % 64).toBe(0);
  expect(npyDataOffset(header)).toBe(header.length);
  expect((await parseNpyHeader(header)).dataType.itemSize).toBe(3000);
});

test("a type that numpy does not have is refused", async () => {
  await parseNpyHeader(bytesFromBase64(cases.find(({ name }) => name === "<struct")?.npy ?? ""));
  expect(() => formatNpyHeader(parseDataType("bfloat16"), [1])).toThrow(/npy cannot hold data type bfloat16/);
});

/** A file of version 1 with a header of ours. */
function fileWith(header: string): Uint8Array {
  const bytes = new TextEncoder().encode(header);
  return Uint8Array.from([
    0x93,
    0x4e,
    0x55,
    0x4d,
    0x50,
    0x59,
    1,
    0,
    bytes.length & 255,
    bytes.length >> 8,
    ...bytes,
  ]);
}

test.each([
  ["no npy file", new Uint8Array(64), /begins with \\x93NUMPY/],
  ["too short", Uint8Array.of(0x93, 0x4e), /begins with/],
  [
    "unknown version",
    Uint8Array.from(fileWith("{}"), (byte, i) => (i === 6 ? 9 : byte)),
    /version 1.0, 2.0 or 3.0, got 9.0/,
  ],
  ["header cut off", fileWith("{'descr': '<f4'}").subarray(0, 14), /header of 26 bytes, got a file of 14/],
  [
    "a header of gigabytes",
    Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 2, 0, 0, 0, 0, 127),
    /below 1048576/,
  ],
  ["no literal", fileWith("{'descr': __import__('os')}"), /Python literal at character 10/],
  ["an open dict", fileWith("{'descr': '<f4', "), /Python literal/],
  ["something behind", fileWith("{} {}"), /end of the header/],
  ["endless nesting", fileWith("[".repeat(500)), /at most 64 levels/],
  ["no descr", fileWith("{'fortran_order': False, 'shape': (1,)}"), /descr/],
  ["an unknown type", fileWith("{'descr': '<f16', 'fortran_order': False, 'shape': (1,)}"), /<f16/],
  ["objects", fileWith("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}"), /Python objects/],
  ["a negative length", fileWith("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"), /shape/],
  [
    "too many elements",
    fileWith("{'descr': '<f8', 'fortran_order': False, 'shape': (9007199254740991,)}"),
    /2\^53/,
  ],
  ["a shape of lists", fileWith("{'descr': '<f4', 'fortran_order': False, 'shape': ([1],)}"), /shape/],
  ["order as a number", fileWith("{'descr': '<f4', 'fortran_order': 2, 'shape': (1,)}"), /fortran_order/],
  ["a field without a type", fileWith("{'descr': [('a',)], 'fortran_order': False, 'shape': (1,)}"), /field/],
  [
    "no field but padding",
    fileWith("{'descr': [('', '|V4')], 'fortran_order': False, 'shape': (1,)}"),
    /fields/,
  ],
  [
    "millions of values in a field",
    fileWith(
      "{'descr': [('a', [('b', '<i4'), ('c', '<i2')], (9999999,))], 'fortran_order': False, 'shape': (1,)}",
    ),
    /at most 65536/,
  ],
])("%s is refused", async (_, file, message) => {
  const error = await parseNpyHeader(file).catch((reason: unknown) => reason);
  expect(isZarrError(error, "InvalidMetadataError", "UnknownDataTypeError", "UnsupportedError")).toBe(true);
  expect(String(error)).toMatch(message);
});

test("headers of Python 2 and titles of fields are read", async () => {
  const header = await parseNpyHeader(
    fileWith(
      `{"shape": (2L, 3L), 'fortran_order': True, 'descr': [(('Title', 'a'), '<i4'), ('b', '>i2', 2)], }  \n`,
    ),
  );
  expect(header.shape).toEqual([2, 3]);
  expect(header.order).toBe("F");
  expect(header.dataType.itemSize).toBe(8);
});
