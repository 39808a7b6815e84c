/**
 * `gzip` (bytes -> bytes): RFC 1952. Reads any number of members with any header fields; every check value is verified.
 * https://zarr-specs.readthedocs.io/en/latest/v3/codecs/gzip/index.html, numcodecs' `gzip`
 * `{"name": "gzip", "configuration": {"level": 5}}`; level 0 to 9, used for writing only. numcodecs' also -1, for the library's own.
 */
import { CodecError } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { JsonObject } from "../../metadata/json.js";
import { crc32, loadChecksums } from "../checksums/kernels.js";
import type { BytesToBytesCodec, CodecEntry, DecodeContext } from "../codec.js";
import { readConfiguration, readInteger, writeSettings } from "../configuration.js";
import { decodeIntoOutput } from "../decoder-result.js";
import {
  deflateEncoder,
  inflate,
  inflateError,
  isOutputFull,
  loadInflate,
  MAXIMUM_EXPANSION,
  outputFullError,
} from "./inflate.js";
import { pairDecoder } from "./pairs.js";

const CODEC = "gzip";
const HEADER_LENGTH = 10;
const TRAILER_LENGTH = 8;
const FLAG_HEADER_CRC = 2;
const FLAG_EXTRA = 4;
const FLAG_NAME = 8;
const FLAG_COMMENT = 16;

const gzip: CodecEntry = {
  kind: "bytes_to_bytes",
  async load(kernels) {
    deflateEncoder.announce();
    await Promise.all([loadChecksums(kernels), loadInflate(kernels)]);
  },
  checkWriting(configuration, name) {
    // numcodecs alone knows -1.
    readLevel(configuration, name === CODEC ? 0 : -1);
  },
  fromConfig(configuration): BytesToBytesCodec {
    readConfiguration(CODEC, configuration, ["level"]);
    const level = writeSettings(() => readLevel(configuration, -1), 5);
    return {
      kind: "bytes_to_bytes",
      synchronous: true,
      decode: decodeMembers,
      loadPairs: (kernels, byteLength) =>
        pairDecoder(kernels, byteLength, headerLength, checkTrailer, TRAILER_LENGTH),
      encode: (bytes, { kernels }) => deflateEncoder.get().encodeGzip(kernels, bytes, level.get()),
    };
  },
};
export default gzip;

function readLevel(configuration: JsonObject, minimum: number): number {
  return readInteger(CODEC, configuration, "level", { minimum, maximum: 9, absent: 5 });
}

function decodeMembers(bytes: Uint8Array, context: DecodeContext): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  // The last four bytes are the size of the last member, in the usual case that of everything, and never more; a hint, never trusted.
  const estimate = bytes.length < HEADER_LENGTH + TRAILER_LENGTH ? 0 : view.getUint32(bytes.length - 4, true);
  const decode = (output: Uint8Array): number | undefined => {
    let written = 0;
    let position = 0;
    do {
      const start = position + headerLength(view, bytes, context.kernels, position);
      const result = inflate(context.kernels, output.subarray(written), bytes.subarray(start));
      if (isOutputFull(result)) return undefined;
      if (result.written < 0) throw inflateError(CODEC, result, start);
      position = start + result.read;
      checkTrailer(view, position, context, output.subarray(written, written + result.written));
      position += TRAILER_LENGTH;
      written += result.written;
      // Padding with zeros behind the last member is customary (gzip and Python accept it); anything else must be a member.
    } while (bytes.subarray(position).some((byte) => byte !== 0));
    return written;
  };
  const size = { estimate, claimed: estimate, maximum: bytes.length * MAXIMUM_EXPANSION };
  return decodeIntoOutput(context, size, decode, (capacity) => outputFullError(CODEC, capacity));
}

const refusal = (message: string, offset: number): CodecError =>
  new CodecError(message, { codec: CODEC, offset });

/** Length of the member header at `position`. @throws CodecError */
function headerLength(view: DataView, bytes: Uint8Array, kernels: Kernels, position = 0): number {
  const truncated = (): CodecError =>
    refusal(
      `expected a gzip member (RFC 1952) at byte ${position}, got ${bytes.length - position} bytes: the value is truncated`,
      position,
    );
  if (bytes.length - position < HEADER_LENGTH) throw truncated();
  const flags = view.getUint8(position + 3);
  if (view.getUint32(position, false) >>> 8 !== 0x1f8b08 || flags > 31) {
    throw refusal(
      `expected a gzip member (RFC 1952: 31, 139, 8, flags to 31) at byte ${position}, got ${bytes.subarray(position, position + 4)}`,
      position,
    );
  }
  let end = position + HEADER_LENGTH;
  if (flags & FLAG_EXTRA) {
    if (end + 2 > bytes.length) throw truncated();
    end += 2 + view.getUint16(end, true);
  }
  for (const flag of [FLAG_NAME, FLAG_COMMENT]) {
    if (!(flags & flag)) continue;
    const zero = bytes.indexOf(0, end);
    if (zero < 0) throw truncated();
    end = zero + 1;
  }
  if (flags & FLAG_HEADER_CRC) {
    if (end + 2 > bytes.length) throw truncated();
    const computed = crc32(kernels, bytes.subarray(position, end)) & 0xffff;
    const stored = view.getUint16(end, true);
    if (stored !== computed)
      throw refusal(`expected CRC-16 ${stored} as stored, got ${computed}: the data are damaged`, end);
    end += 2;
  }
  if (end > bytes.length) throw truncated();
  return end - position;
}

/** CRC and length of what a member made. @throws CodecError */
function checkTrailer(view: DataView, position: number, context: DecodeContext, output: Uint8Array): void {
  if (view.byteLength - position < TRAILER_LENGTH) {
    throw refusal(
      `expected ${TRAILER_LENGTH} bytes behind the deflate stream, got ${view.byteLength - position}: the value is truncated`,
      position,
    );
  }
  const storedCrc = view.getUint32(position, true);
  const crc = crc32(context.kernels, output);
  if (storedCrc !== crc) {
    throw refusal(`expected CRC-32 ${storedCrc} as stored, got ${crc}: the data are damaged`, position);
  }
  const storedLength = view.getUint32(position + 4, true);
  if (storedLength !== output.length % 2 ** 32) {
    throw refusal(`expected a member of ${storedLength} bytes as stored, got ${output.length}`, position + 4);
  }
}
