/**
 * Reads and writes buckets of S3's protocol: Amazon S3, Cloudflare R2, MinIO and others.
 *
 * ```ts
 * import { get, open, root } from "wazarr";
 * import { S3Store } from "wazarr/stores/s3";
 *
 * const store = new S3Store("s3://bucket/climate.zarr", { region: "us-west-2" });
 * const array = await open(root(store).resolve("t2m"), { kind: "array" });
 * console.log(await get(array, [0, 0, 0]));
 * ```
 *
 * With credentials it needs the package `aws4fetch`, which signs the requests.
 * @module
 */

import {
  type Authorize,
  checkNames,
  InvalidArgumentError,
  type NamesOf,
  StoreError,
  UnsupportedError,
} from "../../core/for-stores.js";
import { BUCKET_OPTIONS, type BucketOptions, BucketStore, checkPartBytes } from "./bucket-store.js";
import { shownCode, shownWords } from "./failures.js";
import { pathOf, prefixOf } from "./object-names.js";
import {
  type BucketProtocol,
  type Command,
  type Condition,
  type Failure,
  PART_BYTES,
  type Page,
  type Send,
  type Upload,
} from "./protocol.js";
import { amazonUrl } from "./public-endpoints.js";
import type { Renewable, Renewal } from "./renewed.js";
import { renewedKeys, type S3Credentials, signedWith } from "./s3-signing.js";
import { childrenOf, parseXml, textOf } from "./xml.js";

/** Options of `S3Store`. */
export interface S3StoreOptions extends BucketOptions {
  /**
   * Keys, or a function that gives them. It is called before the first request, shortly before `expiration`,
   * and once more when the service refuses the keys as expired. Without it nothing is signed.
   */
  readonly credentials?: Renewable<S3Credentials> | undefined;
  /**
   * Default "us-east-1", for signed requests; those that are not signed go to Amazon's host for all regions.
   * "auto" for Cloudflare R2.
   */
  readonly region?: string | undefined;
  /**
   * URL of a service other than Amazon's, without the bucket: "https://ACCOUNT.r2.cloudflarestorage.com". The
   * bucket is then the first segment of paths.
   */
  readonly endpoint?: string | URL | undefined;
  /** Pays for requests to buckets whose owners do not. */
  readonly requesterPays?: boolean | undefined;
  /**
   * Default true. False for services that have no conditional writes: then two processes that change one
   * chunk may lose one change.
   */
  readonly conditionalWrites?: boolean | undefined;
}

const OPTIONS: NamesOf<S3StoreOptions> = {
  ...BUCKET_OPTIONS,
  credentials: true,
  region: true,
  endpoint: true,
  requesterPays: true,
  conditionalWrites: true,
};

/**
 * Reads, writes and lists a bucket, or what is below a prefix in one.
 * @example
 * ```ts
 * import { S3Store } from "wazarr/stores/s3";
 * const credentials = { accessKeyId: "AKIA...", secretAccessKey: "..." };
 * const store = new S3Store("s3://bucket/data.zarr", { region: "eu-central-1", credentials });
 * ```
 * @throws StoreError, with the service's `code`; ConflictError
 */
export class S3Store extends BucketStore {
  /**
   * @param address "s3://BUCKET" or "s3://BUCKET/PREFIX"; the prefix as it is, without escapes
   * @throws InvalidArgumentError for another address, and for wrong options
   */
  constructor(address: string, options: S3StoreOptions = {}) {
    checkNames(options, "S3Store", OPTIONS);
    super(new S3Protocol(address, options), options);
  }
}

/** The shortest part that S3 takes, unless it is the last. */
const LEAST_PART = 5 << 20;

const EXPIRED: readonly (string | undefined)[] = [
  "ExpiredToken",
  "ExpiredTokenException",
  "TokenRefreshRequired",
  "InvalidToken",
];

/** What is missing with status 404. */
const OF_OBJECT: readonly string[] = ["NoSuchKey", "NoSuchVersion", "NotFound"];

const ADVICE: Readonly<Record<string, string>> = {
  AccessDenied:
    "check what the keys may do, and pass `credentials` if there are none; if it stands for missing keys of a bucket that may not be listed, pass `missingStatuses: [403]`",
  ExpiredToken: "pass a function as `credentials`, which gives new ones",
  InvalidAccessKeyId: "check `accessKeyId`; keys of a session need their `sessionToken`",
  InvalidToken: "check `sessionToken`",
  NoSuchBucket: "check the bucket's name and the `endpoint`",
  NotImplemented: "if the service has no conditional writes, pass `conditionalWrites: false`",
  RequestTimeTooSkewed: "set the clock of this machine",
  SignatureDoesNotMatch: "check `secretAccessKey` and `region`",
};

