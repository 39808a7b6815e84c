/** The Huffman codes of deflate (RFC 1951 section 3.2), as tables for decoding. */

/** A code as one table over its longest code's bits: (symbol << 4) | length, 0 where no symbol has this code. */
export interface HuffmanCode {
  readonly bits: number;
  readonly table: Uint16Array;
}

/**
 * The code of these lengths; undefined for over-subscribed ones, and incomplete ones but for a single code of one bit or none at
 * all where `incompleteAllowed`.
 */
export function makeCode(lengths: Uint8Array, incompleteAllowed: boolean): HuffmanCode | undefined {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  let bits = 15;
  while (bits > 1 && counts[bits] === 0) bits--;
  const next = new Uint16Array(17);
  let left = 1;
  for (let length = 1; length <= 15; length++) {
    left = (left << 1) - (counts[length] ?? 0);
    if (left < 0) return undefined;
    next[length + 1] = ((next[length] ?? 0) + (counts[length] ?? 0)) << 1;
  }
  if (left > 0 && !(incompleteAllowed && bits === 1)) return undefined;
  const table = new Uint16Array(1 << bits);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol] ?? 0;
    if (length === 0) continue;
    const code = next[length] ?? 0;
    next[length] = code + 1;
    const entry = (symbol << 4) | length;
    // Codes are packed from their most significant bit on, everything else from the least: the index is reversed.
    for (let index = reversed(code, length); index < table.length; index += 1 << length) table[index] = entry;
  }
  return { bits, table };
}

function reversed(value: number, bits: number): number {
  let result = 0;
  for (let bit = 0; bit < bits; bit++) result |= ((value >>> bit) & 1) << (bits - 1 - bit);
  return result;
}

export interface BlockCodes {
  readonly literals: HuffmanCode;
  readonly distances: HuffmanCode;
}

/** The codes of fixed blocks. */
export function makeFixedCodes(): BlockCodes | undefined {
  const literals = makeCode(new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280), false);
  const distances = makeCode(new Uint8Array(32).fill(5), false);
  return literals === undefined || distances === undefined ? undefined : { literals, distances };
}

export const END_OF_BLOCK = 256;

/** By length symbol - 257, and by distance symbol: extra bits, and the value they are added to. */
export const LENGTH_EXTRA = Uint8Array.from({ length: 29 }, (_, i) =>
  i < 8 || i === 28 ? 0 : (i >>> 2) - 1,
);
export const LENGTH_BASE = Uint16Array.from({ length: 29 }, (_, i) =>
  i === 28 ? 258 : i < 8 ? i + 3 : ((4 + (i & 3)) << ((i >>> 2) - 1)) + 3,
);
export const DISTANCE_EXTRA = Uint8Array.from({ length: 30 }, (_, i) => (i < 4 ? 0 : (i >>> 1) - 1));
export const DISTANCE_BASE = Uint16Array.from({ length: 30 }, (_, i) =>
  i < 4 ? i + 1 : ((2 + (i & 1)) << ((i >>> 1) - 1)) + 1,
);
