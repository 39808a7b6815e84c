/** Arrays that grow and shrink. */

import { untilAborted } from "../abort.js";
import { innerChunkShape } from "../codecs/sharding/layout.js";
import { fillScalar } from "../data-types/data-type.js";
import { forEach } from "../engine/concurrency.js";
import { type PreparedArray, storeFailure } from "../engine/prepared.js";
import { InvalidArgumentError, NotFoundError, UnsupportedError } from "../errors.js";
import { chunkAt, chunkBoxOf, chunkRuns } from "../grid/chunk-grid.js";
import { type Selection, slice } from "../grid/selection.js";
import { isJsonArray, isJsonObject, type JsonObject } from "../metadata/json.js";
import type { ArrayMetadata } from "../metadata/model.js";
import { writeChunkGrid } from "../metadata/v3.js";
import { deleteKey } from "../stores/capabilities.js";
import { checkWritable, describeGiven, describeStore } from "../stores/check-store.js";
import type { AbsolutePath, Store, StoreOptions, WritableStore } from "../stores/store.js";
import { checkArray } from "./check-array.js";
import { chunkKeyOf, storedChunks } from "./chunk-walk.js";
import { checkLengths } from "./create-options.js";
import { checkConcurrency, eitherSignal } from "./get.js";
import { ZarrArray } from "./nodes.js";
import { metadataNow, nodeDocumentKey, rewriteDocument, whileLocked } from "./rewrite.js";
import { type ChunkLike, isChunkLike, type SetOptions, set } from "./set.js";

export interface ResizeOptions extends StoreOptions {
  /** Chunks deleted at once; 32 unless given. */
  readonly concurrency?: number | undefined;
}

export interface AppendOptions extends SetOptions {
  /** The dimension that grows; the first unless given. */
  readonly axis?: number | undefined;
}

/**
 * Gives an array another shape of the same rank; no element moves. When it shrinks, chunks outside the new shape are deleted, and elements
 * outside it in chunks that stay are set to the fill value, so that an array which grows again has fill values there. Consolidated metadata
 * are not changed: call `consolidateMetadata` again.
 * @returns the array with its new shape; the one that you passed keeps the old shape: what is written through it inside of both shapes stays
 * @throws InvalidArgumentError for another rank, UnsupportedError when the store cannot be written, or chunks not be deleted, StoreError
 */
export async function resize<D, S extends Store>(
  array: ZarrArray<D, S>,
  shape: readonly number[],
  options: ResizeOptions = {},
): Promise<ZarrArray<D, S>> {
  checkArray(array);
  const store = checkWritable(array.store, array.path);
  checkLengths(shape, 0, array.shape.length, "shape");
  const concurrency = checkConcurrency(options.concurrency);
  const { path } = array;
  const key = await nodeDocumentKey(array);
  const change = async (): Promise<ZarrArray<D, S>> => {
    const stored = await reopenArray(array, options);
    const shrinks = stored.shape.some((length, d) => (shape[d] ?? 0) < length);
    if (shrinks && store.delete === undefined) {
      throw new UnsupportedError(`${describeStore(store)} cannot delete the chunks that the array loses`, {
        path,
      });
    }
    if (shrinks) await clearEdges(stored, shape, { ...options, concurrency });
    const resized = await withShape(array, stored, shape);
    await writeShape(resized, key, options);
    if (shrinks) await deleteChunksOutside(stored, store, shape, { ...options, concurrency });
    return resized;
  };
  return untilAborted(options.signal, () => whileLocked(array, key, change));
}

/**
 * Makes an array longer along `axis` and writes elements there, whose shape is the array's in all other dimensions. The new shape is written
 * last, so that readers see all of the elements or none. Concurrent appends in one process run one after the other. If an append fails, what
 * it has stored stays behind the array's end: the next append overwrites it, but `resize` would make it visible.
 * @returns the array with its new shape; the one that you passed keeps the old shape, and what is written through it leaves the rest as it is
 * @throws as `set`, and InvalidArgumentError
 */
export async function append<D, S extends Store>(
  array: ZarrArray<D, S>,
  elements: ChunkLike<D>,
  options: AppendOptions = {},
): Promise<ZarrArray<D, S>> {
  checkArray(array);
  const { axis = 0, ...setOptions } = options;
  const signal = eitherSignal(options.signal, options.opts?.signal);
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
  const key = await nodeDocumentKey(array);
  const change = async (): Promise<ZarrArray<D, S>> => {
    const stored = await reopenArray(array, { signal });
    const shape = stored.shape.map((length, d) => (d === axis ? length + added : length));
    checkLengths(shape, 0, rank, "shape");
    const grown = await withShape(array, stored, shape);
    const end: Selection = shape.map((length, d) => (d === axis ? slice(length - added, length) : null));
    const { setPrepared } = await import("./write.js");
    await setPrepared(grown, () => prepareGrown(grown, stored), end, elements, setOptions);
    await writeShape(grown, key, { signal });
    return grown;
  };
  return untilAborted(signal, () => whileLocked(array, key, change));
}

