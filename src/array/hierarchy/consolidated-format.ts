/**
 * The place and the form of consolidated metadata. No specification has them; zarr-python's form counts. The
 * documents of a group and of all nodes below it are in `.zmetadata` of the group (v2), or in the member
 * `consolidated_metadata` of its `zarr.json` (v3).
 */

import type { AbsolutePath } from "../../core/stores/store.js";
import { isJsonObject, type Json, type JsonObject } from "../../metadata/json.js";
import { stringifyJson } from "../../metadata/json-text.js";
import { Member } from "../../metadata/member.js";
import { keepSpellings } from "../../metadata/number-spellings.js";
import { keyBelow } from "../../metadata/path.js";
import type { Document } from "../open/read-document.js";

/** Documents by key. */
export type Documents = Map<AbsolutePath, Json>;

/** Whether a key is that of a document that consolidated metadata can hold. */
export const isDocumentKey = (key: string): boolean => /\/(zarr\.json|\.zarray|\.zgroup|\.zattrs)$/.test(key);

/** The key of the document that holds the consolidated metadata of a group. */
export function consolidatedKey(group: AbsolutePath, zarrFormat: 2 | 3): AbsolutePath {
  return keyBelow(group, zarrFormat === 3 ? "zarr.json" : ".zmetadata");
}

/** The keys of the documents of a node. */
export function documentKeys(path: AbsolutePath, zarrFormat: 2 | 3): readonly AbsolutePath[] {
  const names = zarrFormat === 3 ? ["zarr.json"] : [".zarray", ".zgroup", ".zattrs"];
  return names.map((name) => keyBelow(path, name));
}

/**
 * The key of a document of a node below `group`, by its name in the consolidated metadata; undefined for the
 * group's own in v3.
 */
function keyOfEntry(name: string, group: AbsolutePath, zarrFormat: 2 | 3): AbsolutePath | undefined {
  if (zarrFormat === 2) return keyBelow(group, name);
  const path = name.replace(/^\/|\/$/g, "");
  return path === "" ? undefined : keyBelow(group, `${path}/zarr.json`);
}

/**
 * The documents in the consolidated metadata of a group; undefined for a v3 group without any.
 * @throws InvalidMetadataError
 */
export function documentsIn(
  { json, context }: Document,
  group: AbsolutePath,
  zarrFormat: 2 | 3,
): Documents | undefined {
  const document = new Member(json, context);
  const documents: Documents = new Map();
  let holder = document;
  if (zarrFormat === 2) document.get("zarr_consolidated_format").oneOf(1);
  else {
    holder = document.get("consolidated_metadata");
    if (holder.isNull) return undefined;
    holder.get("kind").oneOf("inline");
    documents.set(consolidatedKey(group, 3), json);
  }
  for (const [name, each] of Object.entries(holder.get("metadata").object())) {
    const key = keyOfEntry(name, group, zarrFormat);
    if (key !== undefined) documents.set(key, each);
  }
  return documents;
}

/**
 * The document with changed consolidated metadata. Entries keep their names and order; a changed group keeps
 * consolidated metadata of its own in its entry.
 * @param changed documents by key; undefined for one that is gone. A node that has no entry gets none.
 * @returns undefined if nothing changes
 */
export function withDocuments(
  document: Json,
  group: AbsolutePath,
  zarrFormat: 2 | 3,
  changed: ReadonlyMap<AbsolutePath, Json | undefined>,
): JsonObject | undefined {
  const holder = isJsonObject(document) && zarrFormat === 3 ? document.consolidated_metadata : document;
  if (!isJsonObject(document) || !isJsonObject(holder) || !isJsonObject(holder.metadata)) return undefined;
  const entries = new Map<string, Json>();
  const rest = new Map(changed);
  const nodes = new Set<string>();
  let isChanged = false;
  for (const [name, before] of Object.entries(holder.metadata)) {
    const key = keyOfEntry(name, group, zarrFormat);
    const stored = key !== undefined && rest.has(key) ? rest.get(key) : before;
    const now = stored === undefined ? undefined : entryOf(stored, before);
    if (key !== undefined) {
      rest.delete(key);
      nodes.add(key.slice(0, key.lastIndexOf("/")));
    }
    if (now !== undefined) entries.set(name, now);
    if (now !== before && (now === undefined || stringifyJson(now) !== stringifyJson(before)))
      isChanged = true;
  }
  // In v2 the attributes have a document of their own, which may be new.
  for (const [key, now] of zarrFormat === 2 ? rest : []) {
    if (now === undefined || !nodes.has(key.slice(0, key.lastIndexOf("/")))) continue;
    entries.set(key.slice(keyBelow(group, "").length), now);
    isChanged = true;
  }
  if (!isChanged) return undefined;
  // Assignment to a member named "__proto__" would set the prototype; `fromEntries` makes a property.
  const metadata: JsonObject = Object.fromEntries(entries);
  const rewritten: JsonObject =
    zarrFormat === 2
      ? { ...document, metadata }
      : { ...document, consolidated_metadata: { ...holder, metadata } };
  return keepSpellings(rewritten, document);
}

/**
 * The entry of a document. Groups above have no copy of the consolidated metadata of a group between: it
 * would not be kept true.
 */
export function entryOf(now: Json, before: Json = {}): Json {
  if (!isJsonObject(now) || !isJsonObject(before)) return now;
  const { consolidated_metadata: consolidatedNow, ...entry } = now;
  const { consolidated_metadata: consolidated } = before;
  if (consolidated !== undefined)
    return keepSpellings({ ...entry, consolidated_metadata: consolidated }, now);
  return consolidatedNow === undefined ? now : keepSpellings(entry, now);
}
