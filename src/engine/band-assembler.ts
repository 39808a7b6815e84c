/**
 * Puts decoded chunks into a result: band by band through scratch memory, or directly where a chunk's rows
 * are long. Everything here is synchronous. bands.ts explains bands.
 */

import { isMovedAsStored, runStoredCopy } from "../codecs/layout.js";
import type { DimensionSelection } from "../grid/selection.js";
import { lazy } from "../loading.js";
import { cOrderStrides, product } from "../shape.js";
import type { Awaitable } from "../stores/store.js";
import {
  type Assembler,
  type AssemblerFactory,
  type ChunkDecoder,
  chunkBox,
  type OpenBand,
  offsetOf,
  type ResultWindow,
  spanOf,
} from "./assembler.js";
import type { Band, ChunkProjection } from "./bands.js";
import { copyRows, LONG_ROW_BYTES, movePlans, SHORT_ROW_BYTES, storedPlans } from "./rows.js";

/** Returns a promise only if the codec can decode pairs: that decoder has to be loaded. */
export function assemblerFor(
  decoder: ChunkDecoder,
  selection: readonly DimensionSelection[],
  window: ResultWindow,
): Awaitable<Assembler> {
  if (decoder.pipeline.outermost?.codec.loadPairs === undefined) return oneByOne(decoder, selection, window);
  return loadPairs().then(({ inPairs }) => inPairs(oneByOne, decoder, selection, window));
}

/** In the file of the package that the codecs are in, which are loaded: this causes no request. */
const loadPairs = lazy(() => import("./pairs.js"));

const oneByOne: AssemblerFactory = (decoder, selection, window) =>
  (window.assembler ?? bandAssembler)(decoder, selection, window);

export const bandAssembler: AssemblerFactory = ({ kernels, pipeline, fillPattern }, selection, window) => {
  const { bytes, offset, strides: resultStrides, copy = copyRows } = window;
  const itemSize = fillPattern.length;
  /** Missing chunks need no copy: the result and the fill value are both zeros. */
  const fillIsThere = window.fresh && !fillPattern.some(Boolean);
  const plans = movePlans(itemSize);
  const stored = storedPlans(itemSize, pipeline);
  const chunkScratch = pipeline.scratch();
  const { decodeRange } = pipeline;
  const asStored = isMovedAsStored(pipeline);

  /** Offsets of a chunk's first element in the band's memory and in the result, in bytes. */
  function targetOf({ band, strides }: OpenBand, chunk: ChunkProjection) {
    const { start, shape } = chunkBox(chunk);
    return {
      shape,
      inBox: offsetOf(start, strides) - offsetOf(band.start, strides),
      inResult: offset + offsetOf(start, resultStrides),
    };
  }

  function moveChunks({ box, band, strides }: OpenBand, parts: readonly Pick<Band, "start" | "shape">[]) {
    if (!box) return;
    pipeline.normalise?.(box);
    for (const { start, shape } of parts) {
      const plan = plans.plan(shape, resultStrides, strides);
      const inBox = offsetOf(start, strides) - offsetOf(band.start, strides);
      const move = plan.run < SHORT_ROW_BYTES ? kernels.copy : copy;
      move(plan, bytes, offset + offsetOf(start, resultStrides), box, inBox);
    }
  }

  return {
    within(band, work) {
      const [first] = band.chunks;
      const isDirect =
        first &&
        asStored &&
        plans.plan(chunkBox(first).shape, resultStrides, spanOf(first, pipeline, selection, itemSize).steps)
          .run >= LONG_ROW_BYTES;
      const byteLength = isDirect ? 0 : product(band.shape, itemSize);
      return kernels.within(byteLength + chunkScratch, () =>
        work({
          band,
          box: isDirect ? undefined : kernels.allocate(byteLength),
          strides: cOrderStrides(band.shape, itemSize),
          present: false,
        }),
      );
    },

    place(open, chunk, value, at, mark) {
      const { shape, inBox, inResult } = targetOf(open, chunk);
      const { box, strides } = open;
      open.present = true;
      const span = spanOf(chunk, at.pipeline ?? pipeline, selection, itemSize);
      const { steps } = span;
      // If the codecs can, they decode only the bytes that the selection spans.
      const elements = decodeRange
        ? decodeRange(value, span.start, span.end, kernels, at, span)
        : pipeline.decode(value, kernels, at);
      const first = span.first - (decodeRange ? span.start : 0);
      if (box) runStoredCopy(stored.plan(shape, strides, steps), kernels, box, inBox, elements, first);
      else if (shape.length < 2 && steps[0] === itemSize && resultStrides[0] === itemSize)
        bytes.set(elements.subarray(first, first + span.end - span.start), inResult);
      else copy(plans.plan(shape, resultStrides, steps), bytes, inResult, elements, first);
      kernels.release(mark);
    },

    fill(open, chunk) {
      const { shape, inBox, inResult } = targetOf(open, chunk);
      if (open.box) {
        const still = shape.map(() => 0);
        kernels.copy(plans.plan(shape, open.strides, still), open.box, inBox, fillPattern, 0);
        return;
      }
      if (fillIsThere) return;
      const mark = kernels.mark();
      const last = shape.length - 1;
      const row = kernels.allocate((shape[last] ?? 1) * itemSize);
      kernels.fill(row, fillPattern);
      const repeated = shape.map((_, d) => (d === last ? itemSize : 0));
      copyRows(plans.plan(shape, resultStrides, repeated), bytes, inResult, row, 0);
      kernels.release(mark);
    },

    close(open) {
      if (open.present || !fillIsThere) moveChunks(open, [open.band]);
    },

    moveChunks,
  };
};
