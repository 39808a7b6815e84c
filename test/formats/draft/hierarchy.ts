/** Hierarchies of the 2020 draft written by hand, in a store that records what is asked of it. */

import type { DirectoryListing } from "../../../src/core/stores/store.js";
import {
  type AbsolutePath,
  isZarrError,
  type Json,
  type JsonObject,
  MemoryStore,
  open,
  root,
  type Array as ZarrArray,
} from "../../../src/index.js";

export const CORE = "https://purl.org/zarr/spec/protocol/core/3.0";
export const GZIP = "https://purl.org/zarr/spec/codec/gzip/1.0";

export const entryPoint: JsonObject = {
  zarr_format: CORE,
  metadata_encoding: CORE,
  metadata_key_suffix: ".json",
  extensions: [],
};

/** Two uint8 in one chunk, and changes to that. */
export function arrayDocument(changes: JsonObject = {}): JsonObject {
  return {
    shape: [2],
    data_type: "u1",
    chunk_grid: { type: "regular", chunk_shape: [2], separator: "/" },
    chunk_memory_layout: "C",
    fill_value: 0,
    extensions: [],
    attributes: {},
    ...changes,
  };
}

export const groupDocument: JsonObject = { attributes: {} };

export function encode(json: Json): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(json));
}

export function decode(bytes: Uint8Array | undefined): Json {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/**
 * A store in memory with every capability; `requests` are the calls since `reset`, such as "get /zarr.json".
 */
export class RecordingStore extends MemoryStore {
  requests: string[] = [];

  reset(): void {
    this.requests = [];
  }
  override get(key: AbsolutePath): Uint8Array | undefined {
    this.requests.push(`get ${key}`);
    return super.get(key);
  }
  override has(key: AbsolutePath): boolean {
    this.requests.push(`has ${key}`);
    return super.has(key);
  }
  override set(key: AbsolutePath, value: Uint8Array): void {
    this.requests.push(`set ${key}`);
    super.set(key, value);
  }
  override delete(key: AbsolutePath): void {
    this.requests.push(`delete ${key}`);
    super.delete(key);
  }
  override deletePrefix(prefix: AbsolutePath): void {
    this.requests.push(`deletePrefix ${prefix}`);
    for (const key of [...this.values.keys()]) if (key.startsWith(prefix)) this.values.delete(key);
  }
  override listPrefix(prefix: AbsolutePath): AbsolutePath[] {
    this.requests.push(`listPrefix ${prefix}`);
    return super.listPrefix(prefix);
  }
  override listDir(prefix: AbsolutePath): DirectoryListing {
    const listing = super.listDir(prefix);
    this.requests.splice(-1, 1, `listDir ${prefix}`);
    return listing;
  }
}

/**
 * A hierarchy with these documents, and chunks as lists of bytes. Keys are written as the draft does, without
 * a leading "/".
 */
export function hierarchy(
  documents: Readonly<Record<string, Json>>,
  chunks: Readonly<Record<string, readonly number[]>> = {},
  entry: Json = entryPoint,
): RecordingStore {
  const store = new RecordingStore();
  store.values.set("/zarr.json", encode(entry));
  for (const [key, json] of Object.entries(documents)) store.values.set(`/${key}`, encode(json));
  for (const [key, bytes] of Object.entries(chunks)) store.values.set(`/${key}`, Uint8Array.from(bytes));
  return store;
}

export const keysOf = ({ values }: RecordingStore): string[] => [...values.keys()].sort();

/** What went wrong, by the tag of the error; undefined when nothing did. */
export async function failure(promise: Promise<unknown>): Promise<string | undefined> {
  try {
    await promise;
  } catch (error) {
    if (isZarrError(error)) return error.tag;
    throw error;
  }
  return undefined;
}

/** Elements as numbers: 64-bit integers and booleans, too. */
export function numbers({ data }: { readonly data: Iterable<unknown> }): number[] {
  return Array.from(data, (element) => Number(element));
}

/** Opens an array document under the name "a", in a hierarchy of its own. */
export function openDocument(
  document: Json,
  chunks?: Readonly<Record<string, readonly number[]>>,
): Promise<ZarrArray> {
  const store = hierarchy({ "meta/root/a.array.json": document }, chunks);
  return open(root(store).resolve("a"), { kind: "array" });
}

/** `arrayDocument` with changes, opened. */
export function openChanged(
  changes: JsonObject,
  chunks?: Readonly<Record<string, readonly number[]>>,
): Promise<ZarrArray> {
  return openDocument(arrayDocument(changes), chunks);
}