class S3Protocol implements BucketProtocol {
  readonly url: URL;
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly authorize: Authorize | undefined;
  readonly readsSuffixes = true;
  readonly isConditional: boolean;
  readonly partBytes: number;
  readonly mostRemoved = 1000;
  readonly #bucket: URL;
  readonly #region: string;
  readonly #canRenew: boolean = false;

  constructor(address: string, options: S3StoreOptions) {
    const [, bucket = "", path = ""] = /^s3:\/\/(\w[\w.-]*)(?:\/(.*))?$/s.exec(address) ?? [];
    if (bucket === "")
      throw new InvalidArgumentError('expected an address such as "s3://BUCKET/PREFIX" for a bucket of S3');
    const { endpoint, region = "us-east-1", credentials, requesterPays = false } = options;
    const isSigned = credentials !== undefined;
    this.#bucket = bucketUrl(bucket, isSigned ? region : options.region, endpoint);
    this.#region = region;
    this.prefix = prefixOf(path);
    this.url = this.objectUrl(this.prefix);
    this.headers = requesterPays ? { "x-amz-request-payer": "requester" } : {};
    this.isConditional = options.conditionalWrites ?? true;
    this.partBytes = checkPartBytes(options.partBytes ?? PART_BYTES, LEAST_PART);
    if (credentials === undefined) return;
    const keys = renewedKeys(credentials);
    this.#canRenew = keys.canRenew;
    this.authorize = signedWith(keys, region);
  }

