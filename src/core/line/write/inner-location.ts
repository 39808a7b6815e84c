import { at, numberAt } from "../../../base/at.js";
import type { ChunkLocation, ShardLayout } from "../../codecs/pipeline.js";
import type { ChunkProjection } from "../shared/bands.js";

/** For error messages: the key of the shard, and the inner chunk's coordinates in the whole array. */
export function innerLocation(
  layout: ShardLayout,
  { chunk }: Pick<ChunkProjection, "chunk">,
  shard: ChunkLocation,
): ChunkLocation {
  const first = shard.firstInner ?? shard.chunk.map((index, d) => index * numberAt(layout.gridShape, d));
  const { key, maximumDecodedBytes } = shard;
  return { key, chunk: chunk.map((index, d) => at(first, d) + index), maximumDecodedBytes };
}
