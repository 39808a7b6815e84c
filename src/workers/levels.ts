/** Pipelines as workers name them: 0 is the array's, 1 that of its inner chunks, and so on. */
import type { Pipeline } from "../core/codecs/pipeline.js";

export function levelsOf(pipeline: Pipeline): ReadonlyMap<Pipeline, number> {
  const levels = new Map<Pipeline, number>();
  for (let next: Pipeline | undefined = pipeline; next !== undefined; next = next.sharding?.inner) {
    levels.set(next, levels.size);
  }
  return levels;
}
