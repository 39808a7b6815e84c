/**
 * Deflate (RFC 1951) for writing: node:zlib in Node, fflate elsewhere. Both are libraries: measured, node:zlib deflates faster than
 * anything in JavaScript or WASM we know of, and writing has no untrusted input. Output differs between the two, within the format.
 */
import { loadBuiltin } from "../../node-builtin.js";

export type Deflate = (bytes: Uint8Array, level: number) => Uint8Array;

let deflate: Deflate | undefined;

/** Must have been awaited before `deflateRaw`. */
export async function loadDeflate(): Promise<void> {
  if (deflate !== undefined) return;
  const zlib = await loadBuiltin<typeof import("node:zlib")>("node:zlib");
  if (zlib !== undefined) {
    deflate = (bytes, level) => zlib.deflateRawSync(bytes, { level });
    return;
  }
  const { deflateSync } = await import("../../fflate.js");
  deflate = (bytes, level) => deflateSync(bytes, { level: fflateLevel(level) });
}

/** A raw deflate stream; level 0 (stored) to 9 (smallest), or -1 for the library's own choice. */
export function deflateRaw(bytes: Uint8Array, level: number): Uint8Array {
  if (deflate === undefined)
    throw new TypeError("expected the codec entry's load() to have been awaited before encoding");
  return deflate(bytes, level);
}

function fflateLevel(level: number): 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 {
  switch (level) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
    case 7:
    case 8:
    case 9:
      return level;
    default:
      return 6;
  }
}
