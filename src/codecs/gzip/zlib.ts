/**
 * numcodecs' `zlib` (bytes -> bytes): RFC 1950, Adler-32 verified; preset dictionaries are refused.
 * https://numcodecs.readthedocs.io/en/stable/compression/zlib.html
 * `{"id": "zlib", "level": 1}`; level 0 to 9, or -1 for the library's own, used for writing only.
 */
import { CodecError } from "../../errors.js";
import type { JsonObject } from "../../metadata/json.js";
import { adler32, loadChecksums } from "../checksums/kernels.js";
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

const CODEC = "zlib";
const HEADER_LENGTH = 2;
const TRAILER_LENGTH = 4;

const zlib: CodecEntry = {
  kind: "bytes_to_bytes",
  async load(kernels) {
    deflateEncoder.announce();
    await Promise.all([loadChecksums(kernels), loadInflate(kernels)]);
  },
  checkWriting(configuration) {
    readLevel(configuration);
  },
  fromConfig(configuration): BytesToBytesCodec {
    readConfiguration(CODEC, configuration, ["level"]);
    const level = writeSettings(() => readLevel(configuration), 1);
    return {
      kind: "bytes_to_bytes",
      synchronous: true,
      decode,
      loadPairs: (kernels, byteLength) =>
        pairDecoder(kernels, byteLength, checkHeader, checkTrailer, TRAILER_LENGTH),
      encode: (bytes, { kernels }) => deflateEncoder.get().encodeZlib(kernels, bytes, level.get()),
    };
  },
};
export default zlib;

function readLevel(configuration: JsonObject): number {
  return readInteger(CODEC, configuration, "level", { minimum: -1, maximum: 9, absent: 1 });
}

function decode(bytes: Uint8Array, context: DecodeContext): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  checkHeader(view);
  const decodeStream = (output: Uint8Array): number | undefined => {
    const result = inflate(context.kernels, output, bytes.subarray(HEADER_LENGTH));
    if (isOutputFull(result)) return undefined;
    if (result.written < 0) throw inflateError(CODEC, result, HEADER_LENGTH);
    checkTrailer(view, HEADER_LENGTH + result.read, context, output.subarray(0, result.written));
    return result.written;
  };
  const size = { estimate: 4 * bytes.length, maximum: bytes.length * MAXIMUM_EXPANSION };
  return decodeIntoOutput(context, size, decodeStream, (capacity) => outputFullError(CODEC, capacity));
}

/** Where the stream begins. @throws CodecError */
function checkHeader(view: DataView): number {
  if (view.byteLength < HEADER_LENGTH + TRAILER_LENGTH) {
    throw new CodecError(
      `expected a zlib stream (RFC 1950), got ${view.byteLength} bytes, fewer than its header and trailer`,
      {
        codec: CODEC,
      },
    );
  }
  const header = view.getUint16(0, false);
  // Compression method 8, a window of at most 32 KiB, and the check bits.
  if ((header & 0x0f00) !== 0x0800 || header >>> 12 > 7 || header % 31 !== 0) {
    throw new CodecError(`expected a zlib header (RFC 1950), got 0x${header.toString(16).padStart(4, "0")}`, {
      codec: CODEC,
      offset: 0,
    });
  }
  if (header & 0x20) {
    throw new CodecError(
      "expected a zlib stream without a preset dictionary, got one that needs a dictionary nobody can name",
      {
        codec: CODEC,
        offset: 1,
      },
    );
  }
  return HEADER_LENGTH;
}

function checkTrailer(view: DataView, position: number, context: DecodeContext, output: Uint8Array): void {
  const left = view.byteLength - position;
  if (left !== TRAILER_LENGTH) {
    const what = left < TRAILER_LENGTH ? "the value is truncated" : "something follows the stream";
    throw new CodecError(
      `expected ${TRAILER_LENGTH} bytes behind the deflate stream, its Adler-32, got ${left}: ${what}`,
      {
        codec: CODEC,
        offset: position,
      },
    );
  }
  const stored = view.getUint32(position, false);
  const adler = adler32(context.kernels, output);
  if (stored !== adler) {
    throw new CodecError(`expected Adler-32 ${stored} as stored, got ${adler}: the data are damaged`, {
      codec: CODEC,
      offset: position,
    });
  }
}
