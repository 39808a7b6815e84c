/**
 * Vectors of Apache Arrow, which `set` accepts. They are recognised by their members, without apache-arrow.
 * https://arrow.apache.org/docs/format/Columnar.html
 */
import { byteAt, noItem } from "../../base/at.js";
import { describe, InvalidArgumentError, UnsupportedError } from "../../base/errors.js";
import type { ArrowPiece, ArrowVector } from "../arrow-vector.js";
import { BoolArray } from "../bool.js";
import { type ColumnData, isColumnData } from "../column.js";
import { float32, float64 } from "../float.js";
import { isNumbers, NUMBER_CLASSES, type Numbers, numberTypeOf } from "../numbers.js";
import { type Float16Data, float16 } from "../small-float.js";
import type { TimeUnit } from "../time-units.js";
import { bytesOfView } from "../typed-array.js";
import { ComplexArray } from "./complex.js";
import { DateTimeArray, TimeDeltaArray } from "./datetime.js";
import { FixedBytesArray } from "./fixed-bytes.js";

/**
 * Elements of a vector: a column for strings and bytes, else the array that `get` returns for the data type.
 */
export type ArrowElements =
  | ColumnData
  | Numbers
  | Float16Data
  | BoolArray
  | FixedBytesArray
  | ComplexArray
  | DateTimeArray
  | TimeDeltaArray;

/** Type ids in Arrow's metadata (Schema.fbs). */
const TYPE = {
  int: 2,
  float: 3,
  binary: 4,
  utf8: 5,
  bool: 6,
  timestamp: 10,
  fixedSizeBinary: 15,
  fixedSizeList: 16,
  duration: 18,
  largeBinary: 19,
  largeUtf8: 20,
  dictionary: -1,
} as const;
const COLUMNS: readonly number[] = [TYPE.binary, TYPE.utf8, TYPE.largeBinary, TYPE.largeUtf8];
const UNITS: readonly TimeUnit["unit"][] = ["s", "ms", "us", "ns"];

/**
 * The elements of a vector. A vector of one piece is viewed without a copy; several pieces are joined.
 * Booleans are unpacked, and values of a dictionary looked up.
 * @throws InvalidArgumentError for a vector with nulls, which Zarr does not have; UnsupportedError for other
 * types
 */
export function elementsOfArrow(vector: ArrowVector): ArrowElements {
  const { type, data, nullCount } = vector;
  if (nullCount > 0) {
    throw new InvalidArgumentError(
      `expected a vector without nulls, which Zarr arrays cannot hold, got ${nullCount}`,
    );
  }
  const { typeId } = type;
  if (COLUMNS.includes(typeId)) return joinColumns(data.map(columnOf));
  switch (typeId) {
    case TYPE.int:
      return joined(data);
    case TYPE.float:
      return memberOf(type, "precision") === 0 ? float16.view(bytesOfView(joined(data))) : joined(data);
    case TYPE.bool:
      return unpacked(data);
    case TYPE.timestamp:
    case TYPE.duration: {
      const unit = UNITS[memberOf(type, "unit") ?? -1];
      if (unit === undefined) break;
      const View = typeId === TYPE.timestamp ? DateTimeArray : TimeDeltaArray;
      return new View(bytesOfView(joined(data)), { unit, scaleFactor: 1 });
    }
    case TYPE.fixedSizeBinary: {
      const width = memberOf(type, "byteWidth") ?? 0;
      return new FixedBytesArray(bytesOfView(joined(data, width)), width, false);
    }
    case TYPE.fixedSizeList: {
      if (memberOf(type, "listSize") !== 2) break;
      const parts = joined(data.flatMap(({ children }) => children.slice(0, 1)));
      if (parts instanceof Float32Array) return new ComplexArray(float32, bytesOfView(parts));
      if (parts instanceof Float64Array) return new ComplexArray(float64, bytesOfView(parts));
      break;
    }
    case TYPE.dictionary:
      return joinColumns(data.map((piece) => lookedUp(piece, dictionaryOf(piece))));
  }
  throw new UnsupportedError(
    `expected a vector of numbers, booleans, strings, bytes, times or pairs of floats, got ${describe(type)}`,
  );
}

