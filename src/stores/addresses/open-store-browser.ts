/**
 * `openStore` of pages and workers: what bundlers that build for browsers take for
 * `wazarr/stores/open-store`.
 * @module
 */
import type { Location } from "../../core/for-stores.js";
import { InvalidArgumentError } from "../../core/for-stores.js";
import { shownAddress } from "../../core/for-stores.js";
import type { Store } from "../../core/for-stores.js";
import { type Address, isBucket, isUrl } from "./addresses.js";
import { openInside } from "./inside.js";
import { type AssetLocation, locate, type Places } from "./locate.js";
import { type OpenStoreOptions, openRemote } from "./open-remote.js";
import { checkOpenStoreOptions, givenAddress } from "./open-store-arguments.js";
import { namedReach, ownReach, type Reach } from "./reach.js";

export { type AddressKind, addressKind } from "./addresses.js";
export { AssetLocation } from "./locate.js";
export type { OpenStoreOptions } from "./open-remote.js";

/** As in Node, but paths are URLs that count from the page's. */
export async function openStore(store: string | URL, options: OpenStoreOptions = {}): Promise<Store> {
  const { store: whole, path } = await openLocation(store, options);
  return path === "/" ? whole : openInside(whole, { archives: [], path, zarrFormat: undefined });
}

/** As in Node. */
export async function openLocation(
  address: string | URL,
  options: OpenStoreOptions = {},
): Promise<Location | AssetLocation> {
  checkOpenStoreOptions(options);
  return locate(givenAddress(address), {
    ...remotePlaces(options, ownReach(options)),
    named: ({ address: document }, buckets) => remotePlaces(options, namedReach(document, buckets, options)),
  });
}

function remotePlaces(options: OpenStoreOptions, reach: Reach): Places {
  return {
    rootOf: absolute,
    open: (address, json) => openRemote(asUrl(address), options, reach, json),
    file: ({ address }) => reach.file(address),
    named: undefined,
  };
}

const asUrl = (address: Address): Address =>
  address.place === "path" ? { ...address, place: "url" } : address;

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
