/** Writes metadata documents: one document, or all documents of a node. */
import { AlreadyExistsError, InvalidArgumentError } from "../../base/errors.js";
import { withFailuresAt } from "../../core/stores/check-store.js";
import type { AbsolutePath, StoreOptions, WritableStore, WriteOptions } from "../../core/stores/store.js";
import type { JsonObject } from "../../metadata/json.js";
import { encodeJson } from "../../metadata/json-text.js";
import type { NodeMetadata } from "../../metadata/model.js";
import { keepSpellings } from "../../metadata/number-spellings.js";
import { checkNewPath, keyBelow } from "../../metadata/path.js";
import { writeV2Array, writeV2Group, writeV3 } from "../../metadata/write.js";
import type { Location } from "../nodes/nodes.js";
import { draftNodes } from "../open/draft-nodes.js";

/**
 * Writes a node's documents: `.zattrs` first and the main document last, so that readers never see a node
 * without attributes.
 */
export async function writeDocuments(
  { location, metadata, spelledLike }: NewNode,
  options: StoreOptions,
): Promise<void> {
  for (const [key, document] of await documentsOf(location, metadata)) {
    await writeDocument(location.store, key, keepSpellings(document, spelledLike), options);
  }
}

/**
 * The documents of a new node, by key.
 * @throws UnsupportedError for metadata that the format cannot hold, InvalidArgumentError for a name that it
 * does not allow
 */
export async function documentsOf(
  { path, entryPoint }: Location,
  metadata: NodeMetadata,
): Promise<[key: AbsolutePath, document: JsonObject][]> {
  if (metadata.zarrFormat === "draft") {
    return (await draftNodes.load()).draftDocuments(path, metadata, entryPoint);
  }
  checkNewPath(path, metadata.zarrFormat);
  return finalDocuments(metadata).map(([name, document]) => [keyBelow(path, name), document]);
}

function finalDocuments(metadata: NodeMetadata): [name: string, document: JsonObject][] {
  if (metadata.zarrFormat === 3) return [["zarr.json", writeV3(metadata)]];
  const documents =
    metadata.nodeType === "array"
      ? Object.entries(writeV2Array(metadata))
      : Object.entries(writeV2Group(metadata));
  return documents
    .filter(([name, document]) => name !== ".zattrs" || Object.keys(document).length > 0)
    .sort(([a]) => (a === ".zattrs" ? -1 : 1));
}

/** @throws StoreError */
export async function writeDocument(
  store: WritableStore,
  key: AbsolutePath,
  document: JsonObject,
  { signal, ifVersion }: WriteOptions,
): Promise<void> {
  const options = ifVersion === undefined ? { signal } : { signal, ifVersion };
  await withFailuresAt({ key }, signal, () => store.set(key, encodeJson(document), options));
}

export interface NewNodeOptions extends StoreOptions {
  /** True replaces an existing node and everything below it; otherwise an existing node is an error. */
  readonly overwrite?: boolean | undefined;
}

/** A node to be written, with its location. */
export interface NewNode {
  readonly location: Location<WritableStore>;
  readonly metadata: NodeMetadata;
  /** Members of a stored document, whose numbers are written in the same way (1 or 1.0). */
  readonly spelledLike?: JsonObject | undefined;
}

export function alreadyExists(found: string, path: AbsolutePath): AlreadyExistsError {
  return new AlreadyExistsError(
    `${found === "array" ? "an array" : "a group"} already exists; overwrite: true replaces it`,
    { path },
  );
}

export function belowArray(path: AbsolutePath): InvalidArgumentError {
  return new InvalidArgumentError("an array cannot have nodes below it", { path });
}
