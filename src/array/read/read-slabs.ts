/** Reads selections larger than memory, slab by slab. */

import { follow } from "../../base/abort.js";
import { at } from "../../base/at.js";
import { InvalidArgumentError } from "../../base/errors.js";
import type { NamesOf } from "../../base/option-names.js";
import { product } from "../../base/shape.js";
import type { OnProgress } from "../../core/line/shared/on-progress.js";
import type { Store } from "../../core/stores/store.js";
import type { DataTypeName } from "../../data-types/names.js";
import { type ChunkRuns, chunkAlong, chunkAt, chunkRuns, endWithin } from "../../grid/chunk-grid.js";
import { countChunks } from "../../grid/run-projection.js";
import {
  type DimensionSelection,
  normaliseSelection,
  type Selection,
  type SelectionEntry,
} from "../../grid/selection.js";
import { checkArray } from "../nodes/check-arguments.js";
import type { Chunk, ZarrArray } from "../nodes/nodes.js";
import { get } from "./get.js";
import { checkStoredAlone, FANCY, type GetOptions, type StoredAlone } from "./get-options.js";
import { readRuns } from "./read-runs.js";

/**
 * Options of `read`.
 * @typeParam D the data type of the array
 */
export interface ReadSlabsOptions<D> extends Omit<GetOptions<D>, "out">, StoredAlone {
  /**
   * Maximum bytes of one slab, unless a single row of chunks has more; 32 MiB unless given. Two slabs are in
   * memory at a time.
   */
  readonly maximumBytes?: number | undefined;
  /**
   * Reads each slab into the memory of the slab before the last, so that a loop allocates two slabs in all.
   * The data of a slab is then yours until you ask for the next slab. Without effect for elements of variable
   * length.
   */
  readonly reuse?: boolean | undefined;
}

const { out: _, ...withoutOut } = FANCY;
const READ: NamesOf<Omit<ReadSlabsOptions<DataTypeName>, "as">> = {
  ...withoutOut,
  shared: true,
  useSharedArrayBuffer: true,
  maximumBytes: true,
  reuse: true,
};

/** Part of a selection's result; `start` is its first index along the first dimension of the result. */
export interface Slab<D> extends Chunk<D> {
  /** First index of the slab along the first dimension of the whole result. */
  start: number;
}

const DEFAULT_BYTES = 32 << 20;

/**
 * Reads a selection in slabs along the first dimension of its result, in order. Slabs end at chunk
 * boundaries. While the caller uses one slab, only the next one is read, so two are in memory; with `reuse`
 * the same two in turns. Leaving the loop aborts the read under way.
 * @example
 * ```ts
 * for await (const { start, data } of read(array, null, { maximumBytes: 64 << 20 }))
 *   console.log(start, data.length);
 * ```
 * @throws as `get`; InvalidArgumentError for a selection of integers alone, which is one element
 */
