/**
 * The interface of data types. One object defines a type's names and scalars in every format, its bytes in
 * memory (always little-endian, the only order of WebAssembly and of today's engines), and the array that
 * `get` returns.
 */
import type { SwapUnit } from "../kernels/kernels.js";
import type { Json, JsonObject } from "../metadata/json.js";

/** The byte order of stored elements. */
export type Endian = "little" | "big";
/** 2 and 3 are the final formats, "draft" is the 2020 editor's draft of v3. */
export type ZarrFormat = 2 | 3 | "draft";

/** The array-like that `get` returns for a data type without a JavaScript typed array. */
export interface ArrayLikeView<Scalar> extends Iterable<Scalar> {
  /** Number of elements. */
  readonly length: number;
  /** The memory that is viewed. */
  readonly buffer: ArrayBufferLike;
  /** Where the view begins in `buffer`, in bytes. */
  readonly byteOffset: number;
  /** Length of the view in bytes. */
  readonly byteLength: number;
  /** The element at `index`. */
  get(index: number): Scalar;
  /** Writes the element at `index`. */
  set(index: number, value: Scalar): void;
  /** A view of a part of the same memory; bounds as those of a typed array. */
  subarray(begin?: number, end?: number): ArrayLikeView<Scalar>;
  /** A list of all elements. */
  toArray(): Scalar[];
}

/**
 * Kind of elements of variable length: UTF-8 strings, bytes, or (v2) any values that the object codec
 * decodes. The "large" kinds have 64-bit offsets in the layout of ZEP 7.
 */
export type VariableKind = "text" | "bytes" | "large_text" | "large_bytes" | "object";

/**
 * @typeParam Scalar one element as a JavaScript value
 * @typeParam Data many elements: a typed array or an ArrayLikeView
 */
export interface DataType<Scalar = unknown, Data = unknown> {
  /** Canonical v3 name: "float32", "numpy.datetime64". */
  readonly name: string;
  /** Bytes per element in memory; 0 for a variable-length type. */
  readonly itemSize: number;
  /** Unit in bytes that is reversed in the other byte order; 1 if the type has no byte order. */
  readonly swapUnit: SwapUnit;
  /**
   * For structs whose fields differ in unit: the [offset, unit, count] runs of an element, in order and
   * without gaps (unit 1: not swapped). swapUnit is 1 for these types.
   */
  readonly swapRuns?: readonly SwapRun[];
  /** Whether the `bytes` codec needs `endian` for this type. */
  readonly needsEndian: boolean;
  /**
   * For v2 structs whose fields differ in byte order: the same type with all fields in one order, for arrays
   * in other formats. The type with mixed orders swaps only the fields that v2 stores big-endian.
   */
  readonly uniform?: DataType<Scalar, Data>;
  /** For variable-length types: the kind of elements. */
  readonly variable?: VariableKind;
  /** For variable-length types: the id of the filter that gives a "|O" array of v2 this type. */
  readonly objectCodec?: string;
  /** For types that only one array-to-bytes codec supports: that codec, for new arrays. */
  readonly serializer?: (endian: Endian) => { readonly name: string; readonly configuration: JsonObject };

  /** `data_type` of final v3. */
  toV3(): Json;
  /** `dtype` of v2 in the given byte order. @throws UnsupportedError for types that v2 cannot express */
  toV2(endian: Endian): Json;

  /** The default fill value: zero, false, "". */
  readonly defaultScalar: Scalar;
  /** Value of missing elements if the document's fill value is null; zero if undefined. */
  readonly nullFill?: Scalar;
  /**
   * Reads `fill_value`.
   * @param endian byte order of structs in base64: that of the v2 `dtype`, or of the v3 `bytes` codec;
   * default little
   * @throws InvalidMetadataError naming the allowed values
   */
  scalarFromJson(json: Json, zarrFormat: ZarrFormat, endian?: Endian): Scalar;
  /** Writes `fill_value`, which reads back as the same bits. @param endian as in scalarFromJson */
  scalarToJson(scalar: Scalar, zarrFormat: ZarrFormat, endian?: Endian): Json;
  /** Converts a caller's value to a scalar. @throws InvalidArgumentError if it does not fit the type */
  cast(value: unknown): Scalar;

  /** Writes one element to `target` in memory's byte order, `itemSize` bytes. */
  writeScalar(scalar: Scalar, target: Uint8Array): void;
  /** Reads one element. @param exact returns NaNs with a payload as ExactNaN instead of NaN */
  readScalar(source: Uint8Array, exact?: boolean): Scalar;
  /** A view of many elements in the same memory; `bytes` must have the type's natural alignment. */
  view(bytes: Uint8Array): Data;
  /**
   * The bytes of a caller's array of this type, without a copy. Undefined if `data` is not of this type's
   * array class (callers may then cast element by element).
   */
  bytesOf(data: unknown): Uint8Array | undefined;
}

/**
 * A data type, and the byte order in its v2 `dtype`: undefined for v3, and for types without a byte order.
 */
export interface ResolvedDataType {
  /** The data type, without a byte order. */
  readonly dataType: DataType;
  /** The byte order that the form names; undefined if it names none. */
  readonly endian: Endian | undefined;
}

/**
 * `count` consecutive words of `unit` bytes from byte `offset` of an element, each reversed in the other byte
 * order; unit 1 is not.
 */
export type SwapRun = readonly [offset: number, unit: SwapUnit, count: number];

/** The runs of any data type; types without `swapRuns` have one. */
export function swapRunsOf({ swapRuns, swapUnit, itemSize }: DataType): readonly SwapRun[] {
  return swapRuns ?? [[0, swapUnit, itemSize / swapUnit]];
}

/**
 * The fill value as one element in memory's byte order; no bytes for types of variable length. A null fill
 * value gives zeros, or "not a time" for times, as in zarr-python 3 (also zeros for structs). zarr-python 2
 * leaves such elements undefined.
 */
export function fillPattern(dataType: DataType, fillValue: unknown): Uint8Array {
  const pattern = new Uint8Array(dataType.itemSize);
  const scalar = fillValue ?? dataType.nullFill;
  if (pattern.length > 0 && scalar !== undefined) dataType.writeScalar(scalar, pattern);
  return pattern;
}

/** The scalar of elements in missing chunks, also if the document's fill value is null. */
export function fillScalar(dataType: DataType, fillValue: unknown): unknown {
  if (fillValue !== undefined && fillValue !== null) return fillValue;
  return dataType.itemSize === 0
    ? dataType.defaultScalar
    : dataType.readScalar(fillPattern(dataType, undefined));
}
