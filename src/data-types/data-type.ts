/**
 * What a data type is. One object answers for its names and scalars in every format, for its bytes in memory
 * (always little-endian, the only order WebAssembly and today's engines have), and for the array a user gets.
 */
import { describe, InvalidMetadataError, UnsupportedError } from "../errors.js";
import type { SwapUnit } from "../kernels/kernels.js";
import { isJsonObject, type Json, type JsonObject } from "../metadata/json.js";
import { Member } from "../metadata/member.js";

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
 * Elements of variable length: UTF-8 text, bytes, or (v2) whatever the object codec makes. The "large" ones have offsets of 64
 * bits in the layout of ZEP 7.
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
  /** Unit of byte order inside an element; 1 where byte order does not apply. */
  readonly swapUnit: SwapUnit;
  /**
   * For structs whose fields differ in unit: [offset, unit, count] runs, in order and without gaps, that an element consists of
   * (unit 1: not swapped). In that case swapUnit is 1.
   */
  readonly swapRuns?: readonly SwapRun[];
  /** Whether the `bytes` codec needs `endian` for this type. */
  readonly needsEndian: boolean;
  /**
   * For v2 structs whose fields differ in byte order: the same type with all fields in one order, which is what an array in
   * another format must be created with. This type itself swaps only the fields that v2 stores big-endian.
   */
  readonly uniform?: DataType<Scalar, Data>;
  /** For variable-length types: what an element is. */
  readonly variable?: VariableKind;
  /** For variable-length types: the id of the filter that makes a "|O" array of v2 one of this type. */
  readonly objectCodec?: string;
  /** For types whose bytes only one codec knows: that codec, as a new array gets it. */
  readonly serializer?: (endian: Endian) => { readonly name: string; readonly configuration: JsonObject };

  /** `data_type` of final v3. */
  toV3(): Json;
  /** `dtype` of v2 in the given byte order. @throws UnsupportedError where v2 cannot hold the type */
  toV2(endian: Endian): Json;

  /** The scalar when none is given: zero, false, "". */
  readonly defaultScalar: Scalar;
  /** What elements of absent chunks are where the document has null for a fill value, unless that is zero. */
  readonly nullFill?: Scalar;
  /**
   * Reads `fill_value`.
   * @param endian byte order of structs in base64: that of the v2 `dtype`, or of the v3 `bytes` codec; little when absent
   * @throws InvalidMetadataError naming what is allowed
   */
  scalarFromJson(json: Json, zarrFormat: ZarrFormat, endian?: Endian): Scalar;
  /** Writes `fill_value`, in the same bits that were read. @param endian as in scalarFromJson */
  scalarToJson(scalar: Scalar, zarrFormat: ZarrFormat, endian?: Endian): Json;
  /** Checks a caller's value and makes it a scalar. @throws InvalidArgumentError when it does not fit the type */
  cast(value: unknown): Scalar;

  /** One element in memory order, `itemSize` bytes. */
  writeScalar(scalar: Scalar, target: Uint8Array): void;
  /** @param exact NaNs with a payload come as ExactNaN instead of NaN */
  readScalar(source: Uint8Array, exact?: boolean): Scalar;
  /** Many elements over the same memory, no copy; `bytes` is aligned to the type's natural alignment. */
  view(bytes: Uint8Array): Data;
  /**
   * The bytes of a caller's array of this type, no copy. Undefined when `data` is not of this type's array class
   * (the caller may then cast element by element).
   */
  bytesOf(data: unknown): Uint8Array | undefined;
}

/** A data type, and the byte order that the v2 form it came from states: undefined for v3, and for types without one. */
export interface ResolvedDataType {
  readonly dataType: DataType;
  readonly endian: Endian | undefined;
}

/** Consecutive words of an element that are reversed, or not, in the other byte order. */
export type SwapRun = readonly [offset: number, unit: SwapUnit, count: number];

/** The runs of any type: one, unless it is a struct. */
export function swapRunsOf({ swapRuns, swapUnit, itemSize }: DataType): readonly SwapRun[] {
  return swapRuns ?? [[0, swapUnit, itemSize / swapUnit]];
}

/**
 * The fill value as one element in memory order; nothing for types of variable length. Where the document says null, zeros, and "not a
 * time" for times, as zarr-python 3 has it (whose structs are zeros, too); zarr-python 2 leaves such elements to chance.
 */
export function fillPattern(dataType: DataType, fillValue: unknown): Uint8Array {
  const pattern = new Uint8Array(dataType.itemSize);
  const scalar = fillValue ?? dataType.nullFill;
  if (pattern.length > 0 && scalar !== undefined) dataType.writeScalar(scalar, pattern);
  return pattern;
}

/** The scalar that elements of absent chunks are, also where the document says null. */
export function fillScalar(dataType: DataType, fillValue: unknown): unknown {
  if (fillValue !== undefined && fillValue !== null) return fillValue;
  return dataType.itemSize === 0
    ? dataType.defaultScalar
    : dataType.readScalar(fillPattern(dataType, undefined));
}

/** A family of data types in the registry: each is offered every name, exactly one must accept. */
export interface DataTypeFamily {
  /** For error messages: "int32", "fixed_length_utf32", "numpy.datetime64". */
  readonly name: string;
  /**
   * The type for a v3 `data_type`, or undefined when it is not of this family.
   * @param resolve the registry's resolution, for types made of others
   * @throws InvalidMetadataError when it is, but malformed
   */
  fromV3(json: Json, resolve: (json: Json) => DataType): DataType | undefined;
  /**
   * The type for a v2 `dtype`, likewise.
   * @param objectCodec the id of the object codec among the filters of a "|O" array
   */
  fromV2(
    json: Json,
    objectCodec: string | undefined,
    resolve: (json: Json) => ResolvedDataType,
  ): ResolvedDataType | undefined;
}

// What families share: the v3 forms of a name, checks of configurations, and the family of a single type without one.

export interface NamedConfiguration {
  readonly name: string;
  readonly configuration: JsonObject;
  /** The whole definition. */
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
 * Checks that the configuration has exactly the members `wanted`, and that there is nothing beside the configuration.
 * @throws InvalidMetadataError
 */
export function checkMembers(
  { name, configuration, json }: NamedConfiguration,
  wanted: readonly string[],
): void {
  // `fallback` is for readers that do not know the type (ZEP 7).
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
 * The v2 form of a type that has no numpy code: its own name, as TensorStore writes ("bfloat16") and zarr-python's
 * documentation of custom types shows ("int2"). A name has no byte order: the elements are little-endian.
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
      // A type of one byte has no byte order; "<u1" is read because NetCDF-C writes it, ">u1" as numpy reads it.
      const plain = typeof json === "string" ? json.replace(/^[<>](?=[biu]1$)/, "|") : json;
      return plain === little ? { dataType, endian: undefined } : undefined;
    },
  };
}
