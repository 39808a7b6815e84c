/** Where a value lies between the ends of the colours, on an even or a logarithmic scale. */
import type { Curve } from "../state.js";
import type { Range } from "./contrast.js";

/** On a symmetric scale: the part of the larger end below which values are spread evenly. */
export const LINEAR_PART = 0.01;

/** The ends that a curve can have: a logarithm begins above zero. */
export function endsOf(curve: Curve, [low, high]: Range): Range {
  if (curve !== "log") return [low, high];
  const end = high > 0 ? high : 1;
  return [low > 0 && low < end ? low : end / 1000, end];
}

/** 0 at the first colour, 1 at the last one. */
export function partOf(value: number, range: Range, curve: Curve): number {
  const [low, high] = endsOf(curve, range);
  const bent = bendOf(curve, [low, high]);
  return (bent(value) - bent(low)) / (bent(high) - bent(low) || 1e-37);
}

/** The value at a part of the colours. */
export function valueAt(part: number, range: Range, curve: Curve): number {
  const [low, high] = endsOf(curve, range);
  if (curve === "linear") return low + part * (high - low);
  if (curve === "log") return low * (high / low) ** part;
  const bent = bendOf(curve, [low, high]);
  const at = bent(low) + part * (bent(high) - bent(low));
  return Math.sign(at) * Math.expm1(Math.abs(at)) * linearOf([low, high]);
}

export const linearOf = ([low, high]: Range): number =>
  Math.max(Math.abs(low), Math.abs(high), Number.MIN_VALUE) * LINEAR_PART;

function bendOf(curve: Curve, ends: Range): (value: number) => number {
  if (curve === "linear") return (value) => value;
  if (curve === "log") return (value) => Math.log(Math.max(value, Number.MIN_VALUE));
  const linear = linearOf(ends);
  return (value) => Math.sign(value) * Math.log1p(Math.abs(value) / linear);
}
