/**
 * Arithmetic on tiles in the precision of a type: every step is rounded to that type, as in numpy and in the
 * WASM kernels.
 */
import { decodeFloat, float64At } from "../../core/for-codecs.js";
import { type NumberType, smallPattern } from "./numbers.js";

/** Rounds to the nearest integer, ties to even, and keeps the sign of zero. Math.round rounds ties up. */
export function roundToEven(value: number): number {
  const magnitude = Math.abs(value);
  if (!(magnitude < 2 ** 52)) return value;
  const rounded = magnitude + 2 ** 52 - 2 ** 52;
  return value < 0 || Object.is(value, -0) ? -rounded : rounded;
}

/**
 * Rounding to the nearest value of a float type. Integer types are not rounded: numpy calculates with
 * integers and fractions in doubles.
 */
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
  for (let i = 0; i < count; i++) tile[i] = round(round(float64At(tile, i) - o) * f);
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
  for (let i = 0; i < count; i++) tile[i] = round(round(float64At(tile, i) / f) + o);
}
