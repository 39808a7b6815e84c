/**
 * Optional store methods for any store: each function calls the store's own method, or else builds the result
 * from other methods. A plain `Map<string, Uint8Array>` is a store with every capability. Deleting functions
 * notify caches.
 */
import { UnsupportedError } from "../../base/errors.js";
import { checkBytes, isPending } from "./check-store.js";
import { wayOf } from "./faster-ways.js";
import { isAbsolutePath, relativePrefix, sliceRange } from "./keys-and-ranges.js";
import {
  type AbsolutePath,
  type Awaitable,
  type DirectoryListing,
  isListable,
  type Listable,
  type RangeQuery,
  type Readable,
  type RequestOptions,
  type Store,
  type StoreOptions,
} from "./store.js";
import { tellWritten } from "./watchers.js";

/**
 * Reads a byte range; undefined when the key is missing. Without `getRange` it reads the whole value.
 * @throws StoreError for an answer that is not bytes
 */
export function readRange(
  store: Readable,
  key: AbsolutePath,
  range: RangeQuery,
  options?: RequestOptions,
): Awaitable<Uint8Array | undefined> {
  const { getRange } = store;
  const answer = getRange ? getRange.call(store, key, range, options) : store.get(key, options);
  const part = (value: Uint8Array | undefined) => {
    const bytes = checkBytes(value, key);
    return getRange ? bytes : bytes && sliceRange(bytes, range);
  };
  return isPending(answer) ? answer.then(part) : part(answer);
}

/**
 * Whether the key exists. Reads at most one byte of the value, unless the store has neither `has` nor
 * `getRange`.
 */
export async function exists(store: Readable, key: AbsolutePath, options?: StoreOptions): Promise<boolean> {
  const has = wayOf(store, "has");
  if (has !== undefined) return has.call(store, key, options);
  return Boolean(await readRange(store, key, { offset: 0, length: 1 }, options));
}

/** Whether `listPrefix` and `listDir` work on this store. */
export function canList(store: Store): boolean {
  return store instanceof Map || isListable(store);
}

/**
 * Lists all keys that begin with `prefix`, which ends in "/"; "/" is the whole store.
 * @throws UnsupportedError when the store cannot be listed
 */
export async function listPrefix(
  store: Store,
  prefix: AbsolutePath,
  options?: StoreOptions,
): Promise<AbsolutePath[]> {
  if (store instanceof Map) return keysBelow(store.keys(), prefix);
  const keys: AbsolutePath[] = [];
  for await (const key of await listable(store).listPrefix(prefix, options)) keys.push(key);
  return keys;
}

/**
 * Lists full names of keys and prefixes directly below `prefix`, which ends in "/". The listing is empty when
 * there are none.
 * @throws UnsupportedError when the store cannot be listed
 */
export async function listDir(
  store: Store,
  prefix: AbsolutePath,
  options?: StoreOptions,
): Promise<DirectoryListing> {
  if (store instanceof Map) return directoryOf(keysBelow(store.keys(), prefix), prefix);
  return listable(store).listDir(prefix, options);
}

function listable(store: Store): Listable {
  if (isListable(store)) return store;
  throw new UnsupportedError(
    "this store cannot be listed: it has no `list`, `listPrefix` and `listDir`; open nodes by their path instead",
  );
}

/** Filters `keys` by `prefix`. Names without a leading "/" are not keys and are left out. */
export function keysBelow(keys: Iterable<unknown>, prefix: AbsolutePath): AbsolutePath[] {
  relativePrefix(prefix);
  const found: AbsolutePath[] = [];
  for (const key of keys) {
    if (typeof key === "string" && isAbsolutePath(key) && key.startsWith(prefix)) found.push(key);
  }
  return found;
}

/** The keys and prefixes directly below `prefix`. All `keys` must begin with `prefix`. */
export function directoryOf(keys: Iterable<AbsolutePath>, prefix: AbsolutePath): DirectoryListing {
  const direct: AbsolutePath[] = [];
  const prefixes = new Set<AbsolutePath>();
  for (const key of keys) {
    const slash = key.indexOf("/", prefix.length);
    if (slash < 0) direct.push(key);
    else prefixes.add(`${prefix}${key.slice(prefix.length, slash + 1)}`);
  }
  return { keys: direct, prefixes: [...prefixes] };
}

/**
 * Removes a key; a missing key is no error.
 * @throws UnsupportedError when the store cannot delete
 */
export async function deleteKey(store: Store, key: AbsolutePath, options?: StoreOptions): Promise<void> {
  if (store.delete === undefined)
    throw new UnsupportedError("this store cannot delete: it has no `delete`", { key });
  try {
    await store.delete(key, options);
  } finally {
    tellWritten(store, key);
  }
}

/**
 * Removes keys, in any order; missing keys are no error.
 * @throws UnsupportedError when the store cannot delete
 */
export async function deleteKeys(
  store: Store,
  keys: readonly AbsolutePath[],
  options?: StoreOptions,
): Promise<void> {
  const deleteMany = wayOf(store, "deleteMany");
  if (deleteMany === undefined) {
    for (const key of keys) await deleteKey(store, key, options);
    return;
  }
  try {
    await deleteMany.call(store, keys, options);
  } finally {
    for (const key of keys) tellWritten(store, key);
  }
}

/**
 * Removes every key that begins with `prefix`, which ends in "/"; "/" empties the store. It is no error if
 * there are none.
 * @throws UnsupportedError when the store has no `deletePrefix` and cannot be listed or cannot delete
 */
export async function deletePrefix(
  store: Store,
  prefix: AbsolutePath,
  options?: StoreOptions,
): Promise<void> {
  const removeBelow = wayOf(store, "deletePrefix");
  if (removeBelow !== undefined) {
    try {
      await removeBelow.call(store, prefix, options);
    } finally {
      tellWritten(store, prefix);
    }
    return;
  }
  await deleteKeys(store, await listPrefix(store, prefix, options), options);
}