  objectUrl(name: string): URL {
    const url = new URL(this.#bucket);
    url.pathname = `${url.pathname.replace(/\/$/, "")}/${pathOf(name)}`;
    return url;
  }

  put(name: string, condition: Condition | undefined): Command {
    return { method: "PUT", url: this.objectUrl(name), headers: conditional(condition) };
  }

  remove(name: string): Command {
    return { method: "DELETE", url: this.objectUrl(name) };
  }

  async upload(name: string, condition: Condition | undefined, upload: Upload): Promise<void> {
    const { send, undo, sendParts } = upload;
    const started = await send({ method: "POST", url: withQuery(this.objectUrl(name), { uploads: "" }) });
    const uploadId = textOf(parseXml(started.text, "InitiateMultipartUploadResult"), "UploadId");
    if (uploadId === undefined) throw new StoreError("S3 began an upload without an UploadId");
    const url = withQuery(this.objectUrl(name), { uploadId });
    const tags: string[] = [];
    try {
      await sendParts(async (index, body) => {
        const part = withQuery(url, { partNumber: String(index + 1) });
        const { headers } = await send({ method: "PUT", url: part, body });
        const tag = headers.get("etag");
        if (tag === null)
          throw new StoreError("a part was stored without an ETag; in a browser, CORS has to expose `ETag`");
        tags[index] = tag;
      });
      const parts = tags.map(
        (tag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`,
      );
      const body = encoded(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
      const { text } = await send({ method: "POST", url, body, headers: conditional(condition) });
      // Completion may fail after status 200 was sent.
      parseXml(text, "CompleteMultipartUploadResult");
    } catch (error) {
      // The bucket's owner pays for parts that nobody completes.
      await undo({ method: "DELETE", url }).catch(() => {});
      throw error;
    }
  }

  async removeMany(names: readonly string[], send: Send): Promise<void> {
    const objects = names.map((name) => `<Object><Key>${escaped(name)}</Key></Object>`);
    const body = encoded(`<Delete><Quiet>true</Quiet>${objects.join("")}</Delete>`);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
    const headers = { "x-amz-checksum-sha256": btoa(String.fromCharCode(...digest)) };
    const { text } = await send({
      method: "POST",
      url: withQuery(this.#bucket, { delete: "" }),
      body,
      headers,
    });
    const errors = childrenOf(parseXml(text, "DeleteResult"), "Error");
    // Amazon takes what is missing for done; some others do not.
    const error = errors.find((each) => textOf(each, "Code") !== "NoSuchKey");
    if (error === undefined) return;
    const code = shownCode(textOf(error, "Code"));
    const [name, message] = ["Key", "Message"].map((part) => textOf(error, part) ?? "");
    throw new StoreError(shownWords(`cannot delete ${name}: ${code}: ${message}`), { code });
  }

  list(prefix: string, isDeep: boolean, next: string | undefined): Command {
    const query = {
      "list-type": "2",
      // XML has no form for some characters of names.
      "encoding-type": "url",
      prefix,
      ...(!isDeep && { delimiter: "/" }),
      ...(next !== undefined && { "continuation-token": next }),
    };
    return { method: "GET", url: withQuery(this.#bucket, query) };
  }

  page(text: string): Page {
    const listing = parseXml(text, "ListBucketResult");
    const isEscaped = textOf(listing, "EncodingType") === "url";
    const name = (escapedName = ""): string => (isEscaped ? plainName(escapedName) : escapedName);
    const next = textOf(listing, "NextContinuationToken");
    const isCut = textOf(listing, "IsTruncated") === "true";
    if (isCut && !next)
      throw new StoreError("it is not the whole listing, and does not say how to get the rest");
    return {
      names: childrenOf(listing, "Contents").map((each) => name(textOf(each, "Key"))),
      prefixes: childrenOf(listing, "CommonPrefixes").map((each) => name(textOf(each, "Prefix"))),
      next: isCut ? next : undefined,
    };
  }

  failure(response: Response, text: string): Failure {
    const { status, headers } = response;
    const { code, message, region } = saidIn(text);
    const right = headers.get("x-amz-bucket-region") ?? region;
    const isElsewhere = right !== undefined && right !== this.#region;
    const advice =
      isElsewhere &&
      (status < 400 || /^(AuthorizationHeaderMalformed|PermanentRedirect|IllegalLocation|$)/.test(code ?? ""))
        ? `the bucket is in another region: pass \`region: "${right.slice(0, 40)}"\``
        : ADVICE[code ?? ""];
    // Answers to HEAD have no code.
    const isExpired = code === undefined ? [400, 401, 403].includes(status) : EXPIRED.includes(code);
    return {
      code,
      message,
      advice,
      isExpired: isExpired && this.#canRenew,
      // Some services say 404 of keys that they do not know.
      isOfBucket: status === 404 && code !== undefined && !OF_OBJECT.includes(code),
    };
  }
}

function bucketUrl(bucket: string, region: string | undefined, endpoint: string | URL | undefined): URL {
  const address =
    endpoint === undefined ? amazonUrl(bucket, region) : `${String(endpoint).replace(/\/$/, "")}/${bucket}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.search === "" && url.username === "")
    return url;
  throw new InvalidArgumentError(
    "expected a `region` such as eu-west-1, and an `endpoint` that is an http(s) URL without query and password",
  );
}

const encoded = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const escaped = (text: string): string =>
  text.replace(/[&<>"'\p{Cc}]/gu, (char) => `&#${char.codePointAt(0)};`);

/** A name as `encoding-type=url` writes it: as in a form. @throws StoreError */
function plainName(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    throw new StoreError(`a name in it is not URL-encoded: ${JSON.stringify(name.slice(0, 100))}`);
  }
}

function withQuery(url: URL, query: Readonly<Record<string, string>>): URL {
  const all = new URL(url);
  for (const [name, value] of Object.entries(query)) all.searchParams.set(name, value);
  // Spaces of a form, "+", are signed as "%20".
  all.search = all.search.replaceAll("+", "%20");
  return all;
}

function conditional(condition: Condition | undefined): Readonly<Record<string, string>> {
  if (condition === undefined) return {};
  if (condition === null) return { "if-none-match": "*" };
  if (typeof condition === "string" && /^(?:W\/)?"/.test(condition)) return { "if-match": condition };
  throw new UnsupportedError(
    "a write that depends on the version of a value needs its ETag: in a browser, CORS has to expose `ETag`",
  );
}

/** Code and message of the document of an error; empty if it is not one. */
function saidIn(text: string): { code?: string; message?: string; region?: string } {
  try {
    const error = parseXml(text, "Error");
    const [code, message, region] = ["Code", "Message", "Region"].map((name) => textOf(error, name));
    return { ...(code && { code }), ...(message && { message }), ...(region && { region }) };
  } catch {
    return {};
  }
}

export type { BucketOptions, Renewable, Renewal, S3Credentials };
