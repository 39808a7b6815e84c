/** What codecs of columns share: checks of what bytes claim, views at any address, offsets in 32 bits. */
import { type ColumnData, isColumnData, type Offsets } from "../../data-types/column.js";
import { CodecError, InvalidMetadataError } from "../../errors.js";
import type { Strings } from "../../kernels/strings.js";
import { product } from "../array-stage.js";
import type { ChunkSpec, VariableElements } from "../codec.js";

/** A column whose offsets begin at 0 and have 32 bits. */
export interface PlainColumn extends ColumnData {
  readonly offsets: Int32Array;
}

export function countOf({ shape }: ChunkSpec): number {
  return product(shape);
}

/** @throws InvalidMetadataError for a data type whose elements are not text or bytes */
export function checkColumnType(codec: string, { dataType }: ChunkSpec): void {
  if (dataType.variable !== undefined && dataType.variable !== "object") return;
  throw new InvalidMetadataError(
    `expected a data type of variable length such as "string" or "bytes", got ${dataType.name}`,
    { codec, member: "data_type" },
  );
}

/** The column that an array of text or bytes hands to its codec. */
export function columnOf(elements: VariableElements): ColumnData {
  if (isColumnData(elements)) return elements;
  throw new CodecError("expected a column, got values");
}

/**
 * Checks offsets from outside: from 0, never decreasing, not beyond `end`.
 * @throws CodecError with the index of the element
 */
export function checkOffsets(strings: Strings, offsets: Int32Array | BigInt64Array, end: number): void {
  const first = offsets[0] ?? 0;
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
  const last = offsets[offsets.length - 1] ?? 0;
  if (last <= end) return;
  const index = lastWithin(offsets, end);
  throw new CodecError(
    `expected ${end} bytes of data at most, got an end at ${last}: element ${index} ends behind them`,
    {
      offset: index,
    },
  );
}

/** Index of the first element that ends behind `end`, by bisection. */
function lastWithin(offsets: Int32Array | BigInt64Array, end: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if (Number(offsets[middle] ?? 0) <= end) low = middle;
    else high = middle;
  }
  return low;
}

/** A view where the address allows one, else a copy. */
export function int32View(bytes: Uint8Array): Int32Array {
  const at = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Int32Array(at.buffer, at.byteOffset, bytes.length / 4);
}

export function int64View(bytes: Uint8Array): BigInt64Array {
  const at = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  return new BigInt64Array(at.buffer, at.byteOffset, bytes.length / 8);
}

/**
 * Offsets from 0 in 32 bits, and the data that they cover; the same memory where it is so already.
 * @throws CodecError for more than 2 GiB of data
 */
export function plain(strings: Strings, { offsets, data }: ColumnData): PlainColumn {
  const begin = Number(offsets[0] ?? 0);
  const end = Number(offsets[offsets.length - 1] ?? 0);
  if (end - begin >= 2 ** 31) {
    throw new CodecError(
      `expected less than 2 GiB of data in one chunk, got ${end - begin} bytes: take smaller chunks, or large_string or large_binary, whose offsets have 64 bits`,
    );
  }
  return { offsets: narrow(strings, offsets, begin), data: data.subarray(begin, end) };
}

function narrow(strings: Strings, offsets: Offsets, begin: number): Int32Array {
  if (offsets instanceof BigInt64Array) {
    const narrowed = new Int32Array(offsets.length);
    if (begin === 0) strings.narrowOffsets(narrowed, offsets);
    else for (let i = 0; i < offsets.length; i++) narrowed[i] = Number(offsets[i] ?? 0n) - begin;
    return narrowed;
  }
  if (begin > 0) return Int32Array.from(offsets, (offset) => offset - begin);
  return offsets instanceof Int32Array
    ? offsets
    : new Int32Array(offsets.buffer, offsets.byteOffset, offsets.length);
}
