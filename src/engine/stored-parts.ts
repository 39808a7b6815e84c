/**
 * Parts of chunks that are stored as they are: no more is read than what is selected spans, and of values that stay open meanwhile
 * not what is between it either. Only from stores that say how long the whole value is, and answer into memory that is there: over
 * a network, ranges cost browsers a preflight and their cache, and into fresh memory half a chunk is read no sooner than a whole one
 * into warm memory.
 */
import type { DimensionSelection } from "../grid/selection.js";
import type { Awaitable } from "../stores/store.js";
import { type ChunkValue, type Span, spanOf } from "./assembler.js";
import { type ChunkParts, LARGEST_AT_ONCE, ownMemory, PLAIN } from "./chunk-parts.js";
import { byteLengthOf, forEachPiece, piecesOf } from "./gaps.js";
import type { PreparedArray, ValueLocation } from "./prepared.js";
import { StoreRead } from "./stop.js";

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
export function storedParts(array: PreparedArray, selection: readonly DimensionSelection[]): ChunkParts {
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
      const options = new StoreRead(stop, later, byteLength, onValue);
      const answer =
        readAround(array, key, span, { offset, length }, allocate, options) ??
        store.getRangeInto?.(key, { offset, length }, allocate, options);
      const check = (part: ChunkValue): Awaitable<ChunkValue> =>
        part === undefined || (told === byteLength && part.length === length)
          ? part?.subarray(start - offset, end - offset)
          : whole();
      // A chunk of another length is an error in the words of the pipeline, unless it was replaced meanwhile.
      const whole = async (): Promise<ChunkValue> => {
        const value = await store.get(key, { signal: stop.signal() });
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
