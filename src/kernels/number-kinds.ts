/** Types of numbers, as kernels are named after them. */

/** The floats that are calculated with. */
export type FloatKind = "F32" | "F64";
export type IntegerKind = "I8" | "U8" | "I16" | "U16" | "I32" | "U32";
export type StoredKind = IntegerKind | "I64" | "U64" | FloatKind;

export const WIDTHS: Readonly<Record<StoredKind, number>> = {
  I8: 1,
  U8: 1,
  I16: 2,
  U16: 2,
  I32: 4,
  U32: 4,
  I64: 8,
  U64: 8,
  F32: 4,
  F64: 8,
};
