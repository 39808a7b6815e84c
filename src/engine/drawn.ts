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
import { type AssemblerFactory, chunkBox, offsetOf, type ResultWindow, spanOf } from "./assembler.js";
import { bandAssembler } from "./band-assembler.js";
import { type ChunkProjection, planBands } from "./bands.js";
import type { PreparedArray, ReadOptions } from "./prepared.js";
import { readWindow } from "./read.js";
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
  const found = new FoundByChunk(conversion.statistics?.bins ?? 0);
  const convert = await loadConversion(kernels, conversion);
  const width = widthOf(conversion.to);
  // Bands have the length of the result's elements if those are longer than the stored ones.
  const planned: PreparedArray =
    blocks || plan
      ? array
      : { ...array, plan: (dimensions, shape, size) => planBands(dimensions, shape, Math.max(size, width)) };
  const assembler = drawingAssembler(conversion, convert, found);
  const here = { ...options, workers: undefined };
  await readWindow(planned, selection, { ...window, conversion, assembler }, here);
  return found.sum();
}

/**
 * Statistics by place of the chunk in the result: a chunk of a shard that was replaced during the read, or of
 * a read that begins again, comes twice and counts once.
 */
class FoundByChunk {
  readonly #bins: number;
  readonly #found = new Map<number, { readonly numbers: Float64Array; readonly bins: Uint32Array }>();

  constructor(bins: number) {
    this.#bins = bins;
  }

  /** @param times how often each value counts */
  add(place: number, { numbers, bins }: Counted, times = 1): void {
    const own = { numbers: new Float64Array(3), bins: new Uint32Array(this.#bins) };
    bytesOfView(own.numbers).set(numbers);
    bytesOfView(own.bins).set(bins);
    if (times !== 1) {
      own.numbers[0] = (own.numbers[0] ?? 0) * times;
      own.bins.forEach((count, bin) => {
        own.bins[bin] = count * times;
      });
    }
    this.#found.set(place, own);
  }

  sum(): Found {
    let [total, minimum, maximum] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const sums = new Float64Array(this.#bins);
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

/** Empty statistics in scratch memory. */
function counter(kernels: Kernels, bins: number): Counted {
  const counted = { numbers: kernels.allocate(24), bins: kernels.allocate(4 * bins) };
  counted.numbers.set(bytesOfView(Float64Array.of(0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)));
  counted.bins.fill(0);
  return counted;
}

function drawingAssembler(
  { from, to, statistics }: Conversion,
  convert: Convert,
  found: FoundByChunk,
): AssemblerFactory {
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
      { ...window, assembler: undefined },
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
          found.add(placeOf(chunk), counted);
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
        found.add(placeOf(chunk), counted, product(chunkBox(chunk).shape));
        kernels.release(mark);
      },
    };
  };
}
