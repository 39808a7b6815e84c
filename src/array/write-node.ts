/** Putting a new node into a hierarchy: makes room for it, adds the groups above it that are missing, writes its documents. */
import { isZarrError } from "../errors.js";
import type { DraftEntryPoint } from "../metadata/draft/entry-point.js";
import type { NodeMetadata } from "../metadata/model.js";
import { ancestorsOf, keyBelow } from "../metadata/path.js";
import { deletePrefix } from "../stores/capabilities.js";
import type { WritableStore } from "../stores/store.js";
import { documentsOf, writeDocuments } from "./documents.js";
import { Location } from "./location.js";
import { alreadyExists, belowArray, type NewNodeOptions } from "./new-node.js";
import { nodeKind, openFinal } from "./open.js";

/**
 * @returns the entry point of the hierarchy that the node is in now, when it is one of the draft
 * @throws AlreadyExistsError without `overwrite`, InvalidArgumentError below an array, StoreError
 */
export async function writeNewNode(
  location: Location<WritableStore>,
  metadata: NodeMetadata,
  options: NewNodeOptions,
): Promise<DraftEntryPoint | undefined> {
  if (metadata.zarrFormat === "draft") {
    const { writeNewDraftNode } = await import("./draft/write-node.js");
    return writeNewDraftNode(location, metadata, options);
  }
  // What the format cannot hold is found here, before the node that is there has been deleted.
  await documentsOf(location, metadata);
  const missing = await missingGroupsAbove(location, options);
  await makeRoom(location, options);
  for (const parent of missing) {
    const group = { nodeType: "group", zarrFormat: metadata.zarrFormat, attributes: {}, extra: {} } as const;
    await writeDocuments(parent, group, options);
  }
  await writeDocuments(location, metadata, options);
  return undefined;
}

/** What stands in the way; a node that cannot be read is one too, when it may be replaced. */
async function nodeAt(
  location: Location<WritableStore>,
  options: NewNodeOptions,
): Promise<string | undefined> {
  try {
    return await nodeKind(location, options, openFinal);
  } catch (error) {
    if (options.overwrite === true && isZarrError(error, "InvalidMetadataError", "UnknownDataTypeError"))
      return "node";
    throw error;
  }
}

async function makeRoom(location: Location<WritableStore>, options: NewNodeOptions): Promise<void> {
  const found = await nodeAt(location, options);
  if (found === undefined) return;
  if (options.overwrite !== true) throw alreadyExists(found, location.path);
  await deletePrefix(location.store, keyBelow(location.path, ""), { signal: options.signal });
}

async function missingGroupsAbove(
  { store, path }: Location<WritableStore>,
  options: NewNodeOptions,
): Promise<readonly Location<WritableStore>[]> {
  const missing: Location<WritableStore>[] = [];
  for (const above of ancestorsOf(path)) {
    const parent = new Location(store, above);
    const kind = await nodeKind(parent, options, openFinal);
    if (kind === "array") throw belowArray(above);
    if (kind === undefined) missing.push(parent);
  }
  return missing;
}
