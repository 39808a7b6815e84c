/** Putting a new node into a hierarchy: makes room for it, adds the groups above it that are missing, writes its documents. */
import { AlreadyExistsError, InvalidArgumentError, isZarrError } from "../errors.js";
import type { NodeMetadata } from "../metadata/model.js";
import { deletePrefix } from "../stores/capabilities.js";
import type { StoreOptions, WritableStore } from "../stores/store.js";
import { documentsOf, writeDocuments } from "./documents.js";
import { Location } from "./location.js";
import { nodeKind } from "./open.js";

export interface NewNodeOptions extends StoreOptions {
  /** Replace the node that is there, with everything below it; an error without it. */
  readonly overwrite?: boolean | undefined;
}

/** @throws AlreadyExistsError without `overwrite`, InvalidArgumentError below an array, StoreError */
export async function writeNewNode(
  location: Location<WritableStore>,
  metadata: NodeMetadata,
  options: NewNodeOptions,
): Promise<void> {
  // What the format cannot hold is found here, before the node that is there has been deleted.
  documentsOf(metadata);
  await makeRoom(location, options);
  await writeGroupsAbove(location, metadata.zarrFormat, options);
  await writeDocuments(location, metadata, options);
}

/** What stands in the way; a node that cannot be read is one too, when it may be replaced. */
async function nodeAt(
  location: Location<WritableStore>,
  options: NewNodeOptions,
): Promise<string | undefined> {
  try {
    return await nodeKind(location, options.signal);
  } catch (error) {
    if (options.overwrite === true && isZarrError(error, "InvalidMetadataError", "UnknownDataTypeError"))
      return "node";
    throw error;
  }
}

async function makeRoom(location: Location<WritableStore>, options: NewNodeOptions): Promise<void> {
  const found = await nodeAt(location, options);
  if (found === undefined) return;
  if (options.overwrite !== true) {
    throw new AlreadyExistsError(
      `there is ${found === "array" ? "an array" : "a group"} already; overwrite: true replaces it`,
      {
        path: location.path,
      },
    );
  }
  await deletePrefix(location.store, location.path === "/" ? "/" : `${location.path}/`, {
    signal: options.signal,
  });
}

async function writeGroupsAbove(
  location: Location<WritableStore>,
  zarrFormat: NodeMetadata["zarrFormat"],
  options: NewNodeOptions,
): Promise<void> {
  const names = location.path.split("/").slice(1, -1);
  const above =
    location.path === "/" ? [] : ["/", ...names.map((_, i) => `/${names.slice(0, i + 1).join("/")}`)];
  for (const path of above) {
    const parent = new Location(location.store).resolve(path);
    const kind = await nodeKind(parent, options.signal);
    if (kind === "array")
      throw new InvalidArgumentError("an array cannot have nodes below it", { path: parent.path });
    if (kind === undefined) {
      await writeDocuments(parent, { nodeType: "group", zarrFormat, attributes: {}, extra: {} }, options);
    }
  }
}
