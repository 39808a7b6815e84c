/** HDF5's checksums, in WASM or in JavaScript with the same results. */
import { byteAt, byteOrZero, type Kernels, lookup3InJavaScript, run } from "../../core/for-codecs.js";

/** HDF5's Fletcher-32. */
export function computeFletcher32(kernels: Kernels, bytes: Uint8Array): number {
  return (
    run(kernels, bytes, (exports, address) => exports.fletcher32?.(address, bytes.length)) ??
    fletcher32Fallback(bytes)
  );
}

/** Jenkins' lookup3 with the u32 seed `initial`. */
export function lookup3(kernels: Kernels, bytes: Uint8Array, initial: number): number {
  return (
    run(kernels, bytes, (exports, address) => exports.lookup3?.(initial, address, bytes.length)) ??
    lookup3InJavaScript(bytes, initial)
  );
}

/**
 * HDF5's Fletcher-32: sums of big-endian 16-bit words. An odd last byte is the high half of a word whose low
 * half is 0.
 */
function fletcher32Fallback(bytes: Uint8Array): number {
  let first = 0;
  let second = 0;
  for (let i = 0; i < bytes.length; ) {
    for (const end = Math.min(bytes.length, i + 720); i < end; i += 2) {
      first += (byteAt(bytes, i) << 8) | byteOrZero(bytes, i + 1);
      second += first;
    }
    // Folds instead of dividing: a sum that is a multiple of 65535 stays 65535, as in HDF5.
    first = (first & 0xffff) + (first >>> 16);
    second = (second & 0xffff) + (second >>> 16);
  }
  first = (first & 0xffff) + (first >>> 16);
  second = (second & 0xffff) + (second >>> 16);
  return ((second << 16) | first) >>> 0;
}
