/** A shard that is a value of a store: reads its parts in few requests, all of one version. */

import { isZarrError, StoreError } from "../../errors.js";
import { checkBytes, checkLength } from "../../stores/check-store.js";
import { type CoalesceOptions, type Extent, mergeExtents } from "../../stores/keys-and-ranges.js";
import type { Priority, Waiters } from "../../stores/request-queue.js";
import { identityOf } from "../../stores/storage-identity.js";
import type {
  AbsolutePath,
  Awaitable,
  OpenValue,
  RangeQuery,
  Store,
  StoreOptions,
  ValueState,
} from "../../stores/store.js";
import type { Lease } from "../buffers.js";
import type { Limiter } from "../concurrency.js";
import type { StoredParts } from "../prepared.js";
import {
  type AnswersAhead,
  type Exchange,
  exchange,
  Freshness,
  moment,
  ShardChanged,
  type ShardVersion,
  writesOf,
} from "./freshness.js";
import { type IndexCache, indexesOf, type ValueIndexes } from "./index-cache.js";
import type { ShardPlace, ShardSource } from "./source.js";

/** Where requests are sent, and with which limits. */
export interface Requests {
  readonly store: Store;
  readonly limiter: Limiter;
  readonly signal: AbortSignal;
  readonly priority?: Priority | undefined;
  readonly coalesce: CoalesceOptions;
  /** Most bytes of one value. */
  readonly maximumBytes: number;
  /** Whether caches of bytes are bypassed; writes set it. */
  readonly current?: boolean | undefined;
  readonly ahead?: AnswersAhead | undefined;
}

/** A value of a store, for a read that began at a given moment. */
export class StoreSource implements ShardSource {
  readonly inMemory = false;
  readonly #key: AbsolutePath;
  readonly #requests: Requests;
  readonly #began: number;
  readonly freshness: Freshness;
  #indexes: ValueIndexes | undefined;

  /** @param version of bytes that were read before */
  constructor(key: AbsolutePath, requests: Requests, began = moment(), version?: ShardVersion) {
    this.#key = key;
    this.#requests = requests;
    this.#began = began;
    this.freshness = new Freshness(began, version);
  }

