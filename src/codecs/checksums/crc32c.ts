/**
 * `crc32c` (bytes -> bytes): appends the CRC-32C (RFC 3720) of the bytes, 4 bytes little-endian.
 * https://zarr-specs.readthedocs.io/en/latest/v3/codecs/crc32c/index.html
 * numcodecs' variant may place it in front: `{"name": "numcodecs.crc32c", "configuration": {"location": "start"}}`
 *
 * And what all checksum codecs share: 4 bytes, little-endian, before or behind the payload, verified on reading. Decoding gives a view of
 * its input, so that it costs the checksum and nothing else.
 */
import { CodecError } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { JsonObject } from "../../metadata/json.js";
import type { BytesToBytesCodec, CodecEntry } from "../codec.js";
import { readConfiguration, wrongMember } from "../configuration.js";
import { crc32c, loadChecksums } from "./kernels.js";

const CHECKSUM_LENGTH = 4;

type ChecksumLocation = "start" | "end";

/** A checksum codec as an instance. @throws CodecError from `decode`: too short, or the checksum differs */
export function checksumCodec(
  name: string,
  location: ChecksumLocation,
  checksum: (kernels: Kernels, payload: Uint8Array) => number,
): BytesToBytesCodec {
  return {
    kind: "bytes_to_bytes",
    synchronous: true,
    decode(bytes, { kernels }) {
      const length = bytes.length - CHECKSUM_LENGTH;
      if (length < 0) {
        throw new CodecError(
          `expected at least the ${CHECKSUM_LENGTH} bytes of a checksum, got ${bytes.length}`,
          { codec: name },
        );
      }
      const payload = location === "start" ? bytes.subarray(CHECKSUM_LENGTH) : bytes.subarray(0, length);
      const offset = location === "start" ? 0 : length;
      const stored = new DataView(bytes.buffer, bytes.byteOffset + offset, CHECKSUM_LENGTH).getUint32(
        0,
        true,
      );
      const computed = checksum(kernels, payload);
      if (stored !== computed) {
        throw new CodecError(
          `expected checksum ${hexadecimal(stored)} as stored, got ${hexadecimal(computed)} from the ${length} bytes it covers: they are damaged`,
          { codec: name, offset },
        );
      }
      return payload;
    },
    encode(bytes, { kernels }) {
      const encoded = new Uint8Array(bytes.length + CHECKSUM_LENGTH);
      encoded.set(bytes, location === "start" ? CHECKSUM_LENGTH : 0);
      new DataView(encoded.buffer).setUint32(
        location === "start" ? 0 : bytes.length,
        checksum(kernels, bytes),
        true,
      );
      return encoded;
    },
    encodedByteLength: (byteLength) => byteLength + CHECKSUM_LENGTH,
  };
}

/** An entry for the codecs whose only configuration is an optional `location`, as numcodecs spells it. */
export function checksumEntry(
  name: string,
  defaultLocation: ChecksumLocation,
  checksum: (kernels: Kernels, payload: Uint8Array) => number,
): CodecEntry {
  return {
    kind: "bytes_to_bytes",
    load: loadChecksums,
    fromConfig(configuration: JsonObject) {
      const { location = defaultLocation } = readConfiguration(name, configuration, ["location"]);
      if (location !== "start" && location !== "end" && location !== null) {
        throw wrongMember(name, "location", '"start" or "end"', location);
      }
      return checksumCodec(name, location ?? defaultLocation, checksum);
    },
  };
}

const entry = checksumEntry("crc32c", "end", crc32c);
export default entry;

function hexadecimal(value: number): string {
  return `0x${value.toString(16).padStart(8, "0")}`;
}
