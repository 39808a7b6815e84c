/**
 * `blosc` (bytes -> bytes): c-blosc 1.x chunks; blocks of shuffled, compressed bytes.
 * https://zarr-specs.readthedocs.io/en/latest/v3/codecs/blosc/index.html and, as v2 filter and
 * `numcodecs.blosc`, https://numcodecs.readthedocs.io/en/stable/compression/blosc.html `{"name": "blosc",
 * "configuration": {"cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 4, "blocksize": 0}}`
 */

import { product } from "../../../base/shape.js";
import type { Kernels } from "../../../kernels/kernels.js";
import type { JsonObject } from "../../../metadata/json.js";
import type { BytesToBytesCodec, ChunkSpec, CodecEntry } from "../codec.js";
import { codecWorkspace } from "../zstd/workspace.js";
import { decodeBlocks } from "./decode.js";
import { FORMS } from "./documents.js";
import { type BloscSettings, bitunshuffleWorkspace, COMPRESSORS, LZ4_HIGH_WORKSPACE } from "./formats.js";
import { bloscEncoder, loadBloscKernels } from "./kernels.js";
import { neededRanges } from "./needed.js";
import { namedFormat, prepareSettings, readSettings } from "./settings.js";
import { type BlockDecoders, foreignCodec, isForeign, loadBlockPairs, loadForeignCodecs } from "./streams.js";

/** Decodes only the blocks that a range needs. */
type BloscCodec = BytesToBytesCodec & Required<Pick<BytesToBytesCodec, "decodeRange">>;

/**
 * Block sizes are hardly ever larger; c-blosc chooses 1 MiB at most. Of larger blocks the fallback decodes a
 * part.
 */
const USUAL_BLOCKSIZE = 4 * 1024 * 1024;

/**
 * Bytes for the filtered block, a second block for bitshuffle or a foreign codec, and workspace of filter,
 * encoder or foreign codec.
 */
function scratchByteLength(
  { blocksize, level, typesize }: BloscSettings,
  { shape, dataType }: ChunkSpec,
): number {
  const byteLength = product(shape, dataType.itemSize);
  const block = Math.max(blocksize, USUAL_BLOCKSIZE);
  // Nobody knows the byte length of elements of variable length.
  const longest = byteLength > 0 ? Math.min(byteLength, block) : block;
  // The workspaces of zstd and of LZ4 are never in use together.
  return (
    2 * longest +
    bitunshuffleWorkspace(typesize) +
    Math.max(LZ4_HIGH_WORKSPACE, codecWorkspace(zstdLevel(level)))
  );
}

const blosc = {
  codecKind: "bytes_to_bytes",
  forms: FORMS,
  /** @param configuration names the compressor to load; without a configuration, all are loaded */
  async load(kernels: Kernels, configuration?: JsonObject): Promise<void> {
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
      // The byte shuffle leaves single bytes unchanged.
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
 * zstd's levels for those of blosc, which stand for speed as with the other compressors. c-blosc takes 1, 3,
 * 5 and so on to 15, 20 and 22: at its default, 5, its output has 2 % fewer bytes than ours, in three times
 * the time.
 */
const ZSTD_LEVELS = [1, 1, 2, 3, 3, 3, 5, 7, 9, 22];

function zstdLevel(level: number): number {
  return ZSTD_LEVELS[level] ?? 3;
}
