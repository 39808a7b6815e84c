/**
 * Latents in JavaScript: assembly/pcodec-bins.ts and pcodec-delta.ts with the same bits. A latent of 64 bits
 * is two words; those of up to 32 bits have their lower word only, calculated modulo 2^32.
 */
import { at, byteAt, uint32At } from "../../../../core/for-codecs.js";
import {
  BATCH,
  BIN_COUNT,
  BINS,
  NODES,
  REACH,
  STATE_LENGTH,
  STATES,
  STORED,
  STORED_AT,
  WEIGHTS,
  WIDTH,
} from "../plan.js";

/** Words of latents, the lower and the higher ones. */
export interface Latents {
  readonly low: Uint32Array;
  readonly high: Uint32Array;
}

export const latents = (length: number): Latents => ({
  low: new Uint32Array(length),
  high: new Uint32Array(length),
});

/** Adds a latent to that at index `i`. */
export function add({ low, high }: Latents, i: number, otherLow: number, otherHigh: number): void {
  const sum = uint32At(low, i) + otherLow;
  low[i] = sum;
  high[i] = uint32At(high, i) + otherHigh + Number(sum > 0xffffffff);
}

/** Adds the latent at index `j` of `other`. */
export function addLatent(sum: Latents, i: number, { low, high }: Latents, j: number): void {
  add(sum, i, uint32At(low, j), uint32At(high, j));
}

/** The field of `width` bits, 0 to 32, from `bit` on; bits after the end are 0. */
function fieldAt(source: Uint8Array, bit: number, width: number): number {
  if (width > 25) return fieldAt(source, bit, 16) + fieldAt(source, bit + 16, width - 16) * 65536;
  const first = Math.floor(bit / 8);
  const word = first + 4 <= source.length ? wordAt(source, first) : lastBytes(source, first);
  return (word >>> (bit % 8)) & ((1 << width) - 1);
}
/** Faster than `getUint32` of a DataView. */
function wordAt(source: Uint8Array, i: number): number {
  return (
    byteAt(source, i) |
    (byteAt(source, i + 1) << 8) |
    (byteAt(source, i + 2) << 16) |
    (byteAt(source, i + 3) << 24)
  );
}
/** The bytes from `first` on, less than four, as a word. */
const lastBytes = (source: Uint8Array, first: number): number =>
  source.subarray(first).reduceRight((word, byte) => (word << 8) | byte, 0);

/**
 * Reads latents before deltas from `bit` on.
 * @param variable where the plan has it
 * @returns the bit after them
 */
export function readLatents(
  batch: Latents,
  count: number,
  source: Uint8Array,
  bit: number,
  plan: Uint32Array,
  variable: number,
): number {
  let next = bit;
  const latentWords = plan[WIDTH] === 64 ? 2 : 1;
  const bins = at(plan, variable + BINS) / 4;
  const nodes = at(plan, variable + NODES) / 4;
  const places = new Uint32Array(count).fill(bins);
  for (let i = 0; i < count && plan[variable + BIN_COUNT] !== 1; i++) {
    const state = variable + STATES + (i % 4);
    const node = nodes + 2 * uint32At(plan, state);
    const [reads, follows] = [uint32At(plan, node), uint32At(plan, node + 1)];
    plan[state] = (follows & 0xffff) + fieldAt(source, next, reads & 0xff);
    places[i] = bins + 4 * latentWords * (follows >>> 16);
    next += reads & 0xff;
  }
  for (const [i, place] of places.entries()) {
    const width = uint32At(plan, place + 2 * latentWords);
    batch.low[i] = uint32At(plan, place);
    batch.high[i] = latentWords === 2 ? uint32At(plan, place + 1) : 0;
    add(
      batch,
      i,
      fieldAt(source, next, Math.min(width, 32)),
      fieldAt(source, next + 32, Math.max(width - 32, 0)),
    );
    next += width;
  }
  return next;
}

