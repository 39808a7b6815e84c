/**
 * `zstd` (bytes -> bytes): Zstandard, RFC 8878. Reads frames with and without content size and checksum, several of them,
 * and skippable ones; frames that need a dictionary are refused.
 * https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/zstd, numcodecs' `zstd`
 * `{"name": "zstd", "configuration": {"level": 0, "checksum": false}}`; both are used for writing only.
 */
import { describe } from "../../data-types/describe.js";
import { CodecError, InvalidMetadataError } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { BytesToBytesCodec, CodecEntry, DecodeContext } from "../codec.js";
import { readConfiguration, readInteger } from "../configuration.js";
import { describeFailure, OUTPUT_OVERRUN } from "../decoder-result.js";
import { loadBeforeWriting } from "../load-for-writing.js";
import { decodeIntoOutput } from "../output.js";
import { decodeZstd, loadZstdKernels } from "./kernels.js";
import { codecWorkspace } from "./workspace.js";

const CODEC = "zstd";
/** A block of one repeated byte: 4 bytes for up to 128 KiB. */
const MAXIMUM_EXPANSION = 32768;

let encoder: typeof import("./encode/encode.js") | undefined;

async function loadEncoder(kernels: Kernels): Promise<void> {
  const module = await import("./encode/encode.js");
  await module.loadEncoder(kernels);
  encoder = module;
}

const zstd: CodecEntry = {
  kind: "bytes_to_bytes",
  async load(kernels) {
    loadBeforeWriting(loadEncoder);
    await loadZstdKernels(kernels);
  },
  fromConfig(configuration): BytesToBytesCodec {
    const { checksum = false } = readConfiguration(CODEC, configuration, ["level", "checksum"]);
    const level = readInteger(CODEC, configuration, "level", { minimum: -131072, maximum: 22, absent: 0 });
    if (typeof checksum !== "boolean") {
      throw new InvalidMetadataError(`expected true or false, got ${describe(checksum)}`, {
        codec: CODEC,
        member: "configuration.checksum",
      });
    }
    return {
      kind: "bytes_to_bytes",
      synchronous: true,
      scratchByteLength: codecWorkspace(level),
      decode: (bytes, context) => decode(bytes, context),
      decodeRange,
      encode(bytes, { kernels }) {
        if (encoder === undefined) throw new TypeError("expected loadForWriting() to have been awaited");
        return encoder.encodeZstd(kernels, bytes, level, checksum);
      },
    };
  },
};
export default zstd;

/**
 * Blocks as far as `end`: what follows is not looked at, unless a checksum is to be compared, or the first frame claims another length
 * than all of them should have.
 */
function decodeRange(bytes: Uint8Array, start: number, end: number, context: DecodeContext): Uint8Array {
  const { byteLength = end } = context;
  const isPart = end < byteLength && (contentSize(bytes) ?? byteLength) === byteLength;
  const decoded = decode(bytes, context, isPart ? end : undefined);
  const expected = isPart ? end : byteLength;
  if (decoded.length >= expected) return decoded.subarray(start, end);
  throw new CodecError(`expected ${expected} decoded bytes, got ${decoded.length}`, { codec: CODEC });
}

/** @param wanted bytes that are needed */
function decode(bytes: Uint8Array, context: DecodeContext, wanted?: number): Uint8Array {
  const size = {
    estimate: context.byteLength ?? contentSize(bytes) ?? 4 * bytes.length,
    maximum: bytes.length * MAXIMUM_EXPANSION,
  };
  return decodeIntoOutput(
    context,
    size,
    (output) => {
      const result = decodeZstd(context.kernels, output, bytes, wanted);
      if (result >= 0) return result;
      const { code, reason, offset } = describeFailure(result);
      if (code === OUTPUT_OVERRUN) return undefined;
      throw new CodecError(
        `expected zstd frames (RFC 8878), got ${bytes.length} bytes in which, in what begins at byte ${offset}, ${reason}`,
        { codec: CODEC, offset },
      );
    },
    (capacity) =>
      new CodecError(
        `expected zstd frames (RFC 8878) of at most ${capacity} decoded bytes, got ones that make more`,
        {
          codec: CODEC,
        },
      ),
  );
}

/** What the first frame claims to hold; undefined where it does not say, or is no frame. */
function contentSize(bytes: Uint8Array): number | undefined {
  const descriptor = bytes[4] ?? 0;
  const single = (descriptor & 0x20) !== 0;
  const flag = descriptor >>> 6;
  if (flag === 0 && !single) return undefined;
  const start = (single ? 5 : 6) + ((1 << (descriptor & 3)) >>> 1);
  let size = flag === 1 ? 256 : 0;
  for (let i = 0; i < 1 << flag; i++) size += (bytes[start + i] ?? 0) * 256 ** i;
  return size;
}
