/**
 * Removes nodes, and makes room for new ones. There is one order: documents first, those of outer nodes
 * before those of inner ones, then all else. However the removal ends, each node reads as before or as
 * nothing. What an interrupted removal leaves has no document, so whoever creates a node there removes it.
 */
import { UnsupportedError } from "../../base/errors.js";
import {
  canList,
  deleteKey,
  deleteKeys,
  deletePrefix,
  exists,
  listPrefix,
} from "../../core/stores/capabilities.js";
import { describeStore, withFailuresAt } from "../../core/stores/check-store.js";
import { wayOf } from "../../core/stores/faster-ways.js";
import type { AbsolutePath, Store, StoreOptions } from "../../core/stores/store.js";
import { gridShapeOf } from "../../grid/chunk-grid.js";
import { parseChunkKey } from "../../grid/parse-chunk-key.js";
import type { NodeMetadata } from "../../metadata/model.js";
import { chunkPrefix, keyBelow } from "../../metadata/path.js";
import type { Location } from "../nodes/nodes.js";

/**
 * Name of the directory below a target for the ledgers and intermediate arrays of `wazarr/jobs`. It is not a
 * node of the hierarchy.
 */
export const JOBS = ".wazarr-jobs";

/** A document that makes its directory a node. */
const MAIN_DOCUMENT = /\/(?:zarr\.json|\.zarray|\.zgroup)$/;
/** Any document of v2 and v3. */
const DOCUMENT = /\/(?:zarr\.json|\.zarray|\.zgroup|\.zattrs|\.zmetadata)$/;

export function isDocumentKey(key: string): boolean {
  return DOCUMENT.test(key);
}

export function canErase(store: Store): boolean {
  return store.delete !== undefined && (wayOf(store, "deletePrefix") !== undefined || canList(store));
}

/** Throws before anything is removed, so that no chunks stay without a document. @throws UnsupportedError */
export function checkErasable({ store, path }: Location): void {
  if (canErase(store)) return;
  throw new UnsupportedError(
    `${describeStore(store)} cannot delete nodes: it needs delete, and deletePrefix or list; choose another path`,
    { path },
  );
}

/**
 * Removes what is at and below a path of v2 or v3.
 * @throws UnsupportedError before anything is removed, StoreError
 */
export async function eraseNode(location: Location, options: StoreOptions): Promise<void> {
  checkErasable(location);
  const { path } = location;
  await withFailuresAt({ path }, options.signal, () => eraseAt(location, options));
}

async function eraseAt({ store, path }: Location, options: StoreOptions): Promise<void> {
  // Readers of consolidated metadata need no other document.
  const consolidated = keyBelow(path, ".zmetadata");
  if (await exists(store, consolidated, { ...options, current: true }))
    await deleteKey(store, consolidated, options);
  for (const name of ["zarr.json", ".zarray", ".zgroup"])
    await deleteKey(store, keyBelow(path, name), options);
  await erasePrefix(store, keyBelow(path, ""), options);
}

/** Removes all keys that begin with a prefix: all at once if the store can, otherwise documents first. */
export async function erasePrefix(store: Store, prefix: AbsolutePath, options: StoreOptions): Promise<void> {
  if (wayOf(store, "deletePrefix") !== undefined) await deletePrefix(store, prefix, options);
  else await eraseKeys(store, await listPrefix(store, prefix, options), options);
}

/** Removes keys, documents first. @throws UnsupportedError if the store cannot delete */
export async function eraseKeys(
  store: Store,
  keys: readonly AbsolutePath[],
  options: StoreOptions,
): Promise<void> {
  const depthOf = (key: string): number => key.split("/").length;
  const documents = keys.filter((key) => MAIN_DOCUMENT.test(key) || key.endsWith("/.zmetadata"));
  documents.sort((a, b) => rankOf(a) - rankOf(b) || depthOf(a) - depthOf(b));
  const first = new Set(documents);
  const others = keys.filter((key) => !first.has(key));
  for (const key of documents) await deleteKey(store, key, options);
  await deleteKeys(store, others, options);
}

/** 0 for consolidated metadata, which readers open without any other document. */
function rankOf(document: string): number {
  return document.endsWith("/.zmetadata") ? 0 : 1;
}

/**
 * Of keys below a path, those of Zarr: documents, what is below nodes, and what jobs left. Other files are
 * somebody else's: the path may name a folder by mistake.
 */
export function zarrKeys(path: AbsolutePath, keys: readonly AbsolutePath[]): AbsolutePath[] {
  const nodes = new Set(
    keys.filter((key) => MAIN_DOCUMENT.test(key)).map((key) => key.slice(0, key.lastIndexOf("/") + 1)),
  );
  const root = keyBelow(path, "");
  const isBelowNode = (key: string): boolean => {
    for (let end = root.length; end > 0; end = key.indexOf("/", end) + 1)
      if (nodes.has(key.slice(0, end))) return true;
    return false;
  };
  return keys.filter((key) => isDocumentKey(key) || key.includes(`/${JOBS}/`) || isBelowNode(key));
}

/**
 * Removes what a new node of v2 or v3 replaces.
 * @param isNode whether there is a node; then everything below it goes, otherwise only what `zarrKeys` finds
 */
export async function eraseReplaced(
  location: Location,
  isNode: boolean,
  options: StoreOptions,
): Promise<void> {
  const { store, path } = location;
  // A store that cannot be listed does not tell what is left there.
  if (isNode || (!canList(store) && canErase(store))) await eraseNode(location, options);
  else if (canList(store))
    await eraseKeys(store, zarrKeys(path, await listPrefix(store, keyBelow(path, ""), options)), options);
}

/**
 * Keys at a location without a node that a new node would show as its own: chunks, and attributes and
 * consolidated metadata of v2. An interrupted removal leaves them. None if the store cannot be listed.
 * @param documents keys of the new node's documents
 */
export async function leftoversAt(
  { store, path }: Location,
  metadata: NodeMetadata,
  documents: readonly AbsolutePath[],
  options: StoreOptions,
): Promise<readonly AbsolutePath[]> {
  if (!canList(store)) return [];
  const left: AbsolutePath[] = [];
  if (metadata.zarrFormat === 2) {
    const now = { ...options, current: true };
    for (const key of [keyBelow(path, ".zmetadata"), keyBelow(path, ".zattrs")])
      if (!documents.includes(key) && (await exists(store, key, now))) left.push(key);
  }
  if (metadata.nodeType === "group") return left;
  const prefix = chunkPrefix(path, metadata.zarrFormat);
  const grid = gridShapeOf(metadata);
  for (const key of await listPrefix(store, prefix, options)) {
    const name = key.slice(prefix.length);
    if (name.startsWith(`${JOBS}/`) || parseChunkKey(metadata.chunkKeyEncoding, grid, name)) left.push(key);
  }
  return left;
}
