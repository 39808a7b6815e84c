/**
 * Keeps consolidated metadata true. A node's documents are copied in the consolidated metadata of the groups
 * above it: whoever changes documents calls `keepConsolidated`, which brings the copies up to date. If there
 * are none, that costs one request for each group.
 */

import { isZarrError, StoreError } from "../../base/errors.js";
import { lockKeys } from "../../core/stores/key-locks.js";
import type { AbsolutePath, WritableStore } from "../../core/stores/store.js";
import type { Json } from "../../metadata/json.js";
import { ancestorsOf } from "../../metadata/path.js";
import type { Node, ZarrArray } from "../nodes/nodes.js";
import { readDocument } from "../open/read-document.js";
import { consolidatedKey, documentKeys, withDocuments } from "./consolidated-format.js";
import { replaceDocument } from "./replace-document.js";

/**
 * Call it once for all nodes whose documents changed, after all of them were written: each document of
 * consolidated metadata is written once. It reads the nodes' documents as they are stored, so it does not
 * matter whose change was last. It takes no signal: once documents have changed, their copies change too.
 * Consolidated metadata that no reader accepts stay as they are.
 * @throws StoreError that says that the change itself is stored
 */
export async function keepConsolidated(
  store: WritableStore,
  changed: readonly Pick<Node | ZarrArray<unknown>, "path" | "kind" | "metadata">[],
): Promise<void> {
  const groups = new Map<AbsolutePath, Holder>();
  for (const { path, kind, metadata } of changed) {
    const { zarrFormat } = metadata;
    if (zarrFormat === "draft") continue;
    // A v3 group's own document holds the consolidated metadata, a v2 group's own documents are copied like
    // others.
    const self = zarrFormat === 2 && kind === "group" ? [path] : [];
    for (const group of [...ancestorsOf(path), ...self]) {
      const key = consolidatedKey(group, zarrFormat);
      const keys = groups.get(key)?.keys ?? new Set();
      for (const each of documentKeys(path, zarrFormat)) keys.add(each);
      groups.set(key, { group, zarrFormat, keys });
    }
  }
  await Promise.all(Array.from(groups, ([key, holder]) => bringUpToDate(store, key, holder)));
}

interface Holder {
  readonly group: AbsolutePath;
  readonly zarrFormat: 2 | 3;
  /** Keys of the documents that changed. */
  readonly keys: Set<AbsolutePath>;
}

async function bringUpToDate(
  store: WritableStore,
  key: AbsolutePath,
  { group, zarrFormat, keys }: Holder,
): Promise<void> {
  try {
    // Before it is read: whoever is consolidating may have read the documents before they changed.
    const release = await lockKeys(store, [key], { isOuter: true });
    try {
      const read = async (each: AbsolutePath) => (await readDocument(store, each, { current: true }))?.json;
      await replaceDocument(store, key, {}, async (found) => {
        const before = found?.json;
        if (before === undefined || withDocuments(before, group, zarrFormat, goneOf(keys)) === undefined)
          return undefined;
        const documents = new Map<AbsolutePath, Json | undefined>();
        for (const each of keys) documents.set(each, await read(each));
        return withDocuments(before, group, zarrFormat, documents);
      });
    } finally {
      await release();
    }
  } catch (error) {
    if (isZarrError(error, "InvalidMetadataError")) return;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(
      `the change is stored, but the consolidated metadata were not updated: ${reason}; run consolidateMetadata to update them`,
      { key, cause: error },
    );
  }
}

/** The documents as if they were gone: nothing changes if consolidated metadata have none of them. */
function goneOf(keys: Iterable<AbsolutePath>): ReadonlyMap<AbsolutePath, undefined> {
  return new Map(Array.from(keys, (key) => [key, undefined]));
}
