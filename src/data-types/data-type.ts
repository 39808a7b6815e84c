/**
 * The interface of data types. One object defines a type's names and scalars in every format, its bytes in
 * memory (always little-endian, the only order of WebAssembly and of today's engines), and the array that
 * `get` returns.
 */
import { describe, InvalidMetadataError, UnsupportedError } from "../errors.js";
import type { SwapUnit } from "../kernels/kernels.js";
import { isJsonObject, type Json, type JsonObject } from "../metadata/json.js";
import { Member } from "../metadata/member.js";

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
 * Kind of elements of variable length: UTF-8 text, bytes, or (v2) any values that the object codec decodes.
 * The "large" kinds have 64-bit offsets in the layout of ZEP 7.
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

/**
 * A family of data types in the registry. The registry offers every name to all families, and exactly one
 * must accept it.
 */
export interface DataTypeFamily {
  /** For error messages: "int32", "fixed_length_utf32", "numpy.datetime64". */
  readonly name: string;
  /**
   * The type for a v3 `data_type`, or undefined if it is not of this family.
   * @param resolve resolves a data type in the registry, for types that contain others
   * @throws InvalidMetadataError for a malformed type of this family
   */
  fromV3(json: Json, resolve: (json: Json) => DataType): DataType | undefined;
  /**
   * The same for a v2 `dtype`.
   * @param objectCodec the id of the object codec among the filters of a "|O" array
   */
  fromV2(
    json: Json,
    objectCodec: string | undefined,
    resolve: (json: Json) => ResolvedDataType,
  ): ResolvedDataType | undefined;
}

// Shared by families: v3 forms of a name, checks of configurations, and the family of a single type without
// configuration.

export interface NamedConfiguration {
  readonly name: string;
  readonly configuration: JsonObject;
  /** The whole v3 extension definition; {} for a bare name. */
  readonly json: Json;
}

/** A v3 extension definition: a bare name or { name, configuration? }. Undefined for anything else. */
export function namedConfiguration(json: Json): NamedConfiguration | undefined {
  if (typeof json === "string") return { name: json, configuration: {}, json: {} };
  if (!isJsonObject(json) || typeof json.name !== "string") return undefined;
  const configuration = json.configuration === undefined ? {} : json.configuration;
  return isJsonObject(configuration) ? { name: json.name, configuration, json } : undefined;
}

/**
 * Checks that the configuration has exactly the members `wanted`, and that the definition has no unknown
 * members beside it.
 * @throws InvalidMetadataError
 */
export function checkMembers(
  { name, configuration, json }: NamedConfiguration,
  wanted: readonly string[],
): void {
  // `fallback` (ZEP 7) only concerns readers that do not know the type.
  new Member(json, {}, "data_type").ignorable(["name", "configuration", "must_understand", "fallback"]);
  const expected =
    wanted.length === 0 ? "no configuration" : `exactly ${wanted.join(" and ")} in the configuration`;
  const got = Object.keys(configuration);
  const wrong =
    got.find((member) => !wanted.includes(member)) ?? wanted.find((member) => !got.includes(member));
  if (wrong === undefined) return;
  throw new InvalidMetadataError(
    `expected ${expected} of data type ${name}, got ${describe(configuration)}`,
    {
      member: `data_type.configuration.${wrong}`,
    },
  );
}

/**
 * The v2 form of a type that has no numpy code: its own name, as TensorStore writes ("bfloat16") and
 * zarr-python's documentation of custom types shows ("int2"). A name has no byte order: the elements are
 * little-endian.
 */
export function namedV2Type(name: string, needsEndian: boolean): (endian: Endian) => Json {
  return (endian) => {
    if (needsEndian && endian === "big") {
      throw new UnsupportedError(
        `expected little-endian elements of ${name} in Zarr v2, which has no big-endian form, got "big"`,
      );
    }
    return name;
  };
}

/**
 * The family of one data type without configuration.
 * @param aliases further v3 names that are read
 */
export function singleFamily(dataType: DataType, aliases: readonly string[] = []): DataTypeFamily {
  const { name } = dataType;
  const names = [name, ...aliases];
  const little = dataType.toV2("little");
  const big = little === name ? undefined : dataType.toV2("big");
  return {
    name,
    fromV3(json) {
      const named = namedConfiguration(json);
      if (named === undefined || !names.includes(named.name)) return undefined;
      checkMembers(named, []);
      return dataType;
    },
    fromV2(json) {
      if (dataType.needsEndian) {
        if (json === little) return { dataType, endian: "little" };
        return big !== undefined && json === big ? { dataType, endian: "big" } : undefined;
      }
      // A type of one byte has no byte order. Accepts "<u1", which NetCDF-C writes, and ">u1", as numpy does.
      const plain = typeof json === "string" ? json.replace(/^[<>](?=[biu]1$)/, "|") : json;
      return plain === little ? { dataType, endian: undefined } : undefined;
    },
  };
}
