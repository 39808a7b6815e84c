/** Changes the documents of a node. Members that a change does not name are kept. */

import { untilAborted } from "../abort.js";
import { lockKeys } from "../engine/locks.js";
import { NotFoundError } from "../errors.js";
import type { Json, JsonObject } from "../metadata/json.js";
import { Member } from "../metadata/member.js";
import type { NodeMetadata } from "../metadata/model.js";
import { keepSpellings } from "../metadata/number-spellings.js";
import { keyBelow } from "../metadata/path.js";
import { checkNames, checkObject } from "../option-names.js";
import { canList } from "../stores/capabilities.js";
import { checkWritable } from "../stores/check-store.js";
import { putInFrontOfStore } from "../stores/in-front.js";
import { storageOf } from "../stores/storage-identity.js";
import type {
  AbsolutePath,
  PartsOptions,
  RangeQuery,
  Store,
  StoreOptions,
  WritableStore,
} from "../stores/store.js";
import { STORE_OPTIONS } from "../stores/store-option-names.js";
import { askParts } from "../stores/values.js";
import { checkNode } from "./check-arguments.js";
import { keepConsolidated } from "./consolidated-upkeep.js";
import { Group, Location, type Node, ZarrArray } from "./nodes.js";
import { open } from "./open.js";
import { replaceDocument } from "./replace-document.js";
import { documentsOf } from "./write-documents.js";

/** The key of a node's main document: `zarr.json`, `.zarray` or `.zgroup`, or the draft's document. */
export async function nodeDocumentKey(node: Group | ZarrArray<unknown>): Promise<AbsolutePath> {
  const { zarrFormat } = node.metadata;
  if (zarrFormat === "draft") return (await import("./draft/open.js")).documentKey(node, node.kind);
  return keyBelow(node.path, zarrFormat === 3 ? "zarr.json" : node.kind === "array" ? ".zarray" : ".zgroup");
}

/**
 * The store for reads of what is stored now: consolidated metadata and caches of bytes in front of it may be
 * older.
 */
export function asTheyAreNow<S extends Store>(store: S): S {
  const { getRange } = store;
  const now = (options?: StoreOptions) => ({ ...options, current: true });
  return putInFrontOfStore(store, {
    get: (key: AbsolutePath, options?: StoreOptions) => store.get(key, now(options)),
    ...(getRange && {
      getRange: (key: AbsolutePath, range: RangeQuery, options?: StoreOptions) =>
        getRange.call(store, key, range, now(options)),
    }),
    getParts: (key: AbsolutePath, ranges: readonly RangeQuery[] | undefined, options?: PartsOptions) =>
      askParts(store, key, ranges, now(options)),
    // Nodes are listed as they are stored, too, if the store can list them.
    ...(canList(store) && { contents: undefined }),
    place: storageOf(store),
  });
}

/**
 * Reads the metadata of a node as stored now, in the node's own format: a location may hold documents of two
 * formats.
 */
export async function metadataNow(
  { kind, store, path, entryPoint, metadata: { zarrFormat } }: Group | ZarrArray<unknown>,
  { signal }: StoreOptions,
): Promise<NodeMetadata> {
  const openNode = zarrFormat === "draft" ? open.draft : zarrFormat === 3 ? open.v3 : open.v2;
  const location = new Location(asTheyAreNow(store), path, entryPoint);
  return (await openNode(location, { kind, signal })).metadata;
}

/**
 * Runs `change` under locks on keys of documents, within this process and, if the store has locks, across
 * processes.
 */
export async function whileLocked<Result>(
  { store }: Location,
  keys: AbsolutePath | readonly AbsolutePath[],
  { signal }: StoreOptions,
  change: () => Promise<Result>,
): Promise<Result> {
  const release = await lockKeys(store, typeof keys === "string" ? [keys] : keys, { signal, isOuter: true });
  try {
    return await change();
  } finally {
    await release();
  }
}

/**
 * @param absent the document to change if the store has none; without it, that is an error
 * @throws NotFoundError, InvalidMetadataError, StoreError
 */
