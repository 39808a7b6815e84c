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
  else if (width === 8 && mantissaBits === undefined) roundIntegers64(target, source, keepbits);
  else if (width === 8) roundDoubles(target, source, (mantissaBits ?? 0) - keepbits);
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
  const halfLess = 2 ** (drop - 1) - 1;
  for (let i = 0; i < source.length; i++) {
    const x = source[i] ?? 0;
    target[i] = (x & magnitudes) > infinity ? x : (x + ((x >>> drop) & 1) + halfLess) & kept;
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

/** In halves of 32 bits: bigints take thirty times as long. */
function roundDoubles(target: Uint8Array, source: Uint8Array, drop: number): void {
  const [to, from] = [words(target), words(source)];
  const lowAddend = drop > 32 ? 0xffffffff : 2 ** (drop - 1) - 1;
  const highAddend = drop > 33 ? 2 ** (drop - 33) - 1 : 0;
  const lowKept = drop < 32 ? ~(2 ** drop - 1) : 0;
  const highKept = drop > 32 ? ~(2 ** (drop - 32) - 1) : -1;
  for (let i = 0; i < from.length; i += 2) {
    const low = from[i] ?? 0;
    const high = from[i + 1] ?? 0;
    const magnitude = high & 0x7fffffff;
    if (magnitude > 0x7ff00000 || (magnitude === 0x7ff00000 && low !== 0)) {
      to[i] = low;
      to[i + 1] = high;
      continue;
    }
    const odd = ((drop < 32 ? low >>> drop : high >>> (drop - 32)) & 1) + lowAddend;
    const sum = low + odd;
    to[i] = sum & lowKept;
    to[i + 1] = (high + highAddend + (sum > 0xffffffff ? 1 : 0)) & highKept;
  }
}

const GREATEST_64 = 2n ** 64n - 1n;

function roundIntegers64(target: Uint8Array, source: Uint8Array, keepbits: number): void {
  const from = new BigUint64Array(source.buffer, source.byteOffset, source.length / 8);
  const to = new BigUint64Array(target.buffer, target.byteOffset, from.length);
  for (let i = 0; i < from.length; i++) {
    const x = from[i] ?? 0n;
    const bits = x.toString(2).length;
    if (bits <= keepbits) {
      to[i] = x;
      continue;
    }
    const drop = BigInt(bits - keepbits);
    const sum = x + ((x >> drop) & 1n) + (1n << (drop - 1n)) - 1n;
    to[i] = ((sum > GREATEST_64 ? GREATEST_64 : sum) >> drop) << drop;
  }
}
