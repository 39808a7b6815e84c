/**
 * Reads elements that are converted on the way: each chunk is decoded, its selected elements are converted,
 * and the band assembler puts the results where it puts the elements of any chunk.
 */
import { at } from "../base/at.js";
import { cOrderStrides, isInOrder, product } from "../base/shape.js";
import type { ChunkLocation, Pipeline } from "../core/codecs/pipeline.js";
import { isMovedAsStored, runStoredCopy, type StoredCopy } from "../core/codecs/stored-copy.js";
import {
  CONVERSION_SCRATCH,
  type Conversion,
  type Convert,
  loadConversion,
  widthOf,
} from "../data-types/drawn.js";
import type { BasicSelection, DimensionSelection } from "../grid/selection.js";
import { coordinatesAt } from "../grid/walk.js";
import type { Kernels } from "../kernels/kernels.js";
import {
  type Assembler,
  type AssemblerFactory,
  type ChunkDecoder,
  type Drawing,
  type OpenBand,
  offsetOf,
  type ResultWindow,
  spanOf,
} from "./assembler.js";
import { bandAssembler } from "./band-assembler.js";
import { type Band, type ChunkProjection, chunkBox, planBands } from "./bands.js";
import type { ReadOptions } from "./options.js";
import type { PreparedArray } from "./prepared.js";
import { readWindow } from "./read.js";
import { withRowViewCache } from "./row-views.js";
import { type PlanCache, storedPlans } from "./rows.js";
import { counter, type Found, FoundByChunk, taken } from "./statistics.js";

/** Reads `selection` into a window of elements of the conversion's target. */
export async function readDrawn(
  array: PreparedArray,
  selection: BasicSelection,
  window: ResultWindow,
  conversion: Conversion,
  options: ReadOptions,
): Promise<Found> {
  const { kernels, blocks, plan } = array;
  const { drawing, assembler } = await loadDrawing(kernels, conversion);
  const { itemSize } = drawing;
  // Bands have the length of the result's elements if those are longer than the stored ones.
  const planned: PreparedArray =
    blocks || plan
      ? array
      : {
          ...array,
          plan: (dimensions, shape, size) => planBands(dimensions, shape, Math.max(size, itemSize)),
        };
  await readWindow(planned, selection, { ...window, drawing, assembler }, options);
  return drawing.sum();
}

/** A part of the selected elements of a chunk. */
interface Slab {
  readonly start: readonly number[];
  readonly shape: readonly number[];
}

/**
 * Elements that are converted before they are moved: few enough to stay in a second-level cache, and for
 * scratch memory to be no longer for a long chunk.
 */
const SLAB = 65536;

/** Cuts a box of elements into slabs, in C order. */
function* slabsOf(shape: readonly number[]): Generator<Slab> {
  let pivot = shape.length - 1;
  let rest = 1;
  for (; pivot > 0 && rest * at(shape, pivot) <= SLAB; pivot--) rest *= at(shape, pivot);
  const group = Math.max(1, Math.floor(SLAB / rest));
  const lengths = shape.map((extent, d) => (d < pivot ? extent : d > pivot ? 1 : Math.ceil(extent / group)));
  for (let i = 0; i < product(lengths); i++) {
    const start = coordinatesAt(lengths, i).map((index, d) => (d === pivot ? index * group : index));
    yield {
      start,
      shape: shape.map((extent, d) =>
        d < pivot ? 1 : d > pivot ? extent : Math.min(group, extent - at(start, d)),
      ),
    };
  }
}

/** The assembler that converts elements, and where it puts the statistics of chunks. */
interface LoadedDrawing {
  readonly drawing: FoundByChunk;
  readonly assembler: AssemblerFactory;
}

export async function loadDrawing(kernels: Kernels, conversion: Conversion): Promise<LoadedDrawing> {
  const convert = await loadConversion(kernels, conversion);
  const drawing = new FoundByChunk(conversion);
  return {
    drawing,
    assembler: (decoder, selection, window) =>
      new DrawingAssembler(convert, drawing, decoder, selection, window),
  };
}

class DrawingAssembler implements Assembler {
  readonly #convert: Convert;
  readonly #drawing: Drawing;
  readonly #decoder: ChunkDecoder;
  readonly #selection: readonly DimensionSelection[];
  readonly #window: ResultWindow;
  readonly #storedSize: number;
  readonly #asStored: boolean;
  readonly #stored: PlanCache<StoredCopy>;
  /** The pipeline of chunks that hold only the converted elements of a selection, in C order. */
  readonly #converted: Pipeline;
  /** Puts such chunks into bands. */
  readonly #inner: Assembler;

