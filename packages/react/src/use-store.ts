/** A store by its address. */
import type { Store } from "wazarr";
import { openStore } from "wazarr/stores/open-store";
import { type Reading, readingHook } from "./reading.js";

/**
 * The store at an address: a URL of a folder, a .zip, an Icechunk repository and so on, as `openStore` of
 * `wazarr/stores/open-store` takes them. All components share it. A store that needs options, such as credentials, is
 * made outside of components.
 */
export const useStore: (address: string | URL) => Reading<Store> = readingHook((_, address: string | URL) =>
  openStore(address),
);
