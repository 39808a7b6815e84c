/** Where the bytes of a shard are: a value of a store, a window in a larger shard, or memory. */
import type { AbsolutePath, Awaitable, RangeQuery, Store } from "../../stores/store.js";
import type { Limiter } from "../limiter.js";
import { storeFailure } from "../prepared.js";
import { type CoalesceOptions, type Extent, mergeExtents } from "./coalesce.js";

export interface ShardSource {
  readonly key: string;
  /** Distinguishes shards inside one value: the byte offset of a nested shard. */
  readonly offset: number;
  /** Bytes of the shard, where that is known. */
  readonly size: number | undefined;
  /** All of it; undefined when there is no such value. */
  whole(): Promise<Uint8Array | undefined>;
  /** The first or the last bytes. */
  edge(location: "start" | "end", length: number): Promise<Uint8Array | undefined>;
  /** Parts of it, in the order asked for. */
  parts(extents: readonly Extent[]): Promise<readonly Uint8Array[] | undefined>;
}

export function memorySource(bytes: Uint8Array, key: string, offset: number): ShardSource {
  return {
    key,
    offset,
    size: bytes.length,
    whole: async () => bytes,
    edge: async (location, length) =>
      location === "start" ? bytes.subarray(0, length) : bytes.subarray(Math.max(0, bytes.length - length)),
    parts: async (extents) => extents.map(({ offset, length }) => bytes.subarray(offset, offset + length)),
  };
}

/** A value of a store. Requests count against `limiter` and are merged as `options` say. */
export function storeSource(
  store: Store,
  key: AbsolutePath,
  limiter: Limiter,
  signal: AbortSignal,
  options: CoalesceOptions,
): ShardSource {
  const request = <T>(action: (options: { signal: AbortSignal }) => Awaitable<T>): Promise<T> =>
    limiter.run(async () => {
      signal.throwIfAborted();
      try {
        return await action({ signal });
      } catch (error) {
        throw storeFailure(error, key, signal);
      }
    });

  async function range(query: RangeQuery): Promise<Uint8Array | undefined> {
    if (store.getRange !== undefined) return request((options) => store.getRange?.(key, query, options));
    const value = await request((options) => store.get(key, options));
    if (value === undefined) return undefined;
    if ("offset" in query) return value.subarray(query.offset, query.offset + query.length);
    return value.subarray(Math.max(0, value.length - query.suffixLength));
  }

  return {
    key,
    offset: 0,
    size: undefined,
    whole: () => request((options) => store.get(key, options)),
    edge: (location, length) =>
      range(location === "start" ? { offset: 0, length } : { suffixLength: length }),
    async parts(extents) {
      const { merged, place } = mergeExtents(extents, options);
      const requests =
        store.getRanges === undefined
          ? await Promise.all(merged.map(range))
          : await request((options) => store.getRanges?.(key, merged, options));
      const values: Uint8Array[] = [];
      for (const value of requests ?? []) {
        if (value === undefined) return undefined;
        values.push(value);
      }
      if (values.length < merged.length) return undefined;
      return extents.map(({ length }, i) => {
        const { request, start } = place[i] ?? { request: 0, start: 0 };
        return (values[request] ?? new Uint8Array(0)).subarray(start, start + length);
      });
    },
  };
}

/** A shard that is an inner chunk of another. */
export function windowSource(outer: ShardSource, { offset, length }: Extent): ShardSource {
  const shifted = (extent: Extent): Extent => ({ offset: offset + extent.offset, length: extent.length });
  const one = async (extent: Extent): Promise<Uint8Array | undefined> =>
    (await outer.parts([shifted(extent)]))?.[0];
  return {
    key: outer.key,
    offset: outer.offset + offset,
    size: length,
    whole: () => one({ offset: 0, length }),
    edge: (location, wanted) => {
      const taken = Math.min(wanted, length);
      return one({ offset: location === "start" ? 0 : length - taken, length: taken });
    },
    parts: (extents) => outer.parts(extents.map(shifted)),
  };
}
