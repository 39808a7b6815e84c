/**
 * numcodecs' `crc32` (bytes -> bytes): puts the CRC-32 (IEEE 802.3) before the bytes, or with `"location": "end"` behind.
 * https://numcodecs.readthedocs.io/en/stable/checksum32.html#crc32
 */
import { checksumEntry } from "./checksum-codec.js";
import { crc32 } from "./checksum-kernels.js";

export default checksumEntry("crc32", "start", crc32);
