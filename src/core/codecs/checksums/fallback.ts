/**
 * The functions of assembly/checksums.ts in JavaScript, with the same results: a u32, continued from a
 * checksum of the bytes before.
 */
import { byteAt, int32At } from "../../../base/at.js";

/** Polynomials with their bits reversed, because these checksums process the lowest bit of a byte first. */
const CRC32C_POLYNOMIAL = 0x82f63b78;
const CRC32_POLYNOMIAL = 0xedb88320;

/** 8 tables of 256 entries: `sliced` processes 8 bytes at a time ("slicing-by-8"). */
function makeTables(polynomial: number): Int32Array {
  const tables = new Int32Array(8 * 256);
  for (let i = 0; i < 256; i++) {
    let value = i;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? polynomial : 0);
    tables[i] = value;
  }
  for (let i = 256; i < tables.length; i++) {
    const previous = entry(tables, i - 256);
    tables[i] = (previous >>> 8) ^ int32At(tables, previous & 255);
  }
  return tables;
}

let crc32cTables: Int32Array | undefined;
let crc32Tables: Int32Array | undefined;

/** CRC-32C (Castagnoli, RFC 3720), continued from `crc`. */
export function crc32cFallback(bytes: Uint8Array, crc = 0): number {
  return sliced(bytes, crc, (crc32cTables ??= makeTables(CRC32C_POLYNOMIAL)));
}

/** CRC-32 (IEEE 802.3, RFC 1952), continued from `crc`. */
export function crc32Fallback(bytes: Uint8Array, crc = 0): number {
  return sliced(bytes, crc, (crc32Tables ??= makeTables(CRC32_POLYNOMIAL)));
}

function sliced(bytes: Uint8Array, initial: number, tables: Int32Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let crc = ~initial;
  let i = 0;
  for (const end = bytes.length & ~7; i < end; i += 8) {
    const low = crc ^ view.getInt32(i, true);
    const high = view.getInt32(i + 4, true);
    crc =
      entry(tables, 1792 + (low & 255)) ^
      entry(tables, 1536 + ((low >>> 8) & 255)) ^
      entry(tables, 1280 + ((low >>> 16) & 255)) ^
      entry(tables, 1024 + (low >>> 24)) ^
      entry(tables, 768 + (high & 255)) ^
      entry(tables, 512 + ((high >>> 8) & 255)) ^
      entry(tables, 256 + ((high >>> 16) & 255)) ^
      entry(tables, high >>> 24);
  }
  for (; i < bytes.length; i++) crc = (crc >>> 8) ^ entry(tables, (crc ^ view.getUint8(i)) & 255);
  return ~crc >>> 0;
}

function entry(table: Int32Array, index: number): number {
  return int32At(table, index);
}

/** Adler-32 (RFC 1950), continued from `adler`, which begins at 1. */
export function adler32Fallback(bytes: Uint8Array, adler = 1): number {
  let first = adler & 0xffff;
  let second = adler >>> 16;
  for (let i = 0; i < bytes.length; ) {
    // At most 3800 bytes between divisions keep `second` below 2^31, so that engines add int32.
    for (const end = Math.min(bytes.length, i + 3800); i < end; i++) {
      first += byteAt(bytes, i);
      second += first;
    }
    first %= 65521;
    second %= 65521;
  }
  return ((second << 16) | first) >>> 0;
}
