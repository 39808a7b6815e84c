/** Lists of codecs with and without sharding, to create and convert arrays. */
import { isJsonArray } from "../../../metadata/json.js";
import type { ChunkGrid, CodecMetadata } from "../../../metadata/model.js";
import { readCodecs } from "../configuration.js";
import { SHARDING } from "./document.js";

/**
 * The sharding codec. Its index is little-endian with a checksum, at the end of the shard, as all
 * implementations write it.
 */
export function sharded(codecs: readonly CodecMetadata[], innerShape: readonly number[]): CodecMetadata {
  return {
    name: SHARDING,
    configuration: {
      chunk_shape: innerShape,
      codecs: codecs.map(({ name, configuration }) => ({ name, configuration })),
      index_codecs: [
        { name: "bytes", configuration: { endian: "little" } },
        { name: "crc32c", configuration: {} },
      ],
      index_location: "end",
    },
  };
}

/** Chunk grid and codecs without (nested) sharding: the innermost chunks become the chunks. */
export function withoutSharding(
  codecs: readonly CodecMetadata[],
  chunkGrid: ChunkGrid,
): { readonly codecs: readonly CodecMetadata[]; readonly chunkGrid: ChunkGrid } {
  const at = codecs.findIndex(({ name }) => name === SHARDING);
  const sharding = codecs[at]?.configuration;
  if (sharding === undefined) return { codecs, chunkGrid };
  const before = codecs.slice(0, at);
  const inner = readCodecs(SHARDING, sharding, "codecs");
  const grid: ChunkGrid = isJsonArray(sharding.chunk_shape)
    ? { name: "regular", chunkShape: beforeTranspose(sharding.chunk_shape.map(Number), before) }
    : chunkGrid;
  return withoutSharding([...before, ...inner, ...codecs.slice(at + 1)], grid);
}

/** The shape before the transpositions of `codecs`. */
function beforeTranspose(shape: readonly number[], codecs: readonly CodecMetadata[]): readonly number[] {
  return codecs.reduceRight((after, { configuration: { order } }) => {
    if (!isJsonArray(order)) return after;
    const before = after.slice();
    for (const [i, dimension] of order.entries()) before[Number(dimension)] = after[i] ?? 1;
    return before;
  }, shape);
}
