/**
 * numcodecs' `jenkins_lookup3` (bytes -> bytes): appends Bob Jenkins' lookup3 hash, HDF5's metadata checksum, 4 bytes
 * little-endian. `initval` seeds it; `prefix` (bytes as integers) is hashed before the data.
 * https://numcodecs.readthedocs.io/en/stable/checksum32.html#jenkinslookup3
 */
import { describe, InvalidMetadataError } from "../errors.js";
import type { Json } from "../metadata/json.js";
import { checksumCodec } from "./checksum-codec.js";
import { loadChecksums, lookup3 } from "./checksum-kernels.js";
import type { CodecEntry } from "./codec.js";
import { readConfiguration, readInteger } from "./configuration.js";

const NAME = "jenkins_lookup3";

const entry: CodecEntry = {
  kind: "bytes_to_bytes",
  load: loadChecksums,
  fromConfig(configuration) {
    readConfiguration(NAME, configuration, ["initval", "prefix"]);
    const initial = readInteger(NAME, configuration, "initval", {
      minimum: 0,
      maximum: 0xffffffff,
      absent: 0,
    });
    const prefix = readPrefix(configuration.prefix);
    return checksumCodec(NAME, "end", (kernels, payload) => {
      if (prefix.length === 0) return lookup3(kernels, payload, initial);
      const joined = new Uint8Array(prefix.length + payload.length);
      joined.set(prefix);
      joined.set(payload, prefix.length);
      return lookup3(kernels, joined, initial);
    });
  },
};
export default entry;

function readPrefix(prefix: Json | undefined): readonly number[] {
  if (prefix === undefined || prefix === null) return [];
  const bytes = Array.isArray(prefix)
    ? prefix.filter((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)
    : [];
  if (!Array.isArray(prefix) || bytes.length !== prefix.length) {
    throw new InvalidMetadataError(`expected an array of byte values 0 to 255, got ${describe(prefix)}`, {
      codec: NAME,
      member: "configuration.prefix",
    });
  }
  return bytes;
}