  get place(): ShardPlace {
    this.#indexes ??= this.#cache.of(this.#key, this.freshness.version);
    return { indexes: this.#indexes, nesting: "" };
  }
  get hasIndex(): boolean {
    return (this.#indexes ?? this.#cache.find(this.#key, this.freshness.version))?.has("") ?? false;
  }
  get size(): number | undefined {
    return this.freshness.version.byteLength;
  }
  get #cache(): IndexCache {
    return indexesOf(this.#requests.store);
  }

  /**
   * Asks for the version, if all that was read is older than the read: only an index from the cache was used.
   * @throws ShardChanged if the version is another one, or the store tells no version
   */
  async check(): Promise<void> {
    if (this.freshness.isCurrent) return;
    // Without versions the read is repeated, with an index that is requested now.
    if (this.freshness.version.version === undefined) throw new ShardChanged();
    const opened = this.openNow();
    opened?.close();
    if (opened === undefined && (await this.#range({ offset: 0, length: 1 })) === undefined)
      throw new ShardChanged();
  }

  /** Drops the indexes that this read used, because they are of another version. */
  forget(): void {
    if (this.#indexes !== undefined) this.#cache.forget(this.#key, this.#indexes);
  }

  async whole(lease: Lease): Promise<Uint8Array | undefined> {
    const { store } = this.#requests;
    if (store.getRangesInto !== undefined) {
      const parts = await this.#request((options) =>
        store.getRangesInto?.(this.#key, [EVERYTHING], lease.allocate, options),
      );
      return parts?.[0];
    }
    const bytes = checkBytes(await this.#request((options) => store.get(this.#key, options)), this.#key);
    checkLength(bytes, this.#requests.maximumBytes, this.#key);
    // A store that tells no versions and reads no ranges may be a Map. Its values are compared by the identity of their arrays.
    if (bytes !== undefined && store.getRange === undefined && this.freshness.version.version === undefined) {
      this.freshness.agree({ version: identityOf(bytes) }, moment());
    }
    return bytes;
  }

  edge(location: "start" | "end", length: number): Promise<Uint8Array | undefined> {
    return this.#range(location === "start" ? { offset: 0, length } : { suffixLength: length });
  }

  async parts(extents: readonly Extent[], lease: Lease): Promise<readonly Uint8Array[]> {
    const { store, coalesce } = this.#requests;
    const { merged, place } = mergeExtents(extents, coalesce);
    const values = await this.#ranges(store, merged, lease);
    return extents.map(({ length }, i) => {
      const { request, start } = place[i] ?? { request: 0, start: 0 };
      const value = checkBytes(values?.[request], this.#key);
      if (value === undefined) throw new ShardChanged();
      return value.subarray(start, start + length);
    });
  }

  stored(extents: readonly (Extent | undefined)[]): StoredParts | undefined {
    const { version } = this.freshness.version;
    return typeof version === "string" ? { key: this.#key, version, extents } : undefined;
  }

  openNow(): OpenValue | undefined {
    const { store, signal } = this.#requests;
    const asked = moment();
    let state: ValueState = {};
    const onValue = (told: ValueState): void => {
      state = told;
    };
    const opened = store.openNow?.(this.#key, { signal, onValue });
    try {
      if (opened !== undefined)
        this.freshness.agree(
          state.version === undefined ? { ...state, stamp: writesOf(store).stamp(this.#key) } : state,
          asked,
        );
      return opened;
    } catch (error) {
      opened?.close();
      throw error;
    }
  }

  detached({ signal, priority }: Waiters): ShardSource {
    return new StoreSource(
      this.#key,
      { ...this.#requests, signal, priority },
      this.#began,
      this.freshness.version,
    );
  }

  async #ranges(
    store: Store,
    ranges: readonly Extent[],
    lease: Lease,
  ): Promise<readonly (Uint8Array | undefined)[] | undefined> {
    if (store.getRangesInto !== undefined) {
      return this.#request((options) => store.getRangesInto?.(this.#key, ranges, lease.allocate, options));
    }
    if (store.getRanges !== undefined) {
      return this.#request((options) => store.getRanges?.(this.#key, ranges, options));
    }
    return Promise.all(ranges.map((range) => this.#range(range)));
  }

  async #range(range: RangeQuery): Promise<Uint8Array | undefined> {
    const { store, ahead } = this.#requests;
    const bytes = await this.#request(
      (options) => store.getRange?.(this.#key, range, options),
      ahead?.take(this.#key, range),
    );
    return checkBytes(bytes, this.#key);
  }

  /** @param waitAhead waits for the answer of a request that was sent ahead */
  async #request<T>(
    action: (options: StoreOptions) => Awaitable<T>,
    waitAhead?: (signal: AbortSignal) => Promise<Exchange<T>>,
  ): Promise<T> {
    const { store, limiter, signal } = this.#requests;
    return limiter.run(async () => {
      const { answer, told, asked } = waitAhead
        ? await waitAhead(signal)
        : await exchange(store, this.#key, this.#requests, action);
      this.freshness.agree(told, asked);
      return answer;
    });
  }
}

const EVERYTHING: RangeQuery = { suffixLength: Number.MAX_SAFE_INTEGER };

// Reads a value in parts, and repeats the read if the value was replaced in between. No other code repeats such reads.
/** The last attempt reads the whole value in a single request, which is always of one version. */
const ATTEMPTS = 3;

interface Attempt {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/**
 * Runs `read` until all that it read is of one version. @param read reads parts of the source; at the last attempt only the whole value
 * @param began the moment when the whole read began: the version must have been in the store since then
 */
export async function ofOneVersion(
  key: AbsolutePath,
  requests: Requests,
  read: (source: StoreSource, attempt: Attempt) => Promise<void>,
  began = moment(),
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const source = new StoreSource(key, requests, began);
    const isLast = attempt === ATTEMPTS;
    try {
      await read(source, { isFirst: attempt === 1, isLast });
      await source.check();
      return;
    } catch (error) {
      // If the store tells no versions, an outdated index shows only by errors in the bytes that it points to.
      const isStale = source.freshness.isDoubtful && isZarrError(error, "CodecError", "StoreError");
      if (!(error instanceof ShardChanged) && !isStale) throw error;
      source.forget();
      if (isLast) {
        throw new StoreError("the store tells several versions of a value in one answer", {
          key,
          cause: error,
        });
      }
    }
  }
}
