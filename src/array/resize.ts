/** Changes the shape of arrays: `resize` and `append`. */

import { untilAborted } from "../abort.js";
import { at } from "../at.js";
import { innerChunkShape } from "../codecs/sharding/document.js";
import { fillScalar } from "../data-types/data-type.js";
import { forEach } from "../engine/concurrency.js";
import type { PreparedArray } from "../engine/prepared.js";
import {
  ConflictError,
  InvalidArgumentError,
  InvalidMetadataError,
  NotFoundError,
  UnsupportedError,
} from "../errors.js";
import { coordinatesIn } from "../grid/boxes.js";
import { chunkAlong, chunkAt, chunkBoxOf, chunkRuns, gridShapeOf } from "../grid/chunk-grid.js";
import { type Selection, slice } from "../grid/selection.js";
import { isJsonArray, isJsonObject, type JsonObject } from "../metadata/json.js";
import type { ArrayMetadata } from "../metadata/model.js";
import { writeChunkGrid } from "../metadata/write.js";
import { checkNames, type NamesOf } from "../option-names.js";
import { product } from "../shape.js";
import { canList, deleteKey } from "../stores/capabilities.js";
import { checkWritable, describeGiven, describeStore, withFailuresAt } from "../stores/check-store.js";
import type { AbsolutePath, Store, StoreOptions } from "../stores/store.js";
import { STORE_OPTIONS } from "../stores/store-option-names.js";
import { checkArray } from "./check-arguments.js";
import { type ChunkLike, isChunkLike } from "./chunk-like.js";
import { comparable } from "./compare-elements.js";
import { keepConsolidated } from "./consolidated-upkeep.js";
import { chunksAtOnce } from "./copy-chunks.js";
import { checkLengths } from "./create-options.js";
import { checkConcurrency, get } from "./get.js";
import { ZarrArray } from "./nodes.js";
import { signalOf, untilOptionsAbort } from "./options-signal.js";
import { asTheyAreNow, metadataNow, nodeDocumentKey, rewriteDocument, whileLocked } from "./rewrite.js";
import { type SetOptions, set } from "./set.js";
import { chunkKeyOf, storedChunks } from "./stored-chunks.js";

/** Options of `resize`. */
export interface ResizeOptions extends StoreOptions {
  /** Chunks deleted at once; 32 unless given, fewer if chunks are large. */
  readonly concurrency?: number | undefined;
}

/** Options of `append`. */
export interface AppendOptions extends SetOptions {
  /** Index of the dimension that grows; 0 unless given. */
  readonly axis?: number | undefined;
}

const RESIZE: NamesOf<ResizeOptions> = { ...STORE_OPTIONS, concurrency: true };
const APPEND: NamesOf<AppendOptions> = {
  signal: true,
  opts: "unlisted",
  concurrency: true,
  writeEmptyChunks: true,
  workers: true,
  onProgress: "function",
  axis: true,
};

/**
 * Gives an array another shape of the same rank; no element moves. Shrinking deletes the chunks outside the
 * new shape, and sets elements outside it in the chunks that stay to the fill value. Growing adds fill
 * values: it first removes elements that a failed append, an interrupted shrink or another implementation
 * left there. The document changes after new elements are cleared and before lost ones are, so an interrupted
 * resize leaves the old or the new shape and elements. Consolidated metadata of the groups above change with
 * the document.
 * @returns the array with its new shape; `array` keeps the old shape, and writes through it are kept where
 * they lie inside both shapes
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
 * Makes an array longer along `axis` and writes elements there. The new shape is written last, so readers see
 * all of the elements or none. Concurrent appends in one process run one after the other. A failed append
 * leaves its chunks beyond the array's end, where reads do not see them: the next append overwrites them,
 * `resize` removes them. `elements` has the array's length in all dimensions but `axis`.
 * @example
 * ```ts
 * const longer = await append(array, { data: new Float32Array(721 * 1440), shape: [1, 721, 1440] });
 * ```
 * @returns the array with its new shape; `array` keeps the old shape, and writes through it do not change the
 * new elements
 * @throws as `set`, and InvalidArgumentError
 */
