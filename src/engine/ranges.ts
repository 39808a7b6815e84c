/** Reads parts of chunks, if a selection does not need all of every chunk. */
import { type FindNeededRanges, type Loop, loopsOf, type StridedBox } from "../codecs/codec.js";
import type { DimensionSelection } from "../grid/selection.js";
import type { Awaitable } from "../stores/store.js";
import { type ChunkValue, type Span, spanOf } from "./assembler.js";
import type { ChunkProjection } from "./bands.js";
import { ownMemory } from "./buffers.js";
import type { PreparedArray, ValueLocation } from "./prepared.js";
import { type RequestStop, StoreRead } from "./store-read.js";
import { LARGEST_AT_ONCE, leavesBlocks, readsBlocks, readsSpans, SMALLEST_GAP } from "./whole-or-ranges.js";

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
      Math.min(start, last) < Math.abs(step) && Math.max(start, last) + Math.abs(step) >= (shape[d] ?? 0)
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
  const shape = selection.map(({ step }, d) => Math.ceil((chunkShape[d] ?? 1) / Math.abs(step)));
  const steps = selection.map(({ step }, d) => step * (pipeline.strides[d] ?? 0));
  return piecesOf({ shape, steps, itemSize: fillPattern.length }).loops.length > 0;
}

export interface ChunkParts {
  /** The array whose pipeline decodes the values that `get` returns. */
  readonly array: PreparedArray;
  /** Reads the bytes that the selected elements of a chunk need. @param allocate as in `getInto` @param later as in its options */
  get(
    chunk: ChunkProjection,
    at: ValueLocation,
    allocate: ((byteLength: number) => Uint8Array) | undefined,
    stop: RequestStop,
    later: ((byteLength: number) => Uint8Array) | undefined,
  ): Awaitable<ChunkValue>;
}

// Gaps between the selected elements of a chunk, if leaving them unread saves time: planes that a stepped selection skips, or the bytes
// beside a window.
/** Pieces with gaps between them. Each is `length` bytes long; the loops give where they begin. */
interface Pieces {
  readonly length: number;
  /** Outermost first; empty if there is one piece. */
  readonly loops: readonly Loop[];
}

/** The pieces of a chunk's selected elements, counted from the lowest byte, for positive and negative steps. */
function piecesOf(box: StridedBox): Pieces {
  const loops = loopsOf(box);
  let length = box.itemSize;
  for (let inner = loops.at(-1); inner !== undefined; inner = loops.at(-1)) {
    if (inner.step - length >= SMALLEST_GAP) break;
    length += (inner.count - 1) * inner.step;
    loops.pop();
  }
  return { length, loops };
}

/** Total bytes of all pieces. */
function byteLengthOf({ length, loops }: Pieces): number {
  return loops.reduce((total, { count }) => total * count, length);
}

/** Visits every piece in ascending order. @param visit gets the byte range of a piece, relative to the first piece */
function forEachPiece(
  { length, loops }: Pieces,
  visit: (start: number, end: number) => void,
  depth = 0,
  at = 0,
): void {
  const loop = loops[depth];
  if (loop === undefined) {
    visit(at, at + length);
    return;
  }
  for (let i = 0; i < loop.count; i++) {
    forEachPiece({ length, loops }, visit, depth + 1, at + i * loop.step);
  }
}

// Parts of encoded chunks, for codecs with `neededRanges` (blocks of blosc) in stores that open values at once. The bytes that the codec
// needs are read to their offsets in a buffer for the whole chunk.
/** Returns undefined if the codec or the store cannot do this. */
function prepareNeededParts(
  array: PreparedArray,
  selection: readonly DimensionSelection[],
): ChunkParts | undefined {
  const { store, pipeline, fillPattern } = array;
  const { getInto } = store;
  const { neededRanges } = pipeline;
  if (!readsBlocks(array) || !getInto || !neededRanges) return undefined;

  return {
    array,
    get(chunk, at, allocate = ownMemory, stop, later) {
      const own = at.pipeline ?? pipeline;
      const span = spanOf(chunk, own, selection, fillPattern.length);
      const isPart = leavesBlocks(byteLengthOf(piecesOf(span)), own.byteLength);
      return (
        (isPart ? readSpan(array, at, span, neededRanges, allocate, stop) : undefined) ??
        getInto.call(
          store,
          at.key,
          allocate,
          new StoreRead(stop, later, undefined, own.maximumEncodedByteLength),
        )
      );
    },
  };
}

