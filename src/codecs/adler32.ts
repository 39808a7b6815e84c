/**
 * numcodecs' `adler32` (bytes -> bytes): puts the Adler-32 (RFC 1950) before the bytes, or with `"location": "end"` behind.
 * https://numcodecs.readthedocs.io/en/stable/checksum32.html#adler32
 */
import { checksumEntry } from "./checksum-codec.js";
import { adler32 } from "./checksum-kernels.js";

export default checksumEntry("adler32", "start", adler32);
