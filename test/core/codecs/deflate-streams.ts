/**
 * Streams of deflate to decode: by zlib, of every strategy, level, memory level and window, and one that no
 * compressor is likely to write.
 */
import { deflateRawSync } from "node:zlib";
import type { random } from "../../fuzz/mutate.js";

type Random = ReturnType<typeof random>;

/** Bytes of one of several kinds: noise, few values, skewed, repeating, sparse, smooth. */
function makeBytes(length: number, next: Random): Uint8Array {
  const kind = next(6);
  const alphabet = 1 + next(256);
  const bytes = new Uint8Array(length);
  const kinds = [
    () => next(256),
    () => next(alphabet),
    () => Math.min(next(alphabet), next(alphabet), next(alphabet)),
    (i: number) => (i > 300 && next(3) > 0 ? (bytes[i - 1 - next(300)] ?? 0) : next(alphabet)),
    () => (next(50) > 0 ? 7 : next(256)),
    (i: number) => Math.sin(i / 40) * 100 + next(8),
  ];
  for (let i = 0; i < length; i++) bytes[i] = kinds[kind]?.(i) ?? 0;
  return bytes;
}

export interface DeflateStream {
  readonly bytes: Uint8Array;
  readonly settings: object;
  readonly encoded: Uint8Array;
}

export function makeStreams(count: number, next: Random): DeflateStream[] {
  return Array.from({ length: count }, () => {
    const bytes = makeBytes(next(4) > 0 ? next(6000) : next(90_000), next);
    const settings = { level: next(10), strategy: next(5), memLevel: 1 + next(9), windowBits: 9 + next(7) };
    return { bytes, settings, encoded: new Uint8Array(deflateRawSync(bytes, settings)) };
  });
}

const A = 65;
const END_OF_BLOCK = 256;
/** Codes of 1 to 15 bits for the letters from A on, and a second one of 15 for the end. */
const LENGTHS = Array.from({ length: END_OF_BLOCK + 1 }, (_, symbol) =>
  symbol === END_OF_BLOCK ? 15 : symbol >= A && symbol < A + 15 ? symbol - A + 1 : 0,
);
/** Each length, as there is no code for repeating one, in 4 bits. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** One block (RFC 1951 section 3.2.7) of these literals. */
export function blockOf(literals: Uint8Array): Uint8Array {
  const bits: number[] = [];
  const number = (value: number, length: number) => {
    for (let bit = 0; bit < length; bit++) bits.push((value >>> bit) & 1);
  };
  const code = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >>> bit) & 1);
  };
  // A code of n bits is n - 1 ones and a zero; of the two of 15 bits, the second is all ones.
  const symbol = (of: number) => {
    const length = LENGTHS[of] ?? 0;
    code(of === END_OF_BLOCK ? 0x7fff : 2 ** length - 2, length);
  };
  number(1, 1);
  number(2, 2);
  number(LENGTHS.length - 257, 5);
  number(0, 5);
  number(LENGTH_ORDER.length - 4, 4);
  for (const length of LENGTH_ORDER) number(length < 16 ? 4 : 0, 3);
  for (const length of [...LENGTHS, 1]) code(length, 4);
  for (const literal of literals) symbol(literal);
  symbol(END_OF_BLOCK);
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  for (const [at, bit] of bits.entries()) bytes[at >>> 3] = (bytes[at >>> 3] ?? 0) | (bit << (at & 7));
  return bytes;
}

/** Literals by the lengths of their codes, again and again, with some of one bit behind them. */
export function literalsOf(lengths: readonly number[]): Uint8Array {
  const rows = Array.from({ length: 600 }, () => lengths).flat();
  return Uint8Array.from([...rows, ...new Array<number>(400).fill(1)], (length) => A + length - 1);
}

/** Lengths of codes that follow each other. */
export const ROWS = [
  [15, 12, 12, 12, 13, 1, 1],
  [14, 12, 12, 12, 13, 1],
  [15, 15, 12, 12, 12, 14],
  [15, 11, 12, 12, 12, 12, 13],
  [15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
];
