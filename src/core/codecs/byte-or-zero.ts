import { byteAt } from "../../base/at.js";

/**
 * The byte at an index, 0 beyond the end: readers of bits load bytes before they know that they need them.
 * The reader, or its caller, finds out whether a bit that is not there was used.
 */
export function byteOrZero(bytes: Uint8Array, index: number): number {
  return index < bytes.length ? byteAt(bytes, index) : 0;
}
