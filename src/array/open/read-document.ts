/** Reads metadata documents. */

import { checkBytes, checkLength, checkStore, withFailuresAt } from "../../core/stores/check-store.js";
import type { AbsolutePath, Store, StoreOptions } from "../../core/stores/store.js";
import { type Json, parseJson } from "../../metadata/json.js";

/** A parsed metadata document, and its key for error messages. */
export interface Document {
  readonly json: Json;
  readonly context: { readonly key: AbsolutePath };
}

/**
 * Maximum length of a metadata document in bytes: 64 MiB hold the consolidated metadata of tens of thousands
 * of arrays.
 */
const LONGEST_DOCUMENT = 64 << 20;

/**
 * Reads the bytes of a metadata document with one request.
 * @returns undefined for a missing key
 * @throws StoreError, also for too many bytes
 */
export async function documentBytes(
  store: Store,
  key: AbsolutePath,
  { signal, current, isProbe }: StoreOptions,
): Promise<Uint8Array | undefined> {
  checkStore(store);
  const options = { signal, current, isProbe, maximumBytes: LONGEST_DOCUMENT };
  const bytes = checkBytes(await withFailuresAt({ key }, signal, () => store.get(key, options)), key);
  checkLength(bytes, LONGEST_DOCUMENT, key);
  return bytes;
}

/** `documentBytes`, parsed. @throws InvalidMetadataError unless it is JSON, StoreError */
export async function readDocument(
  store: Store,
  key: AbsolutePath,
  options: StoreOptions,
): Promise<Document | undefined> {
  const context = { key };
  const bytes = await documentBytes(store, key, options);
  return bytes && { json: parseJson(bytes, context), context };
}
