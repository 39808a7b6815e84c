/** Elements as textures hold them. */
import type { Numbers } from "../data/values.js";

/** Doubles and integers of 32 bits as pairs of float32 (value and remainder), in units of a power of two. */
export interface Pairs {
  readonly pairs: Float32Array;
  readonly unit: number;
}

/** Colours themselves: red, green, blue and alpha of every element. */
export interface Colours {
  readonly rgba: Uint8Array;
}

export type TextureData = Uint8Array | Int8Array | Uint16Array | Int16Array | Float32Array | Pairs | Colours;

/** Some of them are looked at for the first range of colours. */
const SAMPLES = 1024;

/** What a float32 holds exactly stays as it is. */
export function textureData(values: Numbers): TextureData {
  if (
    !(values instanceof Float64Array || values instanceof Int32Array || values instanceof Uint32Array) &&
    !(values instanceof Float32Array && largestOf(values) > 1e37)
  )
    return values;
  const largest = largestOf(values);
  const isInRange = largest === 0 || (largest > 1e-30 && largest < 1e30);
  // Never infinite: the largest double is 2 ** 1023 * 1.99.
  const unit = isInRange ? 1 : 2 ** Math.max(-1000, Math.min(1023, Math.floor(Math.log2(largest))));
  const pairs = new Float32Array(2 * values.length);
  for (const [i, value] of values.entries()) {
    const scaled = value / unit;
    const near = Math.fround(scaled);
    pairs[2 * i] = near;
    pairs[2 * i + 1] = Number.isFinite(near) ? scaled - near : 0;
  }
  return { pairs, unit };
}

function largestOf(values: Numbers): number {
  let largest = 0;
  for (const value of values) {
    const size = Math.abs(value);
    if (size > largest && size < Number.POSITIVE_INFINITY) largest = size;
  }
  return largest;
}

/** Finite values that are not missing: about `SAMPLES` of them, at least one if there is any. */
export function sample(values: Numbers, missing: readonly number[]): number[] {
  const step = Math.max(1, Math.floor(values.length / SAMPLES));
  const found: number[] = [];
  const isThere = (value: number | undefined): value is number =>
    value !== undefined && Number.isFinite(value) && !missing.includes(value);
  for (let i = 0; i < values.length; i += step) {
    const value = values[i];
    if (isThere(value)) found.push(value);
  }
  if (found.length > 0 || step === 1) return found;
  const any = values.find(isThere);
  return any === undefined ? [] : [any];
}

/**
 * Differences of about `SAMPLES` elements of two tiles of one shape, where both have values.
 * @param factor what the others are multiplied with
 */
export function sampleDifferences(
  values: Numbers,
  others: Numbers,
  factor: number,
  missing: readonly number[],
): number[] {
  const step = Math.max(1, Math.floor(values.length / SAMPLES));
  const found: number[] = [];
  for (let i = 0; i < values.length; i += step) {
    const [value, other] = [values[i], others[i]];
    if (value === undefined || other === undefined || missing.includes(value) || missing.includes(other))
      continue;
    const difference = value - other * factor;
    if (Number.isFinite(difference)) found.push(difference);
  }
  return found;
}
