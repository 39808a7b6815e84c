/** Metadata documents in a store: reading and writing one, and those that make up a node. */
import { withAllDataTypes } from "../data-types/registry.js";

import { AlreadyExistsError, InvalidArgumentError } from "../errors.js";
import { encodeJson, type Json, type JsonObject, type NumberSpellings, parseJson } from "../metadata/json.js";
import type { NodeMetadata } from "../metadata/model.js";
import { checkNewPath, keyBelow } from "../metadata/path.js";
import { writeV2Array, writeV2Group } from "../metadata/v2.js";
import { parseV3, writeV3 } from "../metadata/v3.js";
import { checkBytes, checkLength, checkStore, isBytes, storeFailure } from "../stores/check-store.js";
import type { AbsolutePath, Store, StoreOptions, WritableStore } from "../stores/store.js";
import type { Location } from "./location.js";

export type NodeKind = "array" | "group";

/** @throws InvalidMetadataError, UnknownDataTypeError */
export function parseV3Document({ json, context }: Document): Promise<NodeMetadata> {
  return withAllDataTypes(() => parseV3(json, context));
}

/** Writes a node's documents, the one that makes it a node last. */
export async function writeDocuments(
  location: Location<WritableStore>,
  metadata: NodeMetadata,
  options: NewNodeOptions,
): Promise<void> {
  for (const [key, document] of await documentsOf(location, metadata)) {
    await writeDocument(location.store, key, document, options, options.spellings?.(key, document));
  }
}

/**
 * The documents of a node to be created, by key.
 * @throws UnsupportedError for what the format cannot hold, InvalidArgumentError for a name it does not allow
 */
export async function documentsOf(
  { path, entryPoint }: Location,
  metadata: NodeMetadata,
): Promise<[key: AbsolutePath, document: JsonObject][]> {
  if (metadata.zarrFormat === "draft") {
    return (await import("./draft/open.js")).draftDocuments(path, metadata, entryPoint);
  }
  checkNewPath(path, metadata.zarrFormat);
  return (await finalDocuments(metadata)).map(([name, document]) => [keyBelow(path, name), document]);
}

async function finalDocuments(metadata: NodeMetadata): Promise<[name: string, document: JsonObject][]> {
  if (metadata.zarrFormat === 3) return [["zarr.json", writeV3(metadata)]];
  const documents =
    metadata.nodeType === "array"
      ? Object.entries<JsonObject>({ ...writeV2Array(metadata) })
      : Object.entries<JsonObject>({ ...writeV2Group(metadata) });
  return documents
    .filter(([name, document]) => name !== ".zattrs" || Object.keys(document).length > 0)
    .sort(([a]) => (a === ".zattrs" ? -1 : 1));
}

/** A document, and its key for errors. */
export interface Document {
  readonly json: Json;
  readonly context: { readonly key: AbsolutePath };
}

/** Bytes of a metadata document: 64 MiB consolidate tens of thousands of arrays. */
const LONGEST_DOCUMENT = 64 << 20;

/** Undefined when there is no such key. One request. @throws InvalidMetadataError for what is not JSON, StoreError */
export async function readDocument(
  store: Store,
  key: AbsolutePath,
  { signal }: StoreOptions,
  spellings?: NumberSpellings,
): Promise<Document | undefined> {
  let bytes: Uint8Array | undefined;
  const context = { key };
  try {
    bytes = await store.get(key, { signal, maximumBytes: LONGEST_DOCUMENT });
  } catch (error) {
    checkStore(store);
    throw storeFailure(error, key, signal);
  }
  if (bytes && !isBytes(bytes)) checkBytes(bytes, key);
  checkLength(bytes, LONGEST_DOCUMENT, key);
  // Some stores say null.
  return bytes ? { json: parseJson(bytes, context, spellings), context } : undefined;
}

/** @throws StoreError */
export async function writeDocument(
  store: WritableStore,
  key: AbsolutePath,
  document: JsonObject,
  { signal }: StoreOptions,
  spellings?: NumberSpellings,
): Promise<void> {
  try {
    await store.set(key, encodeJson(document, spellings), { signal });
  } catch (error) {
    throw storeFailure(error, key, signal);
  }
}

export interface NewNodeOptions extends StoreOptions {
  /** Replace the node that is there, with everything below it; an error without it. */
  readonly overwrite?: boolean | undefined;
  /** How numbers are to be spelt in the node's documents. */
  readonly spellings?: ((key: AbsolutePath, document: JsonObject) => NumberSpellings) | undefined;
}

export function alreadyExists(found: string, path: AbsolutePath): AlreadyExistsError {
  return new AlreadyExistsError(
    `there is ${found === "array" ? "an array" : "a group"} already; overwrite: true replaces it`,
    { path },
  );
}

export function belowArray(path: AbsolutePath): InvalidArgumentError {
  return new InvalidArgumentError("an array cannot have nodes below it", { path });
}
