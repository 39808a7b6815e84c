/**
 * Puts decoded chunks together into a result: a band at a time in scratch memory, or straight into the result where a
 * chunk's rows are long. Everything here runs without a pause; see bands.ts for why there are bands.
 */

import type { RangeSource, StridedBox } from "../codecs/codec.js";
import type { ChunkLocation, Pipeline } from "../codecs/pipeline.js";
import { isMemoryOrder, runStoredCopy } from "../codecs/stored-copy.js";
import type { DimensionSelection } from "../grid/selection.js";
import type { Kernels } from "../kernels/kernels.js";
import { cOrderStrides, product } from "../shape.js";
import type { Band, ChunkProjection } from "./bands.js";
import { copyRows, LONG_ROW_BYTES, movePlans, storedPlans } from "./rows.js";

/** Bytes of a chunk as the store has them (decoded as far as that is asynchronous); undefined: absent. */
export type ChunkValue = Uint8Array | undefined;

/** Where elements go: any box of a C-order result. */
export interface ResultWindow {
  readonly bytes: Uint8Array;
  /** Byte offset of the window's first element. */
  readonly offset: number;
  /** Bytes from one element to the next, by dimension of the array. */
  readonly strides: readonly number[];
  /** Whether the window is all zeros to begin with. */
  readonly fresh: boolean;
  /** What puts chunks together that are no bytes of fixed size; offset and strides count elements, then. */
  readonly assembler?: AssemblerFactory;
  /** What copies rows to the window, where it is not `copyRows` itself: see known-rows.ts. */
  readonly copy?: typeof copyRows | undefined;
  /** Scratch memory for a chunk's encoded bytes, where it is not `allocate` of the kernels. */
  readonly allocate?: Kernels["allocate"] | undefined;
  /** What reads a few elements of chunks by their ranges; undefined where chunks are better read whole. */
  readonly few?: FewReader | undefined;
}

export type FewReader = (
  pipeline: Pipeline,
  selection: readonly DimensionSelection[],
  chunkCount: number,
) => ReadFew | undefined;

/** Reads what is selected of one chunk. @param source undefined: there is no such chunk */
export type ReadFew = (
  source: RangeSource | undefined,
  chunk: ChunkProjection,
  window: ResultWindow,
  at: ChunkLocation,
) => Promise<void>;

export type AssemblerFactory = (
  decoder: ChunkDecoder,
  selection: readonly DimensionSelection[],
  window: ResultWindow,
) => Assembler;

/** Puts the chunks of one band after the other together. */
export interface Assembler {
  /** Begins a band: makes room in the arena and drops whatever was there. */
  open(band: Band): OpenBand;
  /**
   * Decodes a chunk of the band and copies what is selected of it; an absent chunk is the fill value.
   * @param mark of the arena before there was `value`: released when that is no longer needed
   */
  place(open: OpenBand, chunk: ChunkProjection, value: ChunkValue, at: ChunkLocation, mark?: number): void;
  /** Moves the band to the result. */
  close(open: OpenBand): void;
  /** Moves parts of the band to the result: those chunks that are placed, when the others come later. */
  moveChunks(open: OpenBand, parts: readonly Pick<Band, "start" | "shape">[]): void;
}

export const assemblerFor: AssemblerFactory = (decoder, selection, window) =>
  (window.assembler ?? bandAssembler)(decoder, selection, window);

/** What decodes the chunks of one array, or of one shard. */
export interface ChunkDecoder {
  readonly pipeline: Pipeline;
  readonly kernels: Kernels;
  /** Fill value as one element in memory order. */
  readonly fillPattern: Uint8Array;
}

/** A band under construction. */
export interface OpenBand {
  readonly band: Band;
  /** Scratch for the band's elements; undefined when chunks go straight to the result. */
  readonly box: Uint8Array | undefined;
  readonly strides: readonly number[];
  /** Whether any chunk but absent ones was placed. */
  present: boolean;
}

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

/** Bytes `start` to `end` (exclusive) of a chunk's stored elements, and what of them is selected. */
export interface Span extends StridedBox {
  readonly start: number;
  readonly end: number;
  /** Where the first selected element is. */
  readonly first: number;
}

/**
 * Which bytes of a chunk's stored elements what is selected of it spans, and where the first selected element is.
 */
export function spanOf(
  { parts }: ChunkProjection,
  { strides }: Pick<Pipeline, "strides">,
  selection: readonly DimensionSelection[],
  itemSize: number,
): Span {
  const shape: number[] = [];
  const steps: number[] = [];
  let first = 0;
  let before = 0;
  let after = itemSize;
  for (const [d, { source, count }] of parts.entries()) {
    const stride = strides[d] ?? 0;
    const step = stride * (selection[d]?.step ?? 0);
    const reach = (count - 1) * step;
    shape.push(count);
    steps.push(step);
    first += source * stride;
    if (reach < 0) before += reach;
    else after += reach;
  }
  return { first, start: first + before, end: first + after, itemSize, shape, steps };
}

export function offsetOf(start: readonly number[], strides: readonly number[]): number {
  let offset = 0;
  for (let d = 0; d < start.length; d++) offset += (start[d] ?? 0) * (strides[d] ?? 0);
  return offset;
}

/** The box of the result that a chunk fills. */
export function chunkBox(chunk: ChunkProjection): Pick<Band, "start" | "shape"> {
  return { start: chunk.parts.map(({ target }) => target), shape: chunk.parts.map(({ count }) => count) };
}

/** A band of one chunk. */
export function chunkBand(chunk: ChunkProjection): Band {
  return { ...chunkBox(chunk), chunks: [chunk] };
}
