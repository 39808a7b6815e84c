/** Metadata documents in a store: reading one; write-documents.ts writes them. */

import { withAllDataTypes } from "../data-types/registry.js";
import { type Json, type NumberSpellings, parseJson } from "../metadata/json.js";
import type { NodeMetadata } from "../metadata/model.js";
import { parseV3 } from "../metadata/v3.js";
import { checkBytes, checkLength, checkStore, isBytes, storeFailure } from "../stores/check-store.js";
import type { AbsolutePath, Store, StoreOptions } from "../stores/store.js";

export type NodeKind = "array" | "group";

/** @throws InvalidMetadataError, UnknownDataTypeError */
export function parseV3Document({ json, context }: Document): Promise<NodeMetadata> {
  return withAllDataTypes(() => parseV3(json, context));
}

/** A document, and its key for errors. */
export interface Document {
  readonly json: Json;
  readonly context: { readonly key: AbsolutePath };
}

/** Bytes of a metadata document: 64 MiB consolidate tens of thousands of arrays. */
const LONGEST_DOCUMENT = 64 << 20;

/** Undefined when there is no such key. One request. @throws InvalidMetadataError for what is not JSON, StoreError */
export async function readDocument(
  store: Store,
  key: AbsolutePath,
  { signal }: StoreOptions,
  spellings?: NumberSpellings,
): Promise<Document | undefined> {
  let bytes: Uint8Array | undefined;
  const context = { key };
  try {
    bytes = await store.get(key, { signal, maximumBytes: LONGEST_DOCUMENT });
  } catch (error) {
    checkStore(store);
    throw storeFailure(error, key, signal);
  }
  if (bytes && !isBytes(bytes)) checkBytes(bytes, key);
  checkLength(bytes, LONGEST_DOCUMENT, key);
  // Some stores say null.
  return bytes ? { json: parseJson(bytes, context, spellings), context } : undefined;
}
