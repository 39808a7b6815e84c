/**
 * Elements of variable length: the WASM module `strings`, or its JavaScript twin. Element i of a column
 * lies from offset i to offset i + 1 of its data. Lengths of operands are the caller's to check, and so are offsets from
 * outside (`checkOffsets`); operands may lie anywhere: pieces of them travel through the arena.
 */
import { strings as twin } from "./javascript/strings.js";
import type { Kernels } from "./kernels.js";
import stringsModule from "./modules/strings.generated.js";
import { createStrings } from "./strings-wasm.js";

export { STRINGS_SCRATCH } from "./strings-pieces.js";

export interface Strings {
  /** Running sums. `offsets` has one more entry than `lengths`; its first says where to begin. */
  lengthsToOffsets(offsets: Int32Array, lengths: Int32Array): void;
  lengthsToOffsets64(offsets: BigInt64Array, lengths: Int32Array): void;
  /** @returns index of the first element whose length would be negative, or -1 */
  offsetsToLengths(lengths: Int32Array, offsets: Int32Array): number;
  /** @returns index of the first offset below the one before it, or -1 */
  checkOffsets(offsets: Int32Array | BigInt64Array): number;
  /** Offsets below 2^31 in 32 bits. */
  narrowOffsets(target: Int32Array, source: BigInt64Array): void;
  widenOffsets(target: BigInt64Array, source: Int32Array): void;
  /**
   * Elements with a little-endian u32 length before each to data and offsets, from 0; stops where one does not end within
   * `source` or `data`.
   * @returns elements done, at most offsets.length - 1
   */
  deinterleave(data: Uint8Array, offsets: Int32Array, source: Uint8Array): number;
  /** The reverse. `target` has room for all elements and 4 bytes more for each. */
  interleave(target: Uint8Array, data: Uint8Array, offsets: Int32Array): void;
  /** Offsets from 0 of the elements that `indices` name, in their order; `target` has one more entry. */
  gatherOffsets(target: Int32Array, offsets: Int32Array, indices: Int32Array): void;
  /** Data of those elements; `target` has room for it. */
  gatherElements(target: Uint8Array, data: Uint8Array, offsets: Int32Array, indices: Int32Array): void;
  isAscii(bytes: Uint8Array): boolean;
  /**
   * Where the elements are in the UTF-16 of all of them. `target` has as many entries as `offsets`; its first says where to begin.
   * @returns index of the first element that is not UTF-8, or -1
   */
  utf16Offsets(target: Int32Array, data: Uint8Array, offsets: Int32Array): number;
  /**
   * Where strings end in the UTF-8 of all of them, from their lengths in UTF-16 units; entries of `target` as above.
   * @returns index of the first string that ends between the two units of one character, or -1
   */
  utf8Offsets(target: Int32Array, text: Uint8Array, lengths: Int32Array): number;
}

const loaded = new WeakMap<Kernels, Strings>();

/** Loads the module; `stringsOf` finds it from then on. */
export async function loadStrings(kernels: Kernels): Promise<Strings> {
  const module = await kernels.loadModule("strings", stringsModule);
  const strings = loaded.get(kernels) ?? (module === undefined ? twin : createStrings(kernels, module));
  loaded.set(kernels, strings);
  return strings;
}

/** The functions for these kernels: the twin where nobody has loaded the module. */
export function stringsOf(kernels: Kernels): Strings {
  return loaded.get(kernels) ?? twin;
}
