/** Changes the documents of a node. Members that a change does not name are kept. */

import { NotFoundError } from "../../base/errors.js";
import { canList } from "../../core/stores/capabilities.js";
import { putInFrontOfStore } from "../../core/stores/in-front.js";
import { lockKeys } from "../../core/stores/key-locks.js";
import { storageOf } from "../../core/stores/storage-identity.js";
import type {
  AbsolutePath,
  PartsOptions,
  RangeQuery,
  Store,
  StoreOptions,
  WritableStore,
} from "../../core/stores/store.js";
import { askParts } from "../../core/stores/values.js";
import type { JsonObject } from "../../metadata/json.js";
import { Member } from "../../metadata/member.js";
import type { NodeMetadata } from "../../metadata/model.js";
import { keepSpellings } from "../../metadata/number-spellings.js";
import { keyBelow } from "../../metadata/path.js";
import { type Group, Location, type ZarrArray } from "../nodes/nodes.js";
import { draftNodes } from "../open/draft-nodes.js";
import { open } from "../open/open.js";
import { replaceDocument } from "./replace-document.js";

/** The key of a node's main document: `zarr.json`, `.zarray` or `.zgroup`, or the draft's document. */
export async function nodeDocumentKey(node: Group | ZarrArray<unknown>): Promise<AbsolutePath> {
  const { zarrFormat } = node.metadata;
  if (zarrFormat === "draft") return (await draftNodes.load()).documentKey(node, node.kind);
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
