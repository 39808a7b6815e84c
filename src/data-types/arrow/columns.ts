/** Text and bytes out of Arrow's vectors: offsets and data, of one piece or several, or of a dictionary. */
import { InvalidArgumentError, UnsupportedError } from "../../errors.js";
import type { ColumnData } from "../column.js";
import type { ArrowPiece } from "./structure.js";

export function columnOf({ valueOffsets, values, length }: ArrowPiece): ColumnData {
  const isOffsets = valueOffsets instanceof Int32Array || valueOffsets instanceof BigInt64Array;
  if (isOffsets && values instanceof Uint8Array) {
    return { offsets: valueOffsets.subarray(0, length + 1), data: values };
  }
  throw new UnsupportedError("expected a vector with offsets and data, got one of another layout");
}

/** The elements of a piece that holds indices of a dictionary. */
export function lookedUp({ values, length }: ArrowPiece, elements: ColumnData): ColumnData {
  const isIndices =
    values instanceof Int8Array || values instanceof Int16Array || values instanceof Int32Array;
  if (!isIndices) {
    throw new UnsupportedError("expected a dictionary with signed indices of at most 32 bits, got another");
  }
  const offsetOf = (entry: number): number => Number(elements.offsets[entry] ?? 0);
  const offsets = new Int32Array(length + 1);
  let end = 0;
  for (let i = 0; i < length; i++) {
    const index = values[i] ?? 0;
    end += offsetOf(index + 1) - offsetOf(index);
    checkLength(end);
    offsets[i + 1] = end;
  }
  const data = new Uint8Array(end);
  for (let i = 0; i < length; i++) {
    const index = values[i] ?? 0;
    data.set(elements.data.subarray(offsetOf(index), offsetOf(index + 1)), offsets[i]);
  }
  return { offsets, data };
}

function checkLength(byteLength: number): void {
  if (byteLength < 2 ** 31) return;
  throw new InvalidArgumentError(
    "expected less than 2 GiB of elements out of a dictionary, got more: write the vector in parts",
  );
}

/** The column itself where there is only one. */
export function joinColumns(columns: readonly ColumnData[]): ColumnData {
  const [only] = columns;
  if (columns.length === 1 && only !== undefined) return only;
  const ends = ({ offsets }: ColumnData): readonly [number, number] => [
    Number(offsets[0] ?? 0),
    Number(offsets[offsets.length - 1] ?? 0),
  ];
  const count = columns.reduce((sum, { offsets }) => sum + offsets.length - 1, 0);
  const length = columns.reduce((sum, column) => sum + ends(column)[1] - ends(column)[0], 0);
  const isWide = length >= 2 ** 31;
  const offsets = isWide ? new BigInt64Array(count + 1) : new Int32Array(count + 1);
  const data = new Uint8Array(length);
  let element = 0;
  let at = 0;
  for (const column of columns) {
    const [begin, end] = ends(column);
    data.set(column.data.subarray(begin, end), at);
    for (let i = 1; i < column.offsets.length; i++) {
      const offset = at + Number(column.offsets[i] ?? 0) - begin;
      element++;
      if (offsets instanceof BigInt64Array) offsets[element] = BigInt(offset);
      else offsets[element] = offset;
    }
    at += end - begin;
  }
  return { offsets, data };
}
