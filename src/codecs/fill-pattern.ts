import type { DataType } from "../data-types/data-type.js";

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
