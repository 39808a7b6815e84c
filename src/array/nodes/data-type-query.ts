/** Queries for data types, by name or by kind of scalar: `array.is("number")`. */
import type { DataType } from "../../data-types/data-type.js";
import type { DataOf, DataTypeName, ScalarOf } from "../../data-types/names.js";

/** A query for `array.is`: the name of a data type, or a kind of scalar such as "number". */
export type DataTypeQuery = DataTypeName | keyof Kinds;

/** Elements in a typed array. */
interface Typed<Scalar> {
  readonly BYTES_PER_ELEMENT: number;
  [index: number]: Scalar;
}

/** By kind: what scalars and elements are. */
interface Kinds {
  number: { scalar: number; data: Typed<number> };
  /** Scalars that are numbers, with a typed array or without one (bfloat16, int4). */
  "number-like": { scalar: number; data: unknown };
  bigint: { scalar: bigint; data: Typed<bigint> };
  /** Scalars that are bigints, also those of times. */
  "bigint-like": { scalar: bigint; data: unknown };
  boolean: { scalar: boolean; data: unknown };
  string: { scalar: string; data: unknown };
  object: { scalar: unknown; data: unknown };
}
type NameOf<D> = D extends DataTypeName ? D : DataTypeName;
type IsOfKind<D, Kind extends keyof Kinds> = [ScalarOf<D>, DataOf<D>] extends [
  Kinds[Kind]["scalar"],
  Kinds[Kind]["data"],
]
  ? D
  : never;

/** The data types of `D` that match the query `Q`. */
export type NarrowDataType<D, Q extends DataTypeQuery> = Q extends "object"
  ? "v2:object"
  : Q extends keyof Kinds
    ? { [N in NameOf<D>]: IsOfKind<N, Q> }[NameOf<D>]
    : Q;

/** @param dtype name of the array's data type, "v2:object" for the objects of v2 */
export function matches(dtype: string, dataType: DataType, query: string): boolean {
  if (dtype === query || dataType.name === query) return true;
  if (query === "object") return dtype === "v2:object";
  const kind = typeof dataType.defaultScalar;
  if (kind === "number" || kind === "bigint")
    return query === kind ? ArrayBuffer.isView(dataType.view(new Uint8Array(0))) : query === `${kind}-like`;
  return kind === query && kind !== "object";
}
