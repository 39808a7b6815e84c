/**
 * `gzip` and `zlib` (bytes -> bytes): deflate streams between a header and a trailer, whose check values are
 * verified.
 *
 * `gzip`: RFC 1952. Reads any number of members with any header fields.
 * https://zarr-specs.readthedocs.io/en/latest/v3/codecs/gzip/index.html, numcodecs' `gzip` `{"name": "gzip",
 * "configuration": {"level": 5}}`; level 0 to 9, used for writing only. numcodecs' also -1, for the library's
 * own.
 *
 * numcodecs' `zlib`: RFC 1950. Preset dictionaries are refused.
 * https://numcodecs.readthedocs.io/en/stable/compression/zlib.html
 * `{"id": "zlib", "level": 1}`; level 0 to 9, or -1 for the library's own, used for writing only.
 */
import { CodecError } from "../../../base/errors.js";
import type { Kernels } from "../../../kernels/kernels.js";
import type { JsonObject } from "../../../metadata/json.js";
import { adler32, crc32, loadChecksums } from "../checksums/checksums.js";
import type { BytesToBytesCodec, CodecEntry, DecodeContext } from "../codec.js";
import { isIntegerIn, readConfiguration, readInteger, writeSettings } from "../configuration.js";
import { decodeIntoOutput } from "../decoder-result.js";
import type { CodecForms } from "../forms.js";
import {
  deflateEncoder,
  inflate,
  inflateError,
  isOutputFull,
  loadInflate,
  MAXIMUM_EXPANSION,
  pairDecoder,
  type Wrapping,
} from "./inflate.js";

function deflateCodec(
  wrapping: Wrapping,
  defaultLevel: number,
  forms: Pick<CodecForms, "only" | "both">,
): CodecEntry {
  const readLevel = (configuration: JsonObject, minimum: number): number =>
    readInteger(wrapping.codec, configuration, "level", { minimum, maximum: 9, absent: defaultLevel });
  return {
    codecKind: "bytes_to_bytes",
    forms: { ...forms, defaults: () => ({ level: defaultLevel }), level: "level" },
    async load(kernels) {
      deflateEncoder.announce();
      await Promise.all([loadChecksums(kernels), loadInflate(kernels)]);
    },
    checkWriting(configuration, name) {
      // Only v3's gzip does not allow -1.
      readLevel(configuration, name === "gzip" ? 0 : -1);
    },
    fromConfig(configuration): BytesToBytesCodec {
      readConfiguration(wrapping.codec, configuration, ["level"]);
      const level = writeSettings(() => readLevel(configuration, -1), defaultLevel);
      return {
        kind: "bytes_to_bytes",
        synchronous: true,
        decode: (bytes, context) => decodeStreams(bytes, context, wrapping),
        loadPairs: (kernels, byteLength) => pairDecoder(kernels, byteLength, wrapping),
        encode(bytes, { kernels }) {
          const { encodeGzip, encodeZlib } = deflateEncoder.get();
          const encode = wrapping === GZIP ? encodeGzip : encodeZlib;
          return encode(kernels, bytes, level.get());
        },
      };
    },
  };
}

function decodeStreams(bytes: Uint8Array, context: DecodeContext, wrapping: Wrapping): Uint8Array {
  const { codec, headerLength, checkTrailer, trailerLength } = wrapping;
  const { kernels } = context;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const decode = (output: Uint8Array): number | undefined => {
    let written = 0;
    let position = 0;
    do {
      const start = position + headerLength(view, bytes, kernels, position);
      const result = inflate(kernels, output.subarray(written), bytes.subarray(start));
      if (isOutputFull(result)) return undefined;
      if (result.written < 0) throw inflateError(codec, result, start);
      position = start + result.read;
      checkTrailer(view, position, kernels, output.subarray(written, written + result.written));
      position += trailerLength;
      written += result.written;
      // Zeros after the last member are customary padding (gzip and Python accept it); anything else must be
      // a member.
    } while (position < bytes.length && bytes.subarray(position).some((byte) => byte !== 0));
    return written;
  };
  const maximum = bytes.length * MAXIMUM_EXPANSION;
  const claimed = wrapping.claimedLength?.(view);
  const size = { claimed, estimate: claimed ?? 4 * bytes.length, maximum };
  return decodeIntoOutput(context, { codec, format: "a value", ...size }, decode);
}

const GZIP_HEADER_LENGTH = 10;
const GZIP_TRAILER_LENGTH = 8;
const FLAG_HEADER_CRC = 2;
const FLAG_EXTRA = 4;
const FLAG_NAME = 8;
const FLAG_COMMENT = 16;

const gzipRefusal = (message: string, offset: number): CodecError =>
  new CodecError(message, { codec: "gzip", offset });

