import type { ArrayMetadata } from "../../metadata/model.js";

/** Shapes whose pipelines are kept: there may be a shape for every chunk. */
export const MOST_PIPELINES = 4096;

/** The same array with a regular grid. */
export function withChunks(metadata: ArrayMetadata, chunkShape: readonly number[]): ArrayMetadata {
  return { ...metadata, chunkGrid: { name: "regular", chunkShape } };
}
