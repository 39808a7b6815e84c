/**
 * Reads and writes buckets of Google Cloud Storage, by its JSON API.
 *
 * ```ts
 * import { get, open, root } from "wazarr";
 * import { GcsStore } from "wazarr/stores/gcs";
 *
 * const store = new GcsStore("gs://bucket/climate.zarr");
 * const array = await open(root(store).resolve("t2m"), { kind: "array" });
 * console.log(await get(array, [0, 0, 0]));
 * ```
 *
 * The API answers pages of every origin (CORS) without a setting of the bucket.
 * @module
 */

import {
  type Authorize,
  checkNames,
  InvalidArgumentError,
  isJsonArray,
  isJsonObject,
  type Json,
  type NamesOf,
  StoreError,
  UnsupportedError,
} from "../../core/for-stores.js";
import { BUCKET_OPTIONS, type BucketOptions, BucketStore, checkPartBytes } from "./bucket-store.js";
import { prefixOf } from "./object-names.js";
import {
  type BucketProtocol,
  type Command,
  type Condition,
  type Failure,
  PART_BYTES,
  type Page,
  type Upload,
} from "./protocol.js";
import { GOOGLE } from "./public-endpoints.js";
import { checkCredential, type Renewable, type Renewal, Renewed } from "./renewed.js";

/** Options of `GcsStore`. */
export interface GcsStoreOptions extends BucketOptions {
  /**
   * An OAuth token, or a function that gives one: before the first request, and once more when the service
   * refuses it. Without it requests are anonymous.
   */
  readonly token?: Renewable<string> | undefined;
  /** The project that pays for requests to buckets whose owners do not. */
  readonly userProject?: string | undefined;
  /** URL of a server other than https://storage.googleapis.com. */
  readonly endpoint?: string | URL | undefined;
}

const OPTIONS: NamesOf<GcsStoreOptions> = {
  ...BUCKET_OPTIONS,
  token: true,
  userProject: true,
  endpoint: true,
};

/** Reads, writes and lists a bucket, or what is below a prefix in one. */
export class GcsStore extends BucketStore {
  /**
   * @param address "gs://BUCKET" or "gs://BUCKET/PREFIX"; the prefix as it is, without escapes
   * @throws InvalidArgumentError for another address, and for wrong options
   */
  constructor(address: string, options: GcsStoreOptions = {}) {
    checkNames(options, "GcsStore", OPTIONS);
    super(new GcsProtocol(address, options), options);
  }
}

/** All parts of an upload but the last are multiples of this many bytes. */
const QUANTUM = 256 << 10;

class GcsProtocol implements BucketProtocol {
  readonly url: URL;
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly authorize: Authorize | undefined;
  readonly readsSuffixes = true;
  readonly versionHeader = "x-goog-generation";
  readonly isConditional = true;
  readonly partBytes: number;
  readonly #objects: string;
  readonly #uploads: string;
  readonly #canRenew: boolean = false;

  constructor(address: string, options: GcsStoreOptions) {
    const [, bucket = "", path = ""] = /^gc?s:\/\/(\w[\w.-]*)(?:\/(.*))?$/s.exec(address) ?? [];
    if (bucket === "")
      throw new InvalidArgumentError(
        'expected an address such as "gs://BUCKET/PREFIX" for a bucket of Google Cloud Storage',
      );
    const { endpoint = GOOGLE, token, userProject } = options;
    const service = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
    if (
      service === undefined ||
      !/^https?:$/.test(service.protocol) ||
      service.search !== "" ||
      service.username !== ""
    )
      throw new InvalidArgumentError(
        "expected an `endpoint` that is an http(s) URL without query and password",
      );
    const base = service.href.replace(/\/$/, "");
    this.#objects = `${base}/storage/v1/b/${bucket}/o`;
    this.#uploads = `${base}/upload/storage/v1/b/${bucket}/o`;
    this.prefix = prefixOf(path);
    this.url = new URL(`${this.#objects}/${encodeURIComponent(this.prefix)}`);
    this.headers = userProject === undefined ? {} : { "x-goog-user-project": userProject };
    const partBytes = checkPartBytes(options.partBytes ?? PART_BYTES, QUANTUM);
    this.partBytes = partBytes - (partBytes % QUANTUM);
    if (token === undefined) return;
    const tokens = new Renewed(token, (each) => checkCredential(each, "token"));
    this.#canRenew = tokens.canRenew;
    this.authorize = async ({ expired }) => ({
      headers: { authorization: `Bearer ${await tokens.get(expired)}` },
    });
  }

  objectUrl(name: string): URL {
    return new URL(`${this.#objects}/${encodeURIComponent(name)}?alt=media`);
  }

