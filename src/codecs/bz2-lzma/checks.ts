/** Checks of .xz blocks: none, CRC-32, CRC-64, SHA-256. */
import { crc32Twin } from "../checksums/kernels.js";
import { damaged } from "./lzma-decoder.js";

const LENGTHS: Readonly<Record<number, number>> = { 0: 0, 1: 4, 4: 8, 10: 32 };

/** Bytes of a check. @throws CodecError for one that no version of the format has */
export function checkLength(check: number): number {
  const length = LENGTHS[check];
  if (length === undefined) throw damaged(`has checks of the unknown kind ${check}`, 7);
  return length;
}

export function checkBlock(check: number, block: Uint8Array, stored: Uint8Array): boolean {
  const computed = compute(check, block);
  return stored.every((byte, i) => byte === computed[i]);
}

/** The check, or more: what is stored is as long as it has to be. */
function compute(check: number, block: Uint8Array): Uint8Array {
  if (check === 1) return littleEndian(crc32Twin(block), 0);
  return check === 4 ? crc64(block) : check === 10 ? sha256(block) : new Uint8Array(0);
}

function littleEndian(low: number, high: number): Uint8Array {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, low, true);
  view.setUint32(4, high, true);
  return bytes;
}

/** The polynomial 0xC96C5795D7870F42, in halves: for each byte the low 32 bits and the high ones. */
const TABLE = /* @__PURE__ */ crc64Table();
function crc64Table(): Uint32Array {
  const table = new Uint32Array(512);
  for (let byte = 0; byte < 256; byte++) {
    let low = byte;
    let high = 0;
    for (let bit = 0; bit < 8; bit++) {
      const odd = low & 1;
      low = (low >>> 1) | (high << 31);
      high = high >>> 1;
      if (odd) {
        low ^= 0xd7870f42;
        high ^= 0xc96c5795;
      }
    }
    table[2 * byte] = low;
    table[2 * byte + 1] = high;
  }
  return table;
}

function crc64(bytes: Uint8Array): Uint8Array {
  let low = -1;
  let high = -1;
  for (let i = 0; i < bytes.length; i++) {
    const at = 2 * ((low ^ (bytes[i] ?? 0)) & 0xff);
    low = ((low >>> 8) | (high << 24)) ^ (TABLE[at] ?? 0);
    high = (high >>> 8) ^ (TABLE[at + 1] ?? 0);
  }
  return littleEndian(~low >>> 0, ~high >>> 0);
}

/** The first 32 bits of the fractional parts of roots of primes. */
function fractions(count: number, root: (prime: number) => number): Uint32Array {
  const words = new Uint32Array(count);
  for (let candidate = 2, found = 0; found < count; candidate++) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) {
      if (candidate % divisor === 0) isPrime = false;
    }
    if (isPrime) words[found++] = (root(candidate) % 1) * 2 ** 32;
  }
  return words;
}

const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** SHA-256 (FIPS 180-4). That of the platform is asynchronous. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const constants = fractions(64, Math.cbrt);
  const state = fractions(8, Math.sqrt);
  const schedule = new Uint32Array(64);
  const whole = bytes.length - (bytes.length % 64);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < whole; at += 64) addBlock(state, constants, schedule, view, at);
  const last = new Uint8Array(bytes.length % 64 < 56 ? 64 : 128);
  last.set(bytes.subarray(whole));
  last[bytes.length % 64] = 0x80;
  const lastView = new DataView(last.buffer);
  lastView.setBigUint64(last.length - 8, BigInt(bytes.length) * 8n);
  for (let at = 0; at < last.length; at += 64) addBlock(state, constants, schedule, lastView, at);
  const digest = new Uint8Array(32);
  const digestView = new DataView(digest.buffer);
  state.forEach((word, i) => {
    digestView.setUint32(4 * i, word);
  });
  return digest;
}

function addBlock(
  state: Uint32Array,
  constants: Uint32Array,
  schedule: Uint32Array,
  view: DataView,
  at: number,
): void {
  for (let i = 0; i < 16; i++) schedule[i] = view.getUint32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const early = schedule[i - 15] ?? 0;
    const late = schedule[i - 2] ?? 0;
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[i] = (schedule[i - 16] ?? 0) + s0 + (schedule[i - 7] ?? 0) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = h + s1 + ((e & f) ^ (~e & g)) + (constants[i] ?? 0) + (schedule[i] ?? 0);
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = s0 + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = (state[i] ?? 0) + word;
  });
}
