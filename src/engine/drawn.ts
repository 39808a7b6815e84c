/**
 * Reads elements that are converted on the way: each chunk is decoded, its selected elements are converted,
 * and the band assembler puts the results where it puts the elements of any chunk.
 */
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
import type { PreparedArray, ReadOptions } from "./prepared.js";
import { readWindow } from "./read.js";
import { storedPlans, withRowViewCache } from "./rows.js";

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
    const count = pipeline.byteLength / storedSize;
    const fill = new Uint8Array(itemSize);
    convert(fill, fillPattern);

    /** Of chunks that hold the converted elements of a selection alone, in C order. */
    const converted: Pipeline = {
      ...pipeline,
      strides: cOrderStrides(pipeline.shape, itemSize),
      swapUnit: 1,
      swapRuns: undefined,
      normalise: undefined,
      decodeRange: undefined,
      decode: (elements) => elements,
      scratch: (elements) =>
        pipeline.scratch(elements) + count * (storedSize + itemSize) + CONVERSION_SCRATCH,
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

    return {
      ...inner,

      place(open, chunk, value, at, mark) {
        const span = spanOf(chunk, at.pipeline ?? pipeline, selection, storedSize);
        const elements = decodeRange
          ? decodeRange(value, span.start, span.end, kernels, at, span)
          : pipeline.decode(value, kernels, at);
        const first = span.first - (decodeRange ? span.start : 0);
        const { shape, steps } = span;
        const length = product(shape, storedSize);
        const strides = cOrderStrides(shape, storedSize);
        let source = elements.subarray(first, first + length);
        if (!asStored || shape.some((extent, d) => extent > 1 && steps[d] !== strides[d])) {
          source = kernels.allocate(length);
          runStoredCopy(stored.plan(shape, strides, steps), kernels, source, 0, elements, first);
          pipeline.normalise?.(source);
        }
        const target = kernels.allocate(product(shape, itemSize));
        if (statistics) {
          const counted = counter(kernels, statistics.bins);
          convert(target, source, counted);
          drawing.add(placeOf(chunk), taken(counted));
        } else convert(target, source);
        const parts = chunk.parts.map((part) => ({ ...part, source: 0 }));
        const own = { ...converted, strides: cOrderStrides(shape, itemSize) };
        inner.place(open, { ...chunk, parts }, target, { ...at, pipeline: own }, mark);
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
