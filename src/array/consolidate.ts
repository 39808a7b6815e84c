/** Writing consolidated metadata; consolidated.ts reads them. */

import { untilAborted } from "../abort.js";
import { UnsupportedError } from "../errors.js";
import { isJsonObject, type Json, type JsonObject, type NumberSpellings } from "../metadata/json.js";
import { keyBelow } from "../metadata/path.js";
import { checkWritable } from "../stores/check-store.js";
import type { AbsolutePath, StoreOptions, WritableStore } from "../stores/store.js";
import { readDocument } from "./documents.js";
import { members } from "./hierarchy.js";
import { open } from "./open.js";
import { writeDocument } from "./write-documents.js";

/**
 * Writes the consolidated metadata of a hierarchy of v2 (`.zmetadata`) or v3 (into the root group's `zarr.json`), as zarr-python does. The
 * documents of all nodes are read: to be called when they have been written, and again when they change.
 * @returns how many nodes there are
 * @throws UnsupportedError for the 2020 draft and for a store that cannot be written or listed, NotFoundError when there is no group at
 *   the root, StoreError
 */
export async function consolidateMetadata(store: WritableStore, options: StoreOptions = {}): Promise<number> {
  return untilAborted(options.signal, () => consolidate(store, options));
}

async function consolidate(store: WritableStore, options: StoreOptions): Promise<number> {
  const group = await open(store, { kind: "group", signal: options.signal });
  checkWritable(store, group.path);
  const { zarrFormat } = group.metadata;
  if (zarrFormat === "draft") {
    throw new UnsupportedError("the 2020 draft has no consolidated metadata: convert the hierarchy to v3", {
      path: "/",
    });
  }
  const spellings: NumberSpellings = new WeakMap();
  const found: [name: string, document: Json][] = [];
  let count = 0;
  const names = zarrFormat === 3 ? ["zarr.json"] : [".zarray", ".zgroup", ".zattrs"];
  const remember = async ({ path }: { readonly path: AbsolutePath }): Promise<void> => {
    count++;
    for (const name of names) {
      const key = keyBelow(path, name);
      const document = await readDocument(store, key, options, spellings);
      if (document !== undefined)
        found.push([zarrFormat === 3 ? path.slice(1) : key.slice(1), document.json]);
    }
  };
  await remember(group);
  for await (const member of members(group, options)) await remember(member);
  // Not by assignment, to which "__proto__" is something else than a name.
  const documents: JsonObject = Object.fromEntries(found);
  if (zarrFormat === 2) {
    const document = { metadata: documents, zarr_consolidated_format: 1 };
    await writeDocument(store, "/.zmetadata", document, options, spellings);
    return count;
  }
  const { "": root, ...metadata } = documents;
  const rest = isJsonObject(root) ? root : {};
  const consolidated = { kind: "inline", must_understand: false, metadata };
  const document = { ...rest, consolidated_metadata: consolidated };
  await writeDocument(store, "/zarr.json", document, options, spellings);
  return count;
}
