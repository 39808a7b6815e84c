/**
 * Types of data types: maps a literal given as `dtype` to the TypeScript type of a scalar and of the data
 * that `get` returns. `DataTypeMap` is open: declaration merging adds custom data types:
 *
 *     declare module "wazarr" { interface DataTypeMap { int2: { scalar: number; data: Int8Array } } }
 */

import type { BoolArray } from "./bool.js";
import type { DataType } from "./data-type.js";
import type { Complex, ComplexArray } from "./extra/complex.js";
import type { DateTimeArray, TimeDeltaArray } from "./extra/datetime.js";
import type { FixedBytesArray } from "./extra/fixed-bytes.js";
import type { OptionalArray } from "./extra/optional.js";
import type { StructArray, StructRecord } from "./extra/struct.js";
import type { SubByteArray } from "./extra/sub-byte-integer.js";
import type { SubarrayArray } from "./extra/subarray.js";
import type { Float16Data, SmallFloatArray } from "./small-float.js";
import type { UnicodeStringArray } from "./unicode-array.js";

interface Entry<Scalar, Data> {
  scalar: Scalar;
  data: Data;
}
type SmallFloat = Entry<number, SmallFloatArray>;
type ComplexEntry = Entry<Complex, ComplexArray>;
type SubByte = Entry<number, SubByteArray>;
type Text = Entry<string, string[]>;
type Bytes = Entry<Uint8Array, Uint8Array[]>;

type SmallFloatName =
  | "bfloat16"
  | "float4_e2m1fn"
  | "float6_e2m3fn"
  | "float6_e3m2fn"
  | `float8_${"e3m4" | "e4m3" | "e4m3fn" | "e4m3b11fnuz" | "e4m3fnuz" | "e5m2" | "e5m2fnuz" | "e8m0fnu"}`;
type ComplexName =
  | "complex64"
  | "complex128"
  | `complex_${"float16" | "float32" | "float64" | SmallFloatName}`;

/** By v3 name, for types without a configuration. */
export interface DataTypeMap
  extends Record<SmallFloatName, SmallFloat>,
    Record<ComplexName, ComplexEntry>,
    Record<"int2" | "int4" | "uint2" | "uint4", SubByte> {
  [text: `${"<" | ">"}U${number}`]: Entry<string, UnicodeStringArray>;
  bool: Entry<boolean, BoolArray>;
  int8: Entry<number, Int8Array>;
  int16: Entry<number, Int16Array>;
  int32: Entry<number, Int32Array>;
  int64: Entry<bigint, BigInt64Array>;
  uint8: Entry<number, Uint8Array>;
  uint16: Entry<number, Uint16Array>;
  uint32: Entry<number, Uint32Array>;
  uint64: Entry<bigint, BigUint64Array>;
  float16: Entry<number, Float16Data>;
  float32: Entry<number, Float32Array>;
  float64: Entry<number, Float64Array>;
  string: Text;
  large_string: Text;
  bytes: Bytes;
  binary: Bytes;
  large_binary: Bytes;
}

/**
 * By v3 name, for types with a configuration, and the objects of v2. A `dtype` to create is more than these.
 */
interface OtherTypes {
  raw_bytes: Entry<Uint8Array, FixedBytesArray>;
  null_terminated_bytes: Entry<Uint8Array, FixedBytesArray>;
  fixed_length_utf32: Entry<string, UnicodeStringArray>;
  "numpy.datetime64": Entry<bigint, DateTimeArray>;
  "numpy.timedelta64": Entry<bigint, TimeDeltaArray>;
  struct: Entry<StructRecord, StructArray>;
  "zarrs.optional": Entry<unknown, OptionalArray<unknown, unknown> | unknown[]>;
  /** zarrita's names of `<U5` and `|S5`, which codecs of its interface get. */
  [text: `v2:U${number}`]: Entry<string, UnicodeStringArray>;
  [bytes: `v2:S${number}`]: Entry<Uint8Array, FixedBytesArray>;
  /** zarrita's name of `|O`. */
  "v2:object": Entry<unknown, unknown[]>;
}

/** Exported because declarations of applications name it. */
export interface AllDataTypes extends DataTypeMap, OtherTypes {}
/** The names of data types that arrays have: `array.dtype`. */
export type DataTypeName = keyof AllDataTypes;

/** v2 type codes without their byte order character: "<i4" is `<` and `i4`. */
interface V2Codes {
  b1: "bool";
  i1: "int8";
  i2: "int16";
  i4: "int32";
  i8: "int64";
  u1: "uint8";
  u2: "uint16";
  u4: "uint32";
  u8: "uint64";
  f2: "float16";
  f4: "float32";
  f8: "float64";
  c8: "complex64";
  c16: "complex128";
}
type Order = "<" | ">" | "|";
type PlainNames = {
  [Name in keyof DataTypeMap]: Name extends `${string}U${number}` ? never : Name;
}[keyof DataTypeMap];
type TimeUnitName = "W" | "D" | "h" | "m" | "s" | "ms" | "us" | "ns";

