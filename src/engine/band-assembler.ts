/**
 * Puts decoded chunks into a result: band by band through scratch memory, or directly where a chunk's rows
 * are long. Everything here is synchronous. bands.ts explains bands.
 */

import { lazy } from "../base/loading.js";
import { cOrderStrides, isInOrder, product } from "../base/shape.js";
import type { ChunkLocation, Pipeline } from "../core/codecs/pipeline.js";
import { isMovedAsStored, runStoredCopy, type StoredCopy } from "../core/codecs/stored-copy.js";
import type { Awaitable } from "../core/stores/store.js";
import type { DimensionSelection } from "../grid/selection.js";
import type { CopyPlan, Kernels } from "../kernels/kernels.js";
import {
  type Assembler,
  type AssemblerFactory,
  type ChunkDecoder,
  type OpenBand,
  offsetOf,
  type ResultWindow,
  spanOf,
} from "./assembler.js";
import { type Band, type ChunkProjection, chunkBox } from "./bands.js";
import { copyRows, LONG_ROW_BYTES, movePlans, type PlanCache, SHORT_ROW_BYTES, storedPlans } from "./rows.js";

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
const loadPairs = /* @__PURE__ */ lazy(() => import("./pairs.js"));

const oneByOne: AssemblerFactory = (decoder, selection, window) =>
  (window.assembler ?? bandAssembler)(decoder, selection, window);

export const bandAssembler: AssemblerFactory = (decoder, selection, window) =>
  new BandAssembler(decoder, selection, window);

class BandAssembler implements Assembler {
  readonly #kernels: Kernels;
  readonly #pipeline: Pipeline;
  readonly #selection: readonly DimensionSelection[];
  readonly #window: ResultWindow;
  readonly #copy: typeof copyRows;
  readonly #fillPattern: Uint8Array;
  /** Missing chunks need no copy: the result and the fill value are both zeros. */
  readonly #fillIsThere: boolean;
  readonly #plans: PlanCache<CopyPlan>;
  readonly #stored: PlanCache<StoredCopy>;
  readonly #chunkScratch: number;
  /** Whether chunks can go to the result without a band. */
  readonly #asStored: boolean;

  constructor(
    { kernels, pipeline, fillPattern }: ChunkDecoder,
    selection: readonly DimensionSelection[],
    window: ResultWindow,
  ) {
    this.#kernels = kernels;
    this.#pipeline = pipeline;
    this.#selection = selection;
    this.#window = window;
    this.#copy = window.copy ?? copyRows;
    this.#fillPattern = fillPattern;
    this.#fillIsThere = window.fresh && !fillPattern.some(Boolean);
    this.#plans = movePlans(fillPattern.length);
    this.#stored = storedPlans(fillPattern.length, pipeline);
    this.#chunkScratch = pipeline.scratch();
    this.#asStored = isMovedAsStored(pipeline);
  }

