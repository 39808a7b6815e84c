/** Checksum codecs of numcodecs beyond `crc32c`. */
import type { Kernels } from "../../kernels/kernels.js";
import type { Json } from "../../metadata/json.js";
import type { CodecEntry } from "../codec.js";
import { readConfiguration, readInteger, wrongMember } from "../configuration.js";
import {
  checksumCodec,
  checksumEntry,
  adler32 as computeAdler32,
  crc32 as computeCrc32,
  loadChecksums,
  run,
} from "./checksums.js";

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
 * numcodecs' `fletcher32` (bytes -> bytes): appends HDF5's Fletcher-32, 4 bytes little-endian. No
 * configuration. https://numcodecs.readthedocs.io/en/stable/checksum32.html#fletcher32
 */
export const fletcher32: CodecEntry = {
  kind: "bytes_to_bytes",
  forms: { only: "numcodecs" },
  load: loadChecksums,
  fromConfig(configuration) {
    readConfiguration("fletcher32", configuration, []);
    return checksumCodec("fletcher32", "end", computeFletcher32);
  },
};

const JENKINS_LOOKUP3 = "jenkins_lookup3";

/**
 * numcodecs' `jenkins_lookup3` (bytes -> bytes): appends Bob Jenkins' lookup3 hash, HDF5's metadata checksum,
 * 4 bytes little-endian. `initval` seeds it; `prefix` (bytes as integers) is hashed before the data.
 * https://numcodecs.readthedocs.io/en/stable/checksum32.html#jenkinslookup3
 */
export const jenkinsLookup3: CodecEntry = {
  kind: "bytes_to_bytes",
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

// HDF5's checksums, in WASM or in JavaScript with the same results.

/** HDF5's Fletcher-32. */
function computeFletcher32(kernels: Kernels, bytes: Uint8Array): number {
  return (
    run(kernels, bytes, (exports, address) => exports.fletcher32?.(address, bytes.length)) ??
    fletcher32Fallback(bytes)
  );
}

/** Jenkins' lookup3 with the u32 seed `initial`. */
function lookup3(kernels: Kernels, bytes: Uint8Array, initial: number): number {
  return (
    run(kernels, bytes, (exports, address) => exports.lookup3?.(initial, address, bytes.length)) ??
    lookup3Fallback(bytes, initial)
  );
}

/**
 * HDF5's Fletcher-32: sums of big-endian 16-bit words. An odd last byte is the high half of a word whose low
 * half is 0.
 */
function fletcher32Fallback(bytes: Uint8Array): number {
  let first = 0;
  let second = 0;
  for (let i = 0; i < bytes.length; ) {
    for (const end = Math.min(bytes.length, i + 720); i < end; i += 2) {
      first += ((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0);
      second += first;
    }
    // Folds instead of dividing: a sum that is a multiple of 65535 stays 65535, as in HDF5.
    first = (first & 0xffff) + (first >>> 16);
    second = (second & 0xffff) + (second >>> 16);
  }
  first = (first & 0xffff) + (first >>> 16);
  second = (second & 0xffff) + (second >>> 16);
  return ((second << 16) | first) >>> 0;
}

const rotate = (value: number, count: number): number => (value << count) | (value >>> (32 - count));

/** Bob Jenkins' lookup3 (hashlittle), HDF5's metadata checksum. */
function lookup3Fallback(bytes: Uint8Array, initial = 0): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let a = (0xdeadbeef + bytes.length + initial) | 0;
  let b = a;
  let c = a;
  if (bytes.length === 0) return c >>> 0;
  let i = 0;
  for (; bytes.length - i > 12; i += 12) {
    a = (a + view.getInt32(i, true)) | 0;
    b = (b + view.getInt32(i + 4, true)) | 0;
    c = (c + view.getInt32(i + 8, true)) | 0;
    a = ((a - c) | 0) ^ rotate(c, 4);
    c = (c + b) | 0;
    b = ((b - a) | 0) ^ rotate(a, 6);
    a = (a + c) | 0;
    c = ((c - b) | 0) ^ rotate(b, 8);
    b = (b + a) | 0;
    a = ((a - c) | 0) ^ rotate(c, 16);
    c = (c + b) | 0;
    b = ((b - a) | 0) ^ rotate(a, 19);
    a = (a + c) | 0;
    c = ((c - b) | 0) ^ rotate(b, 4);
    b = (b + a) | 0;
  }
  const last = new DataView(new ArrayBuffer(12));
  for (let offset = 0; i < bytes.length; i++, offset++) last.setUint8(offset, view.getUint8(i));
  a = (a + last.getInt32(0, true)) | 0;
  b = (b + last.getInt32(4, true)) | 0;
  c = (c + last.getInt32(8, true)) | 0;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  c = ((c ^ b) - rotate(b, 24)) | 0;
  return c >>> 0;
}
