/** Gives arrays another shape. */

import { untilAborted } from "../../base/abort.js";
import { at } from "../../base/at.js";
import { UnsupportedError } from "../../base/errors.js";
import { checkNames, type NamesOf } from "../../base/option-names.js";
import { product } from "../../base/shape.js";
import { forEach } from "../../core/line/shared/concurrency.js";
import { canList, deleteKey } from "../../core/stores/capabilities.js";
import { checkWritable, describeStore, withFailuresAt } from "../../core/stores/check-store.js";
import type { Store, StoreOptions } from "../../core/stores/store.js";
import { STORE_OPTIONS } from "../../core/stores/store-option-names.js";
import { fillScalar } from "../../data-types/data-type.js";
import { isBeyondEdge } from "../../grid/beyond-edge.js";
import { coordinatesIn } from "../../grid/boxes.js";
import { chunkAlong, chunkAt, chunkBoxOf, chunkRuns, gridShapeOf } from "../../grid/chunk-grid.js";
import { type Selection, slice } from "../../grid/selection.js";
import { comparable } from "../convert/compare-elements.js";
import { chunksAtOnce } from "../convert/copy-chunks.js";
import { checkLengths } from "../create/create-options.js";
import { keepConsolidated } from "../hierarchy/consolidated-upkeep.js";
import { asTheyAreNow, nodeDocumentKey, whileLocked } from "../hierarchy/rewrite-documents.js";
import { checkArray } from "../nodes/check-arguments.js";
import { ZarrArray } from "../nodes/nodes.js";
import { get } from "../read/get.js";
import { checkConcurrency } from "../read/read-options.js";
import { set } from "./set.js";
import { chunkKeyOf, storedChunks } from "./stored-chunks.js";
import { reopenArray, withShape, writeShape } from "./stored-shape.js";

/** Options of `resize`. */
export interface ResizeOptions extends StoreOptions {
  /** Chunks deleted at once; 32 unless given, fewer if chunks are large. */
  readonly concurrency?: number | undefined;
}

const RESIZE: NamesOf<ResizeOptions> = { ...STORE_OPTIONS, concurrency: true };

/**
 * Gives an array another shape of the same rank; no element moves. Shrinking deletes the chunks outside the
 * new shape, and sets elements outside it in the chunks that stay to the fill value. Growing adds fill
 * values: it first removes elements that a failed append, an interrupted shrink or another implementation
 * left there. The document changes after new elements are cleared and before lost ones are, so an interrupted
 * resize leaves the old or the new shape and elements. Consolidated metadata of the groups above change with
 * the document.
 * @example
 * ```ts
 * const longer = await resize(array, [400, 181, 360]);
 * await set(longer, [399, null, null], 20.5);
 * ```
 * @returns the array with its new shape; `array` keeps the old shape, and writes through it are kept if they
 * lie inside both shapes
 * @throws InvalidArgumentError for another rank, UnsupportedError if the store cannot be written or cannot
 * delete lost chunks, StoreError
 */
export async function resize<D, S extends Store>(
  array: ZarrArray<D, S>,
  shape: readonly number[],
  options: ResizeOptions = {},
): Promise<ZarrArray<D, S>> {
  checkArray(array);
  checkNames(options, "resize", RESIZE);
  const store = checkWritable(array.store, array.path);
  checkLengths(shape, 0, array.shape.length, "shape");
  const concurrency = checkConcurrency(options.concurrency);
  const { path } = array;
  const key = await nodeDocumentKey(array);
  const change = async (): Promise<ZarrArray<D, S>> => {
    const stored = await reopenArray(array, options);
    const shrinks = stored.shape.some((length, d) => at(shape, d) < length);
    if (shrinks && store.delete === undefined) {
      throw new UnsupportedError(`${describeStore(store)} cannot delete the chunks outside the new shape`, {
        path,
      });
    }
    const resized = await withShape(array, stored, shape);
    await clearBeyond(await withShape(stored, stored, shape), stored.shape, { ...options, concurrency });
    await writeShape(resized, stored.shape, key, options);
    await keepConsolidated(store, [resized]);
    await clearBeyond(stored, shape, { ...options, concurrency });
    return resized;
  };
  return untilAborted(options.signal, () => whileLocked(array, key, options, change));
}

