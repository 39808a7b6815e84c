/** The names of the options of stores, for functions that take them among their own. */
import type { NamesOf } from "../option-names.js";
import type { StoreOptions } from "./store.js";

/** Every option of a store, for `checkNames`. Functions that take them list the signal alone. */
export const STORE_OPTIONS: NamesOf<StoreOptions> = {
  signal: true,
  priority: "unlisted",
  maximumBytes: "unlisted",
  current: "unlisted",
  isProbe: "unlisted",
};
