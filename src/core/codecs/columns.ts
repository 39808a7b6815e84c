/**
 * Shared by the codecs for columns (offsets and data): checks of offsets from stored bytes, typed views, and
 * 32-bit offsets.
 */
import { at, int64At, noItem } from "../../base/at.js";
import { CodecError, InvalidMetadataError } from "../../base/errors.js";
import { product } from "../../base/shape.js";
import { type ColumnData, isColumnData, type Offsets, type PlainColumn } from "../../data-types/column.js";
import type { Strings } from "../../kernels/strings-kernels.js";
import type { ChunkSpec, VariableElements } from "./codec.js";

export function countOf({ shape }: ChunkSpec): number {
  return product(shape);
}

/** Whether elements are text or bytes, which are decoded to a column. */
export function isColumnType({ dataType }: ChunkSpec): boolean {
  return dataType.variable !== undefined && dataType.variable !== "object";
}

/** Kinds of elements that codecs distinguish; `large_` types, with 64-bit offsets, count as text or bytes. */
type ElementKind = "text" | "bytes" | "object";

const EXAMPLES: Record<ElementKind, string> = {
  text: '"string"',
  bytes: '"bytes"',
  object: 'objects ("|O" of v2)',
};

/** @throws InvalidMetadataError for a data type whose elements are not of `kinds` */
export function checkType(codec: string, { dataType }: ChunkSpec, kinds: readonly ElementKind[]): void {
  if (kinds.some((kind) => dataType.variable?.endsWith(kind) === true)) return;
  const examples = kinds.map((kind) => EXAMPLES[kind]).join(" or ");
  throw new InvalidMetadataError(
    `expected a data type of variable length, ${examples}, got ${dataType.name}`,
    { codec, member: "data_type" },
  );
}

/** @throws InvalidMetadataError for a data type whose elements are not text or bytes */
export function checkColumnType(codec: string, spec: ChunkSpec): void {
  checkType(codec, spec, ["text", "bytes"]);
}

/** Asserts that the elements are a column. */
export function columnOf(elements: VariableElements): ColumnData {
  if (isColumnData(elements)) return elements;
  throw new CodecError("expected a column, got values");
}

/**
 * Checks offsets from stored bytes: they begin at 0, never decrease, and do not exceed `end`.
 * @throws CodecError with the index of the element
 */
export function checkOffsets(strings: Strings, offsets: Int32Array | BigInt64Array, end: number): void {
  if (offsets.length === 0) throw new CodecError("expected offsets that begin at 0, got none");
  const first = at<number | bigint>(offsets, 0);
  if (BigInt(first) !== 0n) {
    throw new CodecError(`expected offsets that begin at 0, got ${first}`, { offset: 0 });
  }
  const decrease = strings.checkOffsets(offsets);
  if (decrease >= 0) {
    const [from, to] = [offsets[decrease - 1], offsets[decrease]];
    throw new CodecError(
      `expected offsets that never decrease, got ${to} after ${from} for element ${decrease - 1}`,
      {
        offset: decrease - 1,
      },
    );
  }
  const last = at<number | bigint>(offsets, offsets.length - 1);
  if (last <= end) return;
  const index = lastWithin(offsets, end);
  throw new CodecError(
    `expected offsets up to ${end}, the length of the data, got ${last} as the end of element ${index}`,
    {
      offset: index,
    },
  );
}

/** Index of the first element that ends after byte `end`, by bisection. */
function lastWithin(offsets: Int32Array | BigInt64Array, end: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (Number(at<number | bigint>(offsets, middle)) <= end) low = middle;
    else high = middle;
  }
  return low;
}

/** A view if the offset of `bytes` is a multiple of 4, else a copy. */
export function int32View(bytes: Uint8Array): Int32Array {
  const at = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Int32Array(at.buffer, at.byteOffset, bytes.length / 4);
}

export function int64View(bytes: Uint8Array): BigInt64Array {
  const at = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  return new BigInt64Array(at.buffer, at.byteOffset, bytes.length / 8);
}

/** @throws CodecError with advice for more data than 32-bit offsets can address */
export function checkReach(byteLength: number): void {
  if (byteLength < 2 ** 31) return;
  throw new CodecError(
    `expected less than 2 GiB of data in one chunk, got ${byteLength} bytes; use smaller chunks, or large_string or large_binary with the codec "bytes", whose offsets have 64 bits`,
  );
}

/** Concatenates byte strings into a column. @throws CodecError for more than 2 GiB of data */
export function concatenated(values: readonly Uint8Array[]): PlainColumn {
  const offsets = new Int32Array(values.length + 1);
  let end = 0;
  for (const [i, { length }] of values.entries()) offsets[i + 1] = end += length;
  checkReach(end);
  const data = new Uint8Array(end);
  for (const [i, value] of values.entries()) data.set(value, offsets[i]);
  return { offsets, data };
}

/** The byte strings of a column, views of its data. */
export function bytesOf({ offsets, data }: ColumnData): Uint8Array[] {
  return Array.from({ length: offsets.length - 1 }, (_, i) =>
    data.subarray(Number(offsets[i] ?? noItem(offsets, i)), Number(offsets[i + 1] ?? noItem(offsets, i + 1))),
  );
}

/**
 * Converts a column to 32-bit offsets from 0, and the data that they cover. Copies no data, and offsets only
 * if they change.
 * @throws CodecError for more than 2 GiB of data
 */
export function plain(strings: Strings, { offsets, data }: ColumnData): PlainColumn {
  const begin = Number(at<number | bigint>(offsets, 0));
  const end = Number(at<number | bigint>(offsets, offsets.length - 1));
  checkReach(end - begin);
  return { offsets: narrow(strings, offsets, begin), data: data.subarray(begin, end) };
}

function narrow(strings: Strings, offsets: Offsets, begin: number): Int32Array {
  if (offsets instanceof BigInt64Array) {
    const narrowed = new Int32Array(offsets.length);
    if (begin === 0) strings.narrowOffsets(narrowed, offsets);
    else for (let i = 0; i < offsets.length; i++) narrowed[i] = Number(int64At(offsets, i)) - begin;
    return narrowed;
  }
  if (begin > 0) return Int32Array.from(offsets, (offset) => offset - begin);
  return offsets instanceof Int32Array
    ? offsets
    : new Int32Array(offsets.buffer, offsets.byteOffset, offsets.length);
}
