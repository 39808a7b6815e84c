/** Finds consolidated metadata that are older than the documents they were made from. */
import { InvalidMetadataError } from "../../base/errors.js";
import type { Store, StoreOptions } from "../../core/stores/store.js";
import { isJsonArray, isJsonObject, type Json } from "../../metadata/json.js";
import { stringifyJson } from "../../metadata/json-text.js";
import { readDocument } from "../open/read-document.js";
import { consolidatedKey, documentsIn } from "./consolidated-format.js";

/**
 * Compares shapes and attributes in the consolidated metadata of a store with those in the documents. Members
 * that only some writers write are not compared.
 * @returns an error for each document that differs or is gone
 */
export async function staleEntries(
  store: Store,
  zarrFormat: 2 | 3,
  options: StoreOptions,
): Promise<readonly InvalidMetadataError[]> {
  return (await checkConsolidated(store, zarrFormat, options))?.stale ?? [];
}

/** The documents in consolidated metadata, compared with those of the nodes. */
export interface ConsolidatedCheck {
  /** Number of documents in them. */
  readonly documents: number;
  /** An error for each document that differs or is gone; undefined if there are more than `most`. */
  readonly stale: readonly InvalidMetadataError[] | undefined;
}

/**
 * Compares the consolidated metadata at the root of a store with the documents, as `verify` does, which also
 * reads all else.
 * `most` is how many documents to compare, each by a request; all of them unless given.
 * @returns undefined if there are none
 * @throws StoreError, InvalidMetadataError
 */
export async function checkConsolidated(
  store: Store,
  zarrFormat: 2 | 3,
  { signal, most = Number.POSITIVE_INFINITY }: StoreOptions & { readonly most?: number | undefined } = {},
): Promise<ConsolidatedCheck | undefined> {
  const now = { signal, current: true };
  const key = consolidatedKey("/", zarrFormat);
  const document = await readDocument(store, key, now);
  const documents = document && documentsIn(document, "/", zarrFormat);
  if (documents === undefined) return undefined;
  if (documents.size > most) return { documents: documents.size, stale: undefined };
  const found: InvalidMetadataError[] = [];
  for (const [each, entry] of documents) {
    const stored = await readDocument(store, each, now);
    if (stored !== undefined && describeDocument(each, stored.json) === describeDocument(each, entry))
      continue;
    const what = stored === undefined ? "list a document that no longer exists" : "differ from the document";
    const advice = "run consolidateMetadata, or `wazarr consolidate`, to update them";
    found.push(
      new InvalidMetadataError(`the consolidated metadata in ${key} ${what}; ${advice}`, { key: each }),
    );
  }
  return { documents: documents.size, stale: found };
}

/** The members of a document that consolidated metadata have to repeat, as a string to compare. */
function describeDocument(key: string, document: Json): string {
  if (key.endsWith("/.zattrs") || !isJsonObject(document)) return stringifyJson(sorted(document));
  return stringifyJson(sorted({ shape: document.shape ?? null, attributes: document.attributes ?? {} }));
}

function sorted(json: Json): Json {
  if (isJsonArray(json)) return json.map(sorted);
  if (!isJsonObject(json)) return json;
  const members = Object.entries(json).map(([name, value]): [string, Json] => [name, sorted(value ?? null)]);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
