/** Reading chosen elements with other cores: these decode boxes, out of which the calling thread picks what is chosen. */
import { type ChunkRuns, chunkAlong } from "../../grid/chunk-grid.js";
import { cOrderStrides, product } from "../../shape.js";
import { offsetOf, type ResultWindow } from "../assembler.js";
import { type BandPlan, eachBand } from "../bands.js";
import { forEach } from "../concurrency.js";
import { type PreparedArray, trackProgress } from "../prepared.js";
import { type ReadOptions, readSelection } from "../read.js";
import { chunksOf } from "../shards/locate.js";
import { copyChosen } from "./copy.js";

/** Bytes of boxes under way; two of any size. */
const HELD_BYTES = 32 << 20;

/**
 * As `readChosen`, a box around what is chosen of each chunk at a time.
 * @param runs that the plan is for: those of inner chunks, where there are shards
 */
export async function readBoxes(
  array: PreparedArray,
  plan: BandPlan,
  runs: readonly ChunkRuns[],
  { bytes, strides }: Pick<ResultWindow, "bytes" | "strides">,
  { onProgress, ...options }: ReadOptions,
): Promise<void> {
  const itemSize = array.fillPattern.length;
  const unit = Math.max(1, itemSize);
  const place = { offset: 0, strides: strides.map((stride) => stride / unit) };
  const largest = product(
    runs.map((list) => list.reduce((most, { length }) => Math.max(most, length), 1)),
    unit,
  );
  const atOnce = Math.max(2, Math.floor(HELD_BYTES / largest));
  const done = trackProgress(onProgress, plan.chunkCount, itemSize);
  await forEach(chunksOf(eachBand(plan)), Math.min(options.concurrency, atOnce), async (chunk) => {
    options.signal?.throwIfAborted();
    const { chosen, parts } = chunk;
    if (chosen === undefined) return;
    const shape = parts.map(({ count }) => count);
    const dimensions = parts.map(({ source, count }, d) => ({
      start: chunkAlong(runs[d] ?? [], chunk.chunk[d] ?? 0).start + source,
      step: 1,
      count,
      drop: false,
    }));
    const box = new Uint8Array(product(shape, itemSize));
    await readSelection(array, { dimensions, shape }, box, true, options);
    const inBox = cOrderStrides(shape, 1);
    const from = chosen.inChunk(inBox);
    const first = offsetOf(
      parts.map(({ source }) => source),
      inBox,
    );
    copyChosen(bytes, chosen.inResult(place), box, { ...from, offset: from.offset - first }, itemSize);
    done({ shape: [chosen.count], chunks: [chunk] });
  });
}
