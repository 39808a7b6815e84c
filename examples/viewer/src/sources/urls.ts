/** The store that an address names. */
import { type ConsolidatedFormat, type Store, withMaybeConsolidatedMetadata } from "wazarr";
import { HttpStore } from "wazarr/stores/http";
import { openStore } from "wazarr/stores/open-store";
import { ServedStore } from "./served-store.js";

/**
 * @param text as a user typed it: any address of `openStore`; a path counts from the page
 * @param format if it is known: consolidated metadata of this format take one request
 */
export async function openUrl(text: string, format?: ConsolidatedFormat): Promise<Store> {
  const store = await openStore(text.trim());
  const known = format && (await withMaybeConsolidatedMetadata(store, { format }));
  if (known && "contents" in known) return known;
  // The viewer's own server says 404 for what is not there, and lists: consolidated metadata are not needed,
  // but those of v2, whose nodes are of several documents.
  if (store instanceof HttpStore && store.url.origin === location.origin) {
    const served = new ServedStore(store.url);
    if (await served.canList())
      return served.isConsolidated ? withMaybeConsolidatedMetadata(served, { format: "v2" }) : served;
  }
  return known ?? withMaybeConsolidatedMetadata(store);
}
