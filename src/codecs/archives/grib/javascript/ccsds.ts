/** Samples of CCSDS 121.0-B in JavaScript: assembly/grib-ccsds.ts with the same bits. */
import {
  BAD_LENGTH,
  BAD_TABLE,
  byteAt,
  failure,
  fieldAt,
  TRUNCATED,
  uint32At,
} from "../../../../core/for-codecs.js";
import type { Scaling } from "../scaling.js";
import type { Floats } from "./unpack.js";

const PREPROCESS = 8;
const RESTRICTED = 16;
const PAD_RSI = 32;
const REST_OF_SEGMENT = 5;
const SEGMENT = 64;
const LAST_PAIR = 90;

/** Counts zeros from `bit` up to the next 1; -1 if there is none before `limit`. */
function zeros(source: Uint8Array, bit: number, limit: number): number {
  for (let at = bit; at < limit; at++) {
    const index = Math.floor(at / 8);
    const byte = byteAt(source, index) & (0xff >> (at % 8));
    if (byte === 0) {
      at |= 7;
      continue;
    }
    const found = 8 * index + Math.clz32(byte) - 24;
    return found < limit ? found - bit : -1;
  }
  return -1;
}

/** Decompresses samples of `width` bits. @returns 0, or a failure */
export function ccsds(
  target: Uint32Array,
  source: Uint8Array,
  width: number,
  block: number,
  rsi: number,
  flags: number,
): number {
  const limit = 8 * source.length;
  const restricted = (flags & RESTRICTED) !== 0 && width <= 4;
  const identifierBits = restricted ? (width <= 2 ? 1 : 2) : width <= 8 ? 3 : width <= 16 ? 4 : 5;
  const uncompressed = 2 ** identifierBits - 1;
  const predicts = (flags & PREPROCESS) !== 0;
  let bit = 0;
  for (let done = 0; done < target.length; ) {
    const end = Math.min(done + rsi * block, target.length);
    for (let i = done; i < end; ) {
      const byte = Math.floor(bit / 8);
      const to = Math.min(i + block, end);
      if (bit + identifierBits + 1 > limit) return failure(TRUNCATED, byte);
      const identifier = fieldAt(source, bit, identifierBits);
      bit += identifierBits;
      if (identifier === uncompressed) {
        if (bit + block * width > limit) return failure(TRUNCATED, byte);
        for (let j = i; j < to; j++) target[j] = fieldAt(source, bit + (j - i) * width, width);
        bit += block * width;
        i = to;
        continue;
      }
      const extended = identifier === 0 && fieldAt(source, bit, 1) === 1;
      if (identifier === 0) bit++;
      const reference = predicts && i === done ? 1 : 0;
      if (reference === 1) {
        if (bit + width > limit) return failure(TRUNCATED, byte);
        target[i] = fieldAt(source, bit, width);
        bit += width;
      }
      if (identifier > 0) {
        const k = identifier - 1;
        for (let j = reference; j < block; j++) {
          const high = zeros(source, bit, limit);
          if (high < 0) return failure(TRUNCATED, byte);
          bit += high + 1;
          if (i + j < to) target[i + j] = high << k;
        }
        if (bit + (block - reference) * k > limit) return failure(TRUNCATED, byte);
        for (let j = i + reference; k > 0 && j < to; j++) {
          target[j] = uint32At(target, j) | fieldAt(source, bit + (j - i - reference) * k, k);
        }
        bit += (block - reference) * k;
        i = to;
      } else if (extended) {
        for (let j = 0; j < block; j += 2) {
          const symbol = zeros(source, bit, limit);
          if (symbol < 0) return failure(TRUNCATED, byte);
          if (symbol > LAST_PAIR) return failure(BAD_TABLE, byte);
          bit += symbol + 1;
          let sum = 0;
          while (((sum + 1) * (sum + 2)) / 2 <= symbol) sum++;
          const second = symbol - (sum * (sum + 1)) / 2;
          if (j >= reference && i + j < to) target[i + j] = sum - second;
          if (i + j + 1 < to) target[i + j + 1] = second;
        }
        i = to;
      } else {
        const symbol = zeros(source, bit, limit);
        if (symbol < 0) return failure(TRUNCATED, byte);
        bit += symbol + 1;
        const before = (i - done) / block;
        let blocks = symbol + 1;
        if (blocks === REST_OF_SEGMENT) blocks = Math.min(rsi - before, SEGMENT - (before % SEGMENT));
        else if (blocks > REST_OF_SEGMENT) blocks--;
        if (blocks > rsi - before) return failure(BAD_LENGTH, byte);
        const stop = Math.min(i + blocks * block, end);
        target.fill(0, i + reference, stop);
        i = stop;
      }
    }
    if (predicts) addDifferences(target.subarray(done, end), width);
    if ((flags & PAD_RSI) !== 0) bit = 8 * Math.ceil(bit / 8);
    done = end;
  }
  return 0;
}

function addDifferences(samples: Uint32Array, width: number): void {
  const greatest = 2 ** width - 1;
  const middle = 2 ** (width - 1);
  let x = uint32At(samples, 0);
  for (let i = 1; i < samples.length; i++) {
    const d = uint32At(samples, i);
    const mask = (x & middle) !== 0 ? greatest : 0;
    const half = (d >>> 1) + (d & 1);
    const room = (mask ^ x) >>> 0;
    x = (half <= room ? x + ((d >>> 1) ^ -(d & 1)) : mask ^ d) >>> 0;
    samples[i] = x;
  }
}

/** `samples` may be the upper part of the memory of `target`. */
export function scaleSamples(
  target: Floats,
  samples: Uint32Array,
  { reference, scale, decimal }: Scaling,
): void {
  for (let i = 0; i < samples.length; i++) {
    target[i] = (uint32At(samples, i) * scale + reference) * decimal;
  }
}
