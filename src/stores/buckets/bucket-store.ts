/**
 * A store over a bucket, or over the objects of a bucket whose names begin with a prefix. It reads as
 * HttpStore does, with the same bounds, retries and queue. What services do differently is in a
 * `BucketProtocol`.
 */

import {
  type AbsolutePath,
  type Answer,
  type CacheMode,
  ConflictError,
  checkTimeout,
  checkValue,
  type DirectoryListing,
  InvalidArgumentError,
  isTransient,
  isZarrError,
  type Listable,
  type NamesOf,
  type Outgoing,
  RequestQueue,
  readBody,
  relativeKey,
  relativePrefix,
  StoreError,
  type StoreOptions,
  shown,
  storageNamed,
  type Writable,
  type WriteOptions,
} from "../../core/for-stores.js";
import { HttpStore, type HttpStoreOptions } from "../../core/stores/http/http.js";
import { failureError, readFailure } from "./failures.js";
import { pagesOf } from "./listing.js";
import { keysOf } from "./object-names.js";
import type { BucketProtocol, Command, Condition, Failure, Page, Reply, Upload } from "./protocol.js";

/** What all stores of buckets take, as HttpStore does. */
export type BucketOptions = Pick<
  HttpStoreOptions,
  "fetch" | "missingStatuses" | "queue" | "retry" | "timeout"
> & {
  /**
   * Bytes. Longer values are sent in parts of this length, a few at once; each part is retried by itself.
   * Default 16 MiB.
   */
  readonly partBytes?: number | undefined;
};

export const BUCKET_OPTIONS: NamesOf<BucketOptions> = {
  fetch: "function",
  missingStatuses: "list",
  queue: "run method",
  retry: true,
  timeout: true,
  partBytes: true,
};

/**
 * Bytes of the longest document of a service: a thousand names of 1,024 bytes, each escaped as six at most,
 * with what is said of it.
 */
const LONGEST_DOCUMENT = 8 << 20;
/** Names of the longest listing of one folder, which is kept in memory. */
const MOST_LISTED = 10_000_000;
/** Parts of one value that are sent at once. */
const PARTS_AT_ONCE = 4;
/** Objects that are removed at once by requests of their own. */
const REMOVED_AT_ONCE = 32;

/** @throws InvalidArgumentError unless it is a whole number of bytes that the service takes */
export function checkPartBytes(partBytes: number, least: number): number {
  if (Number.isSafeInteger(partBytes) && partBytes >= least) return partBytes;
  throw new InvalidArgumentError(`partBytes: expected a whole number from ${least} on, got ${partBytes}`);
}

export abstract class BucketStore extends HttpStore implements Writable, Listable {
  readonly #protocol: BucketProtocol;
  readonly #timeout: number | undefined;
  readonly #failures = new WeakMap<Response, Promise<Failure | undefined>>();
  protected override readonly versionHeader: string;
  readonly #place: object;

  constructor(protocol: BucketProtocol, options: BucketOptions) {
    const { headers, authorize, readsSuffixes } = protocol;
    super(protocol.url, { ...options, headers, authorize, useSuffixRequest: readsSuffixes });
    this.#protocol = protocol;
    this.#timeout = checkTimeout(options.timeout);
    this.versionHeader = protocol.versionHeader ?? "etag";
    this.#place = storageNamed(protocol.url.href);
  }

  /** Shared by all stores of one prefix of a bucket. */
  get place(): object {
    return this.#place;
  }

  /** Always true. */
  get copiesValues(): true {
    return true;
  }

  /** Whether the service writes on a condition. */
  get conditionalWrites(): boolean {
    return this.#protocol.isConditional;
  }

  protected override urlOf(key: AbsolutePath): URL {
    return this.#protocol.objectUrl(this.#nameOf(key));
  }

