/** Results of `get` as vectors of Apache Arrow, and back. */
import * as arrow from "apache-arrow";
import {
  type ArrowElements,
  CategoricalArray,
  ComplexArray,
  DateTimeArray,
  describe,
  elementsOfArrow,
  FixedBytesArray,
  FLOAT16,
  NullableArray,
  noItem,
  OptionalArray,
  SmallFloatArray,
  StructArray,
  SubByteArray,
  TimeDeltaArray,
} from "../../extend.js";
import { BoolArray, InvalidArgumentError, UnicodeStringArray, UnsupportedError } from "../../index.js";
import { Column } from "../../main/data-types.js";

/** Typed array classes with the same layout in Arrow, and their Arrow types. */
const NUMBERS = [
  [Int8Array, () => new arrow.Int8()],
  [Int16Array, () => new arrow.Int16()],
  [Int32Array, () => new arrow.Int32()],
  [BigInt64Array, () => new arrow.Int64()],
  [Uint8Array, () => new arrow.Uint8()],
  [Uint16Array, () => new arrow.Uint16()],
  [Uint32Array, () => new arrow.Uint32()],
  [BigUint64Array, () => new arrow.Uint64()],
  [Float32Array, () => new arrow.Float32()],
  [Float64Array, () => new arrow.Float64()],
] as const;

const TICKS = {
  s: arrow.TimeUnit.SECOND,
  ms: arrow.TimeUnit.MILLISECOND,
  us: arrow.TimeUnit.MICROSECOND,
  ns: arrow.TimeUnit.NANOSECOND,
} as const;

/**
 * Makes a vector of the elements in C order; Arrow has no shapes. The vector shares the memory of `data` if
 * Arrow has the same layout. It copies booleans (to eight per byte), strings of fixed length (UTF-8), structs
 * (a vector per field), integers of 2 and 4 bits (8 bits) and floats smaller than float16 (float32). Complex
 * numbers become lists of two floats. Datetimes become timestamps if Arrow has the unit, else int64 ticks;
 * NaT is the smallest tick, not null. Missing optional elements become null. Categoricals become a
 * dictionary, which all parts of a column share.
 * @param data the `data` of a result of `get`: a typed array or array-like; for elements of variable length a
 * column
 * @throws UnsupportedError for data without an Arrow type, InvalidArgumentError for an array of values: read
 * it `as: "column"`
 */
export function toArrowVector(data: unknown): arrow.Vector {
  if (data instanceof Column) return columnVector(data);
  if (Array.isArray(data)) {
    throw new InvalidArgumentError('expected a column, got an array of values; read with as: "column"');
  }
  for (const [Class, type] of NUMBERS) {
    if (data instanceof Class) return vector({ type: type(), length: data.length, data });
  }
  if (data instanceof BoolArray) return boolVector(data);
  if (data instanceof DateTimeArray || data instanceof TimeDeltaArray) return ticksVector(data);
  if (data instanceof FixedBytesArray) {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return vector({ type: new arrow.FixedSizeBinary(data.itemSize), length: data.length, data: bytes });
  }
  if (data instanceof ComplexArray) return complexVector(data);
  if (data instanceof OptionalArray) return optionalVector(data);
  if (data instanceof CategoricalArray) return categoricalVector(data);
  if (data instanceof NullableArray) return nullableVector(data);
  const halves = halvesOf(data);
  if (halves !== undefined) return vector({ type: new arrow.Float16(), length: halves.length, data: halves });
  const copy = copyOf(data);
  if (copy !== undefined) return copy;
  throw new UnsupportedError(`expected data that Arrow has a type for, got ${describe(data)}`);
}

/** A vector with a copy of elements that Arrow lays out in another way; undefined for other data. */
function copyOf(data: unknown): arrow.Vector | undefined {
  if (data instanceof UnicodeStringArray) return arrow.vectorFromArray(data.toArray(), new arrow.Utf8());
  if (data instanceof SmallFloatArray) return toArrowVector(Float32Array.from(data));
  if (data instanceof SubByteArray) {
    return toArrowVector(data.format.signed ? Int8Array.from(data) : Uint8Array.from(data));
  }
  if (data instanceof StructArray) return structVector(data);
  return undefined;
}

function structVector(data: StructArray): arrow.Vector {
  const columns = data.fieldNames.map((name) => [name, toArrowVector(data.column(name).toData())] as const);
  const fields = columns.map(([name, { type }]) => new arrow.Field(name, type, false));
  const children = columns.flatMap(([, column]) => column.data);
  return vector({ type: new arrow.Struct(fields), length: data.length, children });
}

function vector<Type extends arrow.DataType>(data: {
  readonly type: Type;
  readonly length: number;
  readonly [buffer: string]: unknown;
}): arrow.Vector {
  return new arrow.Vector([arrow.makeData<arrow.DataType>({ nullCount: 0, ...data })]);
}

function columnVector({ kind, offsets, data, length }: Column): arrow.Vector {
  if (offsets instanceof BigInt64Array) {
    const type = kind === "text" ? new arrow.LargeUtf8() : new arrow.LargeBinary();
    return vector({ type, length, valueOffsets: offsets, data });
  }
  const type = kind === "text" ? new arrow.Utf8() : new arrow.Binary();
  const signed = new Int32Array(offsets.buffer, offsets.byteOffset, offsets.length);
  return vector({ type, length, valueOffsets: signed, data });
}

/** A vector with null for missing elements. */
function optionalVector(data: OptionalArray): arrow.Vector {
  const present = data.column().toData();
  if (present instanceof OptionalArray) {
    throw new UnsupportedError(
      "expected data that Arrow has a type for, got elements that are optional twice",
    );
  }
  return withNulls(toArrowVector(present), data.mask().toData());
}

