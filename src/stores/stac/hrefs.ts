/** Where the assets of a document are: `href` as an address of `openStore`. */
import { isBucket, isUrl } from "../addresses/addresses.js";

const SCHEME = /^[a-z][a-z\d+.-]+:/i;
/** Schemes of places that `openStore` opens, and the chains of fsspec that it knows. */
const OPENED = /^(?:https?|s3|gs|gcs|az|abfss?|file):\/\/|^(?:zip|reference)::/i;

/**
 * An `href` as an address. A relative one counts from the document.
 * @param base address of the document; "" if it is not known
 * @returns undefined for a scheme that `openStore` does not open, and for a path above that of the document
 * in a bucket
 */
export function addressOf(href: string, base: string): string | undefined {
  if (href === "") return undefined;
  if (SCHEME.test(href)) return OPENED.test(href) ? escaped(href) : undefined;
  if (isUrl(base)) return URL.canParse(href, base) ? escaped(new URL(href, base).href) : undefined;
  if (isBucket(base)) return withinBucket(href, base);
  if (href.startsWith("/") || href.startsWith("\\")) return href;
  return base.replace(/[^/\\]*$/, "") + href;
}

/** A "|" ends a URL in an address of `openStore`. */
const escaped = (address: string): string => (isUrl(address) ? address.replaceAll("|", "%7C") : address);

function withinBucket(href: string, base: string): string | undefined {
  const [, bucket = "", folder = ""] = /^(\w+:\/\/[^/]+)\/?(.*?)[^/]*$/s.exec(base) ?? [];
  const names: string[] = [];
  for (const name of `${href.startsWith("/") ? "" : folder}/${href}`.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return undefined;
  }
  return `${bucket}/${names.join("/")}`;
}

/**
 * Takes the group off the address of a store of Zarr: what is behind "NAME.zarr/". Catalogues name groups in
 * a store, whose consolidated metadata are those of its root.
 */
export function splitGroup(address: string): { readonly root: string; readonly group: string } {
  const [, path = address, query = ""] = (isUrl(address) && /^([^?#]*)(.*)$/s.exec(address)) || [];
  const [, root, group] = /^(.+?\.zarr)\/+(.+?)\/*$/is.exec(path) ?? [];
  if (root === undefined || group === undefined) return { root: address, group: "" };
  return { root: root + query, group: isUrl(address) ? decoded(group) : group };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
