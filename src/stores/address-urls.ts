/** URLs for `fetch` of the addresses that documents and callers write. */
import { StoreError } from "../errors.js";
import { shownAddress } from "./shown.js";

export const shownName = (address: string): string => JSON.stringify(shownAddress(address));

/** Public endpoints of buckets, by URL scheme. */
const BUCKETS: Readonly<Record<string, (bucket: string) => string>> = {
  s3: (bucket) => `https://${bucket}.s3.amazonaws.com`,
  gs: (bucket) => `https://storage.googleapis.com/${bucket}`,
  gcs: (bucket) => `https://storage.googleapis.com/${bucket}`,
};

/**
 * The http(s) URL of an http(s), `s3:`, `gs:` or `gcs:` address; undefined for others.
 * @param base base URL for relative addresses
 */
export function urlOf(address: string, base?: URL): URL | undefined {
  const [, scheme = "", bucket = "", path = ""] = /^(s3|gs|gcs):\/\/([^/]+)\/(.*)$/.exec(address) ?? [];
  const bucketUrl = BUCKETS[scheme]?.(bucket);
  // Object names are not URL-encoded: "#" and "?" are part of the name.
  const href = bucketUrl && `${bucketUrl}/${path.split("/").map(encodeURIComponent).join("/")}`;
  const url = URL.canParse(href ?? address, base) ? new URL(href ?? address, base) : undefined;
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}

/** As `urlOf`. @throws StoreError for an address without an http(s) URL */
export function resolveUri(address: string, base?: URL): URL {
  const url = urlOf(address, base);
  if (url !== undefined) return url;
  throw new StoreError(
    `${shownName(address)}: expected an http(s), s3 or gs address; the option \`open\` reads others, such as files, and --allow those of buckets`,
  );
}

/** The URL of the browser's page, the base of relative addresses; undefined outside of browsers. */
export function pageUrl(): URL | undefined {
  const href = globalThis.location?.href;
  return href === undefined ? undefined : new URL(href);
}