  within<Result>(band: Band, work: (open: OpenBand) => Result): Result {
    const itemSize = this.#fillPattern.length;
    const isDirect = this.#isDirect(band);
    const byteLength = isDirect ? 0 : product(band.shape, itemSize);
    return this.#kernels.within(byteLength + this.#chunkScratch, () =>
      work({
        band,
        box: isDirect ? undefined : this.#kernels.allocate(byteLength),
        strides: cOrderStrides(band.shape, itemSize),
        present: false,
      }),
    );
  }

  place(open: OpenBand, chunk: ChunkProjection, value: Uint8Array, at: ChunkLocation, mark: number): void {
    const [kernels, pipeline] = [this.#kernels, this.#pipeline];
    const { box, strides } = open;
    const { start, shape } = chunkBox(chunk);
    open.present = true;
    const itemSize = this.#fillPattern.length;
    const span = spanOf(chunk, at.pipeline ?? pipeline, this.#selection, itemSize);
    const { steps } = span;
    // If the codecs can, they decode only the bytes that the selection spans.
    const elements = pipeline.decodeRange
      ? pipeline.decodeRange(value, span.start, span.end, kernels, at, span)
      : pipeline.decode(value, kernels, at);
    const first = span.first - (pipeline.decodeRange ? span.start : 0);
    if (box)
      runStoredCopy(
        this.#stored.plan(shape, strides, steps),
        kernels,
        box,
        inBand(open, start),
        elements,
        first,
      );
    else this.#placeInResult(start, shape, elements, first, steps);
    kernels.release(mark);
  }

  #placeInResult(
    start: readonly number[],
    shape: readonly number[],
    elements: Uint8Array,
    first: number,
    steps: readonly number[],
  ): void {
    const { bytes, strides } = this.#window;
    const place = this.#inResult(start);
    if (this.#asStored) {
      this.#move(this.#plans.plan(shape, strides, steps), place, elements, first);
      return;
    }
    runStoredCopy(this.#stored.plan(shape, strides, steps), this.#kernels, bytes, place, elements, first);
    this.#pipeline.normalise?.(bytes.subarray(place, place + product(shape, this.#fillPattern.length)));
  }

  fill(open: OpenBand, chunk: ChunkProjection): void {
    const kernels = this.#kernels;
    const fillPattern = this.#fillPattern;
    const { start, shape } = chunkBox(chunk);
    if (open.box) {
      const still = shape.map(() => 0);
      kernels.copy(
        this.#plans.plan(shape, open.strides, still),
        open.box,
        inBand(open, start),
        fillPattern,
        0,
      );
      return;
    }
    if (this.#fillIsThere) return;
    const { bytes, strides: resultStrides } = this.#window;
    const mark = kernels.mark();
    const last = shape.length - 1;
    const row = kernels.allocate((shape[last] ?? 1) * fillPattern.length);
    kernels.fill(row, fillPattern);
    const repeated = shape.map((_, d) => (d === last ? fillPattern.length : 0));
    copyRows(this.#plans.plan(shape, resultStrides, repeated), bytes, this.#inResult(start), row, 0);
    kernels.release(mark);
  }

  close(open: OpenBand): void {
    if (open.present || !this.#fillIsThere) this.moveChunks(open, [open.band]);
  }

  moveChunks(open: OpenBand, parts: readonly Pick<Band, "start" | "shape">[]): void {
    const { box, strides } = open;
    if (!box) return;
    this.#pipeline.normalise?.(box);
    for (const { start, shape } of parts) {
      const plan = this.#plans.plan(shape, this.#window.strides, strides);
      this.#move(plan, this.#inResult(start), box, inBand(open, start));
    }
  }

  /** Copies elements in memory order to a place of the result. */
  #move(plan: CopyPlan, place: number, elements: Uint8Array, first: number): void {
    const { bytes } = this.#window;
    if (plan.run < SHORT_ROW_BYTES) this.#kernels.copy(plan, bytes, place, elements, first);
    else this.#copy(plan, bytes, place, elements, first);
  }

  /**
   * Whether chunks go to the result without a box of the band: a single chunk without gaps between its rows
   * in the result, or rows so long that each is copied by itself.
   */
  #isDirect({ shape: band, chunks }: Band): boolean {
    const itemSize = this.#fillPattern.length;
    if (chunks.length === 1 && isInOrder(band, this.#window.strides, itemSize)) return true;
    const first = chunks[0];
    if (first === undefined || !this.#asStored) return false;
    const { shape } = chunkBox(first);
    if (product(shape, itemSize) < LONG_ROW_BYTES) return false;
    const { steps } = spanOf(first, this.#pipeline, this.#selection, itemSize);
    return this.#plans.plan(shape, this.#window.strides, steps).run >= LONG_ROW_BYTES;
  }

  /** Byte offset in the result of the element at `start`. */
  #inResult(start: readonly number[]): number {
    return this.#window.offset + offsetOf(start, this.#window.strides);
  }
}

/** Byte offset in the band's memory of the element at `start` of the result. */
function inBand({ band, strides }: OpenBand, start: readonly number[]): number {
  return offsetOf(start, strides) - offsetOf(band.start, strides);
}
