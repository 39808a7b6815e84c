/** Reads parts of chunks, if a selection does not need all of every chunk. */
import { noItem } from "../base/at.js";
import type { FindNeededRanges } from "../core/codecs/codec.js";
import type { Pipeline } from "../core/codecs/pipeline.js";
import type { Allocate, OpenValue } from "../core/stores/store.js";
import { readNow, wholeNow } from "../core/stores/values.js";
import type { DimensionSelection } from "../grid/selection.js";
import { type ChunkValue, type Span, spanOf } from "./assembler.js";
import type { ChunkProjection } from "./bands.js";
import type { RequestStop } from "./options.js";
import { byteLengthOf, forEachPiece, piecesOf } from "./pieces.js";
import type { PreparedArray, ValueLocation } from "./prepared.js";
import { LARGEST_AT_ONCE, leavesBlocks, readsBlocks, readsSpans } from "./whole-or-ranges.js";

/** Returns undefined if reading parts of chunks takes no less time. */
export function prepareParts(
  array: PreparedArray,
  selection: readonly DimensionSelection[],
): ChunkParts | undefined {
  const { shape } = array.metadata;
  // The selection spans the whole array, perhaps in steps: it spans every chunk.
  const isEverywhere = selection.every(({ start, step, count }, d) => {
    const last = start + (count - 1) * step;
    return (
      Math.min(start, last) < Math.abs(step) &&
      Math.max(start, last) + Math.abs(step) >= (shape[d] ?? noItem(shape, d))
    );
  });
  if (isEverywhere && !hasGaps(array, selection)) return undefined;
  return readsSpans(array) ? storedParts(array, selection) : prepareNeededParts(array, selection);
}

/** Whether the selection leaves gaps in a chunk that it spans from end to end. */
function hasGaps(
  { pipeline, metadata, fillPattern }: PreparedArray,
  selection: readonly DimensionSelection[],
): boolean {
  const { chunkShape } = metadata.chunkGrid;
  const shape = selection.map(({ step }, d) =>
    Math.ceil((chunkShape[d] ?? noItem(chunkShape, d)) / Math.abs(step)),
  );
  const steps = selection.map(({ step }, d) => step * (pipeline.strides[d] ?? noItem(pipeline.strides, d)));
  return piecesOf({ shape, steps, itemSize: fillPattern.length }).loops.length > 0;
}

export interface ChunkParts {
  /** The array whose pipeline decodes the values that `get` returns. */
  readonly array: PreparedArray;
  /** Reads the bytes that the selected elements of a chunk need, if the store answers at once. */
  now(chunk: ChunkProjection, at: ValueLocation, allocate: Allocate): ChunkValue | "later";
  later(
    chunk: ChunkProjection,
    at: ValueLocation,
    allocate: Allocate | undefined,
    stop: RequestStop,
  ): Promise<ChunkValue>;
}

/**
 * Parts of encoded chunks, for codecs with `neededRanges` (blocks of blosc) in stores that open values at
 * once. The bytes that the codec needs are read to their offsets in a buffer for the whole chunk. Returns
 * undefined if the codec or the store cannot do this.
 */
function prepareNeededParts(
  array: PreparedArray,
  selection: readonly DimensionSelection[],
): ChunkParts | undefined {
  const { values, pipeline, fillPattern } = array;
  const { neededRanges } = pipeline;
  if (!readsBlocks(array) || !neededRanges) return undefined;

  return {
    array,
    now(chunk, at, allocate) {
      const own = at.pipeline ?? pipeline;
      const span = spanOf(chunk, own, selection, fillPattern.length);
      const isPart = leavesBlocks(byteLengthOf(piecesOf(span)), own.byteLength);
      const part = isPart ? readSpan(array, at, span, neededRanges, allocate) : undefined;
      return part ?? wholeNow(values, at.key, own.maximumEncodedByteLength, allocate);
    },
    async later(_, at, allocate, stop) {
      return wholeLater(array, at, allocate, stop);
    },
  };
}

async function wholeLater(
  { values, pipeline }: PreparedArray,
  { key, pipeline: own = pipeline }: ValueLocation,
  allocate: Allocate | undefined,
  stop: RequestStop,
): Promise<ChunkValue> {
  const maximumBytes = own.maximumEncodedByteLength;
  const options = { signal: stop.signal(), priority: stop.priority, maximumBytes, allocate };
  return (await values.getParts(key, undefined, options))?.parts[0];
}

/**
 * A compressed chunk is rarely longer than its elements: memory may not suffice for one that is longer by
 * more than this.
 */
const GROWTH = 512 << 10;

/**
 * Reads the bytes of a chunk that its codec needs for a span; undefined if the chunk should be read whole.
 */
