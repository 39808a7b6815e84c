/**
 * `blosc` (bytes -> bytes): c-blosc 1.x chunks; blocks of shuffled, compressed bytes.
 * https://zarr-specs.readthedocs.io/en/latest/v3/codecs/blosc/index.html and, as v2 filter and
 * `numcodecs.blosc`, https://numcodecs.readthedocs.io/en/stable/compression/blosc.html `{"name": "blosc",
 * "configuration": {"cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 4, "blocksize": 0}}`
 */
import { describe } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { Json, JsonObject } from "../../metadata/json.js";
import { product } from "../../shape.js";
import type { BytesToBytesCodec, ChunkSpec, CodecEntry } from "../codec.js";
import {
  readChoice,
  readConfiguration,
  readInteger,
  type WriteSettings,
  writeSettings,
  wrongMember,
} from "../configuration.js";
import { codecWorkspace } from "../zstd/workspace.js";
import { decodeBlocks } from "./decode.js";
import { FORMS } from "./documents.js";
import {
  BLOSC,
  type BloscSettings,
  bitunshuffleWorkspace,
  COMPRESSOR_NAMES,
  COMPRESSORS,
  type CompressorFormat,
  type Filter,
  LZ4_HIGH_WORKSPACE,
} from "./formats.js";
import { bloscEncoder, loadBloscKernels } from "./kernels.js";
import { neededRanges } from "./needed.js";
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
  kind: "bytes_to_bytes",
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

// The configuration, as v3 and as numcodecs (v2, `numcodecs.blosc`) spell it.
/** v3's names, then numcodecs' numbers; -1 is numcodecs' AUTOSHUFFLE. */
const FILTERS = new Map<Json, Filter | "auto">([
  ["noshuffle", "none"],
  ["shuffle", "shuffle"],
  ["bitshuffle", "bitshuffle"],
  [0, "none"],
  [1, "shuffle"],
  [2, "bitshuffle"],
  [-1, "auto"],
]);

const MAXIMUM_TYPESIZE = 255;

/**
 * Only writing depends on these settings: a chunk describes itself. So only an unknown member of the
 * configuration prevents reading.
 * @throws InvalidMetadataError
 */
function prepareSettings(configuration: JsonObject, itemSize: number): WriteSettings<BloscSettings> {
  readConfiguration(BLOSC, configuration, ["cname", "clevel", "shuffle", "typesize", "blocksize"]);
  return writeSettings(() => readSettings(configuration, itemSize), readSettings({}, itemSize));
}

/**
 * `typesize` defaults to the data type's size; one above 255 counts as 1, as in c-blosc.
 *
 * @throws InvalidMetadataError
 */
function readSettings(configuration: JsonObject, itemSize: number): BloscSettings {
  const compressor = readChoice(BLOSC, configuration, "cname", COMPRESSOR_NAMES, "lz4");
  const { shuffle = -1 } = configuration;
  const filter = FILTERS.get(shuffle);
  if (filter === undefined) {
    throw wrongMember(BLOSC, "shuffle", [...FILTERS.keys()].map(describe).join(" or "), shuffle);
  }
  const level = readInteger(BLOSC, configuration, "clevel", { minimum: 0, maximum: 9, absent: 5 });
  const blocksize = readInteger(BLOSC, configuration, "blocksize", {
    minimum: 0,
    maximum: 2 ** 31 - 1,
    absent: 0,
  });
  const typesize = readInteger(BLOSC, configuration, "typesize", {
    minimum: 1,
    maximum: 2 ** 31 - 1,
    // Elements of variable length are bytes at this point.
    absent: Math.max(1, itemSize),
  });
  return {
    compressor,
    level,
    filter: filter !== "auto" ? filter : itemSize === 1 ? "bitshuffle" : "shuffle",
    typesize: typesize > MAXIMUM_TYPESIZE ? 1 : typesize,
    blocksize,
  };
}

/** The format that the configuration's compressor writes; undefined for no compressor or an unknown one. */
function namedFormat(configuration: JsonObject | undefined): CompressorFormat | undefined {
  const name = COMPRESSOR_NAMES.find((each) => each === configuration?.cname);
  return name && COMPRESSORS[name];
}
