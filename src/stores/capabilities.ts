/**
 * What a store can do, for any store: the native method where there is one, the same thing made of others where
 * there is not. A plain `Map<string, Uint8Array>` is a store with every capability. What deletes values tells those who keep them.
 */
import { UnsupportedError } from "../errors.js";
import { checkBytes, isPending } from "./check-store.js";
import { isAbsolutePath, relativePrefix, sliceRange } from "./keys-and-ranges.js";
import { placeOf } from "./storage-identity.js";
import {
  type AbsolutePath,
  type Awaitable,
  type DirectoryListing,
  isListable,
  type Listable,
  type RangeQuery,
  type Readable,
  type Store,
  type StoreOptions,
} from "./store.js";

/** A part of a value; undefined when there is no such key. Without `getRange` the whole value is fetched. */
export function readRange(
  store: Readable,
  key: AbsolutePath,
  range: RangeQuery,
  options?: StoreOptions,
): Awaitable<Uint8Array | undefined> {
  if (store.getRange !== undefined) return store.getRange(key, range, options);
  const value = store.get(key, options);
  const part = (answer: Uint8Array | undefined) => {
    const bytes = checkBytes(answer, key);
    return bytes && sliceRange(bytes, range);
  };
  return isPending(value) ? value.then(part) : part(value);
}

/** Parts of one value, in the order asked for; undefined when there is no such key. */
export async function readRanges(
  store: Readable,
  key: AbsolutePath,
  ranges: readonly RangeQuery[],
  options?: StoreOptions,
): Promise<readonly Uint8Array[] | undefined> {
  if (store.getRanges !== undefined) return store.getRanges(key, ranges, options);
  if (store.getRange === undefined) {
    const value = checkBytes(await store.get(key, options), key);
    return value && ranges.map((range) => sliceRange(value, range));
  }
  const parts: Uint8Array[] = [];
  for (const part of await Promise.all(ranges.map((range) => readRange(store, key, range, options)))) {
    // A value erased between two requests counts as missing, not as a value with holes.
    if (!part) return undefined;
    parts.push(part);
  }
  return parts;
}

/** Whether there is such a key, for at most one byte of its value where the store reads ranges. */
export async function exists(store: Readable, key: AbsolutePath, options?: StoreOptions): Promise<boolean> {
  if (store.has !== undefined) return store.has(key, options);
  return Boolean(await readRange(store, key, { offset: 0, length: 1 }, options));
}

/** Whether `listPrefix` and `listDir` work on this store. */
export function canList(store: Store): boolean {
  return store instanceof Map || isListable(store);
}

/**
 * All keys that begin with `prefix`, which ends in "/"; "/" is the whole store.
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
 * Keys and prefixes directly below `prefix`, which ends in "/"; full names. Nothing found is an empty listing.
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

/** Those of `keys` that begin with `prefix`. Names without a leading "/" are no keys and are left out. */
export function keysBelow(keys: Iterable<unknown>, prefix: AbsolutePath): AbsolutePath[] {
  relativePrefix(prefix);
  const found: AbsolutePath[] = [];
  for (const key of keys) {
    if (typeof key === "string" && isAbsolutePath(key) && key.startsWith(prefix)) found.push(key);
  }
  return found;
}

/** What stands directly below `prefix`, from keys that all begin with it. */
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

// Values that this process changes: deleting them, and who is told.

/** Who keeps what was read, and is to know what this process writes. */
export interface Watcher {
  /** @param key of the value that was written, or what the keys of values that were deleted begin with: it ends in "/" */
  written(place: object, key: string): void;
}

/** By place. Undefined until there is one: writes look here for every chunk. A watcher that nobody uses is let go. */
let watchers: WeakMap<object, Set<WeakRef<Watcher>>> | undefined;

export function watch(place: object, watcher: WeakRef<Watcher>): void {
  watchers ??= new WeakMap();
  const others = watchers.get(place);
  if (others === undefined) watchers.set(place, new Set([watcher]));
  else others.add(watcher);
}

/** To be called when a store has answered to what changes a value, failures included: readers that begin later must not find the old one. */
export function tellWritten(store: Pick<Readable, "place">, key: string): void {
  if (watchers === undefined) return;
  const place = placeOf(store);
  const told = watchers.get(place);
  for (const watcher of told ?? []) {
    const living = watcher.deref();
    if (living === undefined) told?.delete(watcher);
    else living.written(place, key);
  }
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
 * Removes every key that begins with `prefix`, which ends in "/"; "/" empties the store. Nothing found is no error.
 * @throws UnsupportedError when the store cannot delete, or would have to be listed and cannot
 */
export async function deletePrefix(
  store: Store,
  prefix: AbsolutePath,
  options?: StoreOptions,
): Promise<void> {
  if (store.deletePrefix !== undefined) {
    try {
      await store.deletePrefix(prefix, options);
    } finally {
      tellWritten(store, prefix);
    }
    return;
  }
  for (const key of await listPrefix(store, prefix, options)) await deleteKey(store, key, options);
}
