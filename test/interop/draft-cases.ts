/**
 * Arrays of the 2020 draft for other implementations to read: of every core type, layout, codec and fill
 * value.
 */

import type { DataTypeOption } from "../../src/array/create/create-options.js";
import type { CreateArrayOptions } from "../../src/index.js";

export interface DraftCase {
  readonly path: string;
  /** `zarrFormat` aside. `dtype` is as NumPy writes it. */
  readonly options: Omit<CreateArrayOptions<DataTypeOption>, "zarrFormat"> & {
    readonly dtype: string | readonly unknown[];
  };
  /** All elements in C order, little-endian; those that are not written are fill value. */
  readonly elements: Uint8Array;
  /** Rows along the first dimension that are written; all unless given. */
  readonly rows?: number;
}

const URI = (name: string) => `https://purl.org/zarr/spec/codec/${name}/1.0`;

function bytesOf(
  count: number,
  itemSize: number,
  write: (view: DataView, offset: number, index: number) => void,
): Uint8Array {
  const bytes = new Uint8Array(count * itemSize);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < count; i++) write(view, i * itemSize, i);
  return bytes;
}

/** `count` different elements of a core type. */
function elementsOf(dtype: string, count: number): Uint8Array {
  const [, kind = "", size = "1"] = /([biuf])(\d)$/.exec(dtype) ?? [];
  const itemSize = Number(size);
  return bytesOf(count, itemSize, (view, offset, i) => {
    if (kind === "b") view.setUint8(offset, i % 3 === 0 ? 1 : 0);
    else if (kind === "f" && itemSize === 2) view.setUint16(offset, 0x3c00 + i * 17, true);
    else if (kind === "f" && itemSize === 4) view.setFloat32(offset, i * 1000.5 - 7, true);
    else if (kind === "f") view.setFloat64(offset, i * 1000.1 - 7, true);
    else if (itemSize === 1) view.setUint8(offset, i * 7 - 3);
    else if (itemSize === 2) view.setUint16(offset, i * 1000 - 7, true);
    else if (itemSize === 4) view.setUint32(offset, i * 100_000_007 - 7, true);
    else view.setBigUint64(offset, BigInt(i) * 500_000_000_000_000_003n - 7n, true);
  });
}

const CORE = [
  "|b1",
  "|i1",
  "|u1",
  ...["i2", "i4", "i8", "u2", "u4", "u8", "f2", "f4", "f8"].flatMap((type) => [`<${type}`, `>${type}`]),
];
const nameOf = (dtype: string) => dtype.replace("<", "le_").replace(">", "be_").replace("|", "");

function core(path: string, dtype: string, options: Partial<DraftCase["options"]> = {}): DraftCase {
  const shape = options.shape ?? [7, 5];
  return {
    path,
    options: { shape, chunkShape: [3, 2], dtype, ...options },
    elements: elementsOf(
      dtype,
      shape.reduce((product, length) => product * length, 1),
    ),
  };
}

/** One of two rows is written, the other is fill value. */
function fill(name: string, dtype: string, fillValue: unknown, bits: bigint): DraftCase {
  const itemSize = Number(/\d$/.exec(dtype)?.[0]);
  const written = elementsOf(dtype, 3);
  const filled = bytesOf(3, itemSize, (view, offset) => {
    for (let i = 0; i < itemSize; i++) view.setUint8(offset + i, Number((bits >> BigInt(8 * i)) & 255n));
  });
  return {
    path: `/fill/${name}`,
    options: { shape: [2, 3], chunkShape: [1, 3], dtype, fillValue },
    elements: Uint8Array.of(...written, ...filled),
    rows: 1,
  };
}

const ascii = (text: string, itemSize: number) =>
  bytesOf(itemSize, 1, (view, i) => view.setUint8(i, text.charCodeAt(i) || 0));
const utf32 = (text: string, length: number) =>
  bytesOf(length, 4, (view, offset, i) => view.setUint32(offset, [...text][i]?.codePointAt(0) ?? 0, true));
const ticks = (...values: readonly bigint[]) =>
  bytesOf(values.length, 8, (view, offset, i) => view.setBigInt64(offset, values[i] ?? 0n, true));
