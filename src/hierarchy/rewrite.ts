/** Changing the documents of a node that is there. Members that a change does not name stay as they are, whoever wrote them. */
import { lockKeys } from "../engine/locks.js";
import { NotFoundError } from "../errors.js";
import type { JsonObject } from "../metadata/json.js";
import { Member } from "../metadata/member.js";
import { keyBelow } from "../metadata/path.js";
import type { AbsolutePath, StoreOptions, WritableStore } from "../stores/store.js";
import { readDocument, writeDocument } from "./document.js";
import type { Location } from "./location.js";
import type { Group, Node, ZarrArray } from "./nodes.js";
import { open } from "./open.js";

/** The key of the document that makes a node a node. */
export async function nodeDocumentKey(node: Group | ZarrArray<unknown>): Promise<AbsolutePath> {
  const { zarrFormat } = node.metadata;
  if (zarrFormat === "draft") return (await import("./draft/documents.js")).documentKey(node, node.kind);
  return keyBelow(node.path, zarrFormat === 3 ? "zarr.json" : node.kind === "array" ? ".zarray" : ".zgroup");
}

/** The node as it is stored now, in its own format: a place may hold documents of two. */
export function reopen(node: Group | ZarrArray<unknown>, { signal }: StoreOptions): Promise<Node> {
  const { zarrFormat } = node.metadata;
  const openNode = zarrFormat === "draft" ? open.draft : zarrFormat === 3 ? open.v3 : open.v2;
  return openNode(node, { kind: node.kind, signal });
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
  const found = await readDocument(store, key, options);
  const document = found === undefined ? absent : new Member(found.json, found.context).object();
  if (document === undefined) throw new NotFoundError("the document is no longer there", { key });
  await writeDocument(store, key, change(document), options);
}
