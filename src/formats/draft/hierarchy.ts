/**
 * Lists, erases and creates nodes of the 2020 draft, whose documents and chunks have separate key prefixes.
 */

import {
  AlreadyExistsError,
  alreadyExists,
  ancestorsOf,
  at,
  belowArray,
  canErase,
  checkErasable,
  chunkPrefix,
  type DraftEntryPoint,
  deleteKey,
  documentBytes,
  eraseKeys,
  erasePrefix,
  eraseReplaced,
  exists,
  type HierarchyLayout,
  isDraftEntryPoint,
  isZarrError,
  keepSpellings,
  Location,
  leftoversAt,
  listDir,
  type NewNode,
  type NewNodeOptions,
  type NodeKind,
  type OpenNode,
  openIfThere,
  readDocument,
  type Store,
  type StoreOptions,
  storeOptionsOf,
  type WritableStore,
  withFailuresAt,
  writeDocument,
} from "../../core/for-formats.js";
import {
  type DraftNodeType,
  draftChildren,
  draftDocumentPrefix,
  ENTRY_POINT_KEY,
  parseDraftEntryPoint,
  writeDraftEntryPoint,
} from "./entry-point.js";
import { documentKey, draftDocuments, hasChildren, implicitGroup, NEW_ENTRY_POINT } from "./open.js";

export const draftLayout: HierarchyLayout = {
  /**
   * "Discover children of a group": one listing, then one request to open each child; none for implicit
   * groups.
   */
  async children(location, options) {
    const listing = await listDir(location.store, draftDocumentPrefix(location.path), options);
    const found = draftChildren(listing, suffixOf(location));
    return new Map(
      [...found].map(([name, nodeType]) => [name, toOpen(location.resolve(name), nodeType, options)]),
    );
  },

  /**
   * "Erase a group or array": deletes both possible documents and everything below; the entry point stays.
   * Implicit groups above that have no other nodes disappear; `create` can make them explicit before.
   */
  async erase(location, options) {
    const { store, path } = location;
    checkErasable(location);
    for (const nodeType of ["array", "group"] as const) {
      await deleteKey(store, documentKey(location, nodeType), options);
    }
    await erasePrefix(store, draftDocumentPrefix(path), options);
    await erasePrefix(store, chunkPrefix(path, "draft"), options);
  },
};

function suffixOf({ entryPoint = NEW_ENTRY_POINT }: Location): string {
  return entryPoint.metadataKeySuffix;
}

function toOpen<S extends Store>(
  location: Location<S>,
  nodeType: DraftNodeType,
  options: StoreOptions,
): OpenNode<S> {
  if (nodeType !== "implicit_group")
    return () => openIfThere(location, { ...storeOptionsOf(options), kind: nodeType });
  return async () => implicitGroup(location);
}

/**
 * Writes new nodes as `writeNewNodes` does.
 * @returns the entry point, which is written before anything else if it is missing
 */
export async function writeNewDraftNodes(
  nodes: readonly NewNode[],
  { overwrite, ...options }: NewNodeOptions,
  fill?: () => Promise<void>,
): Promise<DraftEntryPoint> {
  const outer = at(nodes, 0);
  const { store, path } = outer.location;
  let entryPoint = await makeRoom(outer, outer.location.entryPoint, { ...options, overwrite });
  for (const inner of nodes.slice(1)) entryPoint = await makeRoom(inner, entryPoint, options);
  if (fill !== undefined) {
    await fill();
    // Writers without locks do not wait.
    const made = new Location(store, path, entryPoint);
    const obstacle = await findObstacle(made, outer.metadata.nodeType, options);
    if (obstacle !== undefined) throw alreadyExists(obstacle, path);
  }
  for (const { location, metadata, spelledLike } of nodes.toReversed())
    for (const [key, document] of draftDocuments(location.path, metadata, entryPoint))
      await withFailuresAt({ path: location.path }, options.signal, () =>
        writeDocument(store, key, keepSpellings(document, spelledLike), options),
      );
  return entryPoint;
}

