/** What the levels of zstd mean to our encoder: how it searches, and the memory that takes. */

/** How the encoder searches for matches. */
export interface Strategy {
  /** The most entries that a hash table has, as a power of two. */
  readonly tableBits: number;
  /**
   * Positions compared for each position, as a power of two, 2 to 6. 0: no rows, the first match is taken.
   */
  readonly rowBits: number;
  /** With rows: whether a match gives way to a better one at the next position. */
  readonly isLazy: boolean;
  /** Without rows: steps grow by 1 every 2^skip bytes without a match. */
  readonly skip: number;
  /** Without rows: whether only matches of 8 bytes or more are searched. */
  readonly isLong: boolean;
}

/** By level, from 5 on; beyond these lists 6 and 21. */
const ROW_BITS = [2, 2, 3, 3, 4, 4, 4, 4, 5, 5, 5];
const TABLE_BITS = [19, 19, 19, 20, 20];

/** The strategy of a level. Level 0 is the default, 3; levels 1, 2 and below 0 search less closely. */
export function strategyOf(level: number): Strategy {
  if (level >= 5) {
    const rowBits = ROW_BITS[level - 5] ?? 6;
    return { tableBits: TABLE_BITS[level - 5] ?? 21, rowBits, isLazy: level > 5, skip: 8, isLong: false };
  }
  const isLong = level !== 0 && level <= 2;
  const skip = !isLong ? 8 : level < 0 ? 5 : 4 + 2 * level;
  return { tableBits: isLong ? 17 : 16, rowBits: 0, isLazy: false, skip, isLong };
}

/** Sizes of the hash tables, as powers of two. */
interface TableSizes {
  readonly bits: number;
  /** Size of the second table, which finds matches below 8 bytes; 0 if there is none. */
  readonly shortBits: number;
}

/**
 * A table has at most as many entries as the content has bytes, without rows half as many, so that clearing
 * it is little work. The two tables of the fast search fit into the second-level cache together with the
 * content.
 */
export function tableSizes(byteLength: number, { tableBits, rowBits, isLong }: Strategy): TableSizes {
  const most = (rowBits > 0 ? 31 : 30) - Math.clz32(byteLength);
  const bits = Math.min(Math.max(most, 8), tableBits);
  return { bits, shortBits: rowBits > 0 || isLong ? 0 : Math.min(Math.max(most, 8) - 1, tableBits) };
}

/** Most bytes of a block. */
export const MAXIMUM_BLOCK = 128 * 1024;

/**
 * Arena bytes that the encoder in WASM needs besides its operands: see `layOut` in
 * assembly/zstd-encode-context.ts.
 */
export function workspaceLength(byteLength: number, strategy: Strategy): number {
  const { bits, shortBits } = tableSizes(byteLength, strategy);
  const block = (Math.min(byteLength, MAXIMUM_BLOCK) + 15) & ~15;
  return 4 * block + 64 + (4 << bits) + (shortBits > 0 ? 4 << shortBits : 0);
}
