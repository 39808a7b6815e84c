/** Reading chosen elements: chunks are decoded as for any read, and what is chosen of each is picked out of it. */
import { isMemoryOrder, planStoredCopy, runStoredCopy } from "../../codecs/stored-copy.js";
import { type AssemblerFactory, type ResultWindow, spanOf } from "../assembler.js";
import type { BandPlan } from "../bands.js";
import { inOneRow } from "../placement.js";
import type { PreparedArray } from "../prepared.js";
import { type ReadOptions, readWindow } from "../read.js";
import { forEachArray, selectionFor } from "./arrays.js";
import { copyChosen } from "./copy.js";

/** @param strides of the result in bytes, as the placements of the plan take them */
export async function readChosen(
  array: PreparedArray,
  plan: BandPlan,
  result: Pick<ResultWindow, "bytes" | "strides" | "fresh">,
  options: ReadOptions,
): Promise<void> {
  const window: ResultWindow = { ...result, offset: 0, assembler: chosenAssembler };
  const selection = selectionFor(array, []);
  await forEachArray(array, plan, options, (part, own) => readWindow(part, selection, window, own));
}

const chosenAssembler: AssemblerFactory = ({ pipeline, kernels, fillPattern }, selection, window) => {
  const { bytes, fresh } = window;
  const itemSize = fillPattern.length;
  const unit = Math.max(1, itemSize);
  const inElements = (strides: readonly number[]): number[] => strides.map((stride) => stride / unit);
  const place = { offset: window.offset / unit, strides: inElements(window.strides) };
  const strides = inElements(pipeline.strides);
  const fillIsThere = fresh && !fillPattern.some(Boolean);
  const isAsStored = isMemoryOrder(pipeline) && pipeline.normalise === undefined;
  const { decodeRange } = pipeline;

  return {
    open(band) {
      const picked = band.chunks.reduce((total, { chosen }) => total + (chosen?.count ?? 0), 0) * itemSize;
      kernels.begin(2 * (pipeline.byteLength + picked) + pipeline.scratchByteLength + 65536);
      return { band, box: undefined, strides: [], present: false };
    },

    place(_open, chunk, value, at, mark = kernels.mark()) {
      const { chosen } = chunk;
      if (chosen === undefined || (value === undefined && fillIsThere)) return;
      const target = chosen.inResult(place);
      if (value === undefined) {
        const still = { shape: target.shape, offset: 0, strides: target.shape.map(() => 0) };
        copyChosen(bytes, target, fillPattern, still, itemSize);
        return;
      }
      const span = spanOf(chunk, pipeline, selection, itemSize);
      const { start, end } = span;
      const elements = decodeRange
        ? decodeRange(value, start, end, kernels, at, span)
        : pipeline.decode(value, kernels, at);
      const inChunk = chosen.inChunk(strides);
      const source = decodeRange ? { ...inChunk, offset: inChunk.offset - start / unit } : inChunk;
      if (isAsStored) {
        copyChosen(bytes, target, elements, source, itemSize);
      } else {
        const { count } = chosen;
        const stored = kernels.allocate(count * itemSize);
        const picked = kernels.allocate(count * itemSize);
        copyChosen(stored, inOneRow(...target.shape), elements, source, itemSize);
        runStoredCopy(
          planStoredCopy([count], [itemSize], [itemSize], itemSize, pipeline),
          kernels,
          picked,
          0,
          stored,
          0,
        );
        pipeline.normalise?.(picked);
        copyChosen(bytes, target, picked, inOneRow(...target.shape), itemSize);
      }
      kernels.release(mark);
    },

    /** Everything is in its place already. */
    close() {},
    moveChunks() {},
  };
};
