/** What is remembered of the shards in a store, by store, so that a write through one array is seen by reads through any other. */
import type { Store } from "../../stores/store.js";
import { IndexCache } from "./index-cache.js";
import { WriteLog } from "./write-log.js";

export interface StoreState {
  readonly indexes: IndexCache;
  readonly writes: WriteLog;
}

const states = new WeakMap<Store, StoreState>();

export function stateOf(store: Store): StoreState {
  let state = states.get(store);
  if (state === undefined) {
    state = { indexes: new IndexCache(), writes: new WriteLog() };
    states.set(store, state);
  }
  return state;
}
