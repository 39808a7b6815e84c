import type { DataType } from "../data-types/data-type.js";

/** Fill value as one element in memory order; zeros for null, nothing for types of variable length. */
export function fillPattern(dataType: DataType, fillValue: unknown): Uint8Array {
  const pattern = new Uint8Array(dataType.itemSize);
  if (pattern.length > 0 && fillValue !== undefined && fillValue !== null)
    dataType.writeScalar(fillValue, pattern);
  return pattern;
}
