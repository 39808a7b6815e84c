/**
 * `blosc` (bytes -> bytes): c-blosc 1.x chunks; blocks of shuffled, compressed bytes.
 * https://zarr-specs.readthedocs.io/en/latest/v3/codecs/blosc/index.html and, as v2 filter and `numcodecs.blosc`,
 * https://numcodecs.readthedocs.io/en/stable/compression/blosc.html
 * `{"name": "blosc", "configuration": {"cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 4, "blocksize": 0}}`
 */
import type { Kernels } from "../../kernels/kernels.js";
import type { JsonObject } from "../../metadata/json.js";
import { product } from "../../shape.js";
import type { BytesToBytesCodec, ChunkSpec, CodecEntry } from "../codec.js";
import { codecWorkspace } from "../zstd/workspace.js";
import { type BloscSettings, namedFormat, prepareSettings, readSettings } from "./configuration.js";
import { type BlockDecoders, decodeBlocks } from "./decode.js";
import { bitunshuffleWorkspace, COMPRESSORS, LZ4_HIGH_WORKSPACE } from "./formats.js";
import { bloscEncoder, loadBloscKernels } from "./kernels.js";
import { neededRanges } from "./needed-ranges.js";
import { loadBlockPairs } from "./pairs.js";
import { foreignCodec, isForeign, loadForeignCodecs } from "./streams.js";

/** Of a range it decodes only the blocks that are needed. */
export type BloscCodec = BytesToBytesCodec & Required<Pick<BytesToBytesCodec, "decodeRange">>;

/** Blocks are hardly ever longer; c-blosc chooses 1 MiB at most. Of longer ones a part is decoded by the twin. */
const USUAL_BLOCKSIZE = 4 * 1024 * 1024;

/** The filtered block, and for bitshuffle or a foreign codec another one; what the filter, encoder or foreign codec want besides. */
function scratchByteLength(
  { blocksize, level, typesize }: BloscSettings,
  { shape, dataType }: ChunkSpec,
): number {
  const byteLength = product(shape, dataType.itemSize);
  const block = Math.max(blocksize, USUAL_BLOCKSIZE);
  // Of elements of variable length nobody knows how many bytes there are.
  const longest = byteLength > 0 ? Math.min(byteLength, block) : block;
  // The workspaces of zstd and of LZ4 are never in use together.
  return (
    2 * longest +
    bitunshuffleWorkspace(typesize) +
    Math.max(LZ4_HIGH_WORKSPACE, codecWorkspace(zstdLevel(level)))
  );
}

const blosc = {
  kind: "bytes_to_bytes",
  /** @param configuration says which compressor to load; without one, all are */
  async load(kernels: Kernels, configuration?: JsonObject): Promise<void> {
    bloscEncoder.announce();
    await Promise.all([loadBloscKernels(kernels), loadForeignCodecs(kernels, namedFormat(configuration))]);
  },
  checkWriting(configuration: JsonObject): void {
    readSettings(configuration, 1);
  },
  fromConfig(configuration: JsonObject, spec: ChunkSpec): BloscCodec {
    const settings = prepareSettings(configuration, spec.dataType.itemSize);
    const { compressor, filter, level, typesize } = settings.estimate;
    const format = COMPRESSORS[compressor];
    const decoders: BlockDecoders = {
      findCodec: (format) => foreignCodec(format, format === "zstd" ? zstdLevel(level) : level, spec),
    };
    return {
      kind: "bytes_to_bytes",
      synchronous: true,
      scratchByteLength: scratchByteLength(settings.estimate, spec),
      decode: (bytes, context) => decodeBlocks(bytes, context, decoders),
      decodeRange: (bytes, start, end, context, elements) =>
        decodeBlocks(bytes, context, decoders, start, end, elements),
      neededRanges,
      // Shuffling single bytes changes nothing.
      ...(format === "lz4" &&
        (filter === "none" || typesize === 1) && {
          loadPairs: (kernels) => loadBlockPairs(kernels, decoders),
        }),
      encode(bytes, { kernels }) {
        const codec = isForeign(format) ? decoders.findCodec(format) : undefined;
        return bloscEncoder.get().encodeChunk(bytes, settings.get(), kernels, codec);
      },
    };
  },
} as const satisfies CodecEntry;
export default blosc;

/**
 * zstd's levels for those of blosc, which stand for speed as they do with the other compressors. c-blosc takes 1, 3, 5 and so on to 15, 20
 * and 22: at its default, 5, the bytes are 2 % fewer than here, in three times the time.
 */
const ZSTD_LEVELS = [1, 1, 2, 3, 3, 3, 5, 7, 9, 22];

function zstdLevel(level: number): number {
  return ZSTD_LEVELS[level] ?? 3;
}
