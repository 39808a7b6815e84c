import { innerChunkShape } from "../codecs/inner-chunk-shape.js";
import { type ChunkRuns, chunkRuns, regularRuns } from "../grid/chunk-grid.js";
import type { ArrayMetadata } from "../metadata/model.js";

/** The chunks that are decoded one by one, of each dimension: those inside shards where there are any. */
export function readRuns(metadata: ArrayMetadata): readonly ChunkRuns[] {
  const inner = innerChunkShape(metadata);
  return inner === undefined ? chunkRuns(metadata.chunkGrid) : regularRuns(inner);
}
