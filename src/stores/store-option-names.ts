/** The names of the options of stores, for functions that take them among their own. */
import type { NamesOf } from "../option-names.js";
import type { StoreOptions } from "./store.js";

/** Every option of a store, for `checkNames`. */
export const STORE_OPTIONS: NamesOf<StoreOptions> = {
  signal: true,
  priority: true,
  maximumBytes: true,
  current: true,
  isProbe: true,
};
