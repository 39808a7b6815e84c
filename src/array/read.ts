/** Reading what is larger than memory, slab by slab. */

import type { DataTypeName } from "../data-types/names.js";
import type { OnProgress } from "../engine/prepared.js";
import { InvalidArgumentError } from "../errors.js";
import { type ChunkRuns, chunkAlong, chunkAt, chunkRuns, endWithin } from "../grid/chunk-grid.js";
import { countChunks } from "../grid/segments.js";
import {
  type DimensionSelection,
  normaliseSelection,
  type Selection,
  type SelectionEntry,
} from "../grid/selection.js";
import { product } from "../shape.js";
import type { Store } from "../stores/store.js";
import { checkArray, checkNames, type NamesOf } from "./check-arguments.js";
import { readRuns } from "./chunk-walk.js";
import { eitherSignal, get } from "./get.js";
import { FANCY, type GetOptions } from "./get-options.js";
import type { Chunk, ZarrArray } from "./nodes.js";

export interface ReadSlabsOptions<D> extends Omit<GetOptions<D>, "out"> {
  /** Bytes of one slab at most, unless a single row of chunks has more; 32 MiB unless given. Two slabs are held at a time. */
  readonly maximumBytes?: number | undefined;
}

const { out: _, ...withoutOut } = FANCY;
const READ: NamesOf<ReadSlabsOptions<DataTypeName>> = {
  ...withoutOut,
  shared: true,
  useSharedArrayBuffer: true,
  maximumBytes: true,
};

/** Part of a selection's result; `start` is its first index along the first dimension of the result. */
export interface Slab<D> extends Chunk<D> {
  start: number;
}

const DEFAULT_BYTES = 32 << 20;

/**
 * Reads a selection in slabs along its first dimension, in order, each up to a chunk boundary. While you use one slab the next one is read,
 * and no more: two are in memory. Leaving the loop aborts the read under way.
 * @throws as `get`; InvalidArgumentError for a selection of integers alone, which is one element
 */
export async function* read<D, S extends Store>(
  array: ZarrArray<D, S>,
  selection: Selection = null,
  options: ReadSlabsOptions<D> = {},
): AsyncGenerator<Slab<D>, void, undefined> {
  checkArray(array);
  checkNames(options, "read", READ);
  const { maximumBytes = DEFAULT_BYTES, opts, signal: given, onProgress, ...rest } = options;
  const signal = eitherSignal(given, opts?.signal);
  if (!(maximumBytes > 0))
    throw new InvalidArgumentError(`maximumBytes: expected more than 0, got ${maximumBytes}`);
  const { dimensions, shape } = normaliseSelection(selection, array.shape);
  const first = dimensions.findIndex(({ drop }) => !drop);
  if (first < 0)
    throw new InvalidArgumentError("read: expected a selection with a dimension left, got one element");
  const whole = dimensions[first] ?? { start: 0, step: 1, count: 0 };
  const rowBytes = Math.max(1, product(shape.slice(1)) * array.dataType.itemSize);
  const chunks = readRuns(array.metadata)[first] ?? [];
  const most = Math.max(1, Math.floor(maximumBytes / rowBytes));
  const lengths = slabLengths(whole, chunks, most);
  const told = onProgress && totalProgress(onProgress, visits(array, dimensions, first, most));
  const abort = new AbortController();
  const signals = signal === undefined ? abort.signal : AbortSignal.any([signal, abort.signal]);

  const fetch = async (start: number, count: number): Promise<Slab<D>> => {
    const entries: Selection = dimensions.map((dimension, d): SelectionEntry => {
      if (dimension.drop) return dimension.start;
      const [from, length] =
        d === first ? [dimension.start + start * dimension.step, count] : [dimension.start, dimension.count];
      const stop = from + length * dimension.step;
      // A negative stop would count from the end: null is "to the beginning".
      return { start: from, stop: stop < 0 ? null : stop, step: dimension.step };
    });
    const slab: Chunk<D> = await get(array, entries, { ...rest, onProgress: told, signal: signals });
    return { ...slab, start };
  };
  try {
    let start = 0;
    let next: Promise<Slab<D>> | undefined;
    for (let length = lengths.next(); length.done !== true; ) {
      const current = next ?? fetch(start, length.value);
      start += length.value;
      const slab = await current;
      length = lengths.next();
      if (length.done !== true) {
        next = fetch(start, length.value);
        // Handled when its turn comes, if it comes.
        next.catch(() => {});
      }
      yield slab;
    }
  } finally {
    abort.abort();
  }
}

/** Chunks (or shards) that the slabs meet, one that lies in several slabs once for each. */
function visits(
  { metadata }: ZarrArray<unknown>,
  dimensions: readonly DimensionSelection[],
  first: number,
  most: number,
): number {
  const stored = chunkRuns(metadata.chunkGrid);
  return dimensions.reduce((total, dimension, d) => {
    const runs = stored[d] ?? [];
    if (d !== first) return total * countChunks(dimension, runs);
    let { start } = dimension;
    let sum = 0;
    for (const count of slabLengths(dimension, readRuns(metadata)[d] ?? [], most)) {
      sum += countChunks({ ...dimension, start, count }, runs);
      start += count * dimension.step;
    }
    return total * sum;
  }, 1);
}

/** Progress of slabs, of which one is read at a time, as that of all. */
function totalProgress(onProgress: OnProgress, chunksTotal: number): OnProgress {
  let before = { chunksDone: 0, bytes: 0 };
  return (slab) => {
    const done = { chunksDone: before.chunksDone + slab.chunksDone, bytes: before.bytes + slab.bytes };
    if (slab.chunksDone === slab.chunksTotal) before = done;
    onProgress({ ...done, chunksTotal });
  };
}

/** Lengths of slabs along one dimension, one after the other: as many whole chunks as fit into `most`, and at least one. */
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

/** Elements from `index` down to the beginning of the first chunk that begins within `most` of them, or of the chunk that it lies in. */
function elementsDownwards(runs: ChunkRuns, index: number, most: number): number {
  const lowest = Math.max(0, index + 1 - most);
  const chunk = chunkAlong(runs, chunkAt(runs, lowest));
  const boundary = chunk.start === lowest ? lowest : chunk.start + chunk.length;
  return boundary <= index ? index + 1 - boundary : index + 1 - chunk.start;
}