async function reopenArray(array: ZarrArray<unknown>, options: StoreOptions): Promise<ZarrArray> {
  const metadata = await metadataNow(array, options);
  if (metadata.nodeType === "array")
    return new ZarrArray(array.store, array.path, metadata, array.entryPoint);
  throw new NotFoundError("expected array, found group", { path: array.path, found: "group" });
}

/** The array as it is stored, with another shape, and where chunks end before that with more of them. */
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

/** Chunks behind the end of the array as it is stored have none of its elements: what an append that failed left there does not stay. */
async function prepareGrown(grown: ZarrArray<unknown>, stored: ZarrArray<unknown>): Promise<PreparedArray> {
  const prepared = await grown.prepare();
  const { chunkGrid } = grown.metadata;
  return {
    ...prepared,
    locate(chunk) {
      const { start } = chunkBoxOf(chunkGrid, chunk);
      return { ...prepared.locate(chunk), isNew: start.some((first, d) => first >= (stored.shape[d] ?? 0)) };
    },
  };
}

async function writeShape(
  { path, store, metadata }: ZarrArray<unknown>,
  key: AbsolutePath,
  options: StoreOptions,
): Promise<void> {
  const { shape } = metadata;
  const change = (document: JsonObject): JsonObject => ({
    ...document,
    shape,
    ...changedGrid(metadata, document),
  });
  await rewriteDocument(checkWritable(store, path), key, change, options);
}

/**
 * Fill values for what is behind the new shape in chunks that stay, to the ends of these: also for what a failed append, or a write through
 * an older array that was longer, left there.
 */
async function clearEdges(
  array: ZarrArray,
  shape: readonly number[],
  { signal, concurrency }: ResizeOptions,
): Promise<void> {
  const kept = array.shape.map((length, d) => Math.min(length, shape[d] ?? 0));
  if (kept.includes(0)) return;
  const { chunkGrid, dataType } = array.metadata;
  const last = chunkRuns(chunkGrid).map((runs, d) => chunkAt(runs, (kept[d] ?? 0) - 1));
  const box = chunkBoxOf(chunkGrid, last);
  const ends = box.start.map((start, d) => start + (box.shape[d] ?? 1));
  const padded = await withShape(array, array, ends);
  for (const [d, end] of ends.entries()) {
    const start = kept[d] ?? 0;
    if (start === array.shape[d] || start === end) continue;
    const lost = ends.map((each, i) => (i === d ? slice(start, end) : slice(0, each)));
    await set<unknown, Store>(padded, lost, fillScalar(dataType, array.fillValue), { signal, concurrency });
  }
}

async function deleteChunksOutside(
  array: ZarrArray,
  store: WritableStore,
  shape: readonly number[],
  options: ResizeOptions,
): Promise<void> {
  const { chunkGrid } = array.metadata;
  const isOutside = (chunk: readonly number[]): boolean =>
    chunkBoxOf(chunkGrid, chunk).start.some((start, d) => start >= (shape[d] ?? 0));
  async function* outside() {
    for await (const chunk of storedChunks(array, options)) if (isOutside(chunk)) yield chunk;
  }
  await forEach(outside(), checkConcurrency(options.concurrency), async (chunk) => {
    const key = chunkKeyOf(array, chunk);
    try {
      await deleteKey(store, key, options);
    } catch (error) {
      throw storeFailure(error, key, options.signal);
    }
  });
}

/** The chunk grid, where the document has another: that of a rectilinear array grows, and chunks of length 0, which no format allows, are read as longer ones. */
function changedGrid({ chunkGrid, zarrFormat }: ArrayMetadata, document: JsonObject): JsonObject {
  if (chunkGrid.name !== "regular") return { chunk_grid: writeChunkGrid(chunkGrid) };
  const { chunkShape } = chunkGrid;
  const grid = isJsonObject(document.chunk_grid) ? document.chunk_grid.configuration : undefined;
  const stored = zarrFormat === 2 ? document.chunks : isJsonObject(grid) ? grid.chunk_shape : undefined;
  if (!isJsonArray(stored) || stored.every((length, d) => Number(length) === chunkShape[d])) return {};
  return zarrFormat === 2 ? { chunks: chunkShape } : { chunk_grid: writeChunkGrid(chunkGrid) };
}
