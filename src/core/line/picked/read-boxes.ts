/**
 * Reads picked elements with workers: they decode boxes, and the calling thread copies the picked elements
 * out of the boxes.
 */
import { noItem, numberAt } from "../../../base/at.js";
import { cOrderStrides, offsetOf, product } from "../../../base/shape.js";
import { type ChunkRuns, chunkAlong, longestOf } from "../../../grid/chunk-grid.js";
import { copyPicked } from "../placing/copy-picked.js";
import type { Target } from "../ports.js";
import type { PreparedArray } from "../prepared.js";
import { readSelection } from "../select.js";
import { type BandPlan, eachChunk } from "../shared/bands.js";
import { forEach } from "../shared/concurrency.js";
import { HELD_FOR_BOXES, requestsAtOnce } from "../shared/held-bytes.js";
import { trackProgress } from "../shared/on-progress.js";
import type { ReadOptions } from "../shared/options.js";

/**
 * As `readPicked`, but reads one box around the picked elements of each chunk.
 * @param runs of the chunks of the plan: inner chunks if the array has shards
 */
export async function readBoxes(
  array: PreparedArray,
  plan: BandPlan,
  runs: readonly ChunkRuns[],
  { bytes, strides }: Pick<Target, "bytes" | "strides">,
  { onProgress, ...options }: ReadOptions,
): Promise<void> {
  const itemSize = array.fillPattern.length;
  const unit = Math.max(1, itemSize);
  const place = { offset: 0, strides: strides.map((stride) => stride / unit) };
  const largest = product(runs.map(longestOf), unit);
  const atOnce = requestsAtOnce(options, largest, HELD_FOR_BOXES);
  const done = trackProgress(onProgress, plan.chunkCount, itemSize);
  await forEach(eachChunk(plan), atOnce, async (chunk) => {
    options.signal?.throwIfAborted();
    const { picked, parts } = chunk;
    if (picked === undefined) return;
    const shape = parts.map(({ count }) => count);
    const dimensions = parts.map(({ source, count }, d) => ({
      start: chunkAlong(runs[d] ?? noItem(runs, d), numberAt(chunk.chunk, d)).start + source,
      step: 1,
      count,
      drop: false,
    }));
    const box = new Uint8Array(product(shape, itemSize));
    await readSelection(array, { dimensions, shape }, box, true, options);
    const inBox = cOrderStrides(shape, 1);
    const from = picked.inChunk(inBox);
    const first = offsetOf(
      parts.map(({ source }) => source),
      inBox,
    );
    copyPicked(bytes, picked.inResult(place), box, { ...from, offset: from.offset - first }, itemSize);
    done({ shape: [picked.count], chunks: [chunk] });
  });
}
