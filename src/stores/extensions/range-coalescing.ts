/** Ranges of one value that are asked for at the same moment, in fewer requests. */

import { readRange } from "../capabilities.js";
import { checkStore } from "../check-store.js";
import { mergeExtents } from "../coalesce.js";
import { placeOf } from "../place.js";
import type { AbsolutePath, RangeQuery, Readable, Store, StoreOptions } from "../store.js";
import { putInFrontOfStore } from "./in-front.js";

/** What became of the ranges of one value. */
export interface FlushReport {
  readonly path: AbsolutePath;
  /** Requests made of the store. */
  readonly groupCount: number;
  /** Ranges that were asked for. */
  readonly requestCount: number;
  /** Bytes that were asked of the store. */
  readonly bytesFetched: number;
}

export interface RangeCoalescingOptions {
  /** Ranges less than this many bytes apart become one request: 32768 without it. */
  readonly coalesceSize?: number | undefined;
  readonly onFlush?: ((report: FlushReport) => void) | undefined;
}

interface Waiting {
  readonly offset: number;
  readonly length: number;
  readonly resolve: (value: Uint8Array | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A store that merges the ranges of one value asked for in one turn of the event loop. `get` of sharded arrays merges what it needs
 * itself; this is for code that calls `getRange`. A range that can be aborted, and a suffix, is a request of its own.
 */
export function withRangeCoalescing<S extends Store>(
  store: S,
  options?: RangeCoalescingOptions,
): S & Required<Pick<Readable, "getRange">> {
  checkStore(store);
  const merging = {
    maximumGap: (options?.coalesceSize ?? 32 << 10) - 1,
    maximumSize: Number.POSITIVE_INFINITY,
  };
  const waiting = new Map<AbsolutePath, Waiting[]>();

  function flush(path: AbsolutePath): void {
    const ranges = waiting.get(path) ?? [];
    waiting.delete(path);
    const { merged, place } = mergeExtents(ranges, merging);
    const answers = merged.map(async (extent) => readRange(store, path, extent));
    for (const [i, { length, resolve, reject }] of ranges.entries()) {
      const { request, start } = place[i] ?? { request: 0, start: 0 };
      answers[request]?.then((bytes) => resolve(bytes?.subarray(start, start + length)), reject);
    }
    report({
      path,
      groupCount: merged.length,
      requestCount: ranges.length,
      bytesFetched: merged.reduce((total, { length }) => total + length, 0),
    });
  }

  /** What it throws is no failure of a read, and nobody else's to catch. */
  function report(flushed: FlushReport): void {
    try {
      options?.onFlush?.(flushed);
    } catch (error) {
      console.warn("withRangeCoalescing: onFlush threw", error);
    }
  }

  return putInFrontOfStore(store, {
    place: placeOf(store),
    getRange(path: AbsolutePath, range: RangeQuery, options?: StoreOptions) {
      if ("suffixLength" in range || options?.signal !== undefined)
        return readRange(store, path, range, options);
      const { offset, length } = range;
      return new Promise<Uint8Array | undefined>((resolve, reject) => {
        const others = waiting.get(path);
        if (others === undefined) {
          waiting.set(path, [{ offset, length, resolve, reject }]);
          queueMicrotask(() => flush(path));
        } else {
          others.push({ offset, length, resolve, reject });
        }
      });
    },
  });
}
