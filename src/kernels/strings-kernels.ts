/**
 * The kernels for elements of variable length. Element i of a column lies from offset i to offset i + 1 of
 * its data. The caller checks the lengths of operands, and offsets from outside (`checkOffsets`). Operands
 * may lie in any memory.
 */
export interface Strings {
  /**
   * Running sums of `lengths`. `offsets` has one more entry than `lengths`; its first entry is the start and
   * is given.
   */
  lengthsToOffsets(offsets: Int32Array, lengths: Int32Array): void;
  /** @returns index of the first element whose length would be negative, or -1 */
  offsetsToLengths(lengths: Int32Array, offsets: Int32Array): number;
  /** @returns index of the first offset below the one before it, or -1 */
  checkOffsets(offsets: Int32Array | BigInt64Array): number;
  /** Converts offsets below 2^31 to 32 bits. */
  narrowOffsets(target: Int32Array, source: BigInt64Array): void;
  widenOffsets(target: BigInt64Array, source: Int32Array): void;
  /**
   * Splits elements, each with its length before it (u32, little-endian), into data and offsets, which begin
   * at 0. Stops at the first element that exceeds `source` or `data`.
   * @returns number of elements split, at most offsets.length - 1
   */
  deinterleave(data: Uint8Array, offsets: Int32Array, source: Uint8Array): number;
  /** The reverse of `deinterleave`. `target` has room for all elements and 4 bytes more for each. */
  interleave(target: Uint8Array, data: Uint8Array, offsets: Int32Array): void;
  /**
   * Offsets, from 0, of the elements at `indices`, in their order; `target` has one more entry than
   * `indices`.
   */
  gatherOffsets(target: Int32Array, offsets: Int32Array, indices: Int32Array): void;
  /** Copies the data of those elements; `target` has room for it. */
  gatherElements(target: Uint8Array, data: Uint8Array, offsets: Int32Array, indices: Int32Array): void;
  isAscii(bytes: Uint8Array): boolean;
  /**
   * Offsets of the elements after conversion to UTF-16, in units. `target` has as many entries as `offsets`;
   * its first is given.
   * @returns index of the first element that is not UTF-8, or -1
   */
  utf16Offsets(target: Int32Array, data: Uint8Array, offsets: Int32Array): number;
  /**
   * Offsets of strings in their joined UTF-8, from their lengths in UTF-16 units. `target` as in
   * `utf16Offsets`.
   * @returns index of the first string that ends between the two units of one character, or -1
   */
  utf8Offsets(target: Int32Array, text: Uint8Array, lengths: Int32Array): number;
}
