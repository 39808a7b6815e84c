/** Vectors of Apache Arrow that callers pass. They are recognised by their members, without apache-arrow. */

/** The members of a `Vector` of apache-arrow that wazarr uses. */
export interface ArrowVector {
  readonly type: { readonly typeId: number };
  readonly length: number;
  readonly nullCount: number;
  readonly data: readonly ArrowPiece[];
}

/**
 * A `Data` of apache-arrow. Its buffers begin with its first element, except for booleans: eight share a
 * byte, so `offset` applies.
 */
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
