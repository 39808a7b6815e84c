/**
 * `crc32c` (bytes -> bytes): appends the CRC-32C (RFC 3720) of the bytes, 4 bytes little-endian.
 * https://zarr-specs.readthedocs.io/en/latest/v3/codecs/crc32c/index.html
 * numcodecs' variant may place it in front: `{"name": "numcodecs.crc32c", "configuration": {"location": "start"}}`
 */
import { checksumEntry } from "./checksum-codec.js";
import { crc32c } from "./checksum-kernels.js";

export default checksumEntry("crc32c", "end", crc32c);