/**
 * Removes what a new node replaces, and what an interrupted removal left, and writes an entry point that is
 * missing, which it returns.
 */
async function makeRoom(
  { location: { store, path }, metadata }: NewNode,
  known: DraftEntryPoint | undefined,
  { overwrite = false, ...options }: NewNodeOptions,
): Promise<DraftEntryPoint> {
  return withFailuresAt({ path }, options.signal, async () => {
    const replacesStore = overwrite && path === "/";
    const found = known ?? (await readEntryPoint(store, replacesStore, options));
    const entryPoint = found ?? NEW_ENTRY_POINT;
    const location = new Location(store, path, entryPoint);
    // Throws for metadata that the draft cannot hold, before an existing node is erased.
    draftDocuments(path, metadata, entryPoint);
    const obstacle = await findObstacle(location, metadata.nodeType, options);
    if (obstacle !== undefined && !overwrite) throw alreadyExists(obstacle, path);
    // Without a document, too: an interrupted erase may have left chunks, which the new array would read as
    // its own.
    if (found !== undefined && overwrite && (obstacle !== undefined || canErase(store))) {
      await draftLayout.erase(location, options);
    } else if (!overwrite)
      await eraseKeys(store, await leftoversAt(location, metadata, [], options), options);
    if (found === undefined) {
      if (replacesStore) await eraseReplaced(location, obstacle !== undefined, options);
      await writeDocument(store, ENTRY_POINT_KEY, writeDraftEntryPoint(entryPoint), options);
    }
    return entryPoint;
  });
}

/**
 * The entry point of the store; undefined if the store has none, or its content may be replaced.
 * @param overwrite whether everything in the store may be deleted
 * @throws AlreadyExistsError for a store with a hierarchy of another format
 */
async function readEntryPoint(
  store: WritableStore,
  overwrite: boolean,
  options: StoreOptions,
): Promise<DraftEntryPoint | undefined> {
  const now = { ...options, current: true };
  try {
    const document = await readDocument(store, ENTRY_POINT_KEY, now);
    if (document !== undefined && isDraftEntryPoint(document.json)) {
      return parseDraftEntryPoint(document.json, document.context);
    }
    if (overwrite) return undefined;
    const other =
      document ??
      (await documentBytes(store, "/.zarray", now)) ??
      (await documentBytes(store, "/.zgroup", now));
    if (other === undefined) return undefined;
  } catch (error) {
    if (overwrite && isZarrError(error, "InvalidMetadataError")) return undefined;
    throw error;
  }
  throw new AlreadyExistsError(
    "the store holds a hierarchy of another format, and a hierarchy of the 2020 draft needs a store of its own; overwrite: true at the root replaces it",
    { path: "/" },
  );
}

/**
 * The kind of an existing node at the location, if any, with one round of requests. The draft does not
 * require this check.
 * @throws InvalidArgumentError below an array
 */
async function findObstacle(
  location: Location<WritableStore>,
  nodeType: NodeKind,
  options: StoreOptions,
): Promise<NodeKind | undefined> {
  const { store, path, entryPoint } = location;
  const now = { ...options, current: true };
  const has = (at: Location, type: NodeKind) => exists(store, documentKey(at, type), now);
  const above = ancestorsOf(path).map(async (ancestor) => {
    if (await has(new Location(store, ancestor, entryPoint), "array")) throw belowArray(ancestor);
  });
  const [isArray, isGroup, isImplied] = await Promise.all([
    has(location, "array"),
    has(location, "group"),
    // A new group makes an implicit group explicit, but an array cannot replace one.
    nodeType === "array" && hasChildren(location, options),
    ...above,
  ]);
  return isArray ? "array" : isGroup || isImplied ? "group" : undefined;
}
