/** A shard that is a value of a store: reads its parts in few requests, all of one version. */

import { noItem } from "../../base/at.js";
import type { Extent } from "../../core/stores/keys-and-ranges.js";
import { type CoalesceOptions, mergeExtents } from "../../core/stores/merged-requests.js";
import type { Priority } from "../../core/stores/request-queue.js";
import type { AbsolutePath, OpenValue, PartsOptions, RangeQuery } from "../../core/stores/store.js";
import type { Values } from "../../core/stores/values.js";
import { writesOf } from "../../core/stores/write-log.js";
import type { Lease } from "../buffers.js";
import type { StoredParts } from "../chunk-workers.js";
import type { Limiter } from "../concurrency.js";
import { type Exchange, exchange, exchangesOf, moment, type ToldVersion } from "../exchange.js";
import { Freshness, ShardChanged } from "./freshness.js";
import { type IndexCache, indexesOf, type ValueIndexes } from "./index-cache.js";
import type { ShardPlace, ShardSource } from "./source.js";

/** The target and the limits of requests. */
export interface Requests {
  readonly values: Values;
  readonly limiter: Limiter;
  readonly signal: AbortSignal;
  readonly priority?: Priority | undefined;
  readonly coalesce: CoalesceOptions;
  /** Most bytes of one value. */
  readonly maximumBytes: number;
  /** Whether caches of bytes are bypassed; writes set it. */
  readonly current?: boolean | undefined;
}

/** A value of a store, for a read that began at a given moment. */
export class StoreSource implements ShardSource {
  readonly inMemory = false;
  readonly #key: AbsolutePath;
  readonly #requests: Requests;
  readonly freshness: Freshness;
  #indexes: ValueIndexes | undefined;

  /** @param version of bytes that were read before */
  constructor(key: AbsolutePath, requests: Requests, began = moment(), version?: ToldVersion) {
    this.#key = key;
    this.#requests = requests;
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
    return indexesOf(this.#requests.values.store);
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
    if (opened !== undefined && opened !== "later") return opened.close();
    if ((await this.#ask([{ offset: 0, length: 1 }])) === undefined) throw new ShardChanged();
  }

  /** Drops the indexes that this read used, because they are of another version. */
  forget(): void {
    if (this.#indexes !== undefined) this.#cache.forget(this.#key, this.#indexes);
    exchangesOf(this.#requests.values.store).forget(this.#key);
  }

  async whole(lease: Lease): Promise<Uint8Array | undefined> {
    return (await this.#ask(undefined, lease))?.[0];
  }

  async edge(location: "start" | "end", length: number): Promise<Uint8Array | undefined> {
    const range = location === "start" ? { offset: 0, length } : { suffixLength: length };
    return this.shared(range);
  }

  async shared(range: RangeQuery): Promise<Uint8Array | undefined> {
    const { values } = this.#requests;
    const parts = await this.#counted((options) => exchangesOf(values.store).join(this.#key, range, options));
    return parts?.[0];
  }

  async parts(extents: readonly Extent[], lease: Lease): Promise<readonly Uint8Array[]> {
    const { values, coalesce } = this.#requests;
    const { merged, place } = mergeExtents(extents, coalesce);
    // Over a network each range is a request, and counts as one.
    const requests = values.kind === "network" ? merged.map((range) => [range]) : [merged];
    const answers = await Promise.all(requests.map((ranges) => this.#ask(ranges, lease)));
    const found = answers.flatMap((parts) => parts ?? []);
    return extents.map(({ length }, i) => {
      const { request, start } = place[i] ?? noItem(place, i);
      const value = found.length < merged.length ? undefined : found[request];
      if (value === undefined) throw new ShardChanged();
      return value.subarray(start, start + length);
    });
  }

  stored(extents: readonly (Extent | undefined)[]): StoredParts | undefined {
    const { version } = this.freshness.version;
    return typeof version === "string" ? { key: this.#key, version, extents } : undefined;
  }

  /**
   * Opens the shard for synchronous reads; undefined if it is missing, "later" if its store cannot.
   * @throws ShardChanged when other parts are of another version
   */
  openNow(): OpenValue | "later" | undefined {
    const { values } = this.#requests;
    if (values.kind === "network") return "later";
    const asked = moment();
    const opened = values.openNow(this.#key);
    if (opened === undefined || opened === "later") return opened;
    try {
      const { byteLength, version } = opened;
      const stamp = version === undefined ? writesOf(values.store).stamp(this.#key) : undefined;
      this.freshness.agree({ byteLength, version, stamp }, asked);
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    }
  }

  #ask(ranges: readonly RangeQuery[] | undefined, lease?: Lease): Promise<readonly Uint8Array[] | undefined> {
    const { values } = this.#requests;
    return this.#counted((options) =>
      exchange(values, this.#key, ranges, { ...options, allocate: lease?.allocate }),
    );
  }

  /** Sends a request within the limit of this read, and compares the version of its answer. */
  async #counted(
    send: (options: PartsOptions) => Promise<Exchange>,
  ): Promise<readonly Uint8Array[] | undefined> {
    const { limiter, signal, priority, current, maximumBytes } = this.#requests;
    return limiter.run(async () => {
      const { parts, told, asked } = await send({ signal, priority, current, maximumBytes });
      this.freshness.agree(told, asked);
      return parts;
    });
  }
}
