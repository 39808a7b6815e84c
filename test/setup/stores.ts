/**
 * Stores over a Map that answer later and note what is asked of them. Tests that run in pages have them too:
 * no module of Node.
 */
import type { AbsolutePath, RangeQuery, Readable, StoreOptions } from "../../src/index.js";

/** The bytes of a range, as a view; undefined where there is no value. */
export function rangeOf(value: Uint8Array, range: RangeQuery): Uint8Array;
export function rangeOf(value: Uint8Array | undefined, range: RangeQuery): Uint8Array | undefined;
export function rangeOf(value: Uint8Array | undefined, range: RangeQuery): Uint8Array | undefined {
  if ("offset" in range) return value?.subarray(range.offset, range.offset + range.length);
  return value?.subarray(Math.max(0, value.length - range.suffixLength));
}

/** A copy of a value in memory that the caller gives, as `getInto` answers. */
export function copiedInto(value: Uint8Array, allocate: (byteLength: number) => Uint8Array): Uint8Array {
  const into = allocate(value.length);
  into.set(value);
  return into;
}

/** A view of a store that cannot be written; it reads ranges where the store does. */
export function readOnly(store: Readable): Readable {
  const get = (key: AbsolutePath, options?: StoreOptions) => store.get(key, options);
  if (store.getRange === undefined) return { get };
  return { get, getRange: (key, range, options) => store.getRange?.(key, range, options) };
}

/**
 * A store that is read whole and written, and takes a millisecond for each request. It copies no bytes and
 * tells no versions.
 */
export class SlowStore {
  /** The values, as they are stored at the moment. */
  readonly map: Map<string, Uint8Array>;
  /** How many bytes the reads since `reset` have had. */
  bytes = 0;
  /** How many requests are not answered yet, of reads and writes. */
  underWay = 0;
  /** The largest `underWay` since `reset`. */
  mostUnderWay = 0;
  #reads: { readonly request: string; readonly signal: AbortSignal | undefined }[] = [];

  constructor(map = new Map<string, Uint8Array>()) {
    this.map = map;
  }

  /** The reads since `reset`, in order: "/key", of ranges "/key offset+length" or "/key -suffixLength". */
  get requests(): string[] {
    return this.#reads.map(({ request }) => request);
  }

  /** Those of them whose signal is aborted. */
  get aborted(): string[] {
    return this.#reads.filter(({ signal }) => signal?.aborted).map(({ request }) => request);
  }

  get(key: AbsolutePath, options?: StoreOptions): Promise<Uint8Array | undefined> {
    return this.read(key, () => this.map.get(key), options);
  }

  async set(key: AbsolutePath, value: Uint8Array): Promise<void> {
    await this.#wait();
    this.map.set(key, value);
  }

  async delete(key: AbsolutePath): Promise<void> {
    await this.#wait();
    this.map.delete(key);
  }

  /** Forgets what was asked so far. */
  reset(): void {
    this.#reads = [];
    this.bytes = 0;
    this.mostUnderWay = 0;
  }

  /** Notes a request, waits, and answers with what is there then. */
  protected async read(
    request: string,
    find: () => Uint8Array | undefined,
    { signal }: StoreOptions = {},
  ): Promise<Uint8Array | undefined> {
    this.#reads.push({ request, signal });
    await this.#wait(signal);
    signal?.throwIfAborted();
    const bytes = find();
    this.bytes += bytes?.length ?? 0;
    return bytes;
  }

  /** What a request waits for. */
  protected pause(_signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, 1));
  }

  async #wait(signal?: AbortSignal): Promise<void> {
    this.mostUnderWay = Math.max(this.mostUnderWay, ++this.underWay);
    await this.pause(signal).finally(() => this.underWay--);
  }
}

/** A SlowStore that reads ranges too. */
export class RangeStore extends SlowStore {
  getRange(key: AbsolutePath, range: RangeQuery, options?: StoreOptions): Promise<Uint8Array | undefined> {
    const part = "offset" in range ? `${range.offset}+${range.length}` : `-${range.suffixLength}`;
    return this.read(`${key} ${part}`, () => rangeOf(this.map.get(key), range), options);
  }
}

/**
 * A RangeStore whose requests of chunks are answered when the test says so, and fail when they are aborted;
 * it notes no others.
 */
export class HeldStore extends RangeStore {
  readonly #held: ((failure?: Error) => void)[] = [];

  override get(key: AbsolutePath, options?: StoreOptions): Promise<Uint8Array | undefined> {
    return key.startsWith("/c/") ? super.get(key, options) : Promise.resolve(this.map.get(key));
  }

  /** Answers all that was asked so far, or fails it. */
  answer(failure?: Error): void {
    for (const settle of this.#held.splice(0)) settle(failure);
  }

  /** Resolves when so many requests were made. */
  async untilAsked(count: number): Promise<void> {
    while (this.requests.length < count) await super.pause(undefined);
  }

  protected override pause(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#held.push((failure) => (failure === undefined ? resolve() : reject(failure)));
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  }
}

/** A Map that notes what is asked of it, as "/key" and "set /key": a store that answers at once. */
export class WatchedMap extends Map<string, Uint8Array> {
  /** Since it was emptied, in order. */
  readonly requests: string[] = [];

  override get(key: string): Uint8Array | undefined {
    this.requests.push(key);
    return super.get(key);
  }

  override set(key: string, value: Uint8Array): this {
    // Not there yet while the Map is made of entries.
    this.requests?.push(`set ${key}`);
    return super.set(key, value);
  }
}
