/** Addresses of files and repositories, as documents and applications have them, as URLs that `fetch` reads. */
import { StoreError } from "../errors.js";

/** Where buckets of a scheme are read without credentials. */
const BUCKETS: Readonly<Record<string, (bucket: string) => string>> = {
  s3: (bucket) => `https://${bucket}.s3.amazonaws.com`,
  gs: (bucket) => `https://storage.googleapis.com/${bucket}`,
  gcs: (bucket) => `https://storage.googleapis.com/${bucket}`,
};

/** The http(s) URL of an address: itself, or that of an object in a bucket (`s3:`, `gs:`, `gcs:`). Undefined for others. @param base from which relative ones count */
export function urlOf(address: string, base?: URL): URL | undefined {
  const [, scheme = "", bucket = "", path = ""] = /^(s3|gs|gcs):\/\/([^/]+)\/(.*)$/.exec(address) ?? [];
  const bucketUrl = BUCKETS[scheme]?.(bucket);
  // Names of objects are no URLs: "#" and "?" belong to them.
  const href = bucketUrl && `${bucketUrl}/${path.split("/").map(encodeURIComponent).join("/")}`;
  const url = URL.canParse(href ?? address, base) ? new URL(href ?? address, base) : undefined;
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}

/** `urlOf`. @throws StoreError for an address that has none */
export function resolveUri(address: string, base?: URL): URL {
  const url = urlOf(address, base);
  if (url !== undefined) return url;
  throw new StoreError(
    `${JSON.stringify(address)}: expected an http(s), s3 or gs address; the option \`open\` reads others, such as files`,
  );
}

/** The URL of a page, from which relative addresses that its program gives count; undefined elsewhere. */
export function pageUrl(): URL | undefined {
  const href = globalThis.location?.href;
  return href === undefined ? undefined : new URL(href);
}