const doubles = (...values: readonly number[]) =>
  bytesOf(values.length, 8, (view, offset, i) => view.setFloat64(offset, values[i] ?? 0, true));
const extension = (
  name: string,
  dtype: DraftCase["options"]["dtype"],
  elements: Uint8Array,
  count: number,
): DraftCase => ({
  path: `/ext/${name}`,
  options: { shape: [count], chunkShape: [2], dtype },
  elements,
});

export const draftCases: readonly DraftCase[] = [
  ...CORE.map((dtype) => core(`/types/${nameOf(dtype)}`, dtype)),
  ...["|u1", ">i2", "<f8"].map((dtype) => core(`/order_f/${nameOf(dtype)}`, dtype, { order: "F" })),
  core("/deep/er/and/deeper", "<i4", {
    attributes: { unicode: "α", nested: { list: [1, 2.5, null, true] }, units: "m" },
    dimensionNames: ["y", "x"],
  }),
  core("/keys/dot", "<i4", { chunkSeparator: "." }),
  core("/shape/one", "<i4", { shape: [5], chunkShape: [2] }),
  core("/shape/four", "|u1", { shape: [2, 2, 2, 2], chunkShape: [1, 2, 1, 2] }),
  core("/shape/larger_chunk", "|u1", { shape: [3], chunkShape: [8] }),
  core("/shape/empty", "<i4", { shape: [0, 3], chunkShape: [1, 2] }),
  core("/shape/scalar", "<f8", { shape: [], chunkShape: [] }),
  ...[
    ["gzip", { level: 1 }],
    ["zlib", { level: 9 }],
    ["lz4", { acceleration: 1 }],
    ["zstd", { level: 3 }],
    ["blosc", { cname: "lz4", clevel: 5, shuffle: 0, blocksize: 0 }],
  ].map(([name, configuration]) =>
    core(`/codec/${name}`, "<i4", {
      codecs: { codec: URI(String(name)), configuration: Object(configuration) },
    }),
  ),
  ...[1, 2].map((shuffle) =>
    core(`/codec/blosc_shuffle_${shuffle}`, ">f8", {
      order: "F",
      codecs: { codec: URI("blosc"), configuration: { cname: "lz4", clevel: 5, shuffle, blocksize: 0 } },
    }),
  ),
  fill("nan", "<f8", Number.NaN, 0x7ff8000000000000n),
  fill("plus_infinity", "<f8", Number.POSITIVE_INFINITY, 0x7ff0000000000000n),
  fill("minus_infinity", ">f4", Number.NEGATIVE_INFINITY, 0xff800000n),
  fill("f4", "<f4", Math.fround(0.1), 0x3dcccccdn),
  fill("f2", ">f2", -1.5, 0xbe00n),
  fill("i8_smallest", ">i8", -(2n ** 63n), 2n ** 63n),
  fill("u8_largest", "<u8", 2n ** 64n - 1n, 2n ** 64n - 1n),
  fill("i1", "|i1", -128, 128n),
  fill("bool", "|b1", true, 1n),
  extension(
    "complex64",
    ">c8",
    bytesOf(6, 4, (view, offset, i) => view.setFloat32(offset, i - 2.5, true)),
    3,
  ),
  extension("complex128", "<c16", doubles(1, 2, -0, -3.5, 5, 6), 3),
  extension("datetime", "<M8[ns]", ticks(1602806400000000000n, -(2n ** 63n), 0n), 3),
  extension("timedelta", ">m8[s]", ticks(1n, -5n, 7n), 3),
  extension("bytes", "|S4", Uint8Array.of(...ascii("ab", 4), ...ascii("abcd", 4), ...ascii("", 4)), 3),
  extension("unicode", ">U3", Uint8Array.of(...utf32("a", 3), ...utf32("αβ", 3), ...utf32("", 3)), 3),
  extension(
    "struct",
    [
      ["x", "<i2"],
      ["y", "<f8"],
    ],
    Uint8Array.of(1, 0, ...doubles(2.5), 253, 255, ...doubles(4.25), 0, 0, ...doubles(0)),
    3,
  ),
  extension("raw", "|V3", Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), 3),
];
