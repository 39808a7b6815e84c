/** The metadata documents of a node in the store. */
import { withAllDataTypes } from "../data-types/registry.js";
import type { JsonObject } from "../metadata/json.js";
import type { NodeMetadata } from "../metadata/model.js";
import { checkNewPath, keyBelow } from "../metadata/path.js";
import { writeV2Array, writeV2Group } from "../metadata/v2.js";
import { parseV3, writeV3 } from "../metadata/v3.js";
import type { AbsolutePath, StoreOptions, WritableStore } from "../stores/store.js";
import { type Document, writeDocument } from "./document.js";
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
  options: StoreOptions,
): Promise<void> {
  for (const [key, document] of await documentsOf(location, metadata)) {
    await writeDocument(location.store, key, document, options);
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
    return (await import("./draft/documents.js")).draftDocuments(path, metadata, entryPoint);
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
