/** URLs for `fetch` of the addresses that documents and callers write. */
import { ownMember, StoreError, shownAddress } from "../../core/for-stores.js";
import { amazonUrl, azureUrl, GOOGLE } from "../buckets/public-endpoints.js";

export const shownName = (address: string): string => JSON.stringify(shownAddress(address));

/** What a document says of a bucket: its region, its endpoint, its account. */
export type Setting = (name: string) => string | undefined;

/** Where the objects of a bucket are, by the scheme of addresses; undefined if that is not known. */
const ENDPOINTS: Readonly<Record<string, (bucket: string, setting: Setting) => string | undefined>> = {
  s3: endpointOfS3,
  tigris: (bucket, setting) => `${setting("endpoint_url") ?? "https://t3.storage.dev"}/${bucket}`,
  gs: (bucket) => `${GOOGLE}/${bucket}`,
  gcs: (bucket) => `${GOOGLE}/${bucket}`,
  az: endpointOfAzure,
  azure: endpointOfAzure,
  abfs: endpointOfAzure,
  abfss: endpointOfAzure,
};

/** Whether addresses of a scheme are those of buckets. */
export const isOfBuckets = (scheme: string): boolean => Object.hasOwn(ENDPOINTS, scheme);

/**
 * The public URL of a bucket, without "/" at its end; undefined if the address and `setting` do not say it.
 */
export function endpointOf(scheme: string, bucket: string, setting: Setting): string | undefined {
  return ownMember(ENDPOINTS, scheme)?.(bucket, setting)?.replace(/\/$/, "");
}

function endpointOfS3(bucket: string, setting: Setting): string {
  const endpoint = setting("endpoint_url");
  // Services other than Amazon's all know paths, and few have certificates for a host for each bucket.
  if (endpoint !== undefined) return `${endpoint.replace(/\/$/, "")}/${bucket}`;
  return amazonUrl(bucket, setting("region"));
}

/** `az://CONTAINER/...`, whose account the document says, or `abfs://CONTAINER@ACCOUNT.dfs.../...`. */
function endpointOfAzure(authority: string, setting: Setting): string | undefined {
  const [, container = authority, host] = /^([^@]+)@([^@]+)$/.exec(authority) ?? [];
  const account = host?.replace(/\..*/, "") ?? setting("account");
  if (account === undefined) return undefined;
  const url = host?.includes(".")
    ? `https://${host.replace(/^[^.]*\.dfs\./, `${account}.blob.`)}`
    : azureUrl(account);
  return `${url}/${container}`;
}

/**
 * The http(s) URL of an http(s) address, or one of a bucket that says where it is; undefined for others.
 * @param base base URL for relative addresses
 */
export function urlOf(address: string, base?: URL): URL | undefined {
  const [, scheme = "", bucket = "", path = ""] = /^([a-z][a-z\d]*):\/\/([^/]+)\/(.*)$/.exec(address) ?? [];
  const bucketUrl = endpointOf(scheme, bucket, () => undefined);
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
