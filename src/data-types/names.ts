/**
 * What TypeScript knows about data types: from the literal given as `dtype` to the type of a scalar and of the data that
 * `get` returns. `DataTypeMap` is open, a custom data type joins it by declaration merging:
 *
 *     declare module "wazarr" { interface DataTypeMap { int2: { scalar: number; data: Int8Array } } }
 */
import type { BoolArray } from "./bool.js";
import type { DataType } from "./data-type.js";
import type { Float16Data } from "./float16.js";

/** By canonical v3 name. */
export interface DataTypeMap {
  bool: { scalar: boolean; data: BoolArray };
  int8: { scalar: number; data: Int8Array };
  int16: { scalar: number; data: Int16Array };
  int32: { scalar: number; data: Int32Array };
  int64: { scalar: bigint; data: BigInt64Array };
  uint8: { scalar: number; data: Uint8Array };
  uint16: { scalar: number; data: Uint16Array };
  uint32: { scalar: number; data: Uint32Array };
  uint64: { scalar: bigint; data: BigUint64Array };
  float16: { scalar: number; data: Float16Data };
  float32: { scalar: number; data: Float32Array };
  float64: { scalar: number; data: Float64Array };
}
export type DataTypeName = keyof DataTypeMap;

/** v2 type codes behind their byte order character: "<i4" is `<` and `i4`. */
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
}
type NameOfV2<D> = D extends `${"<" | ">" | "|"}${infer Code extends keyof V2Codes}` ? V2Codes[Code] : never;

type EntryOf<D> = D extends DataTypeName
  ? DataTypeMap[D]
  : D extends DataType<infer Scalar, infer Data>
    ? { scalar: Scalar; data: Data }
    : [NameOfV2<D>] extends [never]
      ? { scalar: unknown; data: unknown }
      : DataTypeMap[NameOfV2<D>];

/** One element of data type `D`: a `dtype` literal or a DataType. `unknown` where the literal is not known. */
export type ScalarOf<D> = EntryOf<D>["scalar"];
/** Many elements of data type `D`, as `get` returns them. */
export type DataOf<D> = EntryOf<D>["data"];
