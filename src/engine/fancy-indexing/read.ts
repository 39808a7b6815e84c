/** Reads picked elements: chunks are decoded as in any read, and their picked elements are copied out. */
import { noItem } from "../../at.js";
import { isMovedAsStored, planStoredCopy, runStoredCopy } from "../../codecs/layout.js";
import { type ChunkRuns, chunkAlong, longestOf } from "../../grid/chunk-grid.js";
import { cOrderStrides, product } from "../../shape.js";
import { type AssemblerFactory, offsetOf, type ResultWindow, spanOf } from "../assembler.js";
import { type BandPlan, eachChunk } from "../bands.js";
import { forEach, requestsAtOnce } from "../concurrency.js";
import { copyPicked, inOneRow } from "../placement.js";
import { type PreparedArray, type ReadOptions, trackProgress } from "../prepared.js";
import { readSelection, readWindow } from "../read.js";
import { forEachArray, selectionFor } from "../rectilinear/blocks.js";

/** @param result its strides, in bytes, are those that the placements of the plan expect */
export async function readPicked(
  array: PreparedArray,
  plan: BandPlan,
  result: Pick<ResultWindow, "bytes" | "strides" | "fresh">,
  options: ReadOptions,
): Promise<void> {
  const window: ResultWindow = { ...result, offset: 0, assembler: pickedAssembler };
  const selection = selectionFor(array, []);
  await forEachArray(array, plan, options, (part, own) => readWindow(part, selection, window, own));
}

const pickedAssembler: AssemblerFactory = ({ pipeline, kernels, fillPattern }, selection, window) => {
  const { bytes, fresh } = window;
  const itemSize = fillPattern.length;
  const unit = Math.max(1, itemSize);
  const inElements = (strides: readonly number[]): number[] => strides.map((stride) => stride / unit);
  const place = { offset: window.offset / unit, strides: inElements(window.strides) };
  const strides = inElements(pipeline.strides);
  const fillIsThere = fresh && !fillPattern.some(Boolean);
  const isAsStored = isMovedAsStored(pipeline);
  const { decodeRange } = pipeline;

  return {
    within(band, work) {
      const taken = band.chunks.reduce((total, { picked }) => total + (picked?.count ?? 0), 0) * itemSize;
      return kernels.within(pipeline.scratch() + 2 * taken, () =>
        work({ band, box: undefined, strides: [], present: false }),
      );
    },

    fill(_open, { picked }) {
      if (picked === undefined || fillIsThere) return;
      const target = picked.inResult(place);
      const still = { shape: target.shape, offset: 0, strides: target.shape.map(() => 0) };
      copyPicked(bytes, target, fillPattern, still, itemSize);
    },

    place(_open, chunk, value, at, mark) {
      const { picked } = chunk;
      if (picked === undefined) return;
      const target = picked.inResult(place);
      const span = spanOf(chunk, pipeline, selection, itemSize);
      const { start, end } = span;
      const elements = decodeRange
        ? decodeRange(value, start, end, kernels, at, span)
        : pipeline.decode(value, kernels, at);
      const inChunk = picked.inChunk(strides);
      const source = decodeRange ? { ...inChunk, offset: inChunk.offset - start / unit } : inChunk;
      if (isAsStored) {
        copyPicked(bytes, target, elements, source, itemSize);
      } else {
        const { count } = picked;
        const stored = kernels.allocate(count * itemSize);
        const taken = kernels.allocate(count * itemSize);
        copyPicked(stored, inOneRow(...target.shape), elements, source, itemSize);
        runStoredCopy(
          planStoredCopy([count], [itemSize], [itemSize], itemSize, pipeline),
          kernels,
          taken,
          0,
          stored,
          0,
        );
        pipeline.normalise?.(taken);
        copyPicked(bytes, target, taken, inOneRow(...target.shape), itemSize);
      }
      kernels.release(mark);
    },

    /** `place` has written every element already. */
    close() {},
    moveChunks() {},
  };
};

// With workers: they decode boxes, and the calling thread copies the picked elements out of the boxes.
/** Bytes of boxes under way; two boxes of any size are allowed. */
const HELD_BYTES = 32 << 20;

/**
 * As `readPicked`, but reads one box around the picked elements of each chunk.
 * @param runs of the chunks of the plan: inner chunks if the array has shards
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
  const largest = product(runs.map(longestOf), unit);
  const atOnce = requestsAtOnce(options, largest, HELD_BYTES);
  const done = trackProgress(onProgress, plan.chunkCount, itemSize);
  await forEach(eachChunk(plan), atOnce, async (chunk) => {
    options.signal?.throwIfAborted();
    const { picked, parts } = chunk;
    if (picked === undefined) return;
    const shape = parts.map(({ count }) => count);
    const dimensions = parts.map(({ source, count }, d) => ({
      start: chunkAlong(runs[d] ?? noItem(runs, d), chunk.chunk[d] ?? noItem(chunk.chunk, d)).start + source,
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
