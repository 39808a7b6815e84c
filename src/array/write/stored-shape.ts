/** The shape of an array as its document has it: read again, changed, and written back. */

import { ConflictError, InvalidMetadataError, NotFoundError } from "../../base/errors.js";
import { innerChunkShape } from "../../core/codecs/sharding/document.js";
import { checkWritable } from "../../core/stores/check-store.js";
import type { AbsolutePath, Store, StoreOptions } from "../../core/stores/store.js";
import { isJsonArray, isJsonObject, type JsonObject } from "../../metadata/json.js";
import type { ArrayMetadata } from "../../metadata/model.js";
import { writeChunkGrid } from "../../metadata/write.js";
import { metadataNow, rewriteDocument } from "../hierarchy/rewrite-documents.js";
import { ZarrArray } from "../nodes/nodes.js";

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
export async function withShape<D, S extends Store>(
  { store, path, entryPoint }: ZarrArray<D, S>,
  { metadata }: ZarrArray,
  shape: readonly number[],
): Promise<ZarrArray<D, S>> {
  const { chunkGrid } = metadata;
  const grown =
    chunkGrid.name === "regular"
      ? chunkGrid
      : (await import("../../metadata/rectilinear.js")).grownGrid(
          chunkGrid,
          shape,
          innerChunkShape(metadata),
        );
  return new ZarrArray(store, path, { ...metadata, shape: [...shape], chunkGrid: grown }, entryPoint);
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
  const change = (document: JsonObject): JsonObject => {
    const now = document.shape !== undefined && isJsonArray(document.shape) ? document.shape : [];
    if (before.some((length, d) => Number(now[d]) !== length))
      throw new ConflictError(
        "another writer changed the array's shape at the same time; open the array again",
        { path },
      );
    return documentWithShape({ metadata }, document);
  };
  await rewriteDocument(checkWritable(store, path), key, change, options);
}

/** The document of an array, with the array's shape. */
export function documentWithShape(
  { metadata }: Pick<ZarrArray<unknown>, "metadata">,
  document: JsonObject,
): JsonObject {
  return { ...document, shape: metadata.shape, ...changedGrid(metadata, document) };
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
