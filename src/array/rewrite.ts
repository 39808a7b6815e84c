/** Changing the documents of a node that is there. Members that a change does not name stay as they are, whoever wrote them. */
import { lockKeys } from "../engine/locks.js";
import { NotFoundError } from "../errors.js";
import type { JsonObject } from "../metadata/json.js";
import { Member } from "../metadata/member.js";
import type { NodeMetadata } from "../metadata/model.js";
import { keyBelow } from "../metadata/path.js";
import { putInFront } from "../stores/extensions/in-front.js";
import type { AbsolutePath, Store, StoreOptions, WritableStore } from "../stores/store.js";
import { readDocument, writeDocument } from "./document.js";
import { Location } from "./location.js";
import type { Group, ZarrArray } from "./nodes.js";
import { open } from "./open.js";

/** The key of the document that makes a node a node. */
export async function nodeDocumentKey(node: Group | ZarrArray<unknown>): Promise<AbsolutePath> {
  const { zarrFormat } = node.metadata;
  if (zarrFormat === "draft") return (await import("./draft/documents.js")).documentKey(node, node.kind);
  return keyBelow(node.path, zarrFormat === 3 ? "zarr.json" : node.kind === "array" ? ".zarray" : ".zgroup");
}

/** A store's values as they are now: what consolidated metadata in front of it remember may have changed since. */
function asTheyAreNow<S extends Store>(store: S): S {
  return putInFront(store, {
    get: (key: AbsolutePath, options?: StoreOptions) =>
      store.get(key, { signal: options?.signal, current: true }),
  });
}

/** The metadata of a node as they are stored now, in its own format: a place may hold documents of two. */
export async function metadataNow(
  { kind, store, path, entryPoint, metadata: { zarrFormat } }: Group | ZarrArray<unknown>,
  { signal }: StoreOptions,
): Promise<NodeMetadata> {
  const openNode = zarrFormat === "draft" ? open.draft : zarrFormat === 3 ? open.v3 : open.v2;
  const location = new Location(asTheyAreNow(store), path, entryPoint);
  return (await openNode(location, { kind, signal })).metadata;
}

/** Runs `change` while nobody else in this process changes the document. */
export async function whileLocked<Result>(
  { store }: Location,
  key: AbsolutePath,
  change: () => Promise<Result>,
): Promise<Result> {
  const release = await lockKeys(store, [key]);
  try {
    return await change();
  } finally {
    release();
  }
}

/**
 * @param absent what a missing document counts as; an error without it
 * @throws NotFoundError, InvalidMetadataError, StoreError
 */
export async function rewriteDocument(
  store: WritableStore,
  key: AbsolutePath,
  change: (document: JsonObject) => JsonObject,
  options: StoreOptions,
  absent?: JsonObject,
): Promise<void> {
  const found = await readDocument(asTheyAreNow(store), key, options);
  const document = found === undefined ? absent : new Member(found.json, found.context).object();
  if (document === undefined) throw new NotFoundError("the document is no longer there", { key });
  await writeDocument(store, key, change(document), options);
}
