/**
 * What a data type is. One object answers for its names and scalars in every format, for its bytes in memory
 * (always little-endian, the only order WebAssembly and today's engines have), and for the array a user gets.
 */
import type { SwapUnit } from "../kernels/kernels.js";
import type { Json } from "../metadata/json.js";

export type Endian = "little" | "big";
/** 2 and 3 are the final formats, "draft" the 2020 editor's draft of v3. */
export type ZarrFormat = 2 | 3 | "draft";

/** The array-like that a user gets where JavaScript has no typed array for a data type. */
export interface ArrayLikeView<Scalar> extends Iterable<Scalar> {
  readonly length: number;
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
  get(index: number): Scalar;
  set(index: number, value: Scalar): void;
  subarray(begin?: number, end?: number): ArrayLikeView<Scalar>;
  toArray(): Scalar[];
}

/**
 * @typeParam Scalar one element as a JavaScript value
 * @typeParam Data many elements: a typed array or an ArrayLikeView
 */
export interface DataType<Scalar = unknown, Data = unknown> {
  /** Canonical v3 name: "float32", "numpy.datetime64". */
  readonly name: string;
  /** Bytes per element in memory; 0 for a variable-length type. */
  readonly itemSize: number;
  /** Unit of byte order inside an element; 1 where byte order does not apply. */
  readonly swapUnit: SwapUnit;
  /** For structs whose fields differ in unit: [offset, unit, count] runs within an element, in which case swapUnit is 1. */
  readonly swapRuns?: readonly (readonly [offset: number, unit: SwapUnit, count: number])[];
  /** Whether the `bytes` codec needs `endian` for this type. */
  readonly needsEndian: boolean;

  /** `data_type` of final v3. */
  toV3(): Json;
  /** `dtype` of v2 in the given byte order. @throws UnsupportedError where v2 cannot hold the type */
  toV2(endian: Endian): Json;

  /** The scalar when none is given: zero, false, "". */
  readonly defaultScalar: Scalar;
  /** Reads `fill_value`. @throws InvalidMetadataError naming what is allowed */
  scalarFromJson(json: Json, zarrFormat: ZarrFormat): Scalar;
  /** Writes `fill_value`, in the same bits that were read. */
  scalarToJson(scalar: Scalar, zarrFormat: ZarrFormat): Json;
  /** Checks a caller's value and makes it a scalar. @throws InvalidArgumentError when it does not fit the type */
  cast(value: unknown): Scalar;

  /** One element in memory order, `itemSize` bytes. */
  writeScalar(scalar: Scalar, target: Uint8Array): void;
  readScalar(source: Uint8Array): Scalar;
  /** Many elements over the same memory, no copy; `bytes` is aligned to the type's natural alignment. */
  view(bytes: Uint8Array): Data;
  /**
   * The bytes of a caller's array of this type, no copy. Undefined when `data` is not of this type's array class
   * (the caller may then cast element by element).
   */
  bytesOf(data: unknown): Uint8Array | undefined;
}

/** A family of data types in the registry: each is offered every name, exactly one must accept. */
export interface DataTypeFamily {
  /** For error messages: "int32", "fixed_length_utf32", "numpy.datetime64". */
  readonly name: string;
  /** The type for a v3 `data_type`, or undefined when it is not of this family. @throws InvalidMetadataError when it is, but malformed */
  fromV3(json: Json): DataType | undefined;
  /** The type for a v2 `dtype`; `objectCodec` is the id of the object codec among the filters of a "|O" array. */
  fromV2(
    json: Json,
    objectCodec?: string,
  ): { readonly dataType: DataType; readonly endian: Endian | undefined } | undefined;
}
