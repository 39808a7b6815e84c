/**
 * Decodes the data of a zip entry: inflates deflated data and verifies length and CRC-32.
 */

import {
  crc32,
  inflate,
  inflateError,
  type Kernels,
  loadChecksums,
  loadInflate,
  loadKernels,
  MAXIMUM_EXPANSION,
  StoreError,
  UnsupportedError,
} from "../../core/for-stores.js";
import type { ZipEntry } from "./entries.js";

export const STORED = 0;
const DEFLATED = 8;

/**
 * Bytes. Larger values are inflated and checked outside of kernel memory, which is slower, because kernel
 * memory never shrinks.
 */
const MOST_KERNEL_MEMORY = 64 << 20;

/**
 * @throws UnsupportedError for encrypted entries and compression methods other than deflate
 * @throws StoreError when the compressed data cannot have the announced length
 */
export function checkEntry(entry: ZipEntry, key: string): void {
  if (entry.flags & 1)
    throw new UnsupportedError("encrypted entries of zip archives cannot be read", { key });
  if (entry.method !== STORED && entry.method !== DEFLATED) {
    throw new UnsupportedError(
      `expected a zip entry that is stored (method 0) or deflated (8), got method ${entry.method}; write the archive again`,
      { key },
    );
  }
  const { compressedLength, byteLength } = entry;
  if (
    entry.method === STORED
      ? byteLength !== compressedLength
      : byteLength > compressedLength * MAXIMUM_EXPANSION
  ) {
    throw new StoreError(
      `expected a zip entry whose ${compressedLength} bytes can hold a value of the length it announces, ${byteLength}`,
      { key },
    );
  }
}

/** Decodes the data of an entry. @throws StoreError when the value has not the announced length and CRC-32 */
export async function decodeEntry(entry: ZipEntry, bytes: Uint8Array, key: string): Promise<Uint8Array> {
  const kernels = await loadKernels();
  await loadChecksums(kernels);
  if (entry.method === DEFLATED) await loadInflate(kernels);
  const room = Math.min(bytes.byteLength + entry.byteLength, MOST_KERNEL_MEMORY);
  return kernels.within(room, () => decodeNow(entry, bytes, key, kernels));
}

function decodeNow(entry: ZipEntry, bytes: Uint8Array, key: string, kernels: Kernels): Uint8Array {
  let value = bytes;
  if (entry.method === DEFLATED) {
    const output = kernels.allocate(entry.byteLength);
    const result = inflate(kernels, output, bytes);
    if (result.written < 0) {
      const cause = inflateError("deflate", result, 0);
      throw new StoreError(`cannot inflate a zip entry: ${cause.message}`, { key, cause });
    }
    value = output.slice(0, result.written);
  }
  const checksum = crc32(kernels, value);
  if (value.byteLength !== entry.byteLength || checksum !== entry.crc32) {
    const hex = (crc: number) => crc.toString(16).padStart(8, "0");
    throw new StoreError(
      `expected a zip entry of ${entry.byteLength} bytes with CRC-32 ${hex(entry.crc32)}, got ${value.byteLength} bytes ` +
        `with ${hex(checksum)}`,
      { key },
    );
  }
  return value;
}
