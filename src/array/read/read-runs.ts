/** The chunks that a read decodes one by one: in a sharded array, these are the inner chunks. */
import { innerChunkShape } from "../../core/codecs/sharding/document.js";
import { type ChunkRuns, chunkRuns, regularRuns } from "../../grid/chunk-grid.js";
import type { ArrayMetadata } from "../../metadata/model.js";

/** Their runs, by dimension. */
export function readRuns(metadata: ArrayMetadata): readonly ChunkRuns[] {
  const inner = innerChunkShape(metadata);
  return inner === undefined ? chunkRuns(metadata.chunkGrid) : regularRuns(inner);
}
