/** Merges range reads of one value that callers of a store send at the same time. */

import {
  type AbsolutePath,
  askParts,
  at,
  callListener,
  checkNames,
  checkRange,
  checkStore,
  type Extent,
  Gathering,
  mergeExtents,
  type NamesOf,
  type PartsOptions,
  putInFrontOfStore,
  type RangeQuery,
  type Readable,
  readRange,
  type Store,
  type StoreOptions,
  storageOf,
} from "../../core/for-stores.js";

/** How the ranges of one value were merged. */
export interface FlushReport {
  /** Key of the value. */
  readonly path: AbsolutePath;
  /** Number of merged requests to the store. */
  readonly groupCount: number;
  /** Number of ranges that callers asked for. */
  readonly requestCount: number;
  /** Total bytes of the merged requests. */
  readonly bytesFetched: number;
}

/** Options of `withRangeCoalescing`. */
export interface RangeCoalescingOptions {
  /** Ranges less than this many bytes apart are merged into one request. Default 32768. */
  readonly coalesceSize?: number | undefined;
  /** Called after each turn that merged ranges. Its errors are reported as in `withRequests`. */
  readonly onFlush?: ((report: FlushReport) => void) | undefined;
}

const COALESCING: NamesOf<RangeCoalescingOptions> = { coalesceSize: true, onFlush: "function" };

interface Waiting extends Extent, Pick<FlushReport, "path">, Pick<StoreOptions, "maximumBytes"> {
  readonly resolve: (value: Uint8Array | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Wraps `store` to merge all ranges of one value that are requested in the same microtask turn. For code that
 * calls `getRange` itself: `get` of sharded arrays merges its ranges anyway. Suffixes, and ranges with a
 * signal, a priority or `current`, are requests of their own. A merged request has the largest `maximumBytes`
 * of its ranges, or its own length if that is more; ranges with such a bound are not merged with ranges
 * without one.
 */
export function withRangeCoalescing<S extends Store>(
  store: S,
  options: RangeCoalescingOptions = {},
): S & Required<Pick<Readable, "getRange">> {
  checkStore(store);
  checkNames(options, "withRangeCoalescing", COALESCING);
  const merging = {
    maximumGap: (options.coalesceSize ?? 32 << 10) - 1,
    maximumSize: Number.POSITIVE_INFINITY,
  };
  const waiting = new Gathering<Waiting>((ranges) => {
    for (const path of new Set(ranges.map((range) => range.path)))
      flush(
        path,
        ranges.filter((range) => range.path === path),
      );
  });

  function flush(path: AbsolutePath, ranges: readonly Waiting[]): void {
    const bounded = ranges.filter(({ maximumBytes }) => maximumBytes !== undefined);
    const unbounded = ranges.filter(({ maximumBytes }) => maximumBytes === undefined);
    const merged = [...request(path, bounded), ...request(path, unbounded)];
    callListener(options?.onFlush, {
      path,
      groupCount: merged.length,
      requestCount: ranges.length,
      bytesFetched: merged.reduce((total, { length }) => total + length, 0),
    });
  }

  /** Requests ranges of one value, and returns the merged ones. */
  function request(path: AbsolutePath, ranges: readonly Waiting[]): readonly Extent[] {
    const { merged, place } = mergeExtents(ranges, merging);
    const callers = merged.map((): Waiting[] => []);
    for (const [i, range] of ranges.entries()) at(callers, at(place, i).request).push(range);
    const answers = merged.map(async (extent, i) =>
      readRange(store, path, extent, optionsOf(at(callers, i), extent)),
    );
    for (const [i, { length, resolve, reject }] of ranges.entries()) {
      const { request, start } = at(place, i);
      answers[request]?.then((bytes) => resolve(bytes?.subarray(start, start + length)), reject);
    }
    return merged;
  }

  return putInFrontOfStore(store, {
    place: storageOf(store),
    getRange(path: AbsolutePath, range: RangeQuery, options?: StoreOptions) {
      try {
        checkRange(range);
      } catch (error) {
        return Promise.reject(error);
      }
      const { signal, priority, maximumBytes, current } = options ?? {};
      if ("suffixLength" in range || signal !== undefined || priority !== undefined || current === true)
        return readRange(store, path, range, options);
      const { offset, length } = range;
      return new Promise<Uint8Array | undefined>((resolve, reject) => {
        // The bound of a merged request is at least its length, which would lift a bound that is shorter than
        // the range. A range whose end is not a safe integer is not merged either: the length of the merged
        // one would be none.
        const most = Math.min(maximumBytes ?? Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER - offset);
        if (length > most) {
          resolve(readRange(store, path, range, options));
          return;
        }
        waiting.add({ path, offset, length, maximumBytes, resolve, reject });
      });
    },
    getParts: (key: AbsolutePath, ranges: readonly RangeQuery[] | undefined, options?: PartsOptions) =>
      askParts(store, key, ranges, options),
  });
}

/** The options of a merged request. @param callers ranges that all have a bound, or all have none */
function optionsOf(callers: readonly Waiting[], { length }: Extent): StoreOptions {
  const isBounded = callers[0]?.maximumBytes !== undefined;
  return {
    maximumBytes: isBounded
      ? callers.reduce((most, { maximumBytes = 0 }) => Math.max(most, maximumBytes), length)
      : undefined,
  };
}
