/** Arithmetic on tiles in the precision of a type: every step is rounded to it, as numpy's and the kernels' is. */
import { decodeFloat } from "../../data-types/float-format.js";
import type { NumberType } from "./number-type.js";
import { smallPattern } from "./tiles.js";

/** To the nearest integer, ties to even, keeping the sign of zero: what Math.round does not. */
export function roundToEven(value: number): number {
  const magnitude = Math.abs(value);
  if (!(magnitude < 2 ** 52)) return value;
  const rounded = magnitude + 2 ** 52 - 2 ** 52;
  return value < 0 || Object.is(value, -0) ? -rounded : rounded;
}

/** To the nearest value of a float type; integers are calculated with as doubles, as numpy does with a fraction. */
export function rounderOf(type: NumberType): (value: number) => number {
  if (type.kind !== "float" || type.bits === 64) return (value) => value;
  const { format } = type;
  if (format === undefined) return Math.fround;
  return (value) => decodeFloat(format, smallPattern(format, value));
}

/** (x - offset) * factor. */
export function scaleTile(
  tile: Float64Array,
  count: number,
  offset: number,
  factor: number,
  round: (value: number) => number,
): void {
  const [o, f] = [round(offset), round(factor)];
  for (let i = 0; i < count; i++) tile[i] = round(round((tile[i] ?? 0) - o) * f);
}

/** x / factor + offset. */
export function unscaleTile(
  tile: Float64Array,
  count: number,
  offset: number,
  factor: number,
  round: (value: number) => number,
): void {
  const [o, f] = [round(offset), round(factor)];
  for (let i = 0; i < count; i++) tile[i] = round(round((tile[i] ?? 0) / f) + o);
}
