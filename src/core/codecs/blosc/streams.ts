/**
 * The streams inside a block, by compressor. Kernels of this folder decode LZ4, BloscLZ and Snappy; the
 * codecs zlib and zstd decode theirs. These codecs are loaded only if the metadata name them or a chunk uses
 * them, so that a page that reads blosc with lz4 does not download zstd.
 */
import { CodecError, UnsupportedError } from "../../../base/errors.js";
import type { Kernels } from "../../../kernels/kernels.js";
import lzPairModule from "../../../kernels/modules/lz4-pair.generated.js";
import type { BytesToBytesCodec, ChunkSpec, CodecEntry } from "../codec.js";
import { functionsOf, inArena, lazyKernelModule } from "../modules/kernel-modules.js";
import { MissingModule } from "../modules/missing-modules.js";
import {
  BLOSC,
  type BloscHeader,
  type CompressorFormat,
  type ForeignFormat,
  HEADER_LENGTH,
  splitCount,
} from "./formats.js";
import { bloscOperand, expectDecoded, type LzDecoder } from "./kernels.js";

const LOADERS: ReadonlyMap<CompressorFormat, () => Promise<CodecEntry>> = new Map([
  ["zlib", async () => (await import("../gzip/gzip.js")).zlib],
  ["zstd", async () => (await import("../zstd/zstd.js")).default],
]);
const loaded = new Map<CompressorFormat, CodecEntry>();

export function isForeign(format: CompressorFormat): format is ForeignFormat {
  return format === "zlib" || format === "zstd";
}

/** Loads the codec for streams of `format`, or the codecs for all formats if it is undefined. */
export async function loadForeignCodecs(
  kernels: Kernels,
  format: CompressorFormat | undefined,
): Promise<void> {
  const loaders = [...LOADERS].filter(([name]) => format === undefined || name === format);
  await Promise.all(
    loaders.map(async ([name, loader]) => {
      const entry = await loader();
      await entry.load?.(kernels);
      loaded.set(name, entry);
    }),
  );
}

/**
 * The codec for streams of a foreign format.
 * @throws UnsupportedError whose cause loads the codec, if it is not loaded: the chunk uses another
 * compressor than the metadata name
 */
export function foreignCodec(format: ForeignFormat, level: number, spec: ChunkSpec): BytesToBytesCodec {
  const codec = loaded.get(format)?.fromConfig({ level }, spec);
  if (codec !== undefined && (codec.kind === undefined || codec.kind === "bytes_to_bytes")) return codec;
  throw new UnsupportedError(
    `the chunk is compressed by ${format}, not by the compressor in the metadata, and the decoder of ${format} is not loaded; set "cname": "${format}" in the metadata`,
    { codec: BLOSC, cause: new MissingModule((kernels) => loadForeignCodecs(kernels, format)) },
  );
}

export interface StreamContext {
  readonly kernels: Kernels;
  readonly format: CompressorFormat;
  /** The decoder of `format`: a kernel, or a codec. */
  readonly decoder: LzDecoder | BytesToBytesCodec;
}

/**
 * Decodes one stream, which begins at byte `offset` of the chunk, to exactly `target.length` bytes, in
 * `target` or in memory that a foreign codec allocated. Only the first `wanted` bytes are sure to be decoded.
 *
 * @throws CodecError
 */
export function decodeStream(
  target: Uint8Array,
  stream: Uint8Array,
  offset: number,
  enough: number,
  context: StreamContext,
): Uint8Array {
  const { kernels, format, decoder } = context;
  if (typeof decoder === "object") return decodeForeign(target.length, stream, offset, decoder, context);
  const made = decoder(target, bloscOperand(kernels, stream), enough);
  expectDecoded(made, format === "lz4" ? enough : target.length, format, BLOSC, offset);
  return target;
}

function decodeForeign(
  byteLength: number,
  stream: Uint8Array,
  offset: number,
  codec: BytesToBytesCodec,
  { kernels, format }: StreamContext,
): Uint8Array {
  try {
    const decoded = codec.decode(stream, { kernels, byteLength, maximumByteLength: byteLength });
    if (decoded instanceof Uint8Array && decoded.length === byteLength) return decoded;
    throw new CodecError(`expected ${byteLength} decoded bytes from a synchronous codec`, { codec: format });
  } catch (cause) {
    throw new CodecError(
      `damaged ${format} stream at byte ${offset}: it does not decode to ${byteLength} bytes; copy or write this chunk again`,
      { codec: BLOSC, offset, cause },
    );
  }
}

export interface BlockDecoders {
  /** Returns the codec for zlib or zstd streams. */
  findCodec(format: ForeignFormat): BytesToBytesCodec;
  /** Present once the module for pairs is loaded. */
  decodePair?: BlockPairDecoder;
}

/**
 * Decodes block `block` of a chunk and the next one at once, if that is faster.
 *
 * @param target where the first block begins, at least as long as both
 * @param enough how many bytes are needed there, or more
 * @returns how many bytes of the chunk they took; undefined without a second block, or if either is unusual
 * or damaged
 */
export type BlockPairDecoder = (
  bytes: Uint8Array,
  header: BloscHeader,
  block: number,
  target: Uint8Array,
  enough: number,
  kernels: Kernels,
) => number | undefined;

const pairModule = lazyKernelModule("lz4-pair", lzPairModule);
const pairFunctionOf = functionsOf((_, find) => find("lz4_decode_pair"));

/**
 * Lets two LZ4 blocks be decoded at once: each waits only for its own tokens, and a processor has room for
 * both. Works for usual blocks only: not filtered, one compressed stream each; decode.ts handles all others,
 * and errors. Returns no PairDecoder, since these are blocks of one value.
 */
export async function loadBlockPairs(kernels: Kernels, decoders: BlockDecoders): Promise<undefined> {
  if (await pairModule.load(kernels)) decoders.decodePair = decodePair;
}

const decodePair: BlockPairDecoder = (bytes, header, block, target, enough, kernels) => {
  const { blocksize, filter, format } = header;
  const module = pairModule.of(kernels);
  if (module === undefined || filter !== "none" || format !== "lz4") return undefined;
  if (splitCount(header, blocksize) > 1 || enough <= blocksize) return undefined;
  const length = Math.min(blocksize, target.length - blocksize);
  const to = module.pointer(target);
  const first = onlyStreamOf(bytes, block, blocksize);
  const second = onlyStreamOf(bytes, block + 1, length);
  if (to === undefined || first === undefined || second === undefined) return undefined;
  const mark = kernels.mark();
  const from = inArena(kernels, module, first);
  const from2 = inArena(kernels, module, second);
  kernels.release(mark);
  if (from === undefined || from2 === undefined) return undefined;
  const enoughOfSecond = Math.min(enough - blocksize, length);
  return pairFunctionOf(module)(
    ...[to, blocksize, from, first.length, blocksize],
    ...[to + blocksize, length, from2, second.length, enoughOfSecond],
  ) === 1
    ? first.length + second.length + 2 * LENGTH_BYTES
    : undefined;
};

/** Bytes of the length before a stream. */
const LENGTH_BYTES = 4;

/** The only stream of a block; undefined if it is incomplete or stored. */
function onlyStreamOf(bytes: Uint8Array, block: number, decodedLength: number): Uint8Array | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const begin = view.getUint32(HEADER_LENGTH + 4 * block, true) + LENGTH_BYTES;
  if (begin > bytes.length) return undefined;
  const length = view.getUint32(begin - LENGTH_BYTES, true);
  return length > bytes.length - begin || length === decodedLength
    ? undefined
    : bytes.subarray(begin, begin + length);
}
