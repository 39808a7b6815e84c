/**
 * `openStore` of pages and workers: what bundlers that build for browsers take for
 * `wazarr/stores/open-store`.
 * @module
 */
import { InvalidArgumentError, type Store, shownAddress } from "../../core/for-stores.js";
import { isBucket, isUrl, parseAddress } from "./addresses.js";
import { openInside } from "./inside.js";
import { type OpenStoreOptions, openRemote } from "./open-remote.js";
import { checkOpenStoreOptions, givenAddress } from "./open-store-arguments.js";

export { type AddressKind, addressKind } from "./addresses.js";
export type { OpenStoreOptions } from "./open-remote.js";

/** As in Node, but paths are URLs that count from the page's. */
export async function openStore(store: string | URL, options: OpenStoreOptions = {}): Promise<Store> {
  checkOpenStoreOptions(options);
  const parsed = parseAddress(givenAddress(store), absolute);
  const found = await openRemote(parsed.place === "path" ? { ...parsed, place: "url" } : parsed, options);
  return openInside(found, parsed);
}

/** @throws InvalidArgumentError for a URL of another scheme, such as `file:` */
function absolute(address: string): string {
  const base = globalThis.location?.href;
  if (isUrl(address) || isBucket(address) || !URL.canParse(address, base)) return address;
  const { href, protocol } = new URL(address, base);
  // The scheme of "example.com:8080/a.zarr" is "example.com:", which the store explains.
  if (isUrl(href) || protocol === globalThis.location?.protocol || protocol.includes(".")) return href;
  throw new InvalidArgumentError(
    `expected an http(s) URL, the address of a bucket or a path from the page's URL, got ${JSON.stringify(shownAddress(address))}`,
  );
}
