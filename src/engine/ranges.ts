/** Which parts of chunks are read, and how, where not all of every chunk is wanted. */
import { type FindNeededRanges, type Loop, loopsOf, type StridedBox } from "../codecs/codec.js";
import type { DimensionSelection } from "../grid/selection.js";
import type { Awaitable } from "../stores/store.js";
import { type Stop, StoreRead } from "./abort.js";
import { type ChunkValue, type Span, spanOf } from "./assembler.js";
import type { ChunkProjection } from "./bands.js";
import type { PreparedArray, ValueLocation } from "./prepared.js";
import { ownMemory } from "./shards/buffers.js";

/** Undefined where that does not pay. */
export function prepareParts(
  array: PreparedArray,
  selection: readonly DimensionSelection[],
): ChunkParts | undefined {
  const { shape } = array.metadata;
  // From one end of the array to the other, if in steps: every chunk is spanned.
  const isEverywhere = selection.every(({ start, step, count }, d) => {
    const last = start + (count - 1) * step;
    return (
      Math.min(start, last) < Math.abs(step) && Math.max(start, last) + Math.abs(step) >= (shape[d] ?? 0)
    );
  });
  if (isEverywhere && !hasGaps(array, selection)) return undefined;
  return isReadInParts(array) ? storedParts(array, selection) : prepareNeededParts(array, selection);
}

/** Whether there are gaps in a chunk of which a selection has something from one end to the other. */
function hasGaps(
  { pipeline, metadata, fillPattern }: PreparedArray,
  selection: readonly DimensionSelection[],
): boolean {
  const { chunkShape } = metadata.chunkGrid;
  const shape = selection.map(({ step }, d) => Math.ceil((chunkShape[d] ?? 1) / Math.abs(step)));
  const steps = selection.map(({ step }, d) => step * (pipeline.strides[d] ?? 0));
  return piecesOf({ shape, steps, itemSize: fillPattern.length }).loops.length > 0;
}

// What both ways of reading parts of chunks share.
/** Codecs that leave all elements as they are, somewhere. */
const PLAIN = ["bytes", "transpose"];
/** More than this is for the store to read in its own way: reads at once, one after the other, hold everything else up. */
const LARGEST_AT_ONCE = 16 << 20;

export interface ChunkParts {
  /** The array whose chunks are what `get` gives. */
  readonly array: PreparedArray;
  /** What is needed of a chunk for its selected elements. @param allocate as `getInto` has it @param later as its options have it */
  get(
    chunk: ChunkProjection,
    at: ValueLocation,
    allocate: ((byteLength: number) => Uint8Array) | undefined,
    stop: Stop,
    later: ((byteLength: number) => Uint8Array) | undefined,
  ): Awaitable<ChunkValue>;
}

// Gaps between the selected elements of a chunk that are worth leaving unread: planes between those of a stepped selection, or what lies
// beside a window.
/**
 * Bytes. A read more takes 1.2 us of Node's, in which more than these come out of the page cache if they are in the processor's caches,
 * and 8 KiB if not: [::2, ::2, ::2] of float32 chunks of 128^3 takes 0.69 of the time without the gaps of 64 KiB, of 80^3 (25 KiB) 0.83, of 64^3 (16 KiB)
 * as long; a window of 64^3 with gaps of 13 KiB 1.25 times as long.
 */
const SMALLEST_GAP = 24 << 10;

/** Pieces with gaps between them: each is `length` bytes long, and where they begin is a box of its own. */
interface Pieces {
  readonly length: number;
  /** Outermost first; none where it is one piece. */
  readonly loops: readonly Loop[];
}

/** The pieces of what is selected of a chunk, from its first byte on, whichever way it is walked. */
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

/** Bytes of all pieces. */
function byteLengthOf({ length, loops }: Pieces): number {
  return loops.reduce((total, { count }) => total * count, length);
}

/** Visits every piece in ascending order. @param visit its bytes, counted from the first one of the first piece */
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

// Parts of encoded chunks, for codecs with `neededRanges` (blocks of blosc) in stores that open values at once: the bytes that the codec
// needs are read to their places in memory for the whole chunk.
/** Of smaller chunks, opening a file and looking at what is in it takes longer than reading all of it. */
const SMALLEST_COMPRESSED = 512 << 10;
/** Chunks of which more elements are needed have hardly a block without any. */
const LARGEST_SHARE = 1 / 2;

/** Undefined where there is no such codec, or store. */
function prepareNeededParts(
  array: PreparedArray,
  selection: readonly DimensionSelection[],
): ChunkParts | undefined {
  const { store, pipeline, fillPattern, metadata } = array;
  const { outermost, byteLength } = pipeline;
  const { getInto } = store;
  const codec = outermost?.codec;
  // Other compressors before it would have to decode what is not there.
  const isAlone =
    pipeline.decodeRange && metadata.codecs.slice(0, -1).every(({ name }) => PLAIN.includes(name));
  if (!getInto || !store.openNow || !codec?.neededRanges || !isAlone || byteLength < SMALLEST_COMPRESSED) {
    return undefined;
  }
  const { neededRanges } = codec;

  return {
    array,
    get(chunk, at, allocate = ownMemory, stop, later) {
      const own = at.pipeline ?? pipeline;
      const span = spanOf(chunk, own, selection, fillPattern.length);
      const isPart = byteLengthOf(piecesOf(span)) <= own.byteLength * LARGEST_SHARE;
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

/** A chunk with the bytes that its codec needs for a span; undefined where all of it had better be read. */
function readSpan(
  { store, pipeline }: PreparedArray,
  at: ValueLocation,
  span: Span,
  neededRanges: FindNeededRanges,
  allocate: (byteLength: number) => Uint8Array,
  stop: Stop,
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
    // What is longer than its elements is unusual, and there may be no room for it.
    if (value === undefined || encodedLength > byteLength + SMALLEST_COMPRESSED) return undefined;
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

// Parts of chunks without a compressor: only the span of the selection is read, without its gaps where the value stays open. Only from
// stores that tell the length of the whole value and read into memory that is given: over a network, ranges cost browsers a preflight and
// their cache, and half a chunk into new memory takes as long as a whole one into memory that was used before.
/** Smaller chunks are read in less time than it takes to open them. */
const SMALLEST_CHUNK = 32 << 10;
/** Copies out of a page cache that begin in the middle of pages are slower than the few bytes that they spare. */
const PAGE = 4096;

/** Whether parts of an array's chunks can be read, and it pays where they are small. */
export function isReadInParts({ store, pipeline, metadata }: PreparedArray): boolean {
  const isPlain = metadata.codecs.every(({ name }) => PLAIN.includes(name)) && !pipeline.wrapped;
  const isFixed = pipeline.encodedByteLength === pipeline.byteLength && metadata.dataType.itemSize > 0;
  return store.getRangeInto !== undefined && isPlain && isFixed && pipeline.byteLength >= SMALLEST_CHUNK;
}

/** For arrays with `isReadInParts`. */
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
      // A chunk of another length is an error in the words of the pipeline, unless it was replaced meanwhile.
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
 * A range of a value without what is between the pieces of a span: there the memory keeps what it had. Undefined where that is not
 * to be had at once, or the span is one piece.
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
      // In whole pages, as far as the range has them.
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
