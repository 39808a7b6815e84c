/**
 * Copies of consolidated hierarchies are consolidated, too: without listing, as over HTTP, they could not be
 * opened otherwise.
 */

import {
  ancestorsOf,
  consolidatedKey,
  documentsIn,
  type Location,
  type Node,
  readDocument,
  type StoreOptions,
} from "../core/for-work.js";

/**
 * Whether a copy gets consolidated metadata: it becomes a root, and the source, or a group above it, has
 * some.
 */
export async function isCopyConsolidated(
  { store, path, kind, metadata }: Node,
  to: Location,
  options: StoreOptions,
): Promise<boolean> {
  const { zarrFormat } = metadata;
  if (to.path !== "/") return false;
  if (kind !== "group" || zarrFormat === "draft") return false;
  if (store.contents !== undefined) return true;
  for (const group of [...ancestorsOf(path), path]) {
    const document = await readDocument(store, consolidatedKey(group, zarrFormat), options);
    if (document !== undefined && documentsIn(document, group, zarrFormat) !== undefined) return true;
  }
  return false;
}
