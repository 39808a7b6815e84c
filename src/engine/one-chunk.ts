/**
 * Reads of what lies in a single chunk of a Map: nothing has to be planned, waited for or put together. Picking elements or tiles one
 * by one, which viewers do, is then a lookup, the codecs and one copy.
 */

import type { Pipeline } from "../codecs/prepared-pipeline.js";
import { isMemoryOrder, runStoredCopy, type StoredCopy } from "../codecs/stored-copy.js";
import { UnsupportedError } from "../errors.js";
import type { DimensionProjection } from "../grid/projection.js";
import type { BasicSelection } from "../grid/selection.js";
import type { CopyPlan } from "../kernels/kernels.js";
import { cOrderStrides } from "../shape.js";
import { isBytes } from "../stores/check-store.js";
import { spanOf } from "./assembler.js";
import type { PreparedArray } from "./prepared.js";
import type { ReadOptions } from "./read.js";
import { copyRows, LONG_ROW_BYTES, movePlans, type PlanCache, storedPlans } from "./rows.js";

/** So many short rows are copied sooner one by one than by a kernel, which wants them in its memory. */
const FEW_ROWS = 16;

interface Plans {
  readonly moves: PlanCache<CopyPlan>;
  readonly stored: PlanCache<StoredCopy>;
}

/** Of every array, since the next read mostly has the shape of this one. */
const known = new WeakMap<Pipeline, Plans>();

function plansOf(pipeline: Pipeline, itemSize: number): Plans {
  let plans = known.get(pipeline);
  if (plans === undefined) {
    plans = { moves: movePlans(itemSize), stored: storedPlans(itemSize, pipeline) };
    known.set(pipeline, plans);
  }
  return plans;
}

/**
 * Reads `selection` into `result`, in C order and memory byte order; false, and nothing is done, where that takes more than this.
 * @param fresh whether `result` is all zeros
 * @throws CodecError; the signal's reason
 */
export function readOneChunk(
  array: PreparedArray,
  { dimensions }: BasicSelection,
  result: Uint8Array,
  fresh: boolean,
  { signal, onProgress, workers }: ReadOptions,
): boolean {
  const { store, pipeline, metadata, kernels, fillPattern } = array;
  const itemSize = fillPattern.length;
  const isMore = array.blocks ?? array.plan ?? pipeline.sharding ?? onProgress ?? workers;
  if (isMore || pipeline.asynchronous || itemSize === 0) return false;

  const { chunkShape } = metadata.chunkGrid;
  const chunk: number[] = [];
  const parts: DimensionProjection[] = [];
  for (const [d, { start, step, count }] of dimensions.entries()) {
    const length = chunkShape[d] ?? 1;
    const index = Math.floor(start / length);
    if (count === 0 || Math.floor((start + (count - 1) * step) / length) !== index) return false;
    chunk.push(index);
    parts.push({ chunk: index, source: start - index * length, count, target: 0, whole: false });
  }
  signal?.throwIfAborted();
  const at = array.locate(chunk);
  const value = store.get(at.key);
  if (value === undefined) {
    if (!fresh || fillPattern.some((byte) => byte !== 0)) kernels.fill(result, fillPattern);
    return true;
  }
  // A promise, or something that is told apart where those are.
  if (value === null || !isBytes(value)) return false;
  const { moves, stored } = plansOf(pipeline, itemSize);
  const span = spanOf({ chunk, parts, whole: false }, pipeline, dimensions, itemSize);
  const { shape, steps } = span;
  const strides = cOrderStrides(shape, itemSize);
  const isAsStored = isMemoryOrder(pipeline) && pipeline.normalise === undefined;
  const move = isAsStored ? moves.plan(shape, strides, steps) : undefined;
  const isDirect = move !== undefined && (move.run >= LONG_ROW_BYTES || result.length <= FEW_ROWS * move.run);
  if (pipeline.wrapped || !isDirect)
    kernels.begin(result.length + 2 * pipeline.byteLength + pipeline.scratchByteLength + 65536);
  const { decodeRange } = pipeline;
  let elements: Uint8Array;
  try {
    elements = decodeRange
      ? decodeRange(value, span.start, span.end, kernels, at, span)
      : pipeline.decode(value, kernels, at);
  } catch (error) {
    // Of a codec that lacks a module, which the other way loads.
    if (error instanceof UnsupportedError) return false;
    throw error;
  }
  const first = span.first - (decodeRange ? span.start : 0);
  if (isDirect) {
    copyRows(move, result, 0, elements, first);
    return true;
  }
  const box = kernels.allocate(result.length);
  runStoredCopy(stored.plan(shape, strides, steps), kernels, box, 0, elements, first);
  pipeline.normalise?.(box);
  result.set(box);
  return true;
}
