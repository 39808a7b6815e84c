/** The documents of nodes of the 2020 draft, and the names it allows. */
import { withAllDataTypes } from "../../data-types/registry.js";
import { storeFailure } from "../../engine/prepared.js";
import {
  parseDraftArray,
  parseDraftGroup,
  writeDraftArray,
  writeDraftGroup,
} from "../../metadata/draft/documents.js";
import type { DraftEntryPoint } from "../../metadata/draft/entry-point.js";
import { checkNewDraftPath, draftDocumentKey, draftDocumentPrefix } from "../../metadata/draft/keys.js";
import type { JsonObject } from "../../metadata/json.js";
import type { GroupMetadata, NodeMetadata } from "../../metadata/model.js";
import { canList, listDir } from "../../stores/capabilities.js";
import type { AbsolutePath, Store, StoreOptions } from "../../stores/store.js";
import { readDocument } from "../document.js";
import type { NodeKind } from "../documents.js";
import type { Location } from "../location.js";
import { Group, type Node, ZarrArray } from "../nodes.js";

/** Of a hierarchy without an entry point so far, and of what `zarr.json` leaves out. */
export const NEW_ENTRY_POINT: DraftEntryPoint = { metadataKeySuffix: ".json", extensions: [] };

/** The key of a document of the node at a location. */
export function documentKey(
  { path, entryPoint = NEW_ENTRY_POINT }: Location,
  nodeType: NodeKind,
): AbsolutePath {
  return draftDocumentKey(path, nodeType, entryPoint.metadataKeySuffix);
}

/** The array or explicit group at a location; undefined when it has no such document. One request. */
export async function readDraft(
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

/** Whether anything is below a location: a group without a document, then, is an implicit one. Unknown without a listing. */
export async function hasChildren({ store, path }: Location, options: StoreOptions): Promise<boolean> {
  if (!canList(store)) return false;
  const prefix = draftDocumentPrefix(path);
  try {
    const { keys, prefixes } = await listDir(store, prefix, options);
    return keys.length + prefixes.length > 0;
  } catch (error) {
    throw storeFailure(error, undefined, options.signal, path);
  }
}

/**
 * The document of a node to be created, with its key; none for an implicit group.
 * @throws InvalidArgumentError for a name that the draft does not allow, UnsupportedError for what it cannot hold
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
