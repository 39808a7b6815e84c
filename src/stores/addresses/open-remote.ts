/** Opens what is behind HTTP or in a bucket. What few addresses need is loaded then. */
import { type NamesOf, type Store, shownAddress } from "../../core/for-stores.js";
import { HttpStore } from "../../core/stores/http/http.js";
import type { BucketsOptions } from "../buckets/bucket-environment.js";
import { openerOfBuckets } from "../buckets/within-buckets.js";
import { HttpFile } from "../file-ranges/addressed-files.js";
import type { Address } from "./addresses.js";

/** Options of `openStore`. */
export interface OpenStoreOptions extends BucketsOptions {
  /**
   * Paths, beginnings of URLs of this machine, and beginnings of addresses of buckets ("s3://BUCKET/PREFIX",
   * or "s3://" for all) that reference documents, Icechunk repositories and links in those may name besides
   * what is below their own folder, or in their own bucket. Buckets that are named here are read with
   * credentials, others from their public addresses.
   */
  readonly allow?: readonly string[] | undefined;
}

/** For `checkNames`. */
export const OPEN_STORE_OPTIONS: NamesOf<OpenStoreOptions> = {
  s3: true,
  gcs: true,
  azure: true,
  allow: "list",
};

/** @throws InvalidArgumentError, StoreError; NotFoundError for a missing branch, tag or snapshot */
export async function openRemote(
  { form, place, address, revision }: Address,
  { allow, ...buckets }: OpenStoreOptions,
): Promise<Store> {
  const isInBucket = place === "bucket";
  if (form === "hierarchy") return isInBucket ? bucketAt(address, buckets) : new HttpStore(address);
  if (form === "zip") {
    const { ZipStore } = await import("../zip/zip.js");
    if (!isInBucket) return ZipStore.fromUrl(address);
    const [folder, name] = splitName(address);
    return new ZipStore(await bucketAt(folder, buckets), `/${name}`);
  }
  if (form === "virtual") {
    const { openFile } = await import("../virtual/open-file.js");
    const named = { name: shownAddress(address), address };
    if (!isInBucket) return openFile({ store: new HttpFile(address), key: "/", ...named });
    const [folder, name] = splitName(address);
    return openFile({ store: await bucketAt(folder, buckets), key: `/${name}`, ...named });
  }
  // A document counts from its folder, and a folder from itself.
  const [folder, name] = form === "references" ? splitName(address) : [address, ""];
  const open = await openerOfBuckets(isInBucket ? folder : undefined, allow, buckets);
  const source = isInBucket ? await bucketAt(folder, buckets) : address;
  const given = { allow, open };
  if (form === "icechunk") {
    const { IcechunkStore } = await import("../icechunk/icechunk.js");
    return IcechunkStore.open(source, { ...revision, ...given });
  }
  const { ReferenceStore } = await import("../references/reference.js");
  if (form === "parquet") return ReferenceStore.fromParquet(source, given);
  return typeof source === "string"
    ? ReferenceStore.fromUrl(source, given)
    : ReferenceStore.fromStore(source, `/${name}`, given);
}

async function bucketAt(address: string, options: BucketsOptions): Promise<Store> {
  return (await import("../buckets/bucket-environment.js")).openBucket(address, options);
}

/** The folder that the name of an object is in, and the name. */
function splitName(address: string): readonly [folder: string, name: string] {
  const [, folder = address, name = ""] = /^(\w+:\/\/[^/]+.*)\/([^/]+)$/s.exec(address) ?? [];
  return [folder, name];
}