  #nameOf(key: AbsolutePath): string {
    return this.#protocol.prefix + relativeKey(key);
  }

  /** A range of one byte in place of HEAD, whose answer to a refused request does not say why. */
  override async has(key: AbsolutePath, options?: StoreOptions): Promise<boolean> {
    return (await this.readBytes(key, { offset: 0, length: 1 }, options)) !== undefined;
  }

  protected override async isRefused(response: Response, signal: AbortSignal | null): Promise<boolean> {
    return (await this.#failureOf(response, signal))?.isExpired === true;
  }

  /** @throws StoreError for any answer that tells of a failure; a missing object is none */
  protected override async ask(
    request: Outgoing,
    options: StoreOptions | undefined,
    cache?: CacheMode,
  ): Promise<Answer> {
    const answer = await super.ask(request, options, cache);
    const { response, missingStatuses, signal } = answer;
    const failure = await this.#failureOf(response, signal);
    if (failure === undefined) return answer;
    const isMissing = [404, 410, ...missingStatuses].includes(response.status);
    if (isMissing && failure.isOfBucket !== true) return answer;
    throw failureError(request.method, answer, failure);
  }

  /** What an answer says of a failure; undefined for one that is none. It is read once. */
  #failureOf(response: Response, signal: AbortSignal | null): Promise<Failure | undefined> {
    const { status } = response;
    // 308 is how an upload in parts goes on, and 416 a range beyond the end.
    if ((status >= 200 && status < 300) || [304, 308, 416].includes(status))
      return Promise.resolve(undefined);
    const known =
      this.#failures.get(response) ?? readFailure(response, this.#protocol, this.#timeout, signal);
    this.#failures.set(response, known);
    return known;
  }

  /**
   * Sends a command, again after transient failures.
   * @param onUnsure called after an attempt that may have done its work although it failed
   */
  async #send(
    key: string,
    command: Command,
    options: StoreOptions | undefined,
    condition?: Condition,
    onUnsure?: () => void,
  ): Promise<Reply> {
    const attempt = async (): Promise<Reply> => {
      try {
        const answer = await this.ask({ ...command, key }, options);
        const { status, headers } = answer.response;
        if (status === 404) return { status, headers, text: "" };
        const bytes = await readBody(answer, LONGEST_DOCUMENT);
        return { status, headers, text: new TextDecoder().decode(bytes) };
      } catch (error) {
        if (isTransient(error)) onUnsure?.();
        throw error;
      }
    };
    try {
      const reply = await this.retried(key, options, attempt);
      // "Missing" is not a failure of a read; here it is, unless something was to be removed.
      if (reply.status !== 404 || command.method === "DELETE") return reply;
      throw new StoreError(`${shown(command.url)}: ${command.method} answered 404`, { key, status: 404 });
    } catch (error) {
      const isConflict =
        condition !== undefined &&
        isZarrError(error, "StoreError") &&
        // Status 404 with a code is of the bucket.
        (error.status === 409 || error.status === 412 || (error.status === 404 && error.code === undefined));
      if (!isConflict) throw error;
      throw new ConflictError("another writer changed the value after it was read; read it again", {
        key,
        cause: error,
      });
    }
  }

  /** @throws ConflictError, StoreError */
  async set(key: AbsolutePath, value: Uint8Array, options?: WriteOptions): Promise<void> {
    checkValue(value);
    let isUnsure = false;
    const onUnsure = (): void => {
      isUnsure = true;
    };
    const isInParts = value.length > this.#protocol.partBytes;
    try {
      if (isInParts) await this.#upload(key, value, options, onUnsure);
      else {
        const command = this.#protocol.put(this.#nameOf(key), options?.ifVersion);
        await this.#send(key, { ...command, body: plain(value) }, options, options?.ifVersion, onUnsure);
      }
    } catch (error) {
      // The answer to a write that was stored may be lost. Done again, the write is refused: the condition
      // does not hold any more, or the upload is gone. What is stored decides.
      const isRefusedAgain = isUnsure && (isInParts || options?.ifVersion !== undefined);
      if (!isRefusedAgain || !(await this.#holds(key, value, options))) throw error;
    }
  }

  /** Whether a value is stored; false if that cannot be known. */
  async #holds(key: AbsolutePath, value: Uint8Array, options: StoreOptions | undefined): Promise<boolean> {
    const { signal, priority } = options ?? {};
    try {
      const requestOptions = { signal, priority, current: true, maximumBytes: value.length };
      const stored = (await this.readBytes(key, undefined, requestOptions))?.bytes;
      return stored?.length === value.length && stored.every((byte, i) => byte === value[i]);
    } catch {
      signal?.throwIfAborted();
      return false;
    }
  }

  async #upload(
    key: AbsolutePath,
    value: Uint8Array,
    options: WriteOptions | undefined,
    onUnsure: () => void,
  ): Promise<void> {
    const protocol = this.#protocol;
    const condition = options?.ifVersion;
    const send = (command: Command): Promise<Reply> => this.#send(key, command, options, condition, onUnsure);
    const undo = (command: Command): Promise<Reply> => this.#send(key, command, undefined);
    const parts = new RequestQueue({ limit: PARTS_AT_ONCE });
    const sendParts: Upload["sendParts"] = async (sendPart) => {
      const count = Math.ceil(value.length / protocol.partBytes);
      const sent = Array.from({ length: count }, (_, i) =>
        parts.run(() => {
          const start = i * protocol.partBytes;
          return sendPart(i, plain(value.subarray(start, start + protocol.partBytes)));
        }),
      );
      await Promise.allSettled(sent);
      await Promise.all(sent);
    };
    await protocol.upload(this.#nameOf(key), condition, { value, send, undo, sendParts });
  }

  /** A missing key is no error. @throws StoreError */
  async delete(key: AbsolutePath, options?: StoreOptions): Promise<void> {
    await this.#send(key, this.#protocol.remove(this.#nameOf(key)), options);
  }

  /**
   * Removes keys in as few requests as the service takes.
   * @throws StoreError, after the others are removed
   */
  async deleteMany(keys: readonly AbsolutePath[], options?: StoreOptions): Promise<void> {
    const { mostRemoved, removeMany } = this.#protocol;
    const queue = new RequestQueue({ limit: removeMany ? PARTS_AT_ONCE : REMOVED_AT_ONCE });
    const size = removeMany && mostRemoved ? mostRemoved : 1;
    const batches: AbsolutePath[][] = [];
    for (let i = 0; i < keys.length; i += size) batches.push(keys.slice(i, i + size));
    const removed = batches.map((batch) =>
      queue.run(async () => {
        const [first = "/"] = batch;
        if (removeMany === undefined || batch.length === 1) return this.delete(first, options);
        return removeMany.call(
          this.#protocol,
          batch.map((key) => this.#nameOf(key)),
          (command) => this.#send(first, command, options),
        );
      }),
    );
    await Promise.allSettled(removed);
    await Promise.all(removed);
  }

  list(options?: StoreOptions): AsyncIterable<AbsolutePath> {
    return this.listPrefix("/", options);
  }

  async *listPrefix(prefix: AbsolutePath, options?: StoreOptions): AsyncIterable<AbsolutePath> {
    for await (const { names } of this.#pages(prefix, true, options))
      yield* keysOf(names, this.#protocol.prefix, prefix);
  }

  async listDir(prefix: AbsolutePath, options?: StoreOptions): Promise<DirectoryListing> {
    const keys: AbsolutePath[] = [];
    const prefixes: AbsolutePath[] = [];
    for await (const page of this.#pages(prefix, false, options)) {
      // Not `push(...keys)`: a page of a server may have more names than a call takes arguments.
      for (const key of keysOf(page.names, this.#protocol.prefix, prefix)) keys.push(key);
      for (const each of page.prefixes) {
        const [below] = keysOf([each.replace(/\/$/, "")], this.#protocol.prefix, prefix);
        if (below !== undefined) prefixes.push(`${below}/`);
      }
      if (keys.length + prefixes.length > MOST_LISTED)
        throw new StoreError(`expected at most ${MOST_LISTED} names in a folder, got more`, { key: prefix });
    }
    return { keys, prefixes };
  }

  /** @throws StoreError for invalid listings, and for one that does not end */
  #pages(prefix: AbsolutePath, isDeep: boolean, options: StoreOptions | undefined): AsyncGenerator<Page> {
    const relative = relativePrefix(prefix);
    const name = this.#protocol.prefix + (relative && `${relative}/`);
    return pagesOf(prefix, async (place) => {
      const { text } = await this.#send(prefix, this.#protocol.list(name, isDeep, place), options);
      return this.#page(text, prefix);
    });
  }

  #page(text: string, key: string): Page {
    try {
      return this.#protocol.page(text);
    } catch (cause) {
      if (!isZarrError(cause)) throw cause;
      throw new StoreError(`bad listing from ${shown(this.url)}: ${cause.reason}`, { key, cause });
    }
  }
}

/** Bytes that `fetch` takes: not in memory that threads share. */
function plain(value: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = value;
  return buffer instanceof ArrayBuffer ? new Uint8Array(buffer, byteOffset, length) : new Uint8Array(value);
}