  constructor(
    convert: Convert,
    drawing: Drawing,
    decoder: ChunkDecoder,
    selection: readonly DimensionSelection[],
    window: ResultWindow,
  ) {
    this.#convert = convert;
    this.#drawing = drawing;
    this.#decoder = decoder;
    this.#selection = selection;
    this.#window = window;
    const { kernels, pipeline, fillPattern } = decoder;
    this.#storedSize = widthOf(drawing.conversion.from);
    this.#asStored = isMovedAsStored(pipeline);
    this.#stored = storedPlans(this.#storedSize, pipeline);
    this.#converted = convertedPipeline(pipeline, drawing, this.#storedSize);
    const fill = new Uint8Array(drawing.itemSize);
    convert(fill, fillPattern);
    const inner = { kernels, pipeline: this.#converted, fillPattern: fill };
    this.#inner = bandAssembler(
      inner,
      selection.map((dimension) => ({ ...dimension, step: 1 })),
      withRowViewCache({ ...window, assembler: undefined }, inner),
    );
  }

  within<Result>(band: Band, work: (open: OpenBand) => Result): Result {
    return this.#inner.within(band, work);
  }

  place(
    open: OpenBand,
    chunk: ChunkProjection,
    value: Uint8Array,
    location: ChunkLocation,
    mark: number,
  ): void {
    const { kernels, pipeline } = this.#decoder;
    const { statistics } = this.#drawing.conversion;
    const span = spanOf(chunk, location.pipeline ?? pipeline, this.#selection, this.#storedSize);
    const elements = pipeline.decodeRange
      ? pipeline.decodeRange(value, span.start, span.end, kernels, location, span)
      : pipeline.decode(value, kernels, location);
    const first = span.first - (pipeline.decodeRange ? span.start : 0);
    const counted = statistics && counter(kernels, statistics.bins);
    for (const slab of slabsOf(span.shape)) {
      const own = kernels.mark();
      const source = this.#takeSlab(slab, span.steps, elements, first + offsetOf(slab.start, span.steps));
      const target = kernels.allocate(product(slab.shape, this.#drawing.itemSize));
      this.#convert(target, source, counted);
      this.#placeSlab(open, chunk, slab, target, location, own);
    }
    if (counted) this.#drawing.add(this.#placeOf(chunk), taken(counted));
    kernels.release(mark);
  }

  fill(open: OpenBand, chunk: ChunkProjection): void {
    this.#inner.fill(open, chunk);
    const { kernels, fillPattern } = this.#decoder;
    const { itemSize, conversion } = this.#drawing;
    if (!conversion.statistics) return;
    const mark = kernels.mark();
    const counted = counter(kernels, conversion.statistics.bins);
    this.#convert(kernels.allocate(itemSize), fillPattern, counted);
    this.#drawing.add(this.#placeOf(chunk), taken(counted, product(chunkBox(chunk).shape)));
    kernels.release(mark);
  }

  close(open: OpenBand): void {
    this.#inner.close(open);
  }

  moveChunks(open: OpenBand, parts: readonly Pick<Band, "start" | "shape">[]): void {
    this.#inner.moveChunks(open, parts);
  }

  /** The elements of a slab in memory order, one after the other. @param first the byte of the first one */
  #takeSlab({ shape }: Slab, steps: readonly number[], elements: Uint8Array, first: number): Uint8Array {
    const { kernels, pipeline } = this.#decoder;
    const length = product(shape, this.#storedSize);
    if (this.#asStored && isInOrder(shape, steps, this.#storedSize))
      return elements.subarray(first, first + length);
    const source = kernels.allocate(length);
    const strides = cOrderStrides(shape, this.#storedSize);
    runStoredCopy(this.#stored.plan(shape, strides, steps), kernels, source, 0, elements, first);
    pipeline.normalise?.(source);
    return source;
  }

  /** Puts the converted elements of a slab into the band, as a chunk of its own. */
  #placeSlab(
    open: OpenBand,
    chunk: ChunkProjection,
    { start, shape }: Slab,
    converted: Uint8Array,
    location: ChunkLocation,
    mark: number,
  ): void {
    const parts = chunk.parts.map((part, d) => ({
      ...part,
      source: 0,
      target: part.target + at(start, d),
      count: at(shape, d),
    }));
    const strides = cOrderStrides(shape, this.#drawing.itemSize);
    const here = { ...location, pipeline: { ...this.#converted, strides } };
    this.#inner.place(open, { ...chunk, parts }, converted, here, mark);
  }

  #placeOf(chunk: ChunkProjection): number {
    return this.#window.offset + offsetOf(chunkBox(chunk).start, this.#window.strides);
  }
}

function convertedPipeline(
  pipeline: Pipeline,
  { conversion, itemSize }: Drawing,
  storedSize: number,
): Pipeline {
  const bins = conversion.statistics?.bins ?? 0;
  const scratch = SLAB * (storedSize + itemSize) + 4 * bins + CONVERSION_SCRATCH;
  return {
    ...pipeline,
    strides: cOrderStrides(pipeline.shape, itemSize),
    swapUnit: 1,
    swapRuns: undefined,
    normalise: undefined,
    decodeRange: undefined,
    decode: (elements) => elements,
    scratch: (elements) => pipeline.scratch(elements) + scratch,
  };
}
