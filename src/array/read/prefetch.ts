/** Reads chunks into a cache before they are needed. */

import { untilAborted } from "../../base/abort.js";
import { at } from "../../base/at.js";
import { invalid } from "../../base/errors.js";
import { checkNames, type NamesOf } from "../../base/option-names.js";
import { nextTurn } from "../../base/turns.js";
import { forEach } from "../../core/line/shared/concurrency.js";
import { projectRuns } from "../../grid/run-projection.js";
import { normaliseSelection, type Selection } from "../../grid/selection.js";
import { crossings } from "../../grid/walk.js";
import { checkArray } from "../nodes/check-arguments.js";
import type { ZarrArray } from "../nodes/nodes.js";
import { ChunkCache } from "./chunk-cache.js";
import type { GetOptions } from "./get-options.js";
import { checkConcurrency } from "./read-options.js";
import { readRuns } from "./read-runs.js";

/** Options of `prefetch`. */
export interface PrefetchOptions
  extends Pick<GetOptions, "signal" | "priority" | "concurrency" | "coalesce" | "workers" | "invalidText"> {
  /** The cache that the chunks are read into. */
  readonly cache: ChunkCache;
}
const PREFETCH: NamesOf<PrefetchOptions> = {
  cache: true,
  signal: true,
  priority: true,
  concurrency: true,
  coalesce: true,
  workers: true,
  invalidText: true,
};

/** Below 0, the default priority of other reads. */
const BACKGROUND = -1;

/**
 * Browsers have at most 6 requests to one host under way over HTTP/1.1: 2 leave most of them to other reads.
 */
const PREFETCH_CONCURRENCY = 2;

/**
 * Reads the chunks of a selection into a cache, in C order, without a result. Unless `concurrency` is given
 * it reads two chunks at a time, and unless `priority` is given it reads in the background, after requests
 * with a priority of 0 or more. A read of a chunk whose request is under way waits for that request, which
 * takes on the priority of the read if that is higher.
 * @example
 * ```ts
 * const cache = new ChunkCache({ maxBytes: 256 << 20 });
 * await prefetch(array, [1, null, null], { cache }); // the next plane
 * ```
 * @throws as `get`; InvalidArgumentError without a cache
 */
export async function prefetch(
  array: ZarrArray<unknown>,
  selection: Selection,
  options: PrefetchOptions,
): Promise<void> {
  checkArray(array);
  checkNames(options, "prefetch", PREFETCH);
  const { cache, signal, priority = BACKGROUND, concurrency = PREFETCH_CONCURRENCY } = options;
  if (!(cache instanceof ChunkCache)) {
    throw invalid("cache", "a ChunkCache", cache);
  }
  checkConcurrency(concurrency);
  const { dimensions } = normaliseSelection(selection, array.metadata.shape);
  const runs = readRuns(array.metadata);
  const along = dimensions.map((dimension, d) =>
    Array.from(new Set(projectRuns(dimension, at(runs, d)).map(({ chunk }) => chunk))),
  );
  await untilAborted(signal, async () => {
    const { store, locate } = await cache.prepare(array, options);
    // Reads that began before, or begin now, must enter the queue first: the first request to come starts at
    // once. They need two turns at most.
    await nextTurn();
    await nextTurn();
    await forEach(crossings(along), concurrency, async (chunk) => {
      signal?.throwIfAborted();
      await store.get(locate(chunk).key, { signal, priority });
    });
  });
}
