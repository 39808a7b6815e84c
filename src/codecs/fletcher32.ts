/**
 * numcodecs' `fletcher32` (bytes -> bytes): appends HDF5's Fletcher-32, 4 bytes little-endian. No configuration.
 * https://numcodecs.readthedocs.io/en/stable/checksum32.html#fletcher32
 */
import { checksumCodec } from "./checksum-codec.js";
import { fletcher32, loadChecksums } from "./checksum-kernels.js";
import type { CodecEntry } from "./codec.js";
import { readConfiguration } from "./configuration.js";

const entry: CodecEntry = {
  kind: "bytes_to_bytes",
  load: loadChecksums,
  fromConfig(configuration) {
    readConfiguration("fletcher32", configuration, []);
    return checksumCodec("fletcher32", "end", fletcher32);
  },
};
export default entry;
