/**
 * `zstd` (bytes -> bytes): Zstandard, RFC 8878. Reads any number of frames, with and without content size and
 * checksum, and skippable frames. Refuses frames that need a dictionary; `decodeZstd` has one for other
 * callers.
 * https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/zstd, numcodecs' `zstd` `{"name":
 * "zstd", "configuration": {"level": 0, "checksum": false}}`: both for writing only. Levels out of range
 * count as the nearest, as in numcodecs; v3 allows none beyond 22.
 */
import { CodecError } from "../../../base/errors.js";
import type { Kernels } from "../../../kernels/kernels.js";
import zstdModule from "../../../kernels/modules/zstd.generated.js";
import type { JsonObject } from "../../../metadata/json.js";
import type { BytesToBytesCodec, CodecEntry, DecodeContext } from "../codec.js";
import { isIntegerIn, readChoice, readConfiguration, readInteger, writeSettings } from "../configuration.js";
import { damagedData, decodeIntoOutput, describeFailure, OUTPUT_OVERRUN } from "../decoder-result.js";
import { inArena, lazyKernelModule } from "../modules/kernel-modules.js";
import { lazyFallback } from "../modules/missing-modules.js";
import { lazyEncoder } from "../modules/writing-modules.js";
import { codecWorkspace, DECODE_WORKSPACE } from "./workspace.js";

const CODEC = "zstd";
/** A block of one repeated byte: 4 bytes for up to 128 KiB. */
const MAXIMUM_EXPANSION = 32768;

const MINIMUM_LEVEL = -131072;
const MAXIMUM_LEVEL = 22;
const MAXIMUM_INTEGER = 2 ** 31 - 1;

const encoder = lazyEncoder(async (kernels) => {
  const module = await import("./encode/encode.js");
  await module.loadEncoder(kernels);
  return module;
});

const zstd: CodecEntry = {
  codecKind: "bytes_to_bytes",
  forms: {
    // numcodecs before 0.13 refuses the member `checksum`.
    defaults: (_, form) => ({ level: 0, ...(form === "v3" && { checksum: false }) }),
    both: {
      toV3: ({ level = 0, checksum = false }) =>
        isIntegerIn(level, MINIMUM_LEVEL, MAXIMUM_LEVEL) && typeof checksum === "boolean"
          ? { level, checksum }
          : undefined,
      toNumcodecs: ({ level = 0, checksum = false }) => ({
        level,
        ...(checksum === true && { checksum }),
      }),
    },
    level: "level",
  },
  async load(kernels) {
    encoder.announce();
    await loadZstdKernels(kernels);
  },
  checkWriting(configuration, name) {
    readSettings(configuration, name === CODEC ? MAXIMUM_LEVEL : MAXIMUM_INTEGER);
  },
  fromConfig(configuration): BytesToBytesCodec {
    readConfiguration(CODEC, configuration, ["level", "checksum"]);
    const settings = writeSettings(() => readSettings(configuration, MAXIMUM_INTEGER), {
      level: 0,
      checksum: false,
    });
    return {
      kind: "bytes_to_bytes",
      synchronous: true,
      scratchByteLength: codecWorkspace(settings.estimate.level),
      decode: (bytes, context) => decode(bytes, context),
      decodeRange,
      encode(bytes, { kernels }) {
        const { level, checksum } = settings.get();
        return encoder.get().encodeZstd(kernels, bytes, level, checksum);
      },
    };
  },
};
export default zstd;

function readSettings(
  configuration: JsonObject,
  maximum: number,
): { readonly level: number; readonly checksum: boolean } {
  const checksum = readChoice(CODEC, configuration, "checksum", [true, false], false);
  const level = readInteger(CODEC, configuration, "level", { minimum: -(2 ** 31), maximum, absent: 0 });
  return { level: Math.min(Math.max(level, MINIMUM_LEVEL), MAXIMUM_LEVEL), checksum };
}

/**
 * Decodes blocks up to `end`. Later bytes are not checked, unless a checksum has to be compared, or the first
 * frame claims a length other than that of the whole value.
 */
function decodeRange(bytes: Uint8Array, start: number, end: number, context: DecodeContext): Uint8Array {
  const { byteLength = end } = context;
  const isPart = end < byteLength && (contentSize(bytes) ?? byteLength) === byteLength;
  const decoded = decode(bytes, context, isPart ? end : undefined);
  const expected = isPart ? end : byteLength;
  if (decoded.length >= expected) return decoded.subarray(start, end);
  throw new CodecError(`expected ${expected} decoded bytes, got ${decoded.length}`, { codec: CODEC });
}

/** @param enough bytes that are needed, by default all */
export function decode(bytes: Uint8Array, context: DecodeContext, enough?: number): Uint8Array {
  const claimed = contentSize(bytes);
  const format = {
    codec: CODEC,
    format: "zstd frames (RFC 8878)",
    claimed,
    estimate: context.byteLength ?? claimed ?? 4 * bytes.length,
    maximum: bytes.length * MAXIMUM_EXPANSION,
  };
  return decodeIntoOutput(context, format, (output) => {
    const result = decodeZstd(context.kernels, output, bytes, enough);
    if (result >= 0) return result;
    const { code, reason, offset } = describeFailure(result);
    if (code === OUTPUT_OVERRUN) return undefined;
    throw damagedData(CODEC, "zstd frames (RFC 8878)", offset, reason);
  });
}

/**
 * The content size that the first frame claims; undefined if it claims none. Does not check the magic number,
 * and takes missing bytes for zeros: the decoder refuses both.
 */
function contentSize(bytes: Uint8Array): number | undefined {
  const [descriptor = 0] = bytes.subarray(4);
  const single = (descriptor & 0x20) !== 0;
  const flag = descriptor >>> 6;
  if (flag === 0 && !single) return undefined;
  const start = (single ? 5 : 6) + ((1 << (descriptor & 3)) >>> 1);
  let size = flag === 1 ? 256 : 0;
  for (const [i, byte] of bytes.subarray(start, start + (1 << flag)).entries()) size += byte * 256 ** i;
  return size;
}

const kernelModule = lazyKernelModule("zstd", zstdModule);
const fallback = lazyFallback("zstd", () => import("./javascript/decode.js"));

export async function loadZstdKernels(kernels: Kernels): Promise<void> {
  if ((await kernelModule.load(kernels)) === undefined) await fallback.load();
}

/**
 * Decodes all frames of `source`, or at least the first `wanted` bytes, but frames with a checksum to their
 * end: in WASM if its module is loaded and everything lies in the arena, else by the fallback. The first
 * `dictionary` bytes of `target` are a dictionary for the only frame, which is decoded after them. Returns
 * bytes written, or a failure (decoder-result.ts).
 */
export function decodeZstd(
  kernels: Kernels,
  target: Uint8Array,
  source: Uint8Array,
  enough = Number.POSITIVE_INFINITY,
  dictionary = 0,
): number {
  const module = kernelModule.of(kernels);
  const decode = module?.exports.decode;
  const to = module?.pointer(target);
  if (module === undefined || decode === undefined || to === undefined)
    return fallback.get().decodeZstd(target, source, enough, dictionary);
  const mark = kernels.mark();
  const workspace = module.pointer(kernels.allocate(DECODE_WORKSPACE));
  const from = inArena(kernels, module, source);
  kernels.release(mark);
  if (workspace === undefined || from === undefined)
    return fallback.get().decodeZstd(target, source, enough, dictionary);
  const room = target.length - dictionary;
  return decode(
    to + dictionary,
    room,
    from,
    source.length,
    workspace,
    Math.min(enough, room + 1),
    dictionary,
  );
}
