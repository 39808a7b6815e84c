/**
 * Parts of encoded chunks, for codecs that know which bytes they need for some elements (blocks of blosc): these alone are read, each
 * where it belongs in memory for the whole chunk, where values can be opened at once.
 */
import type { FindNeededRanges } from "../codecs/codec.js";
import type { DimensionSelection } from "../grid/selection.js";
import { type Span, spanOf } from "./assembler.js";
import { type ChunkParts, LARGEST_AT_ONCE, ownMemory, PLAIN } from "./chunk-parts.js";
import { byteLengthOf, piecesOf } from "./gaps.js";
import type { PreparedArray, ValueLocation } from "./prepared.js";
import { type Stop, StoreRead } from "./stop.js";

/** Of smaller chunks, opening a file and looking at what is in it takes longer than reading all of it. */
const SMALLEST_CHUNK = 512 << 10;
/** Chunks of which more elements are needed have hardly a block without any. */
const LARGEST_SHARE = 1 / 2;

/** Undefined where there is no such codec, or store. */
export function prepareNeededParts(
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
  if (!getInto || !store.openNow || !codec?.neededRanges || !isAlone || byteLength < SMALLEST_CHUNK) {
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
        getInto.call(store, at.key, allocate, new StoreRead(stop, later, undefined))
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
    if (value === undefined || encodedLength > byteLength + SMALLEST_CHUNK) return undefined;
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