function dictionaryOf({ dictionary }: ArrowPiece): ColumnData {
  const elements = dictionary && elementsOfArrow(dictionary);
  if (isColumnData(elements)) return elements;
  throw new UnsupportedError(
    "expected a dictionary of strings or bytes, got one of other values; write its values as a plain vector",
  );
}

function memberOf(type: object, name: string): number | undefined {
  const value: unknown = Reflect.get(type, name);
  return typeof value === "number" ? value : undefined;
}

/** Joins the values of all pieces; one piece is not copied. @param stride values for each element */
function joined(pieces: readonly ArrowPiece[], stride = 1): Numbers {
  const parts = pieces.map(({ values, length }) => {
    if (isNumbers(values)) return values.subarray(0, length * stride);
    throw new UnsupportedError("expected a vector in the memory layout of apache-arrow, got another layout");
  });
  const [first = new Uint8Array(0)] = parts;
  if (parts.length <= 1) return first;
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(bytesOfView(part), at);
    at += part.byteLength;
  }
  return new NUMBER_CLASSES[numberTypeOf(first)](bytes.buffer);
}

function unpacked(pieces: readonly ArrowPiece[]): BoolArray {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const { values, offset, length } of pieces) {
    if (!(values instanceof Uint8Array))
      throw new UnsupportedError(
        "expected a vector in the memory layout of apache-arrow, got another layout",
      );
    for (let i = offset; i < offset + length; i++) bytes[at++] = (byteAt(values, i >> 3) >> (i & 7)) & 1;
  }
  return new BoolArray(bytes);
}

function columnOf({ valueOffsets, values, length }: ArrowPiece): ColumnData {
  const isOffsets = valueOffsets instanceof Int32Array || valueOffsets instanceof BigInt64Array;
  if (isOffsets && values instanceof Uint8Array) {
    return { offsets: valueOffsets.subarray(0, length + 1), data: values };
  }
  throw new UnsupportedError("expected a vector in the memory layout of apache-arrow, got another layout");
}

/** The elements of a piece whose values are indices into a dictionary. */
function lookedUp({ values, length }: ArrowPiece, elements: ColumnData): ColumnData {
  const isIndices =
    values instanceof Int8Array || values instanceof Int16Array || values instanceof Int32Array;
  if (!isIndices) {
    throw new UnsupportedError(
      "expected a dictionary with signed indices of at most 32 bits, got other indices; write its values as a plain vector",
    );
  }
  const offsetOf = (entry: number): number =>
    Number(elements.offsets[entry] ?? noItem(elements.offsets, entry));
  const offsets = new Int32Array(length + 1);
  let end = 0;
  for (let i = 0; i < length; i++) {
    const index = values[i] ?? noItem(values, i);
    end += offsetOf(index + 1) - offsetOf(index);
    checkLength(end);
    offsets[i + 1] = end;
  }
  const data = new Uint8Array(end);
  for (let i = 0; i < length; i++) {
    const index = values[i] ?? noItem(values, i);
    data.set(elements.data.subarray(offsetOf(index), offsetOf(index + 1)), offsets[i]);
  }
  return { offsets, data };
}

function checkLength(byteLength: number): void {
  if (byteLength < 2 ** 31) return;
  throw new InvalidArgumentError(
    "expected less than 2 GiB of elements of a dictionary, got more; write the vector in parts",
  );
}

/** Joins columns; a single column is returned unchanged. */
function joinColumns(columns: readonly ColumnData[]): ColumnData {
  const [only] = columns;
  if (columns.length === 1 && only !== undefined) return only;
  const ends = ({ offsets }: ColumnData): readonly [number, number] => [
    Number(offsets[0] ?? noItem(offsets, 0)),
    Number(offsets[offsets.length - 1] ?? noItem(offsets, offsets.length - 1)),
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
      const offset = at + Number(column.offsets[i] ?? noItem(column.offsets, i)) - begin;
      element++;
      if (offsets instanceof BigInt64Array) offsets[element] = BigInt(offset);
      else offsets[element] = offset;
    }
    at += end - begin;
  }
  return { offsets, data };
}
