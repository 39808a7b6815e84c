/**
 * Checksums: CRC-32C, CRC-32 (IEEE 802.3), Adler-32, Fletcher-32 (HDF5's), Jenkins lookup3. Called by
 * src/core/codecs/checksums/checksums.ts. JavaScript reads results as signed: `>>> 0` makes them u32.
 */
export { crc32, crc32c, initialiseTables } from "./checksums-crc";
export { adler32, fletcher32 } from "./checksums-sums";
export { lookup3 } from "./checksums-lookup3";