/** As numpy and xarray write them. */
type NumpyName =
  | `${"datetime64" | "timedelta64"}[${TimeUnitName}]`
  | `${"datetime64" | "timedelta64"}[${number}${TimeUnitName}]`
  | `${"U" | "S"}${number}`;

/**
 * The names of data types that `dtype` takes: those of v3, of v2 ("<f4", "|S3") and of numpy
 * ("datetime64[ns]", "U10").
 */
export type DataTypeText =
  | PlainNames
  | NumpyName
  | `${Order}${keyof V2Codes}`
  | `${Order}${"U" | "S" | "V"}${number}`
  | `r${number}`
  | `${Order}${"M" | "m"}8`
  | `${Order}${"M" | "m"}8[${string}]`
  | "|O"
  | "complex_float32"
  | "complex_float64";

type EntryOfText<D extends string> = D extends DataTypeName
  ? AllDataTypes[D]
  : D extends `${Order}${infer Code extends keyof V2Codes}`
    ? DataTypeMap[V2Codes[Code]]
    : D extends `${Order}U${number}` | `U${number}`
      ? OtherTypes["fixed_length_utf32"]
      : D extends `|${"S" | "V"}${number}` | `r${number}` | `S${number}`
        ? OtherTypes["raw_bytes"]
        : D extends `${Order}M8${string}` | `datetime64[${string}`
          ? OtherTypes["numpy.datetime64"]
          : D extends `${Order}m8${string}` | `timedelta64[${string}`
            ? OtherTypes["numpy.timedelta64"]
            : Entry<unknown, unknown>;

/**
 * `array.dtype` of an array of data type `D`. Strings and bytes are objects in v2, where zarrita has one name
 * for all of them.
 */
export type DtypeOf<D> = D extends `${Order}${infer Code extends keyof V2Codes}`
  ? V2Codes[Code]
  : D extends `${Order}U${number}` | `U${number}`
    ? "fixed_length_utf32"
    : D extends "string" | "bytes"
      ? D | "v2:object"
      : D extends DataTypeName
        ? D
        : string;

/** The data type of an array that was created with `D` as its `dtype`: canonical names for those of v2. */
export type CreatedType<D> = string extends D
  ? DataTypeName
  : D extends `${Order}${infer Code extends keyof V2Codes}`
    ? V2Codes[Code]
    : D;

/** Converts fields in their v3 or v2 form to a record of entries by field name. */
type FieldsOf<Fields extends readonly unknown[]> = {
  readonly [Field in Fields[number] as FieldName<Field>]: Field extends
    | { readonly data_type: infer D }
    | readonly [string, infer D]
    ? EntryOf<D>
    : Entry<unknown, SubarrayArray>;
};
type FieldName<Field> = Field extends
  | { readonly name: infer Name extends string }
  | readonly [infer Name extends string, ...unknown[]]
  ? Name
  : never;
type Member<Fields, Key extends "scalar" | "data"> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Record<Key, infer Value> ? Value : never;
};
type StructEntry<Fields> = Entry<
  Member<Fields, "scalar">,
  StructArray<Member<Fields, "scalar">, Member<Fields, "data">>
>;

/**
 * Present values are wrapped in a list if the inner type is optional too, because they may be null
 * themselves.
 */
type OptionalEntry<Inner extends Entry<unknown, unknown>, IsNested> = Entry<
  OptionalScalar<Inner, IsNested>,
  Inner["data"] extends readonly unknown[]
    ? OptionalScalar<Inner, IsNested>[]
    : OptionalArray<OptionalScalar<Inner, IsNested>, Inner["data"]>
>;
type OptionalScalar<Inner extends Entry<unknown, unknown>, IsNested> =
  | null
  | (IsNested extends true ? [Inner["scalar"]] : Inner["scalar"]);

type EntryOf<D> = D extends string
  ? EntryOfText<D>
  : D extends DataType<infer Scalar, infer Data>
    ? Entry<Scalar, Data>
    : D extends { readonly name: "zarrs.optional"; readonly configuration: infer Inner }
      ? OptionalEntry<EntryOf<Inner>, Inner extends { readonly name: "zarrs.optional" } ? true : false>
      : D extends {
            readonly name: "struct" | "structured";
            readonly configuration: { readonly fields: infer Fields extends readonly unknown[] };
          }
        ? StructEntry<FieldsOf<Fields>>
        : D extends { readonly name: infer Name extends string }
          ? EntryOfText<Name>
          : D extends readonly unknown[]
            ? StructEntry<FieldsOf<D>>
            : Entry<unknown, unknown>;

/** One element of data type `D`: a `dtype` literal or a DataType. `unknown` for an unknown literal. */
export type ScalarOf<D> = EntryOf<D>["scalar"];
/** Many elements of data type `D`, as `get` returns them. */
export type DataOf<D> = EntryOf<D>["data"];