export async function* read<D, S extends Store>(
  array: ZarrArray<D, S>,
  selection: Selection = null,
  options: ReadSlabsOptions<D> = {},
): AsyncGenerator<Slab<D>, void, undefined> {
  checkArray(array);
  checkStoredAlone(options, "read", READ);
  const { maximumBytes = DEFAULT_BYTES, reuse = false, opts, signal, onProgress, ...rest } = options;
  if (!(maximumBytes > 0))
    throw new InvalidArgumentError(`maximumBytes: expected more than 0, got ${maximumBytes}`);
  const { dimensions, shape } = normaliseSelection(selection, array.shape);
  const first = dimensions.findIndex(({ drop }) => !drop);
  if (first < 0)
    throw new InvalidArgumentError(
      "read: expected a selection with at least one dimension, got one element; use get",
    );
  const whole = at(dimensions, first);
  const rowBytes = Math.max(1, product(shape.slice(1)) * array.dataType.itemSize);
  const chunks = at(readRuns(array.metadata), first);
  const most = Math.max(1, Math.floor(maximumBytes / rowBytes));
  const lengths = slabLengths(whole, chunks, most);
  const progress = onProgress && totalProgress(onProgress, visits(array, dimensions, first, most));
  const abort = new AbortController();

  const isReusing = reuse && array.dataType.variable === undefined;
  const fetch = async (start: number, count: number, used: Slab<D> | undefined): Promise<Slab<D>> => {
    const entries: Selection = dimensions.map((dimension, d): SelectionEntry => {
      if (dimension.drop) return dimension.start;
      const [from, length] =
        d === first ? [dimension.start + start * dimension.step, count] : [dimension.start, dimension.count];
      const stop = from + length * dimension.step;
      // A negative stop would count from the end; null means "to the beginning".
      return { start: from, stop: stop < 0 ? null : stop, step: dimension.step };
    });
    const out = isReusing && used?.shape[0] === count ? used.data : undefined;
    const slab: Chunk<D> = await get(array, entries, {
      ...rest,
      out,
      onProgress: progress,
      signal: abort.signal,
    });
    return { ...slab, start };
  };
  const leave = [signal, opts?.signal].map((each) => each && follow(abort, each));
  try {
    let start = 0;
    let next: Promise<Slab<D>> | undefined;
    /** The slab whose memory the caller is done with. */
    let used: Slab<D> | undefined;
    for (let length = lengths.next(); length.done !== true; ) {
      const current = next ?? fetch(start, length.value, used);
      start += length.value;
      const slab = await current;
      length = lengths.next();
      if (length.done !== true) {
        next = fetch(start, length.value, used);
        // `await` reports a failure in the next round; a caller that leaves the loop ignores it.
        next.catch(() => {});
      }
      yield slab;
      used = slab;
    }
  } finally {
    for (const each of leave) each?.();
    abort.abort();
  }
}

/** The number of chunks (or shards) that all slabs read; a chunk in several slabs counts once for each. */
function visits(
  { metadata }: ZarrArray<unknown>,
  dimensions: readonly DimensionSelection[],
  first: number,
  most: number,
): number {
  const stored = chunkRuns(metadata.chunkGrid);
  return dimensions.reduce((total, dimension, d) => {
    const runs = at(stored, d);
    if (d !== first) return total * countChunks(dimension, runs);
    let { start } = dimension;
    let sum = 0;
    for (const count of slabLengths(dimension, at(readRuns(metadata), d), most)) {
      sum += countChunks({ ...dimension, start, count }, runs);
      start += count * dimension.step;
    }
    return total * sum;
  }, 1);
}

/** Turns the progress of slabs, which are read one at a time, into the progress of the whole selection. */
function totalProgress(onProgress: OnProgress, chunksTotal: number): OnProgress {
  let before = { chunksDone: 0, bytes: 0 };
  return (slab) => {
    const done = { chunksDone: before.chunksDone + slab.chunksDone, bytes: before.bytes + slab.bytes };
    if (slab.chunksDone === slab.chunksTotal) before = done;
    onProgress({ ...done, chunksTotal });
  };
}

/**
 * The lengths of the slabs along one dimension in selected elements: as many whole chunks as fit into `most`,
 * at least one.
 */
function* slabLengths(
  { start, step, count }: Pick<DimensionSelection, "start" | "step" | "count">,
  runs: ChunkRuns,
  most: number,
): Generator<number, void, undefined> {
  for (let done = 0; done < count; ) {
    const index = start + done * step;
    const elements =
      step > 0 ? endWithin(runs, index, most * step) - index : elementsDownwards(runs, index, most * -step);
    const length = Math.min(count - done, Math.max(1, Math.ceil(elements / Math.abs(step))));
    yield length;
    done += length;
  }
}

/**
 * For a negative step: elements from `index` down to the lowest chunk start within `most` elements, or to the
 * start of the chunk at `index`.
 */
function elementsDownwards(runs: ChunkRuns, index: number, most: number): number {
  const lowest = Math.max(0, index + 1 - most);
  const chunk = chunkAlong(runs, chunkAt(runs, lowest));
  const boundary = chunk.start === lowest ? lowest : chunk.start + chunk.length;
  return boundary <= index ? index + 1 - boundary : index + 1 - chunk.start;
}