/** A vector with null where the mask is true. */
function nullableVector({ values, mask }: NullableArray): arrow.Vector {
  const isThere = BoolArray.from(Array.from(mask, (isMissing) => !isMissing));
  return withNulls(Array.isArray(values) ? listVector(values) : toArrowVector(values), isThere);
}

/** Dictionaries by lists of categories: batches of a stream share the one of their column. */
const dictionaries = new WeakMap<
  readonly unknown[],
  { readonly id: number; readonly values: arrow.Vector }
>();
let dictionaryCount = 0;

function categoricalVector({ codes, categories, isOrdered }: CategoricalArray): arrow.Vector {
  const known = dictionaries.get(categories) ?? { id: ++dictionaryCount, values: listVector(categories) };
  dictionaries.set(categories, known);
  const indices =
    codes instanceof Int8Array
      ? new arrow.Int8()
      : codes instanceof Int16Array
        ? new arrow.Int16()
        : new arrow.Int32();
  const type = new arrow.Dictionary(known.values.type, indices, known.id, isOrdered);
  // Readers may look up what is null: it has a code, too.
  const data = codes.map((code) => Math.max(code, 0));
  const isThere = BoolArray.from(Array.from(codes, (code) => code >= 0));
  return withNulls(vector({ type, length: codes.length, data, dictionary: known.values }), isThere);
}

/** A vector of values in a list: strings, numbers, bigints or booleans. */
function listVector(values: readonly unknown[]): arrow.Vector {
  const [first = ""] = values;
  const isEvery = values.every((value) => typeof value === typeof first);
  if (isEvery && typeof first === "string") return arrow.vectorFromArray(values, new arrow.Utf8());
  if (isEvery && typeof first === "number") return toArrowVector(Float64Array.from(values, Number));
  if (isEvery && typeof first === "bigint") return arrow.vectorFromArray(values, new arrow.Int64());
  if (isEvery && typeof first === "boolean") return arrow.vectorFromArray(values, new arrow.Bool());
  throw new UnsupportedError(`expected values that Arrow has a type for, got ${describe(first)}`);
}

/** The same vector with null where there is no element. */
function withNulls(all: arrow.Vector, isThere: BoolArray): arrow.Vector {
  const nullCount = isThere.toArray().filter((each) => !each).length;
  const [piece] = all.data;
  if (piece === undefined || nullCount === 0) return all;
  const { type, length, values, valueOffsets, typeIds, children, dictionary } = piece;
  const buffers = { 0: valueOffsets, 1: values, 2: bitsOf(isThere), 3: typeIds };
  return new arrow.Vector([new arrow.Data(type, 0, length, nullCount, buffers, children, dictionary)]);
}

function boolVector(values: BoolArray): arrow.Vector {
  return vector({ type: new arrow.Bool(), length: values.length, data: bitsOf(values) });
}

/** Packs booleans into bits, eight per byte, the lowest bit first; padded to a multiple of 8 bytes. */
function bitsOf(values: BoolArray): Uint8Array {
  const bits = new Uint8Array(Math.ceil(values.length / 64) * 8);
  for (let i = 0; i < values.length; i++)
    if (values.get(i)) bits[i >> 3] = (bits[i >> 3] ?? noItem(bits, i >> 3)) | (1 << (i & 7));
  return bits;
}

function ticksVector(values: DateTimeArray | TimeDeltaArray): arrow.Vector {
  const { unit, scaleFactor, ticks, length } = values;
  const known = Object.entries(TICKS).find(([name]) => name === unit);
  if (known === undefined || scaleFactor !== 1)
    return vector({ type: new arrow.Int64(), length, data: ticks });
  const type = values instanceof DateTimeArray ? new arrow.Timestamp(known[1]) : new arrow.Duration(known[1]);
  return vector({ type, length, data: ticks });
}

function complexVector(values: ComplexArray): arrow.Vector {
  const parts = values.parts instanceof SmallFloatArray ? Float32Array.from(values.parts) : values.parts;
  const type = parts instanceof Float32Array ? new arrow.Float32() : new arrow.Float64();
  const child = arrow.makeData<arrow.DataType>({
    type,
    length: parts.length,
    nullCount: 0,
    ...{ data: parts },
  });
  const list = new arrow.FixedSizeList(2, new arrow.Field("part", type, false));
  return vector({ type: list, length: values.length, child });
}

/**
 * The bit patterns of half floats in a SmallFloatArray or a native Float16Array; undefined for other data.
 */
function halvesOf(data: unknown): Uint16Array | undefined {
  const isHalf =
    data instanceof SmallFloatArray
      ? data.format === FLOAT16
      : Object.prototype.toString.call(data) === "[object Float16Array]";
  if (!isHalf || typeof data !== "object" || data === null) return undefined;
  if (!("buffer" in data && "byteOffset" in data && "length" in data)) return undefined;
  const { buffer, byteOffset, length } = data;
  return buffer instanceof ArrayBuffer && typeof byteOffset === "number" && typeof length === "number"
    ? new Uint16Array(buffer, byteOffset, length)
    : undefined;
}

/**
 * The elements of a vector; `set` takes vectors directly. A vector of one piece is not copied; several pieces
 * are joined, booleans unpacked, and dictionaries resolved.
 * @throws InvalidArgumentError for a vector with nulls, which Zarr does not have; UnsupportedError for other
 * types
 */
export const fromArrowVector: (vector: arrow.Vector) => ArrowElements = elementsOfArrow;
export type { ArrowElements };
