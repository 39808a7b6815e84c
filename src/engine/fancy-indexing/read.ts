/** Reads picked elements: chunks are decoded as in any read, and their picked elements are copied out. */
import { isMovedAsStored, planStoredCopy, runStoredCopy } from "../../core/codecs/stored-copy.js";
import { type AssemblerFactory, type ResultWindow, spanOf } from "../assembler.js";
import type { BandPlan } from "../bands.js";
import { copyPicked } from "../copy-picked.js";
import type { ReadOptions } from "../options.js";
import { inOneRow } from "../placement.js";
import type { PreparedArray } from "../prepared.js";
import { readWindow } from "../read.js";
import { forEachArray, selectionFor } from "../rectilinear/by-shape.js";

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
