/** What the levels of zstd stand for here. */

/** How matches are looked for. */
export interface Strategy {
  /** The most entries that a hash table has, as a power of two. */
  readonly tableBits: number;
  /** Positions looked at for each position, as a power of two, 2 to 6; 0: the first match of two tables is taken. */
  readonly rowBits: number;
  /** With rows: a match gives way to a better one at the next position. */
  readonly isLazy: boolean;
  /** Without rows: steps grow by 1 every 2^skip bytes without a match. */
  readonly skip: number;
  /** Without rows: only matches of 8 bytes or more are looked for. */
  readonly isLong: boolean;
}

/** From level 5 on: bits of the rows, and of the table. */
const ROWS = [
  [2, 19],
  [2, 19],
  [3, 19],
  [3, 20],
  [4, 20],
  [4, 21],
  [4, 21],
  [4, 21],
  [5, 21],
  [5, 21],
  [5, 21],
  [6, 21],
] as const;

/** Level 0 is the default, 3; negative ones and 1 and 2 look less closely for matches. */
export function strategyOf(level: number): Strategy {
  if (level >= 5) {
    const [rowBits, tableBits] = ROWS[Math.min(level - 5, ROWS.length - 1)] ?? ROWS[0];
    return { tableBits, rowBits, isLazy: level > 5, skip: 8, isLong: false };
  }
  const isLong = level !== 0 && level <= 2;
  const skip = !isLong ? 8 : level < 0 ? 5 : 4 + 2 * level;
  return { tableBits: isLong ? 17 : 16, rowBits: 0, isLazy: false, skip, isLong };
}

/** Sizes of the hash tables, as powers of two. */
export interface TableSizes {
  readonly bits: number;
  /** Of the second table, by which matches below 8 bytes are looked for; 0 where there is none. */
  readonly shortBits: number;
}

/**
 * Of at most as many entries as bytes, without rows half as many, so that clearing them is little work; the two of the fast search stay,
 * together, in the second cache with what is encoded.
 */
export function tableSizes(byteLength: number, { tableBits, rowBits, isLong }: Strategy): TableSizes {
  const most = (rowBits > 0 ? 31 : 30) - Math.clz32(byteLength);
  const bits = Math.min(Math.max(most, 8), tableBits);
  return { bits, shortBits: rowBits > 0 || isLong ? 0 : Math.min(Math.max(most, 8) - 1, tableBits) };
}

/** Most bytes of a block. */
export const MAXIMUM_BLOCK = 128 * 1024;

/** Bytes that the encoder in WASM takes besides its operands: see `layOut` in assembly/zstd-encode-context.ts. */
export function workspaceLength(byteLength: number, strategy: Strategy): number {
  const { bits, shortBits } = tableSizes(byteLength, strategy);
  const block = (Math.min(byteLength, MAXIMUM_BLOCK) + 15) & ~15;
  return 4 * block + 64 + (4 << bits) + (shortBits > 0 ? 4 << shortBits : 0);
}
