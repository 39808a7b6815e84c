/**
 * Modes and numbers in JavaScript: assembly/pcodec-mode.ts and pcodec-numbers.ts with the same bits. Joined
 * latents replace the primary ones. The mode of multiples of a float is in float-multiples.ts.
 */
import { at, byteAt, uint32At } from "../../../../core/for-codecs.js";
import { ARGUMENT, DICTIONARY_LENGTH, KIND, WIDTH } from "../plan.js";
import { add, addLatent, type Latents } from "./latents.js";

/** The higher word of a product of two words. */
function productHigh(a: number, b: number): number {
  const low = a * (b & 0xffff);
  const high = a * (b >>> 16) + Math.floor(low / 65536);
  return Math.floor(high / 65536);
}

export function joinIntMult(primary: Latents, secondary: Latents, count: number, plan: Uint32Array): void {
  const low = at(plan, ARGUMENT);
  const high = at(plan, ARGUMENT + 1);
  for (let i = 0; i < count; i++) {
    const itsLow = uint32At(primary.low, i);
    const itsHigh = uint32At(primary.high, i);
    primary.low[i] = Math.imul(itsLow, low);
    primary.high[i] = productHigh(itsLow, low) + Math.imul(itsLow, high) + Math.imul(itsHigh, low);
    addLatent(primary, i, secondary, i);
  }
}

export function joinFloatQuant(primary: Latents, secondary: Latents, count: number, plan: Uint32Array): void {
  const k = at(plan, ARGUMENT);
  const width = at(plan, WIDTH);
  /** The words of 2^k - 1. */
  const greatestLow = 2 ** Math.min(k, 32) - 1;
  const greatestHigh = 2 ** Math.max(k - 32, 0) - 1;
  /** The bit that quanta of positive floats have. */
  const positive = width - 1 - k;
  for (let i = 0; i < count; i++) {
    const low = uint32At(primary.low, i);
    const high = uint32At(primary.high, i);
    const isPositive = ((positive < 32 ? low >>> positive : high >>> (positive - 32)) & 1) === 1;
    const restLow = uint32At(secondary.low, i);
    const restHigh = uint32At(secondary.high, i);
    primary.low[i] = k < 32 ? low << k : 0;
    primary.high[i] = k < 32 ? (high << k) | (k === 0 ? 0 : low >>> (32 - k)) : low << (k - 32);
    if (isPositive) add(primary, i, restLow, restHigh);
    else {
      const difference = greatestLow - restLow;
      add(primary, i, difference >>> 0, (greatestHigh - restHigh - Number(difference < 0)) >>> 0);
    }
  }
}

/** @returns false for an index that the dictionary does not have */
export function joinDictionary(
  primary: Latents,
  count: number,
  source: Uint8Array,
  plan: Uint32Array,
): boolean {
  const itemSize = at(plan, WIDTH) / 8;
  const length = at(plan, DICTIONARY_LENGTH);
  const dictionary = at(plan, ARGUMENT);
  const byte = (place: number): number => byteAt(source, place);
  for (let i = 0; i < count; i++) {
    const index = uint32At(primary.low, i);
    if (index >= length) return false;
    const item = dictionary + index * itemSize;
    const word = (first: number, end: number): number => {
      let sum = 0;
      for (let b = Math.min(itemSize, end) - 1; b >= first; b--) sum = sum * 256 + byte(item + b);
      return sum;
    };
    primary.low[i] = word(0, 4);
    primary.high[i] = word(4, 8);
  }
  return true;
}

/** Stores latents as numbers from byte `start` on. */
export function storeNumbers(
  target: Uint8Array,
  start: number,
  { low, high }: Latents,
  count: number,
  plan: Uint32Array,
): void {
  const width = at(plan, WIDTH);
  const kind = at(plan, KIND);
  const itemSize = width / 8;
  const sign = 2 ** (Math.min(width, 32) - 1);
  const firsts = width === 64 ? high : low;
  const view = new DataView(target.buffer, target.byteOffset, target.length);
  for (let i = 0; i < count; i++) {
    const first = uint32At(firsts, i);
    // Negative floats have all their bits turned.
    const turn = kind === 2 && (first & sign) === 0 ? -1 : 0;
    const turned = kind === 0 ? first : kind === 1 || turn === 0 ? first ^ sign : ~first;
    const to = start + i * itemSize;
    if (width === 8) view.setUint8(to, turned);
    else if (width === 16) view.setUint16(to, turned, true);
    else if (width === 32) view.setUint32(to, turned, true);
    else {
      view.setUint32(to, uint32At(low, i) ^ turn, true);
      view.setUint32(to + 4, turned, true);
    }
  }
}
