/** A shard that is a value of a store: what is wanted of it in few requests, all of one version. */
import { checkBytes } from "../../stores/check-store.js";
import { type CoalesceOptions, type Extent, mergeExtents } from "../../stores/coalesce.js";
import type {
  AbsolutePath,
  Awaitable,
  OpenValue,
  RangeQuery,
  Store,
  StoreOptions,
  ValueState,
} from "../../stores/store.js";
import { identityOf } from "../../stores/versions.js";
import type { Limiter } from "../limiter.js";
import { storeFailure } from "../prepared.js";
import type { StoredParts } from "../remote.js";
import type { Lease } from "./buffers.js";
import { ShardChanged, type ShardPlace, type ShardSource, type ShardVersion } from "./source.js";
import { stateOf } from "./store-state.js";

/** Where requests go, and how. */
export interface Requests {
  readonly store: Store;
  readonly limiter: Limiter;
  readonly signal: AbortSignal;
  readonly coalesce: CoalesceOptions;
}

/** A value of a store. */
export function storeSource(key: AbsolutePath, requests: Requests): ShardSource {
  return new StoreSource(key, requests);
}

class StoreSource implements ShardSource {
  readonly place: ShardPlace;
  readonly inMemory = false;
  readonly #key: AbsolutePath;
  readonly #requests: Requests;
  #version: ShardVersion = {};

  constructor(key: AbsolutePath, requests: Requests) {
    this.place = { key, nesting: "" };
    this.#key = key;
    this.#requests = requests;
  }

  get size(): number | undefined {
    return this.#version.byteLength;
  }
  get version(): ShardVersion {
    return this.#version;
  }

  agree(told: ShardVersion): void {
    this.#version = {
      byteLength: same(this.#version.byteLength, told.byteLength),
      version: same(this.#version.version, told.version),
      stamp: same(this.#version.stamp, told.stamp),
    };
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
    if (bytes !== undefined && store.fresh?.get === store.get) lease.take(bytes);
    // A store that tells no versions and reads no ranges may be a Map: there a value that was replaced is another array.
    if (bytes !== undefined && store.getRange === undefined && this.#version.version === undefined) {
      this.agree({ version: identityOf(bytes) });
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
    const { version } = this.#version;
    return typeof version === "string" ? { key: this.place.key, version, extents } : undefined;
  }

  openNow(): OpenValue | undefined {
    const { store, signal } = this.#requests;
    const { writes } = stateOf(store);
    let state: ValueState = {};
    const onValue = (told: ValueState): void => {
      state = told;
    };
    const opened = store.openNow?.(this.#key, { signal, onValue });
    try {
      if (opened !== undefined)
        this.agree(state.version === undefined ? { ...state, stamp: writes.stamp(this.#key) } : state);
      return opened;
    } catch (error) {
      opened?.close();
      throw error;
    }
  }

  detached(signal: AbortSignal): ShardSource {
    return new StoreSource(this.#key, { ...this.#requests, signal });
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
    return Promise.all(
      ranges.map(async (range) => {
        const bytes = await this.#range(range);
        if (bytes !== undefined && store.fresh?.getRange === store.getRange) lease.take(bytes);
        return bytes;
      }),
    );
  }

  async #range(range: RangeQuery): Promise<Uint8Array | undefined> {
    const { store } = this.#requests;
    return checkBytes(
      await this.#request((options) => store.getRange?.(this.#key, range, options)),
      this.#key,
    );
  }

  async #request<T>(action: (options: StoreOptions) => Awaitable<T>): Promise<T> {
    const { store, limiter, signal } = this.#requests;
    return limiter.run(async () => {
      signal.throwIfAborted();
      const { writes } = stateOf(store);
      const before = writes.stamp(this.#key);
      let state: ValueState = {};
      const onValue = (told: ValueState): void => {
        state = told;
      };
      let answer: T;
      try {
        answer = await action({ signal, onValue });
      } catch (error) {
        throw storeFailure(error, this.#key, signal);
      }
      const stamp = writes.stamp(this.#key);
      if (state.version !== undefined) this.agree(state);
      else if (stamp === before) this.agree({ ...state, stamp });
      // Written in between: whether the answer is the old value or the new one nobody knows.
      else this.agree({ ...state, stamp: Number.NaN });
      return answer;
    });
  }
}

const EVERYTHING: RangeQuery = { suffixLength: Number.MAX_SAFE_INTEGER };

function same<T>(known: T | undefined, told: T | undefined): T | undefined {
  if (known !== undefined && told !== undefined && known !== told) throw new ShardChanged();
  return known ?? told;
}
