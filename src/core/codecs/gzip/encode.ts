/**
 * Deflate (RFC 1951) for writing, in gzip's and zlib's wrapping: node:zlib in Node, fflate elsewhere. Both
 * are libraries: node:zlib measured faster than any encoder in JavaScript or WASM that we know, and writing
 * has no untrusted input. Their outputs differ, within the format.
 */

import { loadBuiltin } from "../../../base/loading.js";
import type { Kernels } from "../../../kernels/kernels.js";
import { adler32, crc32 } from "../checksums/checksums.js";

type Deflate = (bytes: Uint8Array, level: number) => Uint8Array;

/** The levels that fflate takes; -1, the library's own choice, becomes 6. */
const FFLATE_LEVELS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

let deflateRaw: Deflate | undefined;

/** Callers await this before they call the functions below. */
export async function loadDeflate(): Promise<void> {
  const zlib = await loadBuiltin<typeof import("node:zlib")>("node:zlib");
  if (zlib !== undefined) {
    deflateRaw = (bytes, level) => zlib.deflateRawSync(bytes, { level });
    return;
  }
  const { deflateSync } = await import("../../../base/fflate.js");
  deflateRaw = (bytes, level) => deflateSync(bytes, { level: FFLATE_LEVELS[level] ?? 6 });
}

/**
 * Deflates at level 0 (stored) to 9 (smallest), or -1 for the library's own choice, and adds `header` and
 * `trailerLength` bytes.
 */
function wrapped(bytes: Uint8Array, level: number, header: readonly number[], trailerLength: number) {
  if (deflateRaw === undefined) throw new TypeError("internal error: loadDeflate() was not awaited");
  const stream = deflateRaw(bytes, level);
  const encoded = new Uint8Array(header.length + stream.length + trailerLength);
  encoded.set(header);
  encoded.set(stream, header.length);
  return { encoded, trailer: new DataView(encoded.buffer, encoded.length - trailerLength) };
}

export function encodeGzip(kernels: Kernels, bytes: Uint8Array, level: number): Uint8Array {
  // No time and no operating system, so that equal chunks give equal bytes everywhere.
  const { encoded, trailer } = wrapped(bytes, level, [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255], 8);
  trailer.setUint32(0, crc32(kernels, bytes), true);
  trailer.setUint32(4, bytes.length % 2 ** 32, true);
  return encoded;
}

export function encodeZlib(kernels: Kernels, bytes: Uint8Array, level: number): Uint8Array {
  const { encoded, trailer } = wrapped(bytes, level, [0x78, headerFlags(level)], 4);
  trailer.setUint32(0, adler32(kernels, bytes), false);
  return encoded;
}

/** FLEVEL, and FCHECK, which makes the header a multiple of 31. The same bytes as zlib's. */
function headerFlags(level: number): number {
  if (level === 0 || level === 1) return 0x01;
  if (level >= 2 && level <= 5) return 0x5e;
  return level > 6 ? 0xda : 0x9c;
}
