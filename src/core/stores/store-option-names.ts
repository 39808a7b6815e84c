/** The names of the options of stores, for functions that take them among their own. */
import type { NamesOf } from "../../base/option-names.js";
import type { StoreOptions } from "./store.js";

/** Every option of a store, for `checkNames`. Functions that take them list the signal alone. */
export const STORE_OPTIONS: NamesOf<StoreOptions> = {
  signal: true,
  priority: "unlisted",
  maximumBytes: "unlisted",
  current: "unlisted",
  isProbe: "unlisted",
};

/** The options of stores among others, for functions that refuse what they do not know. */
export function storeOptionsOf(options: StoreOptions): StoreOptions {
  const { signal, priority, maximumBytes, current, isProbe } = options;
  return { signal, priority, maximumBytes, current, isProbe };
}
