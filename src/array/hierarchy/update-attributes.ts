/** Changes attributes of a node. */

import { untilAborted } from "../../base/abort.js";
import { checkNames, checkObject } from "../../base/option-names.js";
import { checkWritable } from "../../core/stores/check-store.js";
import type { Store, StoreOptions } from "../../core/stores/store.js";
import { STORE_OPTIONS } from "../../core/stores/store-option-names.js";
import type { Json, JsonObject } from "../../metadata/json.js";
import { Member } from "../../metadata/member.js";
import { keepSpellings } from "../../metadata/number-spellings.js";
import { keyBelow } from "../../metadata/path.js";
import { documentsOf } from "../create/write-documents.js";
import { checkNode } from "../nodes/check-arguments.js";
import { Group, type Node, ZarrArray } from "../nodes/nodes.js";
import { keepConsolidated } from "./consolidated-upkeep.js";
import { metadataNow, nodeDocumentKey, rewriteDocument, whileLocked } from "./rewrite-documents.js";

/** The attributes to set, by name, as JSON; integers may be bigints. Undefined removes an attribute. */
export interface AttributeChanges {
  readonly [name: string]: Json | undefined;
}

/**
 * Changes some attributes of an array or a group. All others stay as they are in the store, also those
 * written after the node was opened. In one process, changes of one node run one after the other.
 * Consolidated metadata of the groups above change too.
 * @example
 * ```ts
 * await updateAttributes(array, { units: "degC", note: undefined }); // undefined removes an attribute
 * ```
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
  const remaining = Object.entries(attributes).filter(([name]) => !names.includes(name));
  const set = Object.entries(changes).flatMap(([name, value]) =>
    value === undefined ? [] : ([[name, value]] as const),
  );
  // Assignment to an attribute named "__proto__" would set the prototype; `fromEntries` makes a property.
  return keepSpellings(Object.fromEntries([...remaining, ...set]), changes);
}
