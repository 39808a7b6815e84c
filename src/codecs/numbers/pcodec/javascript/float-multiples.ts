/** The mode of multiples of a float in JavaScript, with the same bits as assembly/pcodec-mode.ts. */
import { at, float32At, float64At, uint32At } from "../../../../core/for-codecs.js";
import { ARGUMENT, WIDTH } from "../plan.js";
import { add, addLatent, type Latents } from "./latents.js";

const words = new Uint32Array(2);
const single = new Float32Array(words.buffer);
const double = new Float64Array(words.buffer);

/**
 * By width: how many integers a float has bits for, as a power of two, and the first words of that float, of
 * infinity and of a quiet NaN's bit.
 */
const FLOATS: ReadonlyMap<number, readonly [number, number, number, number]> = new Map([
  [16, [2 ** 11, 0x6800, 0x7c00, 0x200]],
  [32, [2 ** 24, 0x4b800000, 0x7f800000, 0x400000]],
  [64, [2 ** 21, 0x43400000, 0x7ff00000, 0x80000]],
]);

/** The value of a float of which `first` is the first 32 bits or less, and `rest` what follows. */
function floatOf(width: number, first: number, rest: number): number {
  if (width === 16) return halfValue(first);
  words[0] = width === 64 ? rest : first;
  words[1] = first;
  return width === 64 ? float64At(double, 0) : float32At(single, 0);
}
function halfValue(half: number): number {
  const exponent = (half >>> 10) & 31;
  const mantissa = half & 1023;
  const magnitude =
    exponent === 0
      ? mantissa * 2 ** -24
      : exponent === 31
        ? Infinity
        : (1024 + mantissa) * 2 ** (exponent - 25);
  return half & 0x8000 ? -magnitude : magnitude;
}

/** Rounds to the nearest float of 16 bits, to the even one of two. */
function halfBits(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  // Half a unit in the last place above the greatest float.
  if (magnitude >= 65520) return sign | 0x7c00;
  const exponent = Math.max(Math.floor(Math.log2(magnitude)), -14);
  // The next lower power of two where the logarithm was rounded up.
  const power = magnitude < 2 ** exponent ? Math.max(exponent - 1, -14) : exponent;
  const scaled = magnitude * 2 ** (10 - power);
  const floor = Math.floor(scaled);
  const rest = scaled - floor;
  const rounded = floor + Number(rest > 0.5 || (rest === 0.5 && floor % 2 === 1));
  return sign | ((power + 14) * 1024 + rounded);
}

export function joinFloatMult(primary: Latents, secondary: Latents, count: number, plan: Uint32Array): void {
  const width = at(plan, WIDTH);
  const isDouble = width === 64;
  const sign = 2 ** (Math.min(width, 32) - 1);
  const [integers, integersEnd, infinity, quiet] = FLOATS.get(width) ?? [0, 0, 0, 0];
  const [baseLow, baseHigh] = [at(plan, ARGUMENT), at(plan, ARGUMENT + 1)];
  const baseFirst = isDouble ? baseHigh : baseLow;
  const isBaseNegative = (baseFirst & sign) === 0;
  const base = isBaseNegative
    ? floatOf(width, ~baseFirst & (sign | (sign - 1)), ~baseLow)
    : floatOf(width, baseFirst ^ sign, baseLow);
  /** Half of the range. */
  const [middleLow, middleHigh] = width === 64 ? [0, 0x80000000] : [2 ** (width - 1), 0];
  for (let i = 0; i < count; i++) {
    const low = uint32At(primary.low, i);
    const latent = isDouble ? uint32At(primary.high, i) : low;
    const isNegative = (latent & sign) === 0;
    const turn = isNegative ? -1 : 0;
    const magnitude = (latent ^ turn) & (sign - 1);
    const below = isDouble ? (low ^ turn) >>> 0 : 0;
    /** The first bits of the product, and the rest. */
    let first: number;
    let rest = 0;
    const large = (integersEnd + magnitude - integers) ^ (isNegative ? sign : 0);
    if (magnitude >= integers && isNaNOf(large & (sign - 1), below, infinity)) {
      first = large | quiet;
      rest = below;
    } else {
      const multiple =
        magnitude < integers ? (isDouble ? magnitude * 2 ** 32 + below : magnitude) : undefined;
      const value = multiple === undefined ? floatOf(width, large, below) : isNegative ? -multiple : multiple;
      [first, rest] = bitsOf(width, value * base);
    }
    const isProductNegative = (first & sign) !== 0;
    first = isProductNegative ? ~first & (sign | (sign - 1)) : first ^ sign;
    if (isProductNegative) rest = ~rest;
    primary.low[i] = isDouble ? rest : first;
    primary.high[i] = isDouble ? first : 0;
    addLatent(primary, i, secondary, i);
    add(primary, i, middleLow, middleHigh);
  }
}
const isNaNOf = (first: number, rest: number, infinity: number): boolean =>
  first > infinity || (first === infinity && rest > 0);
function bitsOf(width: number, value: number): [first: number, rest: number] {
  if (width === 16) return [halfBits(value), 0];
  if (width === 64) double[0] = value;
  else single[0] = value;
  return width === 64 ? [uint32At(words, 1), uint32At(words, 0)] : [uint32At(words, 0), 0];
}
