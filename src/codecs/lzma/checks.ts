/** Checks of .xz blocks: none, CRC-32, CRC-64, SHA-256. */
import { crc32 } from "../checksum-functions.js";
import { damaged } from "./failure.js";
import { sha256 } from "./sha-256.js";

const LENGTHS: Readonly<Record<number, number>> = { 0: 0, 1: 4, 4: 8, 10: 32 };

/** Bytes of a check. @throws CodecError for one that no version of the format has */
export function checkLength(check: number): number {
  const length = LENGTHS[check];
  if (length === undefined) throw damaged(`has checks of the unknown kind ${check}`, 7);
  return length;
}

export function checkBlock(check: number, block: Uint8Array, stored: Uint8Array): boolean {
  const computed = compute(check, block);
  return stored.every((byte, i) => byte === computed[i]);
}

/** The check, or more: what is stored is as long as it has to be. */
function compute(check: number, block: Uint8Array): Uint8Array {
  if (check === 1) return littleEndian(crc32(block), 0);
  return check === 4 ? crc64(block) : check === 10 ? sha256(block) : new Uint8Array(0);
}

function littleEndian(low: number, high: number): Uint8Array {
  const bytes = new Uint8Array(8);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, low, true);
  view.setUint32(4, high, true);
  return bytes;
}

/** The polynomial 0xC96C5795D7870F42, in halves: for each byte the low 32 bits and the high ones. */
const TABLE = /* @__PURE__ */ crc64Table();
function crc64Table(): Uint32Array {
  const table = new Uint32Array(512);
  for (let byte = 0; byte < 256; byte++) {
    let low = byte;
    let high = 0;
    for (let bit = 0; bit < 8; bit++) {
      const odd = low & 1;
      low = (low >>> 1) | (high << 31);
      high = high >>> 1;
      if (odd) {
        low ^= 0xd7870f42;
        high ^= 0xc96c5795;
      }
    }
    table[2 * byte] = low;
    table[2 * byte + 1] = high;
  }
  return table;
}

function crc64(bytes: Uint8Array): Uint8Array {
  let low = -1;
  let high = -1;
  for (let i = 0; i < bytes.length; i++) {
    const at = 2 * ((low ^ (bytes[i] ?? 0)) & 0xff);
    low = ((low >>> 8) | (high << 24)) ^ (TABLE[at] ?? 0);
    high = (high >>> 8) ^ (TABLE[at + 1] ?? 0);
  }
  return littleEndian(~low >>> 0, ~high >>> 0);
}
