/**
 * A log of the writes of this process to a store. If a store tells no versions, its readers in this process
 * know of no other changes.
 */
import { storageOf } from "./storage-identity.js";
import type { Readable } from "./store.js";

/** Most keys that are remembered. Other keys are only known not to have been written lately. */
const REMEMBERED = 4096;

export class WriteLog {
  /** Numbers of writes of a key. */
  readonly #underWay = new Map<string, number>();
  /** Number of the last write of a key, oldest first. */
  readonly #last = new Map<string, number>();
  #count = 0;
  #forgotten = 0;

  begin(key: string): void {
    this.#underWay.set(key, (this.#underWay.get(key) ?? 0) + 1);
  }

  end(key: string): void {
    const others = (this.#underWay.get(key) ?? 1) - 1;
    if (others === 0) this.#underWay.delete(key);
    else this.#underWay.set(key, others);
    this.done(key);
  }

  /** After a write or deletion of a key, or of all that begin with a prefix, which ends in "/". */
  done(key: string): void {
    if (key.endsWith("/")) {
      // Any key that is not remembered may have been below the prefix.
      this.#last.clear();
      this.#forgotten = ++this.#count;
      return;
    }
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

/** Undefined until the first shard is read or written, since every write asks for it. */
let logs: WeakMap<object, WriteLog> | undefined;

/**
 * The log of a store's place: a write through one array or store of that place is seen by reads through any
 * other.
 */
export function writesOf(store: Pick<Readable, "place">): WriteLog {
  logs ??= new WeakMap();
  const place = storageOf(store);
  let log = logs.get(place);
  if (log === undefined) {
    log = new WriteLog();
    logs.set(place, log);
  }
  return log;
}

/** Notes a write in the log of its place, if readers have asked for one: there is nothing to compare else. */
export function logWritten(store: Pick<Readable, "place">, key: string): void {
  logs?.get(storageOf(store))?.done(key);
}