function readSpan(
  { values, pipeline }: PreparedArray,
  at: ValueLocation,
  span: Span,
  neededRanges: FindNeededRanges,
  allocate: Allocate,
): Uint8Array | undefined {
  const { byteLength } = at.pipeline ?? pipeline;
  const found = readNow(values, at.key, undefined, (value) => {
    const encodedLength = value.byteLength;
    if (encodedLength > byteLength + GROWTH) return undefined;
    const bytes = allocate(encodedLength);
    let room = LARGEST_AT_ONCE;
    const steps = neededRanges(bytes, span.start, span);
    let step = steps.next();
    for (; !step.done; step = steps.next()) {
      for (const { start, end } of step.value) {
        room -= end - start;
        if (room < 0) return undefined;
        const part = value.read({ offset: start, length: end - start }, () => bytes.subarray(start, end));
        if (part.length < end - start) return undefined;
      }
    }
    return step.value ? bytes : undefined;
  });
  return found === "later" ? undefined : found;
}

/**
 * Ranges begin and end at pages: a copy from the page cache that begins inside a page takes longer than the
 * bytes it saves.
 */
const PAGE = 4096;

/** By array, the array whose pipeline takes spans as they are. */
const decoders = new WeakMap<PreparedArray, PreparedArray>();

/**
 * Parts of uncompressed chunks: only the span of the selection is read, without its gaps if the value stays
 * open. For arrays for which `readsSpans` is true.
 */
function storedParts(array: PreparedArray, selection: readonly DimensionSelection[]): ChunkParts {
  const { values, pipeline, kernels, fillPattern } = array;
  let decoder = decoders.get(array);
  if (decoder === undefined) {
    decoder = { ...array, pipeline: { ...pipeline, decodeRange: (bytes) => bytes } };
    decoders.set(array, decoder);
  }

  /** The span of a chunk, and the pages around it. */
  const placeOf = (chunk: ChunkProjection, own: Pipeline) => {
    const span = spanOf(chunk, own, selection, fillPattern.length);
    const offset = span.start - (span.start % PAGE);
    return {
      span,
      pages: { offset, length: Math.min(Math.ceil(span.end / PAGE) * PAGE, own.byteLength) - offset },
    };
  };
  /**
   * A chunk of a wrong length: `decode` throws, unless the chunk was replaced since and has the right length
   * now.
   */
  const decoded = (value: ChunkValue, at: ValueLocation, { start, end }: Span): ChunkValue =>
    value && pipeline.decode(value, kernels, at).subarray(start, end);

  return {
    array: decoder,

    now(chunk, at, allocate) {
      const own = at.pipeline ?? pipeline;
      const { span, pages } = placeOf(chunk, own);
      return readNow(values, at.key, own.maximumEncodedByteLength, (value) => {
        if (value.byteLength !== own.byteLength) {
          const whole = value.whole(allocate);
          return whole === undefined ? "later" : decoded(whole, at, span);
        }
        if (pages.length > LARGEST_AT_ONCE) return "later";
        const part = readAround(value, span, pages, allocate) ?? value.read(pages, allocate);
        return part.subarray(span.start - pages.offset, span.end - pages.offset);
      });
    },

    async later(chunk, at, allocate, stop) {
      const own = at.pipeline ?? pipeline;
      const { span, pages } = placeOf(chunk, own);
      const options = { signal: stop.signal(), priority: stop.priority, allocate };
      const found = await values.getParts(at.key, [pages], options);
      const [part] = found?.parts ?? [];
      if (part === undefined) return undefined;
      if (found?.byteLength === own.byteLength && part.length === pages.length)
        return part.subarray(span.start - pages.offset, span.end - pages.offset);
      return decoded(await wholeLater(array, at, undefined, stop), at, span);
    },
  };
}

/**
 * Reads a range of a value without the gaps between the pieces of a span; gaps keep the former contents of
 * the memory. Undefined if the span is one piece.
 */
function readAround(
  value: OpenValue,
  span: Span,
  { offset, length }: { readonly offset: number; readonly length: number },
  allocate: Allocate,
): Uint8Array | undefined {
  const pieces = piecesOf(span);
  if (pieces.loops.length === 0 || byteLengthOf(pieces) > LARGEST_AT_ONCE) return undefined;
  const range = allocate(length);
  forEachPiece(pieces, (start, end) => {
    // In whole pages, within the range.
    const from = Math.max(0, Math.floor((span.start + start) / PAGE) * PAGE - offset);
    const to = Math.min(length, Math.ceil((span.start + end) / PAGE) * PAGE - offset);
    value.read({ offset: offset + from, length: to - from }, () => range.subarray(from, to));
  });
  return range;
}
