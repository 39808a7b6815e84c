/** Cyclic redundancy checks bit by bit, so that they owe nothing to the library's. */
export const CRC32 = 0xedb88320;
export const CRC32C = 0x82f63b78;

export function referenceCrc(bytes: Uint8Array, polynomial: number): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? polynomial : 0);
  }
  return ~crc >>> 0;
}
