/**
 * Reads the shards of a selection: of a store that answers at once several together, in bands that cross them
 * (open-shards.ts); of any other store one by one, by requests (requested-shards.ts).
 */
import type { ShardLayout } from "../../core/codecs/pipeline.js";
import { type CoalesceOptions, coalescing } from "../../core/stores/merged-requests.js";
import type { Priority } from "../../core/stores/request-queue.js";
import type { DimensionSelection } from "../../grid/selection.js";
import type { ResultWindow } from "../assembler.js";
import { type Band, type ChunkProjection, chunkBand, eachBand, eachChunk, planBands } from "../bands.js";
import { createLimiter, forEach, type Limiter } from "../concurrency.js";
import { moment } from "../exchange.js";
import type { PreparedArray } from "../prepared.js";
import { LARGEST_AT_ONCE } from "../whole-or-ranges.js";
import { readOpenShards } from "./open-shards.js";
import { RequestedShards } from "./requested-shards.js";
import { isSparse } from "./single-elements.js";

interface ShardReadOptions {
  readonly concurrency: number;
  readonly limiter?: Limiter | undefined;
  readonly signal: AbortSignal;
  readonly priority?: Priority | undefined;
  readonly coalesce?: Partial<CoalesceOptions> | undefined;
  /** Called for every shard that is done. */
  readonly done: (band: Pick<Band, "shape" | "chunks">) => void;
}

export async function readShards(
  array: PreparedArray,
  layout: ShardLayout,
  selection: readonly DimensionSelection[],
  window: ResultWindow,
  { concurrency, limiter = createLimiter(concurrency), signal, priority, coalesce, done }: ShardReadOptions,
): Promise<void> {
  const plan = (array.plan ?? planBands)(selection, layout.shape, array.metadata.dataType.itemSize);
  const requests = {
    values: array.values,
    limiter,
    signal,
    priority,
    coalesce: coalescing(coalesce),
    maximumBytes: array.pipeline.maximumEncodedByteLength,
  };
  const began = array.began ?? moment();
  const isDone = (shard: ChunkProjection): void => {
    const { picked } = shard;
    done(picked === undefined ? chunkBand(shard) : { shape: [picked.count], chunks: [shard] });
  };
  const later = (given: ResultWindow, shards: Iterable<ChunkProjection>): Promise<void> => {
    const requested = new RequestedShards(array, selection, given, requests, concurrency, began);
    return forEach(shards, Math.min(concurrency, plan.chunkCount), async (shard) => {
      await requested.shard(layout, shard);
      isDone(shard);
    });
  };
  if (!isReadNow(array, layout, selection, window)) return later(window, eachChunk(plan));
  let left: ChunkProjection[] = [];
  for (const group of eachBand(plan)) {
    signal.throwIfAborted();
    // A store that does not answer at once is asked for many shards, before it is tried again.
    const isNow =
      left.length === 0 && (await readOpenShards(array, layout, group, selection, window, requests, began));
    if (isNow) group.chunks.forEach(isDone);
    else left.push(...group.chunks);
    if (left.length < concurrency) continue;
    await later({ ...window, fresh: false }, left);
    left = [];
  }
  await later({ ...window, fresh: false }, left);
}

/** Whether shards are read together if the store answers at once. */
function isReadNow(
  array: PreparedArray,
  layout: ShardLayout,
  selection: readonly DimensionSelection[],
  window: ResultWindow,
): boolean {
  const { inner, innerShape } = layout;
  const { values, remote, metadata, pipeline } = array;
  if (values.kind === "network" || remote !== undefined || pipeline.wrapped) return false;
  if (inner.sharding !== undefined || inner.asynchronous !== undefined || inner.byteLength > LARGEST_AT_ONCE)
    return false;
  if (window.sparse === undefined) return true;
  const plan = (array.plan ?? planBands)(selection, innerShape, metadata.dataType.itemSize);
  return !isSparse(layout, selection, plan.chunkCount, window);
}