/**
 * Deletes the chunks of `array` outside the shape `kept`, and fills the elements outside it in chunks that
 * cross its edge, to the end of the chunk: a failed append, or a write through an older array that was
 * longer, may have left elements there.
 */
async function clearBeyond(
  array: ZarrArray,
  keptShape: readonly number[],
  { signal, concurrency }: ResizeOptions,
): Promise<void> {
  const { store, metadata, dataType } = array;
  const { chunkGrid } = metadata;
  const runs = chunkRuns(chunkGrid);
  const grid = gridShapeOf(metadata);
  // Per dimension, the first chunk with elements to clear.
  const first = grid.map((count, d) => {
    const length = at(keptShape, d);
    return length < at(array.shape, d) ? chunkAt(at(runs, d), length) : count;
  });
  const ends = grid.map((count, d) => {
    const { start, length } = chunkAlong(at(runs, d), Math.max(0, count - 1));
    return start + length;
  });
  const padded = await withShape(array, array, ends);
  const fill = fillScalar(dataType, array.fillValue);
  const atOnce = chunksAtOnce(array.metadata, concurrency);
  await forEach(chunksFrom(array, grid, first, { signal }), atOnce, async (chunk) => {
    const { start, shape } = chunkBoxOf(chunkGrid, chunk);
    if (isBeyondEdge(chunkGrid, chunk, keptShape) && store.delete !== undefined) {
      const key = chunkKeyOf(array, chunk);
      return withFailuresAt({ key }, signal, () => deleteKey(store, key, { signal }));
    }
    for (const [d, from] of start.entries()) {
      if (at(chunk, d) < at(first, d)) continue;
      const lost = start.map((begin, i) =>
        slice(i === d ? Math.max(from, at(keptShape, d)) : begin, begin + at(shape, i)),
      );
      if (await isFilled(padded, lost, { signal })) continue;
      await set<unknown, Store>(padded, lost, fill, { signal });
    }
  });
}

/**
 * Up to this many chunks are requested one by one, without listing the stored chunks: that costs about as
 * much as a list.
 */
const FEW_CHUNKS = 256;

/**
 * The chunks at or beyond `first` in some dimension: only stored ones if there are many and the store can be
 * listed, else all.
 */
async function* chunksFrom(
  array: ZarrArray,
  grid: readonly number[],
  first: readonly number[],
  options: StoreOptions,
): AsyncGenerator<readonly number[], void> {
  const count = product(grid) - product(first);
  if (count === 0) return;
  if (count > FEW_CHUNKS && canList(array.store)) {
    for await (const chunk of storedChunks(array, options))
      if (chunk.some((index, d) => index >= at(first, d))) yield chunk;
    return;
  }
  // Disjoint boxes, one per dimension d: at or beyond `first` along d, and before `first` along the
  // dimensions before d.
  for (const [d, from] of first.entries()) {
    const box = grid.map((length, i) => (i < d ? at(first, i) : i === d ? length - from : length));
    yield* coordinatesIn({ start: grid.map((_, i) => (i === d ? from : 0)), shape: box });
  }
}

/** Whether a box holds only fill values now, so that its chunk need not be written. */
async function isFilled(array: ZarrArray, box: Selection, { signal }: StoreOptions): Promise<boolean> {
  const { store, path, metadata, entryPoint, dataType } = array;
  const now = new ZarrArray(asTheyAreNow(store), path, metadata, entryPoint);
  const empty = new ZarrArray(new Map<string, Uint8Array>(), path, metadata, entryPoint);
  const [there, filled] = [await get(now, box, { signal }), await get(empty, box, { signal })];
  if (!Array.isArray(there.data) && dataType.bytesOf(there.data) === undefined) return false;
  const elements = comparable(dataType, there.data);
  return elements.nextDifference(comparable(dataType, filled.data), 0) === elements.count;
}
