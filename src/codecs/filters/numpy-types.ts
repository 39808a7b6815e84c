/**
 * The data types in configurations of numcodecs' filters (`dtype`, `astype`), in numpy's notation. A filter
 * reads the bytes of a chunk as elements of its own dtype, which may differ from the array's: int64 over
 * datetimes, or another byte order. `restate` converts.
 */

import {
  bool,
  type ChunkSpec,
  type DataType,
  describe,
  type Endian,
  fillPattern,
  float16,
  float32,
  float64,
  InvalidMetadataError,
  int8,
  int16,
  int32,
  int64,
  type JsonObject,
  type Kernels,
  product,
  type SwapUnit,
  UnsupportedError,
  uint8,
  uint16,
  uint32,
  uint64,
  wrongMember,
} from "../../core/for-codecs.js";
import { aligned, type NumberType, numberTypeOf } from "./numbers.js";

/**
 * A data type and the byte order of its stored elements; undefined if the type has none, or in v3, where the
 * `bytes` codec has it.
 */
export interface StatedType {
  readonly dataType: DataType;
  readonly endian: Endian | undefined;
}

/** Data types by numpy's kind character and size in bytes. */
const BY_CODE: Readonly<Record<string, DataType>> = {
  b1: bool,
  i1: int8,
  i2: int16,
  i4: int32,
  i8: int64,
  u1: uint8,
  u2: uint16,
  u4: uint32,
  u8: uint64,
  f2: float16,
  f4: float32,
  f8: float64,
};
const BY_NAME = new Map(Object.values(BY_CODE).map((dataType) => [dataType.name, dataType]));

/** The chunk's own type: the default for a missing `dtype`. */
export function typeOfChunk({ dataType, endian }: ChunkSpec): StatedType {
  return { dataType, endian };
}

/**
 * Reads a member in numpy's notation of dtypes: "<f4", "|u1", "f4", "float32".
 * @param absent default for a missing member; without it a missing member is an error
 * @throws InvalidMetadataError, UnsupportedError for dtypes of numpy that are not numbers
 */
export function readDtype(
  codec: string,
  configuration: JsonObject,
  member: string,
  absent?: StatedType,
): StatedType {
  const json = configuration[member];
  if ((json === undefined || json === null) && absent !== undefined) return absent;
  const match = typeof json === "string" ? /^([<>|=]?)([a-zA-Z]+\d*)(\[\w+\])?$/.exec(json) : null;
  const [, order = "", code = ""] = match ?? [];
  const dataType = BY_CODE[code] ?? BY_NAME.get(code);
  if (dataType !== undefined) {
    return { dataType, endian: dataType.needsEndian ? (order === ">" ? "big" : "little") : undefined };
  }
  if (/^([cmMSUV]\d+|complex\d+)$/.test(code)) {
    throw new UnsupportedError(
      `${codec} of ${describe(json)} is not supported: expected integers, floats or bool`,
      { codec, member: `configuration.${member}` },
    );
  }
  throw wrongMember(codec, member, 'a numpy dtype such as "<f4" or "|u1"', json);
}

/**
 * The number type of a data type.
 * @param allowed kinds that the filter supports
 * @throws UnsupportedError for others
 */
export function numbersOf<Kind extends NumberType["kind"]>(
  codec: string,
  dataType: DataType,
  allowed: readonly Kind[],
): NumberType & { readonly kind: Kind } {
  const type = numberTypeOf(dataType.name);
  if (type !== undefined && isOfKind(type, allowed)) return type;
  throw new UnsupportedError(
    `${codec} of data type ${dataType.name} is not supported: expected ${allowed.join(" or ")}`,
    {
      codec,
    },
  );
}

function isOfKind<Kind extends NumberType["kind"]>(
  type: NumberType,
  allowed: readonly Kind[],
): type is NumberType & { readonly kind: Kind } {
  return allowed.some((kind) => kind === type.kind);
}