/** Length of the member's header at `position`. @throws CodecError */
function gzipHeaderLength(view: DataView, bytes: Uint8Array, kernels: Kernels, position: number): number {
  const truncated = (): CodecError =>
    gzipRefusal(
      `expected a gzip member (RFC 1952) at byte ${position}, got ${bytes.length - position} bytes: the value is truncated`,
      position,
    );
  if (bytes.length - position < GZIP_HEADER_LENGTH) throw truncated();
  const flags = view.getUint8(position + 3);
  if (view.getUint32(position, false) >>> 8 !== 0x1f8b08 || flags > 31) {
    throw gzipRefusal(
      `expected a gzip member (RFC 1952: 31, 139, 8 and flags up to 31) at byte ${position}, got ${bytes.subarray(position, position + 4)}: the chunk is damaged or of another codec`,
      position,
    );
  }
  let end = position + GZIP_HEADER_LENGTH;
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
      throw gzipRefusal(
        `expected CRC-16 ${stored}, got ${computed}: the chunk is damaged; copy or write it again`,
        end,
      );
    end += 2;
  }
  if (end > bytes.length) throw truncated();
  return end - position;
}

/** Checks the CRC and the length of a member's decoded bytes. @throws CodecError */
function checkGzipTrailer(view: DataView, position: number, kernels: Kernels, output: Uint8Array): void {
  const left = view.byteLength - position;
  if (left < GZIP_TRAILER_LENGTH) {
    throw gzipRefusal(
      `expected ${GZIP_TRAILER_LENGTH} bytes after the deflate stream, got ${left}: the chunk is truncated`,
      position,
    );
  }
  const storedCrc = view.getUint32(position, true);
  const crc = crc32(kernels, output);
  if (storedCrc !== crc) {
    throw gzipRefusal(
      `expected CRC-32 ${storedCrc}, got ${crc}: the chunk is damaged; copy or write it again`,
      position,
    );
  }
  const storedLength = view.getUint32(position + 4, true);
  if (storedLength !== output.length % 2 ** 32) {
    throw gzipRefusal(
      `expected ${storedLength} decoded bytes, as the gzip trailer says, got ${output.length}: the chunk is damaged; copy or write it again`,
      position + 4,
    );
  }
}

const ZLIB_HEADER_LENGTH = 2;
const ZLIB_TRAILER_LENGTH = 4;

const zlibRefusal = (message: string, offset?: number): CodecError =>
  new CodecError(message, { codec: "zlib", offset });

/** Checks the header and returns its length. @throws CodecError */
function zlibHeaderLength(view: DataView): number {
  if (view.byteLength < ZLIB_HEADER_LENGTH + ZLIB_TRAILER_LENGTH) {
    throw zlibRefusal(
      `expected a zlib stream (RFC 1950), got ${view.byteLength} bytes, fewer than a header and a trailer`,
    );
  }
  const header = view.getUint16(0, false);
  // Compression method 8, a window of at most 32 KiB, and the check bits.
  if ((header & 0x0f00) !== 0x0800 || header >>> 12 > 7 || header % 31 !== 0) {
    throw zlibRefusal(`expected a zlib header (RFC 1950), got 0x${header.toString(16).padStart(4, "0")}`, 0);
  }
  if (header & 0x20) {
    throw zlibRefusal(
      "expected a zlib stream without a preset dictionary, got one that needs a dictionary",
      1,
    );
  }
  return ZLIB_HEADER_LENGTH;
}

/** Checks the check value, and that nothing follows it: a value is one stream. @throws CodecError */
function checkZlibTrailer(view: DataView, position: number, kernels: Kernels, output: Uint8Array): void {
  const left = view.byteLength - position;
  if (left !== ZLIB_TRAILER_LENGTH) {
    const what = left < ZLIB_TRAILER_LENGTH ? "the value is truncated" : "other bytes follow the stream";
    throw zlibRefusal(
      `expected ${ZLIB_TRAILER_LENGTH} bytes of Adler-32 after the deflate stream, got ${left}: ${what}`,
      position,
    );
  }
  const stored = view.getUint32(position, false);
  const adler = adler32(kernels, output);
  if (stored !== adler) {
    throw zlibRefusal(
      `expected Adler-32 ${stored}, got ${adler}: the chunk is damaged; copy or write it again`,
      position,
    );
  }
}

const GZIP: Wrapping = {
  codec: "gzip",
  trailerLength: GZIP_TRAILER_LENGTH,
  headerLength: gzipHeaderLength,
  checkTrailer: checkGzipTrailer,
  // The last four bytes are the size of the last member: usually of the whole value, and never more. A hint,
  // never trusted.
  claimedLength: (view) =>
    view.byteLength < GZIP_HEADER_LENGTH + GZIP_TRAILER_LENGTH
      ? 0
      : view.getUint32(view.byteLength - 4, true),
};
const ZLIB: Wrapping = {
  codec: "zlib",
  trailerLength: ZLIB_TRAILER_LENGTH,
  headerLength: zlibHeaderLength,
  checkTrailer: checkZlibTrailer,
};

const gzip: CodecEntry = deflateCodec(GZIP, 5, {
  both: {
    // -1 means zlib's default, level 6. Other v3 readers refuse levels outside 0 to 9.
    toV3: ({ level = 1, ...others }) =>
      isIntegerIn(level, -1, 9) ? { level: level === -1 ? 6 : level, ...others } : undefined,
    toNumcodecs: (configuration) => configuration,
  },
});
export default gzip;
export const zlib: CodecEntry = deflateCodec(ZLIB, 1, { only: "numcodecs" });
