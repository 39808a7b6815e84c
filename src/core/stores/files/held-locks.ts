/** The locks that the writers of one store hold, by key. */
import { fileError } from "../check-store.js";
import type { AbsolutePath } from "../store.js";
import { type FileLock, lockFile } from "./locks.js";

export class HeldLocks {
  readonly #base: string;
  readonly #pathOf: (key: AbsolutePath) => string;
  readonly #locks = new Map<AbsolutePath, FileLock>();

  /**
   * @param base unlocking removes empty directories below this path
   * @param pathOf the file that is locked for a key
   */
  constructor(base: string, pathOf: (key: AbsolutePath) => string) {
    this.#base = base;
    this.#pathOf = pathOf;
  }

  /**
   * Takes the locks of keys one after the other, and waits for each; after a failure it holds none of them.
   * @returns a function that unlocks them @throws StoreError, the signal's reason
   */
  async take(keys: readonly AbsolutePath[], signal: AbortSignal | undefined): Promise<() => Promise<void>> {
    const unlocks: (() => Promise<void>)[] = [];
    const unlock = async () => {
      const left = await Promise.allSettled(unlocks.map((each) => each()));
      const failed = left.find((each) => each.status === "rejected");
      if (failed !== undefined) throw fileError("unlock a file", keys.join(", "), failed.reason);
    };
    for (const key of keys) {
      try {
        const lock = await lockFile(this.#pathOf(key), this.#base, signal);
        this.#locks.set(key, lock);
        unlocks.push(() => {
          this.#locks.delete(key);
          return lock.unlock();
        });
      } catch (error) {
        await unlock();
        throw fileError("lock a file", key, error, signal);
      }
    }
    return unlock;
  }

  /**
   * The check to make immediately before a value is replaced or removed: it throws if the lock was lost, or
   * the value has changed. Undefined if the key is not locked.
   */
  checkOf(key: AbsolutePath): (() => void) | undefined {
    const lock = this.#locks.get(key);
    return lock && (() => lock.check(key));
  }

  /** To be called when all values below a prefix were removed. */
  removed(prefix: AbsolutePath): void {
    for (const [key, lock] of this.#locks) if (key.startsWith(prefix)) lock.wrote();
  }

  /** To be called when a value was replaced or removed. */
  wrote(key: AbsolutePath): void {
    this.#locks.get(key)?.wrote();
  }
}
