/** One metadata document in a store. */
import { storeFailure } from "../engine/prepared.js";
import { encodeJson, type Json, type JsonObject, parseJson } from "../metadata/json.js";
import { isBytes } from "../stores/answers.js";
import { checkBytes, checkStore } from "../stores/check-store.js";
import type { AbsolutePath, Store, StoreOptions, WritableStore } from "../stores/store.js";

/** A document, and its key for errors. */
export interface Document {
  readonly json: Json;
  readonly context: { readonly key: AbsolutePath };
}

/** Undefined when there is no such key. One request. @throws InvalidMetadataError for what is not JSON, StoreError */
export async function readDocument(
  store: Store,
  key: AbsolutePath,
  { signal }: StoreOptions,
): Promise<Document | undefined> {
  let bytes: Uint8Array | undefined;
  const context = { key };
  try {
    bytes = await store.get(key, { signal });
  } catch (error) {
    checkStore(store);
    throw storeFailure(error, key, signal);
  }
  if (bytes && !isBytes(bytes)) checkBytes(bytes, key);
  // Some stores say null.
  return bytes ? { json: parseJson(bytes, context), context } : undefined;
}

/** @throws StoreError */
export async function writeDocument(
  store: WritableStore,
  key: AbsolutePath,
  document: JsonObject,
  { signal }: StoreOptions,
): Promise<void> {
  try {
    await store.set(key, encodeJson(document), { signal });
  } catch (error) {
    throw storeFailure(error, key, signal);
  }
}
