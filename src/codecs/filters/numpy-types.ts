/**
 * The data types in configurations of numcodecs' filters (`dtype`, `astype`), as numpy spells them. A filter reads the bytes of a chunk as
 * elements of its own dtype, whatever the array's is: int64 over datetimes, or another byte order. `restate` converts between the two.
 */
import { bool } from "../../data-types/bool.js";
import { type DataType, type Endian, fillPattern } from "../../data-types/data-type.js";
import { float32, float64 } from "../../data-types/float.js";
import { int8, int16, int32, int64, uint8, uint16, uint32, uint64 } from "../../data-types/integer.js";
import { float16 } from "../../data-types/small-float.js";
import { describe, InvalidMetadataError, UnsupportedError } from "../../errors.js";
import type { Kernels, SwapUnit } from "../../kernels/kernels.js";
import type { JsonObject } from "../../metadata/json.js";
import { product } from "../../shape.js";
import type { ChunkSpec } from "../codec.js";
import { wrongMember } from "../configuration.js";
import { aligned, type NumberType, numberTypeOf } from "./numbers.js";

/** A data type and the byte order in which its elements are stored; undefined where there is none, or it follows from elsewhere. */
export interface StatedType {
  readonly dataType: DataType;
  readonly endian: Endian | undefined;
}

/** What numpy says in a character and a size, to the data type. */
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

/** What the codec sees when nothing else is said. */
export function typeOfChunk({ dataType, endian }: ChunkSpec): StatedType {
  return { dataType, endian };
}

/**
 * Reads a member that numpy's `dtype` understands: "<f4", "|u1", "f4", "float32".
 * @param absent what a missing member means; an error when it is not given
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

/** The numbers that a filter calculates with. @param allowed kinds of numbers @throws UnsupportedError */
export function numbersOf<Kind extends NumberType["kind"]>(
  codec: string,
  dataType: DataType,
  allowed: readonly Kind[],
): NumberType & { readonly kind: Kind } {
  const type = numberTypeOf(dataType);
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

/** What a filter makes of a chunk, by the types that its configuration states. */
export interface NumpyFilter<Type> {
  /** What the filter takes the elements for, and what it makes of them. */
  readonly type: Type;
  readonly encodedType: Type;
  /** The array's fill value as one element of the filter; undefined where their sizes differ. */
  readonly fill: Uint8Array | undefined;
  /** Elements of the chunk, in memory order, to elements of the filter, in memory order; aligned for them. */
  enter(elements: Uint8Array, kernels: Kernels): Uint8Array;
  /** The way back. */
  leave(elements: Uint8Array, kernels: Kernels): Uint8Array;
  /** The chunk behind the filter. @param encode encodes one element, as the filter does */
  encoded(encode: (target: Uint8Array, source: Uint8Array) => void): ChunkSpec;
}

/**
 * @param kinds of numbers that the filter is for
 * @throws UnsupportedError for other types, InvalidMetadataError when the chunk does not divide into elements of the stated one
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
  /** The chunk's shape seen as the filter's elements: flat where their size differs. */
  readonly shape: readonly number[];
}

/** Bytes that are reversed when elements of a type go to storage. */
function storedUnit({ dataType, endian }: StatedType): SwapUnit {
  return endian === "big" ? dataType.swapUnit : 1;
}

function restate(codec: string, spec: ChunkSpec, stated: StatedType): Restatement {
  const { itemSize } = stated.dataType;
  const byteLength = product(spec.shape) * spec.dataType.itemSize;
  if (spec.dataType.itemSize === 0 || byteLength % itemSize !== 0) {
    throw new InvalidMetadataError(
      `expected elements of ${stated.dataType.name}, or whose bytes divide into such, got a chunk of ${spec.dataType.name}`,
      { codec },
    );
  }
  // In v3 the filter works in memory, before there is a byte order.
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
 * The fill value after a filter, for codecs after it that fill what is absent (shards).
 * @param fill one element before encoding; undefined where elements before and after do not correspond
 * @param encode encodes one element, as the filter does
 * @returns a scalar of the encoded type: its zero where the fill value has no place in it
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
