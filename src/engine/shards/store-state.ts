/** What is known of the shards of one store: cached indexes, and what this process writes. */
import { placeOf } from "../../stores/storage-identity.js";
import type { Store } from "../../stores/store.js";
import { IndexCache } from "./index-cache.js";

/** What is remembered of the shards in a store, by its place, so that a write through one array, or store of that place, is seen by reads through any other. */
export interface StoreState {
  readonly indexes: IndexCache;
  readonly writes: WriteLog;
}

const states = new WeakMap<object, StoreState>();

export function stateOf(store: Store): StoreState {
  const place = placeOf(store);
  let state = states.get(place);
  if (state === undefined) {
    state = { indexes: new IndexCache(), writes: new WriteLog() };
    states.set(place, state);
  }
  return state;
}

// What this process writes to a store, for readers in the same process: where a store tells no versions, only these changes are known.

/** Keys that are remembered; of others it is only known that they were not written lately. */
const REMEMBERED = 4096;

export class WriteLog {
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

  /** The same number twice: the value was not written in between. Never the same while it is being written. */
  stamp(key: string): number {
    return this.#underWay.has(key) ? ++this.#count : (this.#last.get(key) ?? this.#forgotten);
  }
}