export async function append<D, S extends Store>(
  array: ZarrArray<D, S>,
  elements: ChunkLike<D>,
  options: AppendOptions = {},
): Promise<ZarrArray<D, S>> {
  checkArray(array);
  const { axis = 0, ...setOptions } = options;
  if (!isChunkLike(elements))
    throw new InvalidArgumentError(
      `append: expected elements as { data, shape }, got ${describeGiven(elements)}`,
    );
  const rank = array.shape.length;
  const added = elements.shape[axis];
  if (elements.shape.length !== rank || added === undefined) {
    throw new InvalidArgumentError(
      `append: expected elements of ${rank} dimensions and an axis from 0 to ${rank - 1}, got [${elements.shape.join(", ")}] and ${axis}`,
    );
  }
  checkNames(options, "append", APPEND);
  const key = await nodeDocumentKey(array);
  const change = async (own: SetOptions): Promise<ZarrArray<D, S>> => {
    const signal = signalOf(own);
    const stored = await reopenArray(array, { signal });
    const grown = await writeBeyond(stored, { axis, from: at(stored.shape, axis) }, elements, own);
    await writeShape(grown, stored.shape, key, { signal });
    await keepConsolidated(checkWritable(array.store, array.path), [grown]);
    return new ZarrArray(array.store, array.path, grown.metadata, array.entryPoint);
  };
  return untilOptionsAbort(setOptions, (own) =>
    whileLocked(array, key, { signal: signalOf(own) }, () => change(own)),
  );
}

/**
 * Writes elements of an array, and no document: from `from` on along `axis`, at or beyond the end of what
 * readers see. What an earlier, failed attempt left there is lost.
 * @returns the array with the shape that ends with the elements, for `writeShape`
 */
export async function writeBeyond(
  stored: ZarrArray,
  { axis, from }: { readonly axis: number; readonly from: number },
  elements: { readonly data: unknown; readonly shape: readonly number[] },
  options: SetOptions,
): Promise<ZarrArray> {
  const along = (length: number) => stored.shape.map((whole, d) => (d === axis ? length : whole));
  const end = from + at(elements.shape, axis);
  checkLengths(along(end), 0, stored.shape.length, "shape");
  const before = await withShape(stored, stored, along(from));
  const grown = await withShape(stored, stored, along(end));
  const selection: Selection = grown.shape.map((_, d) => (d === axis ? slice(from, end) : null));
  const { setPrepared } = await import("./write.js");
  await setPrepared(grown, () => prepareGrown(grown, before), selection, elements, options);
  return grown;
}

/** The array as it is stored now. */
export async function reopenArray(array: ZarrArray<unknown>, options: StoreOptions): Promise<ZarrArray> {
  const metadata = await metadataNow(array, options);
  if (metadata.nodeType !== "array")
    throw new NotFoundError("expected an array, found a group", { path: array.path, found: "group" });
  const [before, now] = [array.shape.length, metadata.shape.length];
  if (before !== now)
    throw new InvalidMetadataError(
      `expected ${before} dimensions, found ${now}: the array has been replaced; open it again`,
      { path: array.path },
    );
  return new ZarrArray(array.store, array.path, metadata, array.entryPoint);
}

/**
 * The stored array with another shape. A rectilinear grid whose chunks end before the new shape gets more
 * chunks.
 */
async function withShape<D, S extends Store>(
  { store, path, entryPoint }: ZarrArray<D, S>,
  { metadata }: ZarrArray,
  shape: readonly number[],
): Promise<ZarrArray<D, S>> {
  const { chunkGrid } = metadata;
  const grown =
    chunkGrid.name === "regular"
      ? chunkGrid
      : (await import("../metadata/rectilinear.js")).grownGrid(chunkGrid, shape, innerChunkShape(metadata));
  return new ZarrArray(store, path, { ...metadata, shape: [...shape], chunkGrid: grown }, entryPoint);
}

