/** What is remembered of the shards in a store, by its place, so that a write through one array, or store of that place, is seen by reads through any other. */
import { placeOf } from "../../stores/storage-identity.js";
import type { Store } from "../../stores/store.js";
import { IndexCache } from "./index-cache.js";
import { WriteLog } from "./write-log.js";

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
