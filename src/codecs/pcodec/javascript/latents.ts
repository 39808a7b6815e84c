/**
 * Latents in JavaScript: assembly/pcodec-bins.ts and pcodec-delta.ts with the same bits. A latent of 64 bits
 * is two words; those of up to 32 bits have their lower word only, calculated modulo 2^32.
 */
import {
  BATCH,
  BIN_COUNT,
  BINS,
  KEPT,
  NODES,
  REACH,
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
  const sum = (low[i] ?? 0) + otherLow;
  low[i] = sum;
  high[i] = (high[i] ?? 0) + otherHigh + Number(sum > 0xffffffff);
}

/** The field of `width` bits, 0 to 32, from `bit` on; bits after the end are 0. */
function fieldAt(source: Uint8Array, bit: number, width: number): number {
  if (width > 25) return fieldAt(source, bit, 16) + fieldAt(source, bit + 16, width - 16) * 65536;
  const at = Math.floor(bit / 8);
  const low = (source[at] ?? 0) | ((source[at + 1] ?? 0) << 8);
  const word = low | ((source[at + 2] ?? 0) << 16) | ((source[at + 3] ?? 0) << 24);
  return (word >>> (bit % 8)) & ((1 << width) - 1);
}

/**
 * Reads latents before deltas from `bit` on.
 * @param at where the plan has the variable
 * @returns the bit after them
 */
export function readLatents(
  batch: Latents,
  count: number,
  source: Uint8Array,
  bit: number,
  plan: Uint32Array,
  at: number,
): number {
  let next = bit;
  const latentWords = plan[WIDTH] === 64 ? 2 : 1;
  const bins = (plan[at + BINS] ?? 0) / 4;
  const nodes = (plan[at + NODES] ?? 0) / 4;
  const places = new Uint32Array(count).fill(bins);
  for (let i = 0; i < count && plan[at + BIN_COUNT] !== 1; i++) {
    const state = at + STATES + (i % 4);
    const node = nodes + 2 * (plan[state] ?? 0);
    const [reads, follows] = [plan[node] ?? 0, plan[node + 1] ?? 0];
    plan[state] = (follows & 0xffff) + fieldAt(source, next, reads & 0xff);
    places[i] = bins + 4 * latentWords * (follows >>> 16);
    next += reads & 0xff;
  }
  for (const [i, place] of places.entries()) {
    const width = plan[place + 2 * latentWords] ?? 0;
    batch.low[i] = plan[place] ?? 0;
    batch.high[i] = latentWords === 2 ? (plan[place + 1] ?? 0) : 0;
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
export function addConsecutive(batch: Latents, count: number, plan: Uint32Array, at: number): void {
  const { low, high } = batch;
  for (let order = (plan[at + STORED] ?? 0) - 1; order >= 0; order--) {
    const kept = (plan[at + STORED_AT] ?? 0) / 4 + 2 * order;
    let sumLow = plan[kept] ?? 0;
    let sumHigh = plan[kept + 1] ?? 0;
    for (let i = 0; i < count; i++) {
      const sum = sumLow + (low[i] ?? 0);
      const nextHigh = (sumHigh + (high[i] ?? 0) + Number(sum > 0xffffffff)) >>> 0;
      low[i] = sumLow;
      high[i] = sumHigh;
      sumLow = sum >>> 0;
      sumHigh = nextHigh;
    }
    plan[kept] = sumLow;
    plan[kept + 1] = sumHigh;
  }
}

/** A window of all latents of the page, the stated ones first. */
export function windowOf(plan: Uint32Array, at: number, count: number): Latents {
  const kept = plan[at + STORED] ?? 0;
  const window = latents(kept + count + BATCH);
  const stored = (plan[at + STORED_AT] ?? 0) / 4;
  for (let i = 0; i < kept; i++) {
    window.low[i] = plan[stored + 2 * i] ?? 0;
    window.high[i] = plan[stored + 2 * i + 1] ?? 0;
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
  const kept = plan[KEPT] ?? 0;
  const reach = plan[REACH] ?? 0;
  for (let i = 0; i < deltas; i++) {
    const to = kept + done + i;
    const lookback = lookbacks.low[i] ?? 0;
    if (lookback === 0 || lookback > Math.min(reach, to)) return false;
    window.low[to] = batch.low[i] ?? 0;
    window.high[to] = batch.high[i] ?? 0;
    add(window, to, window.low[to - lookback] ?? 0, window.high[to - lookback] ?? 0);
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
  at: number,
): void {
  const order = plan[at + STORED] ?? 0;
  const kept = (plan[at + STORED_AT] ?? 0) / 4;
  const weights = (plan[WEIGHTS] ?? 0) / 4;
  const width = plan[at] ?? 0;
  const word = (i: number): bigint => BigInt(plan[weights + i] ?? 0);
  const bias = BigInt.asIntN(64, word(0) + (word(1) << 32n));
  const factors = Array.from({ length: order }, (_, i) => BigInt.asIntN(32, word(2 + i)));
  const history = new Uint32Array(order + BATCH);
  for (let i = 0; i < order; i++) history[i] = plan[kept + 2 * i] ?? 0;
  for (let i = 0; i < deltas; i++) {
    const sum = factors.reduce((before, factor, j) => before + factor * BigInt(history[i + j] ?? 0), bias);
    const predicted = sum < 0n ? 0n : sum >> BigInt(plan[REACH] ?? 0);
    const latent = BigInt(batch.low[i] ?? 0) + predicted;
    history[order + i] = Number(BigInt.asUintN(width, latent));
  }
  batch.low.set(history.subarray(0, count));
  for (let i = 0; i < order; i++) plan[kept + 2 * i] = history[count + i] ?? 0;
}
