/**
 * Objects of buckets that documents may lead to with the user's credentials: those of the document's own
 * bucket, and what the user allowed.
 */
import { isZarrError, type Readable, StoreError, shownAddress } from "../../core/for-stores.js";
import { isBucket } from "../addresses/addresses.js";
import type { OpenedFile } from "../references/reference.js";
import type { BucketsOptions } from "./bucket-environment.js";

/** Opens the file at an address; undefined for an address that it leaves to others. */
export type Opener = (address: string) => OpenedFile | undefined;

/**
 * Makes the option `open` of a document. It opens objects of the document's bucket, and those at or below an
 * address of a bucket in `allow`. Others are left to the public endpoints of their buckets.
 * @param folder address of the document's folder, from which relative addresses count; undefined for a
 * document that is in no bucket
 */
export async function openerOfBuckets(
  folder: string | undefined,
  allow: readonly string[] = [],
  options: BucketsOptions = {},
): Promise<Opener> {
  const { bucket: bucketName, path = "" } = folder === undefined ? {} : partsOf(folder);
  const places = [...(bucketName === undefined ? [] : [bucketName]), ...allow.filter(isBucket).map(spelled)];
  if (places.length === 0) return () => undefined;
  const { openBucket } = await import("./bucket-environment.js");
  const buckets = new Map<string, Readable>();
  return (address) => {
    const isRelative = bucketName !== undefined && !/^[a-z][a-z0-9+.-]*:/i.test(address);
    const whole = isRelative ? bucketName + resolved(path, address) : spelled(address);
    if (!isBucket(whole) || !places.some((place) => isBelow(whole, place))) return undefined;
    const { bucket, path: name } = partsOf(whole);
    let store = buckets.get(bucket);
    if (store === undefined) {
      store = opened(bucket, openBucket, options);
      buckets.set(bucket, store);
    }
    return { store, key: `/${name}` };
  };
}

/** The path of a relative address, which counts from a folder. It does not lead out of the bucket. */
function resolved(folder: string, address: string): string {
  const segments: string[] = [];
  for (const segment of `${address.startsWith("/") ? "" : folder}/${address}`.split("/"))
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  return `/${segments.join("/")}`;
}

/** An address as it is compared with others: two names of one scheme are one. */
const spelled = (address: string): string =>
  address.replace(/^gcs:\/\//, "gs://").replace(/^abfss:\/\//, "abfs://");

const isBelow = (address: string, place: string): boolean =>
  address === place || address.startsWith(place.endsWith("/") ? place : `${place}/`);

/** Whether an address of a bucket is at or below one of others. */
export const isAllowed = (address: string, places: readonly string[]): boolean =>
  places.filter(isBucket).some((place) => isBelow(spelled(address), spelled(place)));

/** The bucket of an address: "s3://BUCKET". */
export const bucketOf = (address: string): string => partsOf(address).bucket;

function partsOf(address: string): { readonly bucket: string; readonly path: string } {
  const [, bucket = address, path = ""] = /^(\w+:\/\/[^/]*)\/*(.*)$/s.exec(spelled(address)) ?? [];
  return { bucket, path };
}

/** @throws StoreError for a name that a document made up */
function opened(
  bucket: string,
  open: (address: string, options: BucketsOptions) => Readable,
  options: BucketsOptions,
): Readable {
  try {
    return open(bucket, options);
  } catch (cause) {
    if (!isZarrError(cause, "InvalidArgumentError")) throw cause;
    throw new StoreError(`${shownAddress(bucket)}: ${cause.message}`, { cause });
  }
}
