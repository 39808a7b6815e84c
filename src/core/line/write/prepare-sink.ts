/** The sink of one write: its encoders, its memory, and how much is under way at once. */

import type { BasicSelection } from "../../../grid/selection.js";
import { wayOf } from "../../stores/faster-ways.js";
import type { WritableStore } from "../../stores/store.js";
import type { ChunkSink } from "../ports.js";
import type { PreparedArray } from "../prepared.js";
import { BAND_BYTES, type BandPlan } from "../shared/bands.js";
import { type BufferPool, bufferPool, Lease } from "../shared/buffers.js";
import type { RemoteWriter } from "../shared/chunk-workers.js";
import { createLimiter } from "../shared/concurrency.js";
import { HELD_FOR_SHARDS_WRITTEN, HELD_FOR_WRITE, requestsAtOnce } from "../shared/held-bytes.js";
import type { WriteOptions } from "../shared/options.js";
import { stackEncoders, type WriteSource } from "./encoders.js";
import { StoredSink } from "./sink.js";
import { ShardValues, ValueWriter } from "./stored-values.js";
import type { WriteProgress } from "./write-progress.js";

/** One write of an array with a regular grid. */
export interface Write {
  readonly array: PreparedArray;
  readonly store: WritableStore;
  readonly selection: BasicSelection;
  readonly source: WriteSource;
  readonly options: WriteOptions;
  readonly progress: WriteProgress | undefined;
}

/**
 * Several shards up to this length fit into the memory that a thread keeps. A longer one would need fresh
 * memory, with page faults, each time.
 */
const SMALL_SHARD = 8 << 20;

/** @param remote workers that encode */
export function sinkOf(write: Write, remote: RemoteWriter | undefined): ChunkSink {
  const { array, store, source, options, progress } = write;
  const { kernels, fillPattern, metadata } = array;
  const { concurrency, signal, writeEmptyChunks, overwriting } = options;
  const pipeline = remote?.pipeline ?? array.pipeline;
  const isSharded = pipeline.sharding !== undefined;
  const buffers = buffersFor(write);
  const lend = () => new Lease(buffers);
  const selection = write.selection.dimensions;
  const { itemSize } = metadata.dataType;
  const encoder = stackEncoders(pipeline, {
    kernels,
    fillPattern,
    source,
    progress,
    concurrency,
    remote,
    elements: { selection, writeEmptyChunks },
    shards: { kernels, itemSize, selection, strides: source.strides, buffers },
    shardsAtOnce: isSharded ? shardsAtOnce(write, remote) : 1,
  });
  const values = new ValueWriter(store, signal);
  return new StoredSink({
    store,
    encoder,
    overwriting,
    signal,
    values: isSharded ? new ShardValues(values, store) : values,
    locate: (chunk) => array.locate(chunk),
    maximumBytes: pipeline.maximumEncodedByteLength,
    limiter: options.limiter ?? createLimiter(isSharded ? shardsHeld(write) : concurrency),
    reading: isSharded ? lend : () => new Lease(),
    storing: wayOf(store, "copiesValues") === true ? lend : undefined,
  });
}

/** Memory of its own for chunks that a store copies, and for large shards; the thread's for small ones. */
function buffersFor({ array: { pipeline } }: Write): BufferPool | undefined {
  const isSmallShard = pipeline.sharding !== undefined && pipeline.byteLength <= SMALL_SHARD;
  return isSmallShard ? undefined : bufferPool(Number.POSITIVE_INFINITY);
}

/**
 * How many bands are under way: enough to keep the limiter busy, and one more for the gap between two bands.
 * Of shards, one is encoded while others are stored.
 */
export function bandsAtOnce(write: Write, { chunkCount, chunksPerBand }: BandPlan): number {
  const { array, store, options } = write;
  const { concurrency, isDefault } = options;
  const { pipeline } = array;
  if (chunkCount <= 1) return chunkCount;
  if (pipeline.sharding !== undefined) return Math.min(concurrency, chunkCount, shardsHeld(write) + 1);
  const wanted = Math.ceil(Math.min(concurrency, chunkCount) / chunksPerBand) + 1;
  if (isDefault !== true || wayOf(store, "copiesValues") !== true) return wanted;
  const held = Math.ceil(HELD_FOR_WRITE / (chunksPerBand * Math.max(1, pipeline.byteLength)));
  return Math.min(wanted, held + 1);
}

function shardsHeld({ array, options }: Write): number {
  return requestsAtOnce(options, array.pipeline.byteLength, HELD_FOR_SHARDS_WRITTEN, 1);
}

/** How many shards are encoded at once: as many as keep the workers busy, and else one. */
function shardsAtOnce(write: Write, remote: RemoteWriter | undefined): number {
  const bands = remote?.batches.atOnce ?? 0;
  const shards = Math.ceil((bands * BAND_BYTES) / Math.max(1, write.array.pipeline.byteLength));
  return Math.max(1, Math.min(shardsHeld(write), shards));
}
