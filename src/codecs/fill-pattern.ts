import type { DataType } from "../data-types/data-type.js";

/** Fill value as one element in memory order; zeros for null. */
export function fillPattern(dataType: DataType, fillValue: unknown): Uint8Array {
  const pattern = new Uint8Array(dataType.itemSize);
  if (fillValue !== undefined && fillValue !== null) dataType.writeScalar(fillValue, pattern);
  return pattern;
}
