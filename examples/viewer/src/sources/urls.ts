/** The store that an address names. */
import { type Store, withMaybeConsolidatedMetadata } from "wazarr";
import { HttpStore } from "wazarr/stores/http";
import { openStore } from "wazarr/stores/open-store";
import { ServedStore } from "./served-store.js";

/** @param text as a user typed it: any address of `openStore`; a path counts from the page */
export async function openUrl(text: string): Promise<Store> {
  const store = await openStore(text.trim());
  // The viewer's own server says 404 for what is not there, and lists: consolidated metadata are not needed.
  if (store instanceof HttpStore && store.url.origin === location.origin) {
    const served = new ServedStore(store.url);
    if (await served.canList()) return served;
  }
  return withMaybeConsolidatedMetadata(store);
}
