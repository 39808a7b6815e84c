/**
 * The streams inside a block, by compressor. LZ4, BloscLZ and Snappy are this module's own; zlib and zstd are the codecs of
 * those names, loaded only where the metadata name them or a chunk has them, so that a page that reads blosc with lz4 does not
 * download zstd.
 */
import { CodecError, UnsupportedError } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { BytesToBytesCodec, ChunkSpec, CodecEntry } from "../codec.js";
import { MissingModule } from "../late-modules.js";
import { BLOSC, type CompressorFormat, type ForeignFormat } from "./formats.js";
import { bloscOperand, expectDecoded, type LzDecoder } from "./kernels.js";

type EntryLoader = () => Promise<{ readonly default: CodecEntry }>;

const LOADERS: ReadonlyMap<CompressorFormat, EntryLoader> = new Map<CompressorFormat, EntryLoader>([
  ["zlib", () => import("../gzip/zlib.js")],
  ["zstd", () => import("../zstd/zstd.js")],
]);
const loaded = new Map<CompressorFormat, CodecEntry>();

export function isForeign(format: CompressorFormat): format is ForeignFormat {
  return format === "zlib" || format === "zstd";
}

/** Loads the codec for streams of `format`, or those for all formats when it is undefined. */
export async function loadForeignCodecs(
  kernels: Kernels,
  format: CompressorFormat | undefined,
): Promise<void> {
  const load = async (name: CompressorFormat, loader: EntryLoader): Promise<void> => {
    const entry = (await loader()).default;
    await entry.load?.(kernels);
    loaded.set(name, entry);
  };
  const wanted = [...LOADERS].filter(([name]) => format === undefined || name === format);
  await Promise.all(wanted.map(([name, loader]) => load(name, loader)));
}

/**
 * The codec for streams of a foreign format.
 * @throws UnsupportedError that loads it, when it was not loaded: the chunk was compressed with another compressor than the metadata name
 */
export function foreignCodec(format: ForeignFormat, level: number, spec: ChunkSpec): BytesToBytesCodec {
  const codec = loaded.get(format)?.fromConfig({ level }, spec);
  if (codec !== undefined && (codec.kind === undefined || codec.kind === "bytes_to_bytes")) return codec;
  throw new UnsupportedError(
    `expected the compressor that the metadata name, got ${format}, whose decoder is not loaded yet; with "cname": "${format}" in the metadata it is`,
    { codec: BLOSC, cause: new MissingModule((kernels) => loadForeignCodecs(kernels, format)) },
  );
}

export interface StreamContext {
  readonly kernels: Kernels;
  readonly format: CompressorFormat;
  /** Of the format: this module's own, or a codec. */
  readonly decoder: LzDecoder | BytesToBytesCodec;
}

/**
 * Decodes one stream, which begins at byte `offset` of the chunk, to exactly `target.length` bytes. They are in `target`, or in
 * memory that a foreign codec allocated. No more than the first `wanted` of them are sure to be there.
 *
 * @throws CodecError
 */
export function decodeStream(
  target: Uint8Array,
  stream: Uint8Array,
  offset: number,
  wanted: number,
  context: StreamContext,
): Uint8Array {
  const { kernels, format, decoder } = context;
  if (typeof decoder === "object") return decodeForeign(target.length, stream, offset, decoder, context);
  const made = decoder(target, bloscOperand(kernels, stream), wanted);
  expectDecoded(made, format === "lz4" ? wanted : target.length, format, BLOSC, offset);
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
    throw new CodecError(`expected ${byteLength} bytes at once`, { codec: format });
  } catch (cause) {
    throw new CodecError(
      `expected a ${format} stream of ${byteLength} bytes at byte ${offset}, got a bad one`,
      { codec: BLOSC, offset, cause },
    );
  }
}
