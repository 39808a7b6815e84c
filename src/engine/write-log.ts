/**
 * A log of the writes of this process to a store. If a store tells no versions, its readers in this process
 * know of no other changes.
 */
import { storageOf } from "../stores/storage-identity.js";
import type { Store } from "../stores/store.js";

/** Most keys that are remembered. Other keys are only known not to have been written lately. */
const REMEMBERED = 4096;

class WriteLog {
  readonly #underWay = new Set<string>();
  /** Number of the last write of a key, oldest first. */
  readonly #last = new Map<string, number>();
  #count = 0;
  #forgotten = 0;

  begin(key: string): void {
    this.#underWay.add(key);
  }

  end(key: string): void {
    this.#underWay.delete(key);
    this.#last.delete(key);
    this.#last.set(key, ++this.#count);
    if (this.#last.size <= REMEMBERED) return;
    for (const [oldest, number] of this.#last) {
      this.#last.delete(oldest);
      this.#forgotten = number;
      return;
    }
  }

  /**
   * If two stamps are equal, this process did not write the value in between. While a write is under way all
   * stamps differ.
   */
  stamp(key: string): number {
    return this.#underWay.has(key) ? ++this.#count : (this.#last.get(key) ?? this.#forgotten);
  }
}

const logs = new WeakMap<object, WriteLog>();

/**
 * The log of a store's place: a write through one array or store of that place is seen by reads through any
 * other.
 */
export function writesOf(store: Store): WriteLog {
  const place = storageOf(store);
  let log = logs.get(place);
  if (log === undefined) {
    log = new WriteLog();
    logs.set(place, log);
  }
  return log;
}