  put(name: string, condition: Condition | undefined): Command {
    const query = { uploadType: "media", name, ...conditional(condition) };
    return {
      method: "POST",
      url: withQuery(this.#uploads, query),
      headers: { "content-type": "application/octet-stream" },
    };
  }

  remove(name: string): Command {
    return { method: "DELETE", url: new URL(`${this.#objects}/${encodeURIComponent(name)}`) };
  }

  /** Parts one after the other: the service takes them in order. One that is sent twice counts once. */
  async upload(name: string, condition: Condition | undefined, { value, send }: Upload): Promise<void> {
    const query = { uploadType: "resumable", name, ...conditional(condition) };
    const { headers } = await send({ method: "POST", url: withQuery(this.#uploads, query) });
    const session = headers.get("location") ?? "";
    if (!URL.canParse(session) || new URL(session).origin !== new URL(this.#uploads).origin)
      throw new StoreError("Google Cloud Storage began an upload without an address of its own for it");
    const url = new URL(session);
    for (let start = 0; start < value.length; ) {
      const end = Math.min(start + this.partBytes, value.length);
      const range = `bytes ${start}-${end - 1}/${value.length}`;
      const body = new Uint8Array(value.subarray(start, end));
      const reply = await send({ method: "PUT", url, headers: { "content-range": range }, body });
      if (reply.status !== 308) {
        if (end < value.length) throw new StoreError("the upload ended before its last part");
        return;
      }
      const [, last] = /-(\d+)$/.exec(reply.headers.get("range") ?? "") ?? [];
      const stored = last === undefined ? end : Number(last) + 1;
      if (stored <= start || stored > end)
        throw new StoreError("Google Cloud Storage stopped accepting the upload");
      start = stored;
    }
    throw new StoreError("the upload did not end with its last part");
  }

  list(prefix: string, isDeep: boolean, next: string | undefined): Command {
    const query = {
      prefix,
      fields: "nextPageToken,prefixes,items/name",
      maxResults: "1000",
      ...(!isDeep && { delimiter: "/" }),
      ...(next !== undefined && { pageToken: next }),
    };
    return { method: "GET", url: withQuery(this.#objects, query) };
  }

  page(text: string): Page {
    const listing = parsed(text);
    if (!isJsonObject(listing))
      throw new StoreError("expected a JSON object; check that the address is of this service");
    const { items = [], prefixes = [], nextPageToken } = listing;
    const listOf = (value: Json | undefined): readonly Json[] => {
      if (value === undefined || !isJsonArray(value)) throw new StoreError("expected lists of names");
      return value;
    };
    const text_ = (value: Json | undefined): string => {
      if (typeof value !== "string") throw new StoreError("expected names that are strings");
      return value;
    };
    return {
      names: listOf(items).map((item) => text_(isJsonObject(item) ? item.name : undefined)),
      prefixes: listOf(prefixes).map(text_),
      next: nextPageToken === undefined ? undefined : text_(nextPageToken) || undefined,
    };
  }

  failure({ status }: Response, text: string): Failure {
    const document = parsed(text);
    const error = isJsonObject(document) ? document.error : undefined;
    const detail = isJsonObject(error) ? error : {};
    const [first] = detail.errors !== undefined && isJsonArray(detail.errors) ? detail.errors : [];
    const reason = first !== undefined && isJsonObject(first) ? first.reason : undefined;
    // For reads of objects, the answer is a sentence.
    const message =
      typeof detail.message === "string" ? detail.message : /^[^<{]{1,200}$/.exec(text.trim())?.[0];
    const isBucketMissing = status === 404 && /bucket does not exist/i.test(message ?? "");
    return {
      code: typeof reason === "string" ? reason : undefined,
      message,
      advice: isBucketMissing
        ? "check the bucket's name"
        : adviceOf(status, message ?? "", this.authorize !== undefined),
      isExpired: status === 401 && this.#canRenew,
      isOfBucket: isBucketMissing,
    };
  }
}

function adviceOf(status: number, message: string, isSigned: boolean): string | undefined {
  if (/requester pays/i.test(message)) return "pass `userProject`, a project that pays";
  if (status === 401) return isSigned ? "check `token`: it may have expired" : "pass `token`";
  if (status !== 403) return undefined;
  const other = isSigned
    ? "check what the owner of `token` may do"
    : "the bucket is not public: pass `token`";
  return `${other}; if it stands for missing keys of a bucket that may not be listed, pass \`missingStatuses: [403]\``;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function conditional(condition: Condition | undefined): Readonly<Record<string, string>> {
  if (condition === undefined) return {};
  if (condition === null) return { ifGenerationMatch: "0" };
  if (/^\d+$/.test(String(condition))) return { ifGenerationMatch: String(condition) };
  throw new UnsupportedError(
    "a write that depends on the version of a value needs its generation, which the answer did not have",
  );
}

function withQuery(address: string, query: Readonly<Record<string, string>>): URL {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

export type { BucketOptions, Renewable, Renewal };
