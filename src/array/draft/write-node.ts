/** Putting a new node into a hierarchy of the 2020 draft ("Create a group", "Create an array"): no ancestor needs a document. */
import { storeFailure } from "../../engine/prepared.js";
import { AlreadyExistsError, isZarrError } from "../../errors.js";
import {
  type DraftEntryPoint,
  parseDraftEntryPoint,
  writeDraftEntryPoint,
} from "../../metadata/draft/entry-point.js";
import { ENTRY_POINT_KEY } from "../../metadata/draft/keys.js";
import { isDraftEntryPoint } from "../../metadata/draft.js";
import type { NodeMetadata } from "../../metadata/model.js";
import { ancestorsOf } from "../../metadata/path.js";
import { deletePrefix, exists } from "../../stores/capabilities.js";
import type { StoreOptions, WritableStore } from "../../stores/store.js";
import { readDocument, writeDocument } from "../document.js";
import type { NodeKind } from "../documents.js";
import { Location } from "../location.js";
import { alreadyExists, belowArray, type NewNodeOptions } from "../new-node.js";
import { nodeKind, open } from "../open.js";
import { documentKey, draftDocuments, hasChildren, NEW_ENTRY_POINT } from "./documents.js";
import { canErase, draftLayout } from "./layout.js";

/** @returns the entry point, which is written when it is missing */
export async function writeNewDraftNode(
  location: Location<WritableStore>,
  metadata: NodeMetadata,
  options: NewNodeOptions,
): Promise<DraftEntryPoint> {
  try {
    return await write(location, metadata, options.overwrite === true, { signal: options.signal });
  } catch (error) {
    throw storeFailure(error, undefined, options.signal, location.path);
  }
}

async function write(
  { store, path, entryPoint: known }: Location<WritableStore>,
  metadata: NodeMetadata,
  overwrite: boolean,
  options: StoreOptions,
): Promise<DraftEntryPoint> {
  const replacesStore = overwrite && path === "/";
  const found = known ?? (await readEntryPoint(store, replacesStore, options));
  const entryPoint = found ?? NEW_ENTRY_POINT;
  const location = new Location(store, path, entryPoint);
  // What the draft cannot hold is found here, before the node that is there has been erased.
  const documents = draftDocuments(path, metadata, entryPoint);
  const taken = await findObstacle(location, metadata.nodeType, options);
  if (taken !== undefined && !overwrite) throw alreadyExists(taken, path);
  // Chunks may be left of an array whose erasing was interrupted, and would be taken for the new one's.
  if (found !== undefined && overwrite && (taken !== undefined || canErase(store))) {
    await draftLayout.erase(location, options);
  }
  if (found === undefined) {
    if (replacesStore) await deletePrefix(store, "/", options);
    await writeDocument(store, ENTRY_POINT_KEY, writeDraftEntryPoint(entryPoint), options);
  }
  for (const [key, document] of documents) await writeDocument(store, key, document, options);
  return entryPoint;
}

/**
 * The entry point of the store; undefined when a hierarchy is to begin.
 * @param overwrite whatever is in the store may be deleted
 * @throws AlreadyExistsError for a store with a hierarchy of another format
 */
async function readEntryPoint(
  store: WritableStore,
  overwrite: boolean,
  options: StoreOptions,
): Promise<DraftEntryPoint | undefined> {
  try {
    const document = await readDocument(store, ENTRY_POINT_KEY, options);
    if (document !== undefined && isDraftEntryPoint(document.json)) {
      return parseDraftEntryPoint(document.json, document.context);
    }
    const isV2 =
      document === undefined && (await nodeKind(new Location(store), options, open.v2)) !== undefined;
    if ((document === undefined && !isV2) || overwrite) return undefined;
  } catch (error) {
    if (overwrite && isZarrError(error, "InvalidMetadataError", "UnknownDataTypeError")) return undefined;
    throw error;
  }
  throw new AlreadyExistsError(
    "the store holds a hierarchy of another format, and a hierarchy of the draft needs a store of its own; overwrite: true at the root replaces it",
    { path: "/" },
  );
}

/**
 * What is in the way, if anything. The draft allows to skip this; all of it is one round of requests.
 * @throws InvalidArgumentError below an array
 */
async function findObstacle(
  location: Location<WritableStore>,
  nodeType: NodeKind,
  options: StoreOptions,
): Promise<NodeKind | undefined> {
  const { store, path, entryPoint } = location;
  const has = (at: Location, type: NodeKind) => exists(store, documentKey(at, type), options);
  const above = ancestorsOf(path).map(async (ancestor) => {
    if (await has(new Location(store, ancestor, entryPoint), "array")) throw belowArray(ancestor);
  });
  const [isArray, isGroup, isImplied] = await Promise.all([
    has(location, "array"),
    has(location, "group"),
    // A group's document makes an implicit group explicit, an array cannot take its place.
    nodeType === "array" && hasChildren(location, options),
    ...above,
  ]);
  return isArray ? "array" : isGroup || isImplied ? "group" : undefined;
}
