/** Checksum codecs of numcodecs beyond `crc32c`. */

import {
  type CodecEntry,
  checksumCodec,
  checksumEntry,
  adler32 as computeAdler32,
  crc32 as computeCrc32,
  type Json,
  type Kernels,
  loadChecksums,
  readConfiguration,
  readInteger,
  wrongMember,
} from "../../core/for-codecs.js";
import { computeFletcher32, lookup3 } from "./hdf5-checksum.js";

/**
 * numcodecs' `crc32` (bytes -> bytes): puts the CRC-32 (IEEE 802.3) before the bytes, or after them with
 * `"location": "end"`. https://numcodecs.readthedocs.io/en/stable/checksum32.html#crc32
 */
export const crc32 = checksumEntry("crc32", "start", computeCrc32, { only: "numcodecs" });

/**
 * numcodecs' `adler32` (bytes -> bytes): puts the Adler-32 (RFC 1950) before the bytes, or after them with
 * `"location": "end"`. https://numcodecs.readthedocs.io/en/stable/checksum32.html#adler32
 */
export const adler32 = checksumEntry("adler32", "start", computeAdler32, { only: "numcodecs" });

/**
 * zarrs (up to 0.23.14) leaves the last byte of an odd number out. https://github.com/zarrs/zarrs/issues/460
 */
const fletcher32OfZarrs = (kernels: Kernels, payload: Uint8Array): number | undefined =>
  payload.length % 2 === 0 ? undefined : computeFletcher32(kernels, payload.subarray(0, -1));

/**
 * numcodecs' `fletcher32` (bytes -> bytes): appends HDF5's Fletcher-32, 4 bytes little-endian. No
 * configuration. https://numcodecs.readthedocs.io/en/stable/checksum32.html#fletcher32 Also reads what zarrs
 * appends to an odd number of bytes, which HDF5 and numcodecs refuse.
 */
export const fletcher32: CodecEntry = {
  codecKind: "bytes_to_bytes",
  forms: { only: "numcodecs" },
  load: loadChecksums,
  fromConfig(configuration) {
    readConfiguration("fletcher32", configuration, []);
    return checksumCodec("fletcher32", "end", computeFletcher32, fletcher32OfZarrs);
  },
};

const JENKINS_LOOKUP3 = "jenkins_lookup3";

/**
 * numcodecs' `jenkins_lookup3` (bytes -> bytes): appends Bob Jenkins' lookup3 hash, HDF5's metadata checksum,
 * 4 bytes little-endian. `initval` seeds it; `prefix` (bytes as integers) is hashed before the data.
 * https://numcodecs.readthedocs.io/en/stable/checksum32.html#jenkinslookup3
 */
export const jenkinsLookup3: CodecEntry = {
  codecKind: "bytes_to_bytes",
  forms: { only: "numcodecs" },
  load: loadChecksums,
  fromConfig(configuration) {
    readConfiguration(JENKINS_LOOKUP3, configuration, ["initval", "prefix"]);
    const initial = readInteger(JENKINS_LOOKUP3, configuration, "initval", {
      minimum: 0,
      maximum: 0xffffffff,
      absent: 0,
    });
    const prefix = readPrefix(configuration.prefix);
    return checksumCodec(JENKINS_LOOKUP3, "end", (kernels, payload) => {
      if (prefix.length === 0) return lookup3(kernels, payload, initial);
      const joined = new Uint8Array(prefix.length + payload.length);
      joined.set(prefix);
      joined.set(payload, prefix.length);
      return lookup3(kernels, joined, initial);
    });
  },
};

function readPrefix(prefix: Json | undefined): readonly number[] {
  if (prefix === undefined || prefix === null) return [];
  const bytes = Array.isArray(prefix)
    ? prefix.filter((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)
    : [];
  if (!Array.isArray(prefix) || bytes.length !== prefix.length) {
    throw wrongMember(JENKINS_LOOKUP3, "prefix", "an array of byte values 0 to 255", prefix);
  }
  return bytes;
}
