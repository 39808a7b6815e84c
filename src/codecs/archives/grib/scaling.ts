/** How packed integers become values. */
import { damaged } from "./sections.js";

/** value = (reference + x * scale) * decimal, in doubles. */
export interface Scaling {
  readonly reference: number;
  /** 2^E. */
  readonly scale: number;
  /** 10^-D. */
  readonly decimal: number;
}

/** @param offset of the three numbers. @throws CodecError unless they give numbers */
export function checkScaling(scaling: Scaling, offset: number): Scaling {
  const { reference, scale, decimal } = scaling;
  if (Number.isFinite(reference + scale + decimal) && decimal > 0) return scaling;
  throw damaged(
    `expected a reference value and finite scale factors, got ${reference}, ${scale} and ${decimal}`,
    offset,
  );
}

/** base^exponent as eccodes calculates it, whose results differ from those of `**` in the last bit. */
export function power(base: number, exponent: number): number {
  let result = 1;
  for (let i = exponent; i < 0; i++) result /= base;
  for (let i = exponent; i > 0; i--) result *= base;
  return result;
}
