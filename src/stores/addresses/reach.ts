/**
 * The folders and files of remote addresses: those that the user named, with the user's credentials, and
 * those that a document chose, which gets none of them.
 */
import { InvalidArgumentError, isZarrError, StoreError } from "../../core/for-stores.js";
import type { Authorize } from "../../core/for-stores.js";
import { HttpStore } from "../../core/stores/http/http.js";
import { shownAddress } from "../../core/for-stores.js";
import type { Store } from "../../core/for-stores.js";
import type { BucketsOptions } from "../buckets/bucket-environment.js";
import { bucketOf, isAllowed } from "../buckets/within-buckets.js";
import { ForeignFile, ForeignStore, HttpFile, type OpenedFile } from "../file-ranges/addressed-files.js";
import { checkNamed } from "../file-ranges/named-addresses.js";
import { isBucket, isUrl } from "./addresses.js";

/** How remote addresses are reached. */
export interface Reach {
  /** A store whose keys count from an address of HTTP or of a bucket. */
  readonly folder: (address: string) => Promise<Store>;
  /** A value at an address. */
  readonly file: (address: string) => Promise<OpenedFile>;
}

interface ReachOptions extends BucketsOptions {
  readonly allow?: readonly string[] | undefined;
  readonly authorize?: Authorize | undefined;
}

/** The folder that the name of an object is in, and the name. */
export function splitName(address: string): readonly [folder: string, name: string] {
  const [, folder = address, name = ""] = /^(\w+:\/\/[^/]+.*)\/([^/]+)$/s.exec(address) ?? [];
  return [folder, name];
}

/** What the user named. */
export function ownReach({ authorize, ...buckets }: ReachOptions): Reach {
  const http = authorize && { authorize };
  return {
    folder: async (address) =>
      isBucket(address) ? bucketAt(address, buckets) : new HttpStore(address, http),
    async file(address) {
      if (!isBucket(address)) return { store: new HttpFile(address, http), key: "/" };
      const [folder, name] = splitName(address);
      return { store: await bucketAt(folder, buckets), key: `/${name}` };
    },
  };
}

/**
 * What a document named. Buckets are read without credentials, except the document's own and those in
 * `allow`; `authorize` sees every URL, because catalogues sign assets of other origins. Addresses of this
 * machine are refused, except at the document's origin and in `allow`.
 * @param document its address; undefined for one of this machine
 * @param named what the document says of the bucket: region, endpoint, account
 */
export function namedReach(
  document: string | undefined,
  named: BucketsOptions,
  options: ReachOptions,
): Reach {
  const { authorize, allow = [], ...buckets } = options;
  const http = authorize === undefined ? {} : { authorize };
  const origin = document !== undefined && isUrl(document) ? new URL(document).origin : undefined;
  const trusted = document !== undefined && isBucket(document) ? [bucketOf(document), ...allow] : allow;

  async function bucket(address: string): Promise<Store> {
    const environment = await import("../buckets/bucket-environment.js");
    try {
      if (isAllowed(address, trusted)) return environment.openBucket(address, merged(named, buckets));
      for (const { endpoint } of [named.s3 ?? {}, named.gcs ?? {}, named.azure ?? {}])
        if (endpoint !== undefined) checkNamed(new URL(endpoint), allow);
      return environment.openPublicBucket(address, named);
    } catch (cause) {
      if (!isZarrError(cause, "InvalidArgumentError")) throw cause;
      throw new StoreError(`${shownAddress(address)}: ${cause.message}`, { cause });
    }
  }
  const isOwn = (url: URL): boolean => url.origin === origin;
  return {
    async folder(address) {
      if (isBucket(address)) return bucket(address);
      const url = urlOf(address);
      return isOwn(url) ? new HttpStore(url, http) : new ForeignStore(url, http, allow);
    },
    async file(address) {
      if (!isBucket(address)) {
        const url = urlOf(address);
        return { store: isOwn(url) ? new HttpFile(url, http) : new ForeignFile(url, http, allow), key: "/" };
      }
      const [folder, name] = splitName(address);
      return { store: await bucket(folder), key: `/${name}` };
    },
  };
}

function urlOf(address: string): URL {
  if (URL.canParse(address)) return new URL(address);
  throw new InvalidArgumentError(`expected a URL, got ${JSON.stringify(shownAddress(address))}`);
}

/** The document's words on a bucket, and the user's, which count if both say something. */
function merged(named: BucketsOptions, { s3, gcs, azure }: BucketsOptions): BucketsOptions {
  // An endpoint that a document chooses never gets the user's credentials.
  const { endpoint: _s3, ...bucket } = named.s3 ?? {};
  const { endpoint: _azure, ...container } = named.azure ?? {};
  return { s3: { ...bucket, ...s3 }, gcs: { ...named.gcs, ...gcs }, azure: { ...container, ...azure } };
}

async function bucketAt(address: string, options: BucketsOptions): Promise<Store> {
  return (await import("../buckets/bucket-environment.js")).openBucket(address, options);
}
