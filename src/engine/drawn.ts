/**
 * Reads elements that are converted on the way: each chunk is decoded, its selected elements are converted,
 * and the band assembler puts the results where it puts the elements of any chunk.
 */
import { at } from "../at.js";
import { isMovedAsStored, runStoredCopy } from "../codecs/layout.js";
import type { Pipeline } from "../codecs/pipeline.js";
import {
  CONVERSION_SCRATCH,
  type Conversion,
  type Convert,
  type Counted,
  loadConversion,
  widthOf,
} from "../data-types/drawn.js";
import { bytesOfView } from "../data-types/typed-array.js";
import type { BasicSelection } from "../grid/selection.js";
import { coordinatesAt } from "../grid/walk.js";
import type { Kernels } from "../kernels/kernels.js";
import { cOrderStrides, product } from "../shape.js";
import {
  type AssemblerFactory,
  chunkBox,
  type Drawing,
  type FoundInChunk,
  offsetOf,
  type ResultWindow,
  spanOf,
} from "./assembler.js";
import { bandAssembler } from "./band-assembler.js";
import { type ChunkProjection, planBands } from "./bands.js";
import type { ReadOptions } from "./options.js";
import type { PreparedArray } from "./prepared.js";
import { readWindow } from "./read.js";
import { withRowViewCache } from "./row-views.js";
import { storedPlans } from "./rows.js";

/** Statistics of the values of one read, without those that are missing. */
export interface Found {
  readonly count: number;
  /** Infinity if there is no value. */
  readonly minimum: number;
  /** -Infinity if there is no value. */
  readonly maximum: number;
  /** How many values are in each bin. */
  readonly bins: Float64Array;
}

