/** HDF5's checksums, in WASM or in JavaScript with the same results. */
import { noItem } from "../../base/at.js";
import { byteOrZero } from "../../core/codecs/byte-or-zero.js";
import { run } from "../../core/codecs/checksums/checksums.js";
import type { Kernels } from "../../kernels/kernels.js";

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
    lookup3Fallback(bytes, initial)
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
      first += ((bytes[i] ?? noItem(bytes, i)) << 8) | byteOrZero(bytes, i + 1);
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
const rotate = (value: number, count: number): number => (value << count) | (value >>> (32 - count));

/** Bob Jenkins' lookup3 (hashlittle), HDF5's metadata checksum. */
function lookup3Fallback(bytes: Uint8Array, initial = 0): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let a = (0xdeadbeef + bytes.length + initial) | 0;
  let b = a;
  let c = a;
  if (bytes.length === 0) return c >>> 0;
  let i = 0;
  for (; bytes.length - i > 12; i += 12) {
    a = (a + view.getInt32(i, true)) | 0;
    b = (b + view.getInt32(i + 4, true)) | 0;
    c = (c + view.getInt32(i + 8, true)) | 0;
    a = ((a - c) | 0) ^ rotate(c, 4);
    c = (c + b) | 0;
    b = ((b - a) | 0) ^ rotate(a, 6);
    a = (a + c) | 0;
    c = ((c - b) | 0) ^ rotate(b, 8);
    b = (b + a) | 0;
    a = ((a - c) | 0) ^ rotate(c, 16);
    c = (c + b) | 0;
    b = ((b - a) | 0) ^ rotate(a, 19);
    a = (a + c) | 0;
    c = ((c - b) | 0) ^ rotate(b, 4);
    b = (b + a) | 0;
  }
  const last = new DataView(new ArrayBuffer(12));
  for (let offset = 0; i < bytes.length; i++, offset++) last.setUint8(offset, view.getUint8(i));
  a = (a + last.getInt32(0, true)) | 0;
  b = (b + last.getInt32(4, true)) | 0;
  c = (c + last.getInt32(8, true)) | 0;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  c = ((c ^ b) - rotate(b, 24)) | 0;
  return c >>> 0;
}
