/** Changing the attributes of a node. */
import type { Json, JsonObject } from "../metadata/json.js";
import { Member } from "../metadata/member.js";
import { keyBelow } from "../metadata/path.js";
import type { Store, StoreOptions } from "../stores/store.js";
import { checkNode } from "./check-array.js";
import { checkWritable } from "./describe-store.js";
import { documentsOf } from "./documents.js";
import { Group, type Node, ZarrArray } from "./nodes.js";
import { metadataNow, nodeDocumentKey, rewriteDocument, whileLocked } from "./rewrite.js";

/** Attributes to be set, by name; undefined removes one. JSON; integers may be bigints. */
export interface AttributeChanges {
  readonly [name: string]: Json | undefined;
}

/**
 * Changes some attributes of an array or a group. Others stay as they are in the store, also those that were written after the node was
 * opened. In one process, changes of one node run one after the other. Consolidated metadata are not changed: call `consolidateMetadata`
 * again.
 * @returns the node with its new attributes; the one that you passed is not changed
 * @throws InvalidArgumentError for what is not JSON, NotFoundError when the node is gone, UnsupportedError when the store cannot be
 *   written, InvalidMetadataError, StoreError
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
  const store = checkWritable(node.store, node.path);
  const { path, entryPoint } = node;
  if (node.metadata.zarrFormat === 2) {
    const key = keyBelow(path, ".zattrs");
    await whileLocked(node, key, async () => {
      // Attributes of a node that is gone would be those of whatever is made there next.
      await metadataNow(node, options);
      await rewriteDocument(store, key, (attributes) => changed(attributes, changes), options, {});
    });
  } else {
    const key = await nodeDocumentKey(node);
    const change = (document: JsonObject): JsonObject => {
      const attributes = new Member(document, { key }).get("attributes");
      return { ...document, attributes: changed(attributes.isNull ? {} : attributes.object(), changes) };
    };
    await whileLocked(node, key, async () =>
      rewriteDocument(store, key, change, options, await newDocument(node)),
    );
  }
  const metadata = await metadataNow(node, options);
  return metadata.nodeType === "array"
    ? new ZarrArray<unknown>(store, path, metadata, entryPoint)
    : new Group(store, path, metadata, entryPoint);
}

/** The document of a group of the draft that has none, and gets one to hold its attributes. */
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
  // Not by assignment, to which "__proto__" is something else than a name.
  return Object.fromEntries([...kept, ...set]);
}