/**
 * Marks chunks wholly beyond the stored array's end as new, so that writes do not keep elements that a failed
 * append left in them.
 */
async function prepareGrown(grown: ZarrArray<unknown>, stored: ZarrArray<unknown>): Promise<PreparedArray> {
  const prepared = await grown.prepare();
  const { chunkGrid } = grown.metadata;
  return {
    ...prepared,
    locate(chunk) {
      const { start } = chunkBoxOf(chunkGrid, chunk);
      return { ...prepared.locate(chunk), isNew: start.some((first, d) => first >= at(stored.shape, d)) };
    },
  };
}

/**
 * Writes the shape of an array into its document. Whoever calls it holds the lock on the document, and calls
 * `keepConsolidated` after it.
 * @param before the shape when the caller read it
 * @throws ConflictError if it is another one now: a process without a lock changed it
 */
export async function writeShape(
  { path, store, metadata }: ZarrArray<unknown>,
  before: readonly number[],
  key: AbsolutePath,
  options: StoreOptions,
): Promise<void> {
  const { shape } = metadata;
  const change = (document: JsonObject): JsonObject => {
    const now = document.shape !== undefined && isJsonArray(document.shape) ? document.shape : [];
    if (store.conditionalWrites === true && before.some((length, d) => Number(now[d]) !== length))
      throw new ConflictError(
        "another writer changed the array's shape at the same time; open the array again. If both wrote beyond its old end, the later elements are stored",
        { path },
      );
    return { ...document, shape, ...changedGrid(metadata, document) };
  };
  await rewriteDocument(checkWritable(store, path), key, change, options);
}

/**
 * Deletes the chunks of `array` outside the shape `kept`, and fills the elements outside it in chunks that
 * cross its edge, to the end of the chunk: a failed append, or a write through an older array that was
 * longer, may have left elements there.
 */
async function clearBeyond(
  array: ZarrArray,
  kept: readonly number[],
  { signal, concurrency }: ResizeOptions,
): Promise<void> {
  const { store, metadata, dataType } = array;
  const { chunkGrid } = metadata;
  const runs = chunkRuns(chunkGrid);
  const grid = gridShapeOf(metadata);
  // Per dimension, the first chunk with elements to clear.
  const first = grid.map((count, d) => {
    const length = at(kept, d);
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
    const isOutside = start.some((from, d) => at(first, d) <= at(chunk, d) && from >= at(kept, d));
    if (isOutside && store.delete !== undefined) {
      const key = chunkKeyOf(array, chunk);
      return withFailuresAt({ key }, signal, () => deleteKey(store, key, { signal }));
    }
    for (const [d, from] of start.entries()) {
      if (at(chunk, d) < at(first, d)) continue;
      const lost = start.map((begin, i) =>
        slice(i === d ? Math.max(from, at(kept, d)) : begin, begin + at(shape, i)),
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

/**
 * The grid's member if it differs from the document's: rectilinear grids grow, and chunk lengths of 0, which
 * no format allows, are read as more.
 */
function changedGrid({ chunkGrid, zarrFormat }: ArrayMetadata, document: JsonObject): JsonObject {
  if (chunkGrid.name !== "regular") return { chunk_grid: writeChunkGrid(chunkGrid) };
  const { chunkShape } = chunkGrid;
  const grid = isJsonObject(document.chunk_grid) ? document.chunk_grid.configuration : undefined;
  const stored = zarrFormat === 2 ? document.chunks : isJsonObject(grid) ? grid.chunk_shape : undefined;
  if (!isJsonArray(stored) || stored.every((length, d) => Number(length) === chunkShape[d])) return {};
  return zarrFormat === 2 ? { chunks: chunkShape } : { chunk_grid: writeChunkGrid(chunkGrid) };
}
