/** Numbers that assembly/ and both of its twins agree on. */

/** The formats of lz_encode, as in assembly/lz-format.ts. */
export const LZ4 = 0;
export const SNAPPY = 1;
export const BLOSCLZ = 2;
export type LzFormat = typeof LZ4 | typeof SNAPPY | typeof BLOSCLZ;

/** How many bytes lz_encode hashes. */
export type HashedBytes = 5 | 6;

/** Bytes of workspace of the encoders: hash tables. */
export const LZ_WORKSPACE = 2 * 2 ** 13;
export const LZ4_HIGH_WORKSPACE = 4 * 2 ** 15 + 2 * 2 ** 16;

/** Bytes of workspace of bitunshuffle: STRIP elements in assembly/bitshuffle.ts. */
export const bitunshuffleWorkspace = (typesize: number): number => 512 * typesize;
