/**
 * What differs between the services that keep objects in buckets: addresses, signatures, documents and codes.
 * A protocol makes requests and understands answers; `BucketStore` sends and receives them.
 */
import type { Authorize, Outgoing, SentBytes, ValueState } from "../../core/for-stores.js";

/** A request of a protocol. Its URL is without credentials. */
export type Command = Omit<Outgoing, "key" | "range">;

/** The version that a value must have to be replaced, as in `WriteOptions.ifVersion`. */
export type Condition = ValueState["version"] | null;

/** One page of a listing: full names of objects, and prefixes that end in "/". */
export interface Page {
  readonly names: readonly string[];
  readonly prefixes: readonly string[];
  /** Where the next page begins; undefined after the last one. */
  readonly next: string | undefined;
}

/** What a service says of a request that failed. */
export interface Failure {
  /** Its own name of the failure, such as "NoSuchBucket". */
  readonly code?: string | undefined;
  readonly message?: string | undefined;
  /** What the caller can do. */
  readonly advice?: string | undefined;
  /** Whether new credentials may help. */
  readonly isExpired?: boolean;
  /** Whether it is the bucket that is missing, or the owner of the keys, and not one object. */
  readonly isOfBucket?: boolean;
}

/** The answer to a command. Its text is at most `LONGEST_DOCUMENT` bytes. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Sends a command, again after transient failures. @throws StoreError, ConflictError */
export type Send = (command: Command) => Promise<Reply>;

/** A value that is stored in parts, and how they are sent. */
export interface Upload {
  readonly value: Uint8Array;
  readonly send: Send;
  /** As `send`, also after an abort: removes what an upload that failed has left. */
  readonly undo: Send;
  /**
   * Sends parts of `partBytes`, a few at once. `sendPart` gets the number of the part, from 0, and its bytes.
   */
  sendParts(sendPart: (index: number, part: SentBytes) => Promise<void>): Promise<void>;
}

export interface BucketProtocol {
  /** The bucket and the prefix in it, without credentials. */
  readonly url: URL;
  /** What names of this store begin with: "", or a prefix that ends in "/". */
  readonly prefix: string;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly authorize: Authorize | undefined;
  /** Whether a range may be the last bytes of an object. */
  readonly readsSuffixes: boolean;
  /** The header that has the version of an object; "etag" unless given. */
  readonly versionHeader?: string;
  /** Whether writes can depend on the version of what they replace. */
  readonly isConditional: boolean;
  /** Bytes of the longest value that is one request, and of parts of longer ones. */
  readonly partBytes: number;
  objectUrl(name: string): URL;
  put(name: string, condition: Condition | undefined): Command;
  /**
   * Stores a value of more than `partBytes` bytes. Nothing of it stays when that fails, as far as possible.
   */
  upload(name: string, condition: Condition | undefined, upload: Upload): Promise<void>;
  remove(name: string): Command;
  /** The most names that `removeMany` takes; undefined if each is a request of its own. */
  readonly mostRemoved?: number;
  /** Removes objects. @throws StoreError if one of them could not be removed */
  removeMany?(names: readonly string[], send: Send): Promise<void>;
  /** @param isDeep false: with "/" as delimiter */
  list(prefix: string, isDeep: boolean, next: string | undefined): Command;
  /** @throws StoreError for a document that is not a listing */
  page(text: string): Page;
  failure(response: Response, text: string): Failure;
}

/** Default length of parts in bytes. */
export const PART_BYTES = 16 << 20;
