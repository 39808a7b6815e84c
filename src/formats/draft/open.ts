/** Finds nodes of the 2020 draft ("Determine if a node exists"). */

import {
  type AbsolutePath,
  canList,
  type Document,
  type DraftEntryPoint,
  describeStore,
  Group,
  type GroupMetadata,
  InvalidMetadataError,
  type JsonObject,
  keyBelow,
  Location,
  listDir,
  locate,
  type Node,
  type NodeKind,
  type NodeMetadata,
  NotFoundError,
  type OpenOptions,
  readDocument,
  type Store,
  type StoreOptions,
  withAllDataTypes,
  withFailuresAt,
  ZarrArray,
} from "../../core/for-formats.js";
import { parseDraftArray, parseDraftGroup, writeDraftArray, writeDraftGroup } from "./documents.js";
import {
  checkDraftPath,
  checkNewDraftPath,
  draftDocumentKey,
  draftDocumentPrefix,
  ENTRY_POINT_KEY,
  parseDraftEntryPoint,
} from "./entry-point.js";

export { draftDocumentPrefix };

/**
 * Opens a node at a location with an entry point: the array, else the explicit group, else an implicit group,
 * with one request for each that it tries. With `kind: "group"` the group comes first. The root is at least
 * an implicit group, because the entry point exists.
 * @throws NotFoundError, InvalidArgumentError for a name that the draft does not allow, InvalidMetadataError,
 * StoreError
 */
async function openDraft(location: Location, { kind, signal }: OpenOptions): Promise<Node> {
  checkDraftPath(location.path);
  const options = { signal };
  const order: readonly NodeKind[] =
    kind === undefined ? ["array", "group"] : kind === "array" ? ["array"] : ["group", "array"];
  for (const nodeType of order) {
    const node = await readDraft(location, nodeType, options);
    if (node === undefined) continue;
    if (kind === undefined || kind === node.kind) return node;
    throw new NotFoundError("expected a group, found an array", { path: location.path, found: "array" });
  }
  if (kind !== "array" && (location.path === "/" || (await hasChildren(location, options)))) {
    return implicitGroup(location);
  }
  throw notFound(location, kind);
}

/**
 * `openDraft` with an entry point that was just read.
 * @throws InvalidMetadataError if it is not at the root of the store
 */
export function openEntryPoint(location: Location, document: Document, options: OpenOptions): Promise<Node> {
  return openDraft(locateIn(location, document), options);
}

/** `openDraft` for any location; undefined outside hierarchies of the draft. */
export async function openIfDraft(location: Location, options: OpenOptions): Promise<Node | undefined> {
  const located = await locate(location, options);
  return located.entryPoint && openDraft(located, options);
}

function notFound(location: Location, kind: NodeKind | undefined): NotFoundError {
  const { store, path } = location;
  const kinds: readonly NodeKind[] = kind === undefined ? ["array", "group"] : [kind];
  const keys = kinds.map((nodeType) => documentKey(location, nodeType));
  const implied =
    kind === "array" || canList(store) ? "" : "; implicit groups are found only in stores that can be listed";
  return new NotFoundError(
    `no ${kind ?? "array or group"} in the 2020-draft hierarchy of ${describeStore(store)}: looked for ${keys.join(", ")}${implied}`,
    { path },
  );
}

/** The entry point of a new hierarchy. */
export const NEW_ENTRY_POINT: DraftEntryPoint = { metadataKeySuffix: ".json", extensions: [] };

/** The key of a document of the node at a location. */
export function documentKey(
  { path, entryPoint = NEW_ENTRY_POINT }: Location,
  nodeType: NodeKind,
): AbsolutePath {
  return draftDocumentKey(path, nodeType, entryPoint.metadataKeySuffix);
}

/** Reads the array or explicit group at a location with one request; undefined if the document is missing. */
async function readDraft(
  location: Location,
  nodeType: NodeKind,
  options: StoreOptions,
): Promise<Node | undefined> {
  const { store, path, entryPoint } = location;
  const document = await readDocument(store, documentKey(location, nodeType), options);
  if (document === undefined) return undefined;
  const { json, context } = document;
  if (nodeType === "group") return new Group(store, path, parseDraftGroup(json, context), entryPoint);
  const metadata = await withAllDataTypes(() => parseDraftArray(json, context));
  return new ZarrArray(store, path, metadata, entryPoint);
}

/** A group without a document ("implicit group"). */
export function implicitGroup<S extends Store>({ store, path, entryPoint }: Location<S>): Group<S> {
  const metadata: GroupMetadata = {
    nodeType: "group",
    zarrFormat: "draft",
    attributes: {},
    extra: {},
    isImplicit: true,
  };
  return new Group(store, path, metadata, entryPoint);
}

/**
 * Whether the location has nodes below it, which makes it an implicit group. False for a store that cannot be
 * listed.
 */
export async function hasChildren({ store, path }: Location, options: StoreOptions): Promise<boolean> {
  if (!canList(store)) return false;
  const { keys, prefixes } = await withFailuresAt({ path }, options.signal, () =>
    listDir(store, draftDocumentPrefix(path), options),
  );
  return keys.length + prefixes.length > 0;
}

/**
 * The document of a new node, with its key; none for an implicit group.
 * @throws InvalidArgumentError for a name that the draft does not allow, UnsupportedError for metadata that
 * it cannot hold
 */
export function draftDocuments(
  path: AbsolutePath,
  metadata: NodeMetadata,
  { metadataKeySuffix } = NEW_ENTRY_POINT,
): [key: AbsolutePath, document: JsonObject][] {
  checkNewDraftPath(path, metadataKeySuffix);
  const key = draftDocumentKey(path, metadata.nodeType, metadataKeySuffix);
  if (metadata.nodeType === "array") return [[key, writeDraftArray(metadata)]];
  return metadata.isImplicit ? [] : [[key, writeDraftGroup(metadata)]];
}

/**
 * Adds the entry point to the location.
 * @throws InvalidMetadataError if it is not at the root of the store, or has an unknown extension that must
 * be understood
 */
export function locateIn<S extends Store>(
  { store, path }: Location<S>,
  { json, context }: Document,
): Location<S> {
  if (context.key === ENTRY_POINT_KEY) {
    return new Location(store, path, parseDraftEntryPoint(json, context));
  }
  throw new InvalidMetadataError(
    `a hierarchy of the 2020 draft begins here, and must be opened at its root; make a store whose root is ${keyBelow(path, "")}`,
    context,
  );
}

/** Throws for a document of the draft in place of a v3 document. @throws InvalidMetadataError */
export function refuseDraft({ context }: Document): never {
  throw new InvalidMetadataError(
    'expected zarr_format 3, got a hierarchy of the 2020 draft; use open.draft to read its nodes and zarrFormat: "draft" to create them',
    context,
  );
}