/** Running sums; the plan keeps one for each order. */
export function addConsecutive(batch: Latents, count: number, plan: Uint32Array, variable: number): void {
  const { low, high } = batch;
  for (let order = at(plan, variable + STORED) - 1; order >= 0; order--) {
    const sumsAt = at(plan, variable + STORED_AT) / 4 + 2 * order;
    let sumLow = uint32At(plan, sumsAt);
    let sumHigh = uint32At(plan, sumsAt + 1);
    for (let i = 0; i < count; i++) {
      const sum = sumLow + uint32At(low, i);
      const nextHigh = (sumHigh + uint32At(high, i) + Number(sum > 0xffffffff)) >>> 0;
      low[i] = sumLow;
      high[i] = sumHigh;
      sumLow = sum >>> 0;
      sumHigh = nextHigh;
    }
    plan[sumsAt] = sumLow;
    plan[sumsAt + 1] = sumHigh;
  }
}

/** A window of all latents of the page, the stated ones first. */
export function windowOf(plan: Uint32Array, variable: number, count: number): Latents {
  const storedCount = at(plan, variable + STORED);
  const window = latents(storedCount + count + BATCH);
  const stored = at(plan, variable + STORED_AT) / 4;
  for (let i = 0; i < storedCount; i++) {
    window.low[i] = uint32At(plan, stored + 2 * i);
    window.high[i] = uint32At(plan, stored + 2 * i + 1);
  }
  return window;
}

/**
 * Adds the latent that each delta looks back at.
 * @param done numbers before the batch
 * @returns false for a lookback of 0, or to before the window or the first latent
 */
export function addLookback(
  batch: Latents,
  count: number,
  deltas: number,
  lookbacks: Latents,
  window: Latents,
  done: number,
  plan: Uint32Array,
): boolean {
  const stateLength = at(plan, STATE_LENGTH);
  const reach = at(plan, REACH);
  for (let i = 0; i < deltas; i++) {
    const to = stateLength + done + i;
    const lookback = uint32At(lookbacks.low, i);
    if (lookback === 0 || lookback > Math.min(reach, to)) return false;
    window.low[to] = uint32At(batch.low, i);
    window.high[to] = uint32At(batch.high, i);
    addLatent(window, to, window, to - lookback);
  }
  batch.low.set(window.low.subarray(done, done + count));
  batch.high.set(window.high.subarray(done, done + count));
  return true;
}

/** Adds to each delta what the latents before it predict. Sums have up to 64 bits, and latents 32. */
export function addConvolution(
  batch: Latents,
  count: number,
  deltas: number,
  plan: Uint32Array,
  variable: number,
): void {
  const order = at(plan, variable + STORED);
  const stateAt = at(plan, variable + STORED_AT) / 4;
  const weights = at(plan, WEIGHTS) / 4;
  const width = at(plan, variable);
  const word = (i: number): bigint => BigInt(uint32At(plan, weights + i));
  const bias = BigInt.asIntN(64, word(0) + (word(1) << 32n));
  const factors = Array.from({ length: order }, (_, i) => BigInt.asIntN(32, word(2 + i)));
  const history = new Uint32Array(order + BATCH);
  for (let i = 0; i < order; i++) history[i] = uint32At(plan, stateAt + 2 * i);
  for (let i = 0; i < deltas; i++) {
    const sum = factors.reduce(
      (before, factor, j) => before + factor * BigInt(uint32At(history, i + j)),
      bias,
    );
    const predicted = sum < 0n ? 0n : sum >> BigInt(at(plan, REACH));
    const latent = BigInt(uint32At(batch.low, i)) + predicted;
    history[order + i] = Number(BigInt.asUintN(width, latent));
  }
  batch.low.set(history.subarray(0, count));
  for (let i = 0; i < order; i++) plan[stateAt + 2 * i] = uint32At(history, count + i);
}
