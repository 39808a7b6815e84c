/** The twin of assembly/filters-bitround.ts. */
import { words } from "../tiles.js";

/** What of an element is rounded: numbers of a width, with a mantissa or, for integers, without. */
export interface RoundedParts {
  readonly width: 1 | 2 | 4 | 8;
  readonly mantissaBits: number | undefined;
  /** Pattern of Infinity, for 16 bits. */
  readonly infinity: number;
}

/** Operands are aligned to the width. */
export function bitroundTwin(
  target: Uint8Array,
  source: Uint8Array,
  { width, mantissaBits, infinity }: RoundedParts,
  keepbits: number,
): void {
  if (keepbits >= (mantissaBits ?? 8 * width)) target.set(source);
  else if (width === 8) round64(target, source, mantissaBits, keepbits);
  else if (mantissaBits === undefined)
    roundIntegers(view(target, width), view(source, width), width, keepbits);
  else {
    const limit = width === 4 ? 0x7f800000 : infinity;
    roundFloats(view(target, width), view(source, width), width, mantissaBits - keepbits, limit);
  }
}

function view(bytes: Uint8Array, width: 1 | 2 | 4): Uint8Array | Uint16Array | Uint32Array {
  if (width === 1) return bytes;
  if (width === 4) return words(bytes);
  return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
}
type Words = Uint8Array | Uint16Array | Uint32Array;

function roundFloats(target: Words, source: Words, width: number, drop: number, infinity: number): void {
  const magnitudes = 2 ** (8 * width - 1) - 1;
  const kept = ~(2 ** drop - 1);
  for (let i = 0; i < source.length; i++) {
    const x = source[i] ?? 0;
    target[i] = (x & magnitudes) > infinity ? x : (x + ((x >>> drop) & 1) + 2 ** (drop - 1) - 1) & kept;
  }
}

function roundIntegers(target: Words, source: Words, width: number, keep: number): void {
  const greatest = 2 ** (8 * width) - 1;
  for (let i = 0; i < source.length; i++) {
    const x = source[i] ?? 0;
    const drop = 32 - Math.clz32(x) - keep;
    if (drop <= 0) target[i] = x;
    else {
      const sum = Math.min(x + ((x >>> drop) & 1) + 2 ** (drop - 1) - 1, greatest);
      target[i] = sum - (sum % 2 ** drop);
    }
  }
}

const INFINITY_64 = 0x7ff0000000000000n;
const GREATEST_64 = 2n ** 64n - 1n;

function round64(
  target: Uint8Array,
  source: Uint8Array,
  mantissaBits: number | undefined,
  keepbits: number,
): void {
  const from = new BigUint64Array(source.buffer, source.byteOffset, source.length / 8);
  const to = new BigUint64Array(target.buffer, target.byteOffset, from.length);
  for (let i = 0; i < from.length; i++) {
    const x = from[i] ?? 0n;
    const bits = mantissaBits ?? x.toString(2).length;
    const staysNaN = mantissaBits !== undefined && (x & (GREATEST_64 >> 1n)) > INFINITY_64;
    if (bits <= keepbits || staysNaN) {
      to[i] = x;
      continue;
    }
    const drop = BigInt(bits - keepbits);
    const sum = x + ((x >> drop) & 1n) + (1n << (drop - 1n)) - 1n;
    const saturated = mantissaBits === undefined && sum > GREATEST_64 ? GREATEST_64 : sum;
    to[i] = (saturated >> drop) << drop;
  }
}