export async function rewriteDocument(
  store: WritableStore,
  key: AbsolutePath,
  change: (document: JsonObject) => JsonObject,
  options: StoreOptions,
  absent?: JsonObject,
): Promise<void> {
  await replaceDocument(asTheyAreNow(store), key, options, (found) => {
    const document = found === undefined ? absent : new Member(found.json, found.context).object();
    if (document === undefined)
      throw new NotFoundError("the document no longer exists: the node was deleted or moved; open it again", {
        key,
      });
    return keepSpellings(change(document), document);
  });
}

/** The attributes to set, by name, as JSON; integers may be bigints. Undefined removes an attribute. */
export interface AttributeChanges {
  readonly [name: string]: Json | undefined;
}

/**
 * Changes some attributes of an array or a group. All others stay as they are in the store, also those
 * written after the node was opened. In one process, changes of one node run one after the other.
 * Consolidated metadata of the groups above change too.
 * @returns the node with its new attributes; the node passed in is not changed
 * @throws InvalidArgumentError unless `changes` is JSON, NotFoundError when the node is gone,
 * UnsupportedError when the store cannot be written, InvalidMetadataError, StoreError
 */
export async function updateAttributes<D, S extends Store>(
  array: ZarrArray<D, S>,
  changes: AttributeChanges,
  options?: StoreOptions,
): Promise<ZarrArray<D, S>>;
export async function updateAttributes<S extends Store>(
  group: Group<S>,
  changes: AttributeChanges,
  options?: StoreOptions,
): Promise<Group<S>>;
export async function updateAttributes<S extends Store>(
  node: Node<S>,
  changes: AttributeChanges,
  options?: StoreOptions,
): Promise<Node<S>>;
export async function updateAttributes(
  node: Node,
  changes: AttributeChanges,
  options: StoreOptions = {},
): Promise<Group | ZarrArray<unknown>> {
  checkNode(node);
  checkObject(changes, "changes", "an object of attributes");
  checkNames(options, "updateAttributes", STORE_OPTIONS);
  return untilAborted(options.signal, async () => {
    const store = checkWritable(node.store, node.path);
    const { path, entryPoint } = node;
    if (node.metadata.zarrFormat === 2) {
      const key = keyBelow(path, ".zattrs");
      await whileLocked(node, key, options, async () => {
        // Throws if the node is gone: the next node created at this path would get these attributes.
        await metadataNow(node, options);
        await rewriteDocument(store, key, (attributes) => changed(attributes, changes), options, {});
        await keepConsolidated(store, [node]);
      });
    } else {
      const key = await nodeDocumentKey(node);
      const change = (document: JsonObject): JsonObject => {
        const attributes = new Member(document, { key }).get("attributes");
        return { ...document, attributes: changed(attributes.isNull ? {} : attributes.object(), changes) };
      };
      await whileLocked(node, key, options, async () => {
        await rewriteDocument(store, key, change, options, await newDocument(node));
        await keepConsolidated(store, [node]);
      });
    }
    const metadata = await metadataNow(node, options);
    return metadata.nodeType === "array"
      ? new ZarrArray<unknown>(store, path, metadata, entryPoint)
      : new Group(store, path, metadata, entryPoint);
  });
}

/**
 * The document to create for an implicit group of the draft, which has none, so that it can hold attributes.
 */
async function newDocument(node: Node): Promise<JsonObject | undefined> {
  const { metadata } = node;
  if (metadata.nodeType === "array" || metadata.isImplicit !== true) return undefined;
  const explicit = { nodeType: "group", zarrFormat: "draft", attributes: {}, extra: {} } as const;
  const [[, document] = []] = await documentsOf(node, explicit);
  return document;
}

function changed(attributes: JsonObject, changes: AttributeChanges): JsonObject {
  const names = Object.keys(changes).filter((name) => changes[name] === undefined);
  const kept = Object.entries(attributes).filter(([name]) => !names.includes(name));
  const set = Object.entries(changes).flatMap(([name, value]) =>
    value === undefined ? [] : ([[name, value]] as const),
  );
  // Assignment to an attribute named "__proto__" would set the prototype; `fromEntries` makes a property.
  return keepSpellings(Object.fromEntries([...kept, ...set]), changes);
}