/** A filter's view of a chunk, by the types in its configuration. */
export interface NumpyFilter<Type> {
  /** Types of the elements before and after encoding. */
  readonly type: Type;
  readonly encodedType: Type;
  /** The array's fill value as one element of the filter; undefined if the element sizes differ. */
  readonly fill: Uint8Array | undefined;
  /**
   * Converts the chunk's elements to the filter's `type`, both in memory's byte order. The result is aligned
   * to the type.
   */
  enter(elements: Uint8Array, kernels: Kernels): Uint8Array;
  /** Converts back from the filter's `type` to the chunk's elements. */
  leave(elements: Uint8Array, kernels: Kernels): Uint8Array;
  /** The chunk after the filter. @param encode encodes one element, as the filter does */
  encoded(encode: (target: Uint8Array, source: Uint8Array) => void): ChunkSpec;
}

/**
 * @param kinds of numbers that the filter supports
 * @throws UnsupportedError for other types, InvalidMetadataError if the chunk does not divide into elements
 * of the `stated` type
 */
export function numpyFilter<Kind extends NumberType["kind"]>(
  codec: string,
  spec: ChunkSpec,
  stated: StatedType,
  encodedAs: StatedType,
  kinds: readonly Kind[],
): NumpyFilter<NumberType & { readonly kind: Kind }> {
  const type = numbersOf(codec, stated.dataType, kinds);
  const encodedType = numbersOf(codec, encodedAs.dataType, kinds);
  const { shape, fill, enter, leave } = restate(codec, spec, stated);
  return {
    type,
    encodedType,
    fill,
    enter,
    leave,
    encoded: (encode) => ({
      ...encodedAs,
      shape,
      fillValue: encodedFill(encodedAs.dataType, fill, encode),
    }),
  };
}

interface Restatement extends Pick<NumpyFilter<NumberType>, "fill" | "enter" | "leave"> {
  /** The chunk's shape in elements of the filter: one dimension if the element sizes differ. */
  readonly shape: readonly number[];
}

/** Unit in bytes that is reversed between memory and storage; 1 for none. */
function storedUnit({ dataType, endian }: StatedType): SwapUnit {
  return endian === "big" ? dataType.swapUnit : 1;
}

function restate(codec: string, spec: ChunkSpec, stated: StatedType): Restatement {
  const { itemSize } = stated.dataType;
  const byteLength = product(spec.shape) * spec.dataType.itemSize;
  if (spec.dataType.itemSize === 0 || byteLength % itemSize !== 0) {
    throw new InvalidMetadataError(
      `expected a chunk whose bytes divide into ${stated.dataType.name}, got one of ${spec.dataType.name}`,
      { codec },
    );
  }
  // In v3 the filter sees elements in memory's byte order: the `bytes` codec after it reverses them.
  const hasOrder = spec.endian !== undefined || !spec.dataType.needsEndian;
  const from = hasOrder ? storedUnit(typeOfChunk(spec)) : 1;
  const to = hasOrder ? storedUnit(stated) : 1;
  const swap = (elements: Uint8Array, first: SwapUnit, second: SwapUnit, kernels: Kernels): Uint8Array => {
    if (first === second) return elements;
    const swapped = kernels.allocate(elements.length);
    kernels.swap(swapped, elements, first);
    if (second !== 1) kernels.swap(swapped, swapped, second);
    return swapped;
  };
  const sameSize = itemSize === spec.dataType.itemSize;
  return {
    fill: sameSize ? fillPattern(spec.dataType, spec.fillValue) : undefined,
    shape: sameSize ? spec.shape : [byteLength / itemSize],
    enter: (elements, kernels) => aligned(swap(elements, from, to, kernels), itemSize),
    leave: (elements, kernels) => swap(elements, to, from, kernels),
  };
}

/**
 * The fill value after a filter, for later codecs that fill missing parts (shards).
 * @param fill the fill value before encoding; undefined if elements before and after do not correspond
 * @param encode encodes one element, as the filter does
 * @returns a scalar of the encoded type; the type's default scalar if it cannot hold the fill value
 */
function encodedFill(
  encodedType: DataType,
  fill: Uint8Array | undefined,
  encode: (target: Uint8Array, source: Uint8Array) => void,
): unknown {
  if (fill === undefined) return encodedType.defaultScalar;
  const target = new Uint8Array(encodedType.itemSize);
  try {
    encode(target, fill);
  } catch {
    return encodedType.defaultScalar;
  }
  return encodedType.readScalar(target, true);
}
