/** What the levels of zstd stand for here. */

/** How matches are looked for. */
export interface Strategy {
  /** Candidates looked at for each position; 0: the first match of two tables is taken. */
  readonly depth: number;
  /** With a depth of 0: steps grow by 1 every 2^skip bytes without a match. */
  readonly skip: number;
  /** With a depth of 0: only matches of 8 bytes or more are looked for. */
  readonly isLong: boolean;
}

/** From level 5 on. */
const DEPTHS = [2, 4, 6, 8, 12, 16, 16, 16, 32, 32, 32, 64];

/** Level 0 is the default, 3; negative ones and 1 and 2 look less closely for matches. */
export function strategyOf(level: number): Strategy {
  if (level >= 5)
    return { depth: DEPTHS[Math.min(level - 5, DEPTHS.length - 1)] ?? 0, skip: 8, isLong: false };
  if (level === 0 || level > 2) return { depth: 0, skip: 8, isLong: false };
  return { depth: 0, skip: level < 0 ? 5 : 4 + 2 * level, isLong: true };
}

/** Sizes of the hash tables, as powers of two. */
export interface TableSizes {
  readonly bits: number;
  /** Of the second table, by which matches below 8 bytes are looked for; 0 where there is none. */
  readonly shortBits: number;
}

/**
 * Of half as many entries as bytes, so that clearing them is little work; the two of the fast search stay, together, in the second
 * cache with what is encoded.
 */
export function tableSizes(byteLength: number, { depth, isLong }: Strategy): TableSizes {
  const bits = Math.min(Math.max(30 - Math.clz32(byteLength), 8), 17);
  return depth > 0 || isLong
    ? { bits, shortBits: 0 }
    : { bits: Math.min(bits, 16), shortBits: Math.min(bits - 1, 16) };
}

/** Links of hash chains, which reach that far back. */
export function chainLength(bits: number): number {
  return 4 << bits;
}

/** Most bytes of a block. */
export const MAXIMUM_BLOCK = 128 * 1024;

/** Bytes that the encoder in WASM takes besides its operands: see `layOut` in assembly/zstd-encode-context.ts. */
export function workspaceLength(byteLength: number, strategy: Strategy): number {
  const { bits, shortBits } = tableSizes(byteLength, strategy);
  const block = (Math.min(byteLength, MAXIMUM_BLOCK) + 15) & ~15;
  const second = strategy.depth > 0 ? 4 * chainLength(bits) : shortBits > 0 ? 4 << shortBits : 0;
  return 4 * block + 64 + (4 << bits) + second;
}
