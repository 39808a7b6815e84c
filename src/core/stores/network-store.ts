/**
 * A store that answers later and is read one value, or one range, a request: a subclass writes one method.
 */
import { StoreError } from "../../base/errors.js";
import type {
  AbsolutePath,
  RangeQuery,
  Readable,
  RequestOptions,
  StoreOptions,
  ValueParts,
  ValueState,
} from "./store.js";

/** Bytes of a value, and what the store learned of the whole value. */
export interface ReadBytes extends ValueState {
  readonly bytes: Uint8Array;
}

export abstract class NetworkStore implements Readable {
  readonly kind = "network";

  /** Reads a range of a value, or all of it without one; undefined when the key is missing. */
  protected abstract readBytes(
    key: AbsolutePath,
    range: RangeQuery | undefined,
    options: StoreOptions | undefined,
  ): Promise<ReadBytes | undefined>;

  async get(key: AbsolutePath, options?: RequestOptions): Promise<Uint8Array | undefined> {
    return (await this.readBytes(key, undefined, withoutNull(options)))?.bytes;
  }

  async getRange(
    key: AbsolutePath,
    range: RangeQuery,
    options?: RequestOptions,
  ): Promise<Uint8Array | undefined> {
    return (await this.readBytes(key, range, withoutNull(options)))?.bytes;
  }

  /** Each range is a request. @throws StoreError when the value was replaced between two of them */
  async getParts(
    key: AbsolutePath,
    ranges: readonly RangeQuery[] | undefined,
    options?: StoreOptions,
  ): Promise<ValueParts | undefined> {
    const extents = ranges ?? [undefined];
    const requests: Promise<ReadBytes | undefined>[] = [];
    for (const range of extents) requests.push(this.readBytes(key, range, options));
    const parts: Uint8Array[] = [];
    let first: ReadBytes | undefined;
    for (const part of await Promise.all(requests)) {
      // A value that is deleted between two requests counts as missing.
      if (part === undefined) return undefined;
      parts.push(part.bytes);
      // Servers send no version for a range beyond the end.
      if (first === undefined || first.version === undefined) first = part;
      else if (part.version !== undefined && part.version !== first.version)
        throw new StoreError("the value was replaced while ranges of it were read; read it again", { key });
    }
    return { parts, byteLength: first?.byteLength, version: first?.version, modified: first?.modified };
  }
}

const withoutNull = (options: RequestOptions | undefined): StoreOptions | undefined =>
  options && { ...options, signal: options.signal ?? undefined };
