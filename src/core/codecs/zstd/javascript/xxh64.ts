/** XXH64 with seed 0. 64-bit numbers are pairs of 32 bits: BigInt is ten times slower. */
import { noItem } from "../../../../base/at.js";

/** The two halves of a 64-bit number. */
interface Word {
  low: number;
  high: number;
}

const word = (high: number, low: number): Word => ({ low, high });
const PRIME1 = word(0x9e3779b1, 0x85ebca87);
const PRIME2 = word(0xc2b2ae3d, 0x27d4eb4f);
const PRIME3 = word(0x165667b1, 0x9e3779f9);
const PRIME4 = word(0x85ebca77, 0xc2b2ae63);
const PRIME5 = word(0x27d4eb2f, 0x165667c5);

function add(target: Word, low: number, high: number): void {
  const sum = (target.low >>> 0) + (low >>> 0);
  target.low = sum | 0;
  target.high = (target.high + high + (sum > 0xffffffff ? 1 : 0)) | 0;
}

function xor(target: Word, low: number, high: number): void {
  target.low ^= low;
  target.high ^= high;
}

function multiply(target: Word, by: Word): void {
  const a = target.low & 0xffff;
  const b = target.low >>> 16;
  const c = by.low & 0xffff;
  const d = by.low >>> 16;
  // The full product of the low halves, from 16-bit parts whose sums stay exact in a double.
  const middle = b * c + ((a * c) >>> 16);
  const carried = (middle & 0xffff) + a * d;
  const high = b * d + Math.floor(middle / 0x10000) + Math.floor(carried / 0x10000);
  const low = (carried << 16) | (Math.imul(a, c) & 0xffff);
  target.high = (high + Math.imul(target.low, by.high) + Math.imul(target.high, by.low)) | 0;
  target.low = low;
}

function rotate(target: Word, count: number): void {
  const { low, high } = target;
  target.low = (low << count) | (high >>> (32 - count));
  target.high = (high << count) | (low >>> (32 - count));
}

/** `target ^= target >>> count`. */
function shiftXor(target: Word, count: number): void {
  const { low, high } = target;
  if (count >= 32) xor(target, high >>> (count - 32), 0);
  else xor(target, (low >>> count) | (high << (32 - count)), high >>> count);
}

function round(accumulator: Word, low: number, high: number): void {
  const lane = word(high, low);
  multiply(lane, PRIME2);
  add(accumulator, lane.low, lane.high);
  rotate(accumulator, 31);
  multiply(accumulator, PRIME1);
}

/** The low 32 bits of the hash as a u32; a zstd frame keeps no others. */
export function xxh64Low(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const hash = word(PRIME5.high, PRIME5.low);
  let i = 0;
  if (bytes.length >= 32) {
    const first = word(PRIME1.high, PRIME1.low);
    add(first, PRIME2.low, PRIME2.high);
    const last = word(~PRIME1.high, ~PRIME1.low);
    add(last, 1, 0);
    const lanes = [first, word(PRIME2.high, PRIME2.low), word(0, 0), last] as const;
    for (const end = bytes.length & ~31; i < end; ) {
      for (const lane of lanes) {
        round(lane, view.getInt32(i, true), view.getInt32(i + 4, true));
        i += 8;
      }
    }
    hash.low = 0;
    hash.high = 0;
    const rotations = [1, 7, 12, 18] as const;
    for (const [n, lane] of lanes.entries()) {
      const rotated = word(lane.high, lane.low);
      rotate(rotated, rotations[n] ?? noItem(rotations, n));
      add(hash, rotated.low, rotated.high);
    }
    for (const lane of lanes) {
      const mixed = word(0, 0);
      round(mixed, lane.low, lane.high);
      xor(hash, mixed.low, mixed.high);
      multiply(hash, PRIME1);
      add(hash, PRIME4.low, PRIME4.high);
    }
  }
  add(hash, bytes.length | 0, Math.floor(bytes.length / 2 ** 32));
  for (; bytes.length - i >= 8; i += 8) {
    const mixed = word(0, 0);
    round(mixed, view.getInt32(i, true), view.getInt32(i + 4, true));
    xor(hash, mixed.low, mixed.high);
    rotate(hash, 27);
    multiply(hash, PRIME1);
    add(hash, PRIME4.low, PRIME4.high);
  }
  if (bytes.length - i >= 4) {
    const mixed = word(0, view.getInt32(i, true));
    multiply(mixed, PRIME1);
    xor(hash, mixed.low, mixed.high);
    rotate(hash, 23);
    multiply(hash, PRIME2);
    add(hash, PRIME3.low, PRIME3.high);
    i += 4;
  }
  for (; i < bytes.length; i++) {
    const mixed = word(0, view.getUint8(i));
    multiply(mixed, PRIME5);
    xor(hash, mixed.low, mixed.high);
    rotate(hash, 11);
    multiply(hash, PRIME1);
  }
  shiftXor(hash, 33);
  multiply(hash, PRIME2);
  shiftXor(hash, 29);
  multiply(hash, PRIME3);
  shiftXor(hash, 32);
  return hash.low >>> 0;
}