/** Reads `selection` into a window of elements of the conversion's target. */
export async function readDrawn(
  array: PreparedArray,
  selection: BasicSelection,
  window: ResultWindow,
  conversion: Conversion,
  options: ReadOptions,
): Promise<Found> {
  const { kernels, blocks, plan } = array;
  const drawing = new FoundByChunk(conversion);
  const assembler = await loadDrawing(kernels, drawing);
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

/**
 * Statistics by place of the chunk in the result: a chunk of a shard that was replaced during the read, or of
 * a read that begins again, comes twice and counts once.
 */
export class FoundByChunk implements Drawing {
  readonly conversion: Conversion;
  readonly itemSize: number;
  readonly #found = new Map<number, FoundInChunk>();

  constructor(conversion: Conversion) {
    this.conversion = conversion;
    this.itemSize = widthOf(conversion.to);
  }

  add(place: number, found: FoundInChunk): void {
    this.#found.set(place, found);
  }

  /** Of the chunks in the order in which they came. */
  get chunks(): FoundInChunk[] {
    return [...this.#found.values()];
  }

  sum(): Found {
    let [total, minimum, maximum] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const sums = new Float64Array(this.conversion.statistics?.bins ?? 0);
    for (const { numbers, bins } of this.#found.values()) {
      const [count = 0, least = minimum, greatest = maximum] = numbers;
      total += count;
      minimum = Math.min(minimum, least);
      maximum = Math.max(maximum, greatest);
      bins.forEach((each, bin) => {
        sums[bin] = (sums[bin] ?? 0) + each;
      });
    }
    return { count: total, minimum, maximum, bins: sums };
  }
}

/** A copy of statistics that are in scratch memory, each value of which counts `times` times. */
function taken({ numbers, bins }: Counted, times = 1): FoundInChunk {
  const own = {
    numbers: new Float64Array(numbers.slice().buffer),
    bins: new Uint32Array(bins.slice().buffer),
  };
  if (times === 1) return own;
  const [count = 0, least = 0, greatest = 0] = own.numbers;
  return {
    numbers: Float64Array.of(count * times, least, greatest),
    bins: own.bins.map((each) => each * times),
  };
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

/** Empty statistics in scratch memory. */
function counter(kernels: Kernels, bins: number): Counted {
  const counted = { numbers: kernels.allocate(24), bins: kernels.allocate(4 * bins) };
  counted.numbers.set(bytesOfView(Float64Array.of(0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)));
  counted.bins.fill(0);
  return counted;
}

/** Loads the assembler that converts elements. */
export async function loadDrawing(kernels: Kernels, drawing: Drawing): Promise<AssemblerFactory> {
  return drawingAssembler(await loadConversion(kernels, drawing.conversion), drawing);
}

function drawingAssembler(convert: Convert, drawing: Drawing): AssemblerFactory {
  const { from, to, statistics } = drawing.conversion;
  return ({ kernels, pipeline, fillPattern }, selection, window) => {
    const [storedSize, itemSize] = [widthOf(from), widthOf(to)];
    const { decodeRange } = pipeline;
    const asStored = isMovedAsStored(pipeline);
    const stored = storedPlans(storedSize, pipeline);
    const fill = new Uint8Array(itemSize);
    convert(fill, fillPattern);

    const scratch = SLAB * (storedSize + itemSize) + 4 * (statistics?.bins ?? 0) + CONVERSION_SCRATCH;
    /** Of chunks that hold the converted elements of a selection alone, in C order. */
    const converted: Pipeline = {
      ...pipeline,
      strides: cOrderStrides(pipeline.shape, itemSize),
      swapUnit: 1,
      swapRuns: undefined,
      normalise: undefined,
      decodeRange: undefined,
      decode: (elements) => elements,
      scratch: (elements) => pipeline.scratch(elements) + scratch,
    };
    const inner = bandAssembler(
      { kernels, pipeline: converted, fillPattern: fill },
      selection.map((dimension) => ({ ...dimension, step: 1 })),
      withRowViewCache(
        { ...window, assembler: undefined },
        { kernels, pipeline: converted, fillPattern: fill },
      ),
    );

    const placeOf = (chunk: ChunkProjection): number =>
      window.offset + offsetOf(chunkBox(chunk).start, window.strides);

    /** The elements of a slab in memory order, one after the other. @param first the byte of the first one */
    function takeSlab(
      { shape }: Slab,
      steps: readonly number[],
      elements: Uint8Array,
      first: number,
    ): Uint8Array {
      const length = product(shape, storedSize);
      const strides = cOrderStrides(shape, storedSize);
      const isThere = shape.every((extent, d) => extent === 1 || steps[d] === strides[d]);
      if (asStored && isThere) return elements.subarray(first, first + length);
      const source = kernels.allocate(length);
      runStoredCopy(stored.plan(shape, strides, steps), kernels, source, 0, elements, first);
      pipeline.normalise?.(source);
      return source;
    }

    return {
      ...inner,

      place(open, chunk, value, location, mark) {
        const span = spanOf(chunk, location.pipeline ?? pipeline, selection, storedSize);
        const elements = decodeRange
          ? decodeRange(value, span.start, span.end, kernels, location, span)
          : pipeline.decode(value, kernels, location);
        const first = span.first - (decodeRange ? span.start : 0);
        const counted = statistics && counter(kernels, statistics.bins);
        for (const slab of slabsOf(span.shape)) {
          const { start, shape } = slab;
          const own = kernels.mark();
          const source = takeSlab(slab, span.steps, elements, first + offsetOf(start, span.steps));
          const target = kernels.allocate(product(shape, itemSize));
          convert(target, source, counted);
          const parts = chunk.parts.map((part, d) => ({
            ...part,
            source: 0,
            target: part.target + at(start, d),
            count: at(shape, d),
          }));
          const strides = cOrderStrides(shape, itemSize);
          const here = { ...location, pipeline: { ...converted, strides } };
          inner.place(open, { ...chunk, parts }, target, here, own);
        }
        if (counted) drawing.add(placeOf(chunk), taken(counted));
        kernels.release(mark);
      },

      fill(open, chunk) {
        inner.fill(open, chunk);
        if (!statistics) return;
        const mark = kernels.mark();
        const counted = counter(kernels, statistics.bins);
        convert(kernels.allocate(itemSize), fillPattern, counted);
        drawing.add(placeOf(chunk), taken(counted, product(chunkBox(chunk).shape)));
        kernels.release(mark);
      },
    };
  };
}
