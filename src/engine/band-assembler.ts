/**
 * Puts decoded chunks together into a result: a band at a time in scratch memory, or straight into the result where a
 * chunk's rows are long. Everything here runs without a pause; see bands.ts for why there are bands.
 */

import type { ChunkLocation } from "../codecs/pipeline.js";
import { isMemoryOrder, runStoredCopy } from "../codecs/stored-copy.js";
import { cOrderStrides, product } from "../shape.js";
import {
  type AssemblerFactory,
  type ChunkValue,
  chunkBox,
  type OpenBand,
  offsetOf,
  spanOf,
} from "./assembler.js";
import type { Band, ChunkProjection } from "./bands.js";
import { copyRows, LONG_ROW_BYTES, movePlans, storedPlans } from "./rows.js";
export const assemblerFor: AssemblerFactory = (decoder, selection, window) =>
  (window.assembler ?? bandAssembler)(decoder, selection, window);

const bandAssembler: AssemblerFactory = ({ kernels, pipeline, fillPattern }, selection, window) => {
  const { bytes, offset, strides: resultStrides, copy = copyRows } = window;
  const itemSize = fillPattern.length;
  /** Absent chunks need no work: the result is zeros and so is the fill value. */
  const fillIsThere = window.fresh && !fillPattern.some(Boolean);
  const plans = movePlans(itemSize);
  const stored = storedPlans(itemSize, pipeline);
  // One chunk: its encoded bytes, its decoded ones, and what the codecs want.
  const chunkScratch = 2 * pipeline.byteLength + pipeline.scratchByteLength + 65536;
  const { decodeRange } = pipeline;
  const asStored = isMemoryOrder(pipeline) && pipeline.normalise === undefined;

  function placeElements(
    { box, band, strides }: OpenBand,
    chunk: ChunkProjection,
    value: ChunkValue,
    at: ChunkLocation,
  ): void {
    const { start, shape } = chunkBox(chunk);
    const inBox = offsetOf(start, strides) - offsetOf(band.start, strides);
    const inResult = offset + offsetOf(start, resultStrides);
    if (value) {
      const span = spanOf(chunk, at.pipeline ?? pipeline, selection, itemSize);
      const { steps } = span;
      // No more than spans what is selected, where codecs can decode that alone.
      const elements = decodeRange
        ? decodeRange(value, span.start, span.end, kernels, at, span)
        : pipeline.decode(value, kernels, at);
      const first = span.first - (decodeRange ? span.start : 0);
      if (box) runStoredCopy(stored.plan(shape, strides, steps), kernels, box, inBox, elements, first);
      else if (shape.length < 2 && steps[0] === itemSize && resultStrides[0] === itemSize)
        bytes.set(elements.subarray(first, first + span.end - span.start), inResult);
      else copy(plans.plan(shape, resultStrides, steps), bytes, inResult, elements, first);
    } else if (box) {
      const still = shape.map(() => 0);
      kernels.copy(plans.plan(shape, strides, still), box, inBox, fillPattern, 0);
    } else if (!fillIsThere) {
      const last = shape.length - 1;
      const row = kernels.allocate((shape[last] ?? 1) * itemSize);
      kernels.fill(row, fillPattern);
      const repeated = shape.map((_, d) => (d === last ? itemSize : 0));
      copyRows(plans.plan(shape, resultStrides, repeated), bytes, inResult, row, 0);
    }
  }

  function moveChunks({ box, band, strides }: OpenBand, parts: readonly Pick<Band, "start" | "shape">[]) {
    if (!box) return;
    pipeline.normalise?.(box);
    for (const { start, shape } of parts) {
      const plan = plans.plan(shape, resultStrides, strides);
      const inBox = offsetOf(start, strides) - offsetOf(band.start, strides);
      copy(plan, bytes, offset + offsetOf(start, resultStrides), box, inBox);
    }
  }

  return {
    open(band) {
      const [first] = band.chunks;
      const isDirect =
        first &&
        asStored &&
        plans.plan(chunkBox(first).shape, resultStrides, spanOf(first, pipeline, selection, itemSize).steps)
          .run >= LONG_ROW_BYTES;
      const byteLength = isDirect ? 0 : product(band.shape, itemSize);
      kernels.begin(byteLength + chunkScratch);
      return {
        band,
        box: isDirect ? undefined : kernels.allocate(byteLength),
        strides: cOrderStrides(band.shape, itemSize),
        present: false,
      };
    },

    place(open, chunk, value, at, mark = kernels.mark()) {
      if (value) open.present = true;
      placeElements(open, chunk, value, at);
      kernels.release(mark);
    },

    close(open) {
      if (open.present || !fillIsThere) moveChunks(open, [open.band]);
    },

    moveChunks,
  };
};
