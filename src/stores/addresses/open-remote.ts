/** Opens what is behind HTTP or in a bucket. What few addresses need is loaded then. */

import type { Authorize } from "../../core/for-stores.js";
import { type NamesOf, type Store, shownAddress } from "../../core/for-stores.js";
import type { BucketsOptions } from "../buckets/bucket-environment.js";
import { openerOfBuckets } from "../buckets/within-buckets.js";
import { readDocument } from "../file-ranges/read-document.js";
import type { Address } from "./addresses.js";
import { type Reach, splitName } from "./reach.js";

/** Options of `openStore`. */
export interface OpenStoreOptions extends BucketsOptions {
  /**
   * Paths, beginnings of URLs of this machine, and beginnings of addresses of buckets ("s3://BUCKET/PREFIX",
   * or "s3://" for all) that reference documents, Icechunk repositories, documents of STAC and links in those
   * may name besides what is below their own folder, or in their own bucket. Buckets that are named here are
   * read with credentials, others from their public addresses.
   */
  readonly allow?: readonly string[] | undefined;
  /**
   * Signs requests over HTTP, as in `HttpStore`: those for the address, and for an asset that a document of
   * STAC there names, which may be at any host. Look at the host of `url` before you add a token.
   */
  readonly authorize?: Authorize | undefined;
}

/** For `checkNames`. */
export const OPEN_STORE_OPTIONS: NamesOf<OpenStoreOptions> = {
  s3: true,
  gcs: true,
  azure: true,
  allow: "list",
  authorize: "function",
};

/**
 * @param json the document at the address, if it was read already
 * @throws InvalidArgumentError, StoreError; NotFoundError for a missing branch, tag or snapshot
 */
export async function openRemote(
  { form, place, address, revision }: Address,
  { allow, authorize, ...buckets }: OpenStoreOptions,
  reach: Reach,
  json?: unknown,
): Promise<Store> {
  const isInBucket = place === "bucket";
  if (form === "hierarchy" || form === "stac") return reach.folder(address);
  if (form === "zip") {
    const { ZipStore } = await import("../zip/zip.js");
    const { store, key } = await reach.file(address);
    const path = isInBucket ? key : new URL(address).pathname;
    return new ZipStore(store, `/${path.replace(/^.*\//s, "")}`);
  }
  if (form === "virtual") {
    const { openFile } = await import("../virtual/open-file.js");
    return openFile({ ...(await reach.file(address)), name: shownAddress(address), address });
  }
  // A document counts from its folder, and a folder from itself.
  const [folder] = form === "references" ? splitName(address) : [address];
  const open = await openerOfBuckets(isInBucket ? folder : undefined, allow, buckets);
  const access = { allow, open, authorize };
  if (form === "icechunk") {
    const { IcechunkStore } = await import("../icechunk/icechunk.js");
    return IcechunkStore.open(await reach.folder(address), { ...revision, ...access });
  }
  const { ReferenceStore } = await import("../references/reference.js");
  if (form === "parquet")
    return ReferenceStore.fromParquet(isInBucket ? await reach.folder(address) : address, access);
  const { store, key } = await reach.file(address);
  const document = json ?? (await readDocument(store, key, shownAddress(address)));
  return new ReferenceStore(document, access, isInBucket ? undefined : new URL(address));
}
