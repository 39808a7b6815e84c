/** Columns and vectors of Apache Arrow: elements of variable length as callers give them. Recognising a vector takes no apache-arrow. */

/** One more than there are elements, in ascending order. The first need not be 0. */
export type Offsets = Int32Array | Uint32Array | BigInt64Array;

/** The members of a column. `set` takes any object with these two. */
export interface ColumnData {
  readonly offsets: Offsets;
  readonly data: Uint8Array;
}

export function isColumnData(value: unknown): value is ColumnData {
  if (typeof value !== "object" || value === null || !("offsets" in value) || !("data" in value))
    return false;
  const { offsets, data } = value;
  return (
    data instanceof Uint8Array &&
    (offsets instanceof Int32Array || offsets instanceof Uint32Array || offsets instanceof BigInt64Array)
  );
}

/** The members of a `Vector` of apache-arrow that wazarr uses. */
export interface ArrowVector {
  readonly type: { readonly typeId: number };
  readonly length: number;
  readonly nullCount: number;
  readonly data: readonly ArrowPiece[];
}
/** A `Data` of apache-arrow. Its buffers begin with its first element, except for booleans, of which eight share a byte. */
export interface ArrowPiece {
  readonly length: number;
  readonly offset: number;
  readonly values: unknown;
  readonly valueOffsets: unknown;
  readonly children: readonly ArrowPiece[];
  readonly dictionary?: ArrowVector | undefined;
}

export function isArrowVector(value: unknown): value is ArrowVector {
  return (
    typeof value === "object" &&
    value !== null &&
    "nullCount" in value &&
    "type" in value &&
    "data" in value &&
    Array.isArray(value.data)
  );
}