/** A compressed chunk is rarely longer than its elements: memory may not suffice for one that is longer by more than this. */
const GROWTH = 512 << 10;

/** Reads the bytes of a chunk that its codec needs for a span; undefined if the chunk should be read whole. */
function readSpan(
  { store, pipeline }: PreparedArray,
  at: ValueLocation,
  span: Span,
  neededRanges: FindNeededRanges,
  allocate: (byteLength: number) => Uint8Array,
  stop: RequestStop,
): Uint8Array | undefined {
  const { byteLength } = at.pipeline ?? pipeline;
  stop.check();
  let encodedLength = Number.POSITIVE_INFINITY;
  const value = store.openNow?.(at.key, {
    onValue(state) {
      encodedLength = state.byteLength ?? encodedLength;
    },
  });
  try {
    if (value === undefined || encodedLength > byteLength + GROWTH) return undefined;
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
  } finally {
    value?.close();
  }
}

// Parts of uncompressed chunks: only the span of the selection is read, without its gaps if the value stays open.
/** Ranges begin and end at pages: a copy from the page cache that begins inside a page takes longer than the bytes it saves. */
const PAGE = 4096;

/** For arrays for which `readsSpans` is true. */
function storedParts(array: PreparedArray, selection: readonly DimensionSelection[]): ChunkParts {
  const { store, pipeline, kernels, fillPattern } = array;
  const itemSize = fillPattern.length;

  return {
    array: { ...array, pipeline: { ...pipeline, decodeRange: (bytes) => bytes } },

    get(chunk, at, allocate = ownMemory, stop, later) {
      const { key, pipeline: own = pipeline } = at;
      const { byteLength } = own;
      const span = spanOf(chunk, own, selection, itemSize);
      const { start, end } = span;
      const offset = start - (start % PAGE);
      const length = Math.min(Math.ceil(end / PAGE) * PAGE, byteLength) - offset;
      let told: number | undefined;
      const onValue: StoreRead["onValue"] = (state) => {
        told = state.byteLength;
      };
      const options = new StoreRead(stop, later, byteLength, own.maximumEncodedByteLength, onValue);
      const answer =
        readAround(array, key, span, { offset, length }, allocate, options) ??
        store.getRangeInto?.(key, { offset, length }, allocate, options);
      const check = (part: ChunkValue): Awaitable<ChunkValue> =>
        part === undefined || (told === byteLength && part.length === length)
          ? part?.subarray(start - offset, end - offset)
          : whole();
      // The pipeline throws for a chunk of a wrong length, unless the chunk was replaced since and has the right one now.
      const whole = async (): Promise<ChunkValue> => {
        const value = await store.get(key, {
          signal: stop.signal(),
          priority: stop.priority,
          maximumBytes: own.maximumEncodedByteLength,
        });
        return value && pipeline.decode(value, kernels, at).subarray(start, end);
      };
      return answer instanceof Promise ? answer.then(check) : check(answer);
    },
  };
}

/**
 * Reads a range of a value without the gaps between the pieces of a span; gaps keep the former contents of the memory. Returns
 * undefined if the store cannot open the value at once, or the span is one piece.
 */
function readAround(
  { store }: PreparedArray,
  key: ValueLocation["key"],
  span: Span,
  { offset, length }: { readonly offset: number; readonly length: number },
  allocate: (byteLength: number) => Uint8Array,
  options: StoreRead,
): ChunkValue {
  const pieces = piecesOf(span);
  const isAround = pieces.loops.length > 0 && byteLengthOf(pieces) <= LARGEST_AT_ONCE;
  const value = isAround ? store.openNow?.(key, { onValue: options.onValue }) : undefined;
  if (value === undefined) return undefined;
  try {
    const range = allocate(length);
    let read = 0;
    let wanted = 0;
    forEachPiece(pieces, (start, end) => {
      // In whole pages, within the range.
      const from = Math.max(0, Math.floor((span.start + start) / PAGE) * PAGE - offset);
      const to = Math.min(length, Math.ceil((span.start + end) / PAGE) * PAGE - offset);
      wanted += to - from;
      read += value.read({ offset: offset + from, length: to - from }, () => range.subarray(from, to)).length;
    });
    return read === wanted ? range : undefined;
  } finally {
    value.close();
  }
}
