/**
 * Locks on store keys. Concurrent partial writes to one chunk each read, change and store it; without a lock
 * the last write would undo the others. This file locks keys inside one process; the store locks them between
 * processes, if it can (`lockKeys`).
 */
import { storageOf } from "./storage-identity.js";
import type { AbsolutePath, LockKeys, Readable, Writable } from "./store.js";

type Lockable = Pick<Readable, "place"> & Pick<Writable, "lockKeys" | "locksOnlyParts">;

interface LockOptions extends NonNullable<Parameters<LockKeys>[1]> {
  /** The keys of values of which a part is kept. All keys unless given. */
  readonly inPart?: readonly AbsolutePath[] | undefined;
}

/** The last lock of each key, by the place of a store: several stores may have one place. */
const tails = new WeakMap<object, Map<string, Promise<void>>>();

/**
 * Whether one of the keys is locked, or may be locked by another process. `keys` is called only if any locks
 * exist.
 * @param isInPart whether a part of one of their values is kept
 */
export function areLocked(store: Lockable, keys: () => readonly string[], isInPart = true): boolean {
  if (store.lockKeys !== undefined && (isInPart || store.locksOnlyParts !== true)) return true;
  const queue = tails.get(storageOf(store));
  return queue !== undefined && queue.size > 0 && keys().some((key) => queue.has(key));
}

/**
 * Waits for every key and holds them until the returned function is called. All keys are queued for in one
 * turn, so two writers that want the same keys wait in order of arrival, never for each other. Locks of the
 * store are taken in sorted order of keys.
 * @throws the signal's reason, while another process holds a key, and errors of the store
 */
export async function lockKeys(
  store: Lockable,
  keys: readonly AbsolutePath[],
  { inPart, ...options }: LockOptions = {},
): Promise<() => Promise<void>> {
  const place = storageOf(store);
  let locks = tails.get(place);
  if (locks === undefined) {
    locks = new Map();
    tails.set(place, locks);
  }
  const queue = locks;
  let release: () => void = () => {};
  const done = new Promise<void>((resolve) => {
    release = resolve;
  });
  const mine = new Map<AbsolutePath, Promise<void>>();
  const before: Promise<void>[] = [];
  for (const key of new Set(keys)) {
    const previous = queue.get(key);
    if (previous !== undefined) before.push(previous);
    const tail = previous === undefined ? done : previous.then(() => done);
    queue.set(key, tail);
    mine.set(key, tail);
  }
  await Promise.all(before);
  const unlock = () => {
    release();
    for (const [key, tail] of mine) if (queue.get(key) === tail) queue.delete(key);
  };
  try {
    const lockedKeys = (store.locksOnlyParts === true && inPart) || [...mine.keys()];
    const unlockStore =
      lockedKeys.length === 0 ? undefined : await store.lockKeys?.([...new Set(lockedKeys)].sort(), options);
    return async () => {
      try {
        await unlockStore?.();
      } finally {
        unlock();
      }
    };
  } catch (error) {
    unlock();
    throw error;
  }
}
