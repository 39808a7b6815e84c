/** Finds consolidated metadata that are older than the documents they were made from. */
import { InvalidMetadataError } from "../errors.js";
import { isJsonArray, isJsonObject, type Json } from "../metadata/json.js";
import { stringifyJson } from "../metadata/json-text.js";
import type { Store, StoreOptions } from "../stores/store.js";
import { consolidatedKey, documentsIn } from "./consolidated-format.js";
import { readDocument } from "./open.js";

/**
 * Compares shapes and attributes in the consolidated metadata of a store with those in the documents. Members
 * that only some writers write are not compared.
 * @returns an error for each document that differs or is gone
 */
export async function staleEntries(
  store: Store,
  zarrFormat: 2 | 3,
  { signal }: StoreOptions,
): Promise<InvalidMetadataError[]> {
  const now = { signal, current: true };
  const key = consolidatedKey("/", zarrFormat);
  const document = await readDocument(store, key, now);
  const found: InvalidMetadataError[] = [];
  for (const [each, entry] of (document && documentsIn(document, "/", zarrFormat)) ?? []) {
    const stored = await readDocument(store, each, now);
    if (stored !== undefined && told(each, stored.json) === told(each, entry)) continue;
    const what = stored === undefined ? "tell of a document that is gone" : "differ from the document";
    const advice = "consolidateMetadata, or wazarr consolidate, writes them anew";
    found.push(
      new InvalidMetadataError(`the consolidated metadata in ${key} ${what}; ${advice}`, { key: each }),
    );
  }
  return found;
}

/** The members of a document that consolidated metadata have to repeat, as a string to compare. */
function told(key: string, document: Json): string {
  if (key.endsWith("/.zattrs") || !isJsonObject(document)) return stringifyJson(sorted(document));
  return stringifyJson(sorted({ shape: document.shape ?? null, attributes: document.attributes ?? {} }));
}

function sorted(json: Json): Json {
  if (isJsonArray(json)) return json.map(sorted);
  if (!isJsonObject(json)) return json;
  const members = Object.entries(json).map(([name, value]): [string, Json] => [name, sorted(value ?? null)]);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
