/** Where the bytes of a shard are: a value of a store, a window in a larger shard, or memory. */

import type { RangeSource } from "../../codecs/codec.js";
import { checkBytes } from "../../stores/check-store.js";
import { type CoalesceOptions, type Extent, mergeExtents } from "../../stores/coalesce.js";
import { sliceRange } from "../../stores/ranges.js";
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
import { Lease } from "./buffers.js";
import { stateOf } from "./store-state.js";

/** What is known of the version of a value. Two that differ in a member that both have are of different values. */
export interface ShardVersion extends ValueState {
  /** The last write of this process. */
  readonly stamp?: number | undefined;
}

/** Parts that were read are of different values: somebody replaced the shard in between. */
export class ShardChanged extends Error {}

export interface ShardPlace {
  readonly key: AbsolutePath;
  /** Of a nested shard: its byte range in each shard around it, from outside in; empty for the value itself. */
  readonly nesting: string;
}

export interface ShardSource {
  /** Where in the store the shard is; undefined where that cannot be said, because it was decoded. */
  readonly place: ShardPlace | undefined;
  /** Whether all of it is in memory, so that reading costs nothing. */
  readonly inMemory: boolean;
  /** Bytes of the shard, where that is known by now. */
  readonly size: number | undefined;
  /** The version that all bytes read so far are of. */
  readonly version: ShardVersion;
  /** Takes note that an index is of this version. @throws ShardChanged when other parts are of another */
  agree(version: ShardVersion): void;
  /** All of it, in memory that may be `lease`'s; undefined when there is no such value. */
  whole(lease: Lease): Promise<Uint8Array | undefined>;
  /** The first or the last bytes. */
  edge(location: "start" | "end", length: number): Promise<Uint8Array | undefined>;
  /** Parts of it, in the order asked for. @throws ShardChanged when the value has vanished */
  parts(extents: readonly Extent[], lease: Lease): Promise<readonly Uint8Array[]>;
  /** Where parts of it stand in a value of the store, for somebody else to read; undefined where that cannot be said. */
  stored(extents: readonly (Extent | undefined)[]): StoredParts | undefined;
  /** Opens it for reading parts at once, where its store can. @throws ShardChanged when other parts are of another version */
  openNow?(): OpenValue | undefined;
  /** The same place, for a fetch that outlives this read. */
  detached(signal: AbortSignal): ShardSource;
}

/** Where requests go, and how. */
export interface Requests {
  readonly store: Store;
  readonly limiter: Limiter;
  readonly signal: AbortSignal;
  readonly coalesce: CoalesceOptions;
}

/** All bytes of a shard. @param from where they were read from; undefined when they were decoded since then */
export function memorySource(
  bytes: Uint8Array,
  from?: { readonly place: ShardPlace | undefined; readonly version: ShardVersion },
): ShardSource {
  const source: ShardSource = {
    place: from?.place,
    inMemory: true,
    size: bytes.length,
    version: from?.version ?? {},
    agree() {},
    whole: async () => bytes,
    edge: async (location, length) =>
      sliceRange(bytes, location === "start" ? { offset: 0, length } : { suffixLength: length }),
    parts: async (extents) => extents.map((extent) => sliceRange(bytes, extent)),
    stored: () => undefined,
    detached: () => source,
  };
  return source;
}

/** The ranges of a source, in memory of a lease's. */
export function leased(source: ShardSource, lease: Lease): RangeSource {
  return {
    edge: (location, length) => source.edge(location, length),
    parts: (extents) => source.parts(extents, lease),
  };
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

/** A shard that is an inner chunk of another. */
export function windowSource(outer: ShardSource, { offset, length }: Extent): ShardSource {
  const { place } = outer;
  const shifted = (extent: Extent): Extent => ({ offset: offset + extent.offset, length: extent.length });
  const one = async (extent: Extent, lease: Lease): Promise<Uint8Array | undefined> =>
    (await outer.parts([shifted(extent)], lease))[0];
  const source: ShardSource = {
    place: place && { key: place.key, nesting: `${place.nesting}/${offset}+${length}` },
    inMemory: outer.inMemory,
    size: length,
    get version() {
      return outer.version;
    },
    agree: (version) => outer.agree(version),
    whole: (lease) => one({ offset: 0, length }, lease),
    edge(location, wanted) {
      const taken = Math.min(wanted, length);
      return one({ offset: location === "start" ? 0 : length - taken, length: taken }, new Lease());
    },
    parts: (extents, lease) => outer.parts(extents.map(shifted), lease),
    stored: (extents) => outer.stored(extents.map((extent) => extent && shifted(extent))),
    detached: (signal) => windowSource(outer.detached(signal), { offset, length }),
  };
  return source;
}
