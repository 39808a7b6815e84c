/** The place that an address names, in its store. */
import { type ConsolidatedFormat, Location, type Store, withMaybeConsolidatedMetadata } from "wazarr";
import { HttpStore } from "wazarr/stores/http";
import { openLocation } from "wazarr/stores/open-store";
import type { State } from "../state.js";
import { renderOf } from "./renders.js";
import { ServedStore } from "./served-store.js";

export interface Opened {
  readonly location: Location;
  /** How a catalogue would have it drawn. */
  readonly render: Partial<Pick<State, "colours" | "range">>;
}

/**
 * @param text as a user typed it: any address of `openStore`; a path counts from the page
 * @param format if it is known: consolidated metadata of this format take one request
 */
export async function openUrl(text: string, format?: ConsolidatedFormat): Promise<Opened> {
  const found = await openLocation(text.trim());
  const location = new Location(await knownStore(found.store, format), found.path);
  return { location, render: "asset" in found ? renderOf(found) : {} };
}

async function knownStore(store: Store, format: ConsolidatedFormat | undefined): Promise<Store> {
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
