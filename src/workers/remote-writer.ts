/** Writes with workers: they encode chunks one at a time, and inner chunks of shards a band at a time. */
import type { ChunkLocation, Pipeline, ShardLayout } from "../codecs/pipeline.js";
import type { PreparedArray, RemoteBatch, RemoteBatches } from "../engine/prepared.js";

import { CodecError } from "../errors.js";
import { type ChunkMessage, type KnownArray, toError } from "./messages.js";
import { TransferableMemory, transferable, type WorkerQueue } from "./queue.js";

/** Returns the array with pipelines that encode and decode in workers. */
export function remoteWriter(
  queue: WorkerQueue,
  known: KnownArray,
  array: PreparedArray,
  signal: AbortSignal | undefined,
): PreparedArray {
  /** Buffers made by `keep`. Nothing else uses them, so they can be transferred without a copy. */
  const kept = new WeakSet<ArrayBufferLike>();
  const keep = (bytes: Uint8Array): Uint8Array => {
    const buffer = transferable.take(bytes.length);
    kept.add(buffer);
    const copy = new Uint8Array(buffer, 0, bytes.length);
    copy.set(bytes);
    return copy;
  };
  /** If the store copies values, a chunk is encoded into its input buffer: a new buffer costs page faults and garbage collection. */
  const inPlace = array.store.copiesValues === true && array.pipeline.sharding === undefined;
  const release = (bytes: Uint8Array): void => {
    if (inPlace && bytes.buffer instanceof ArrayBuffer) transferable.give(bytes.buffer);
  };
  const run = async (
    type: "decode" | "encode",
    level: number,
    pipeline: Pipeline,
    bytes: Uint8Array,
    at: ChunkLocation,
  ): Promise<Uint8Array> => {
    const answer = await queue.run({
      byteLength: pipeline.byteLength,
      signal,
      message(id) {
        const own = kept.has(bytes.buffer) ? bytes : keep(bytes);
        const message: ChunkMessage = { type, id, array: known.number, level, bytes: own, inPlace };
        return { message, transfer: own.buffer instanceof ArrayBuffer ? [own.buffer] : [] };
      },
    });
    const [encoded] = answer.chunks;
    for (const buffer of answer.returned) if (buffer !== encoded?.buffer) transferable.give(buffer);
    if (answer.failure !== undefined) throw toError(answer.failure, at);
    if (encoded === undefined) throw new CodecError("a worker gave no bytes", at);
    return encoded;
  };

  const levels = new Map<Pipeline, number>();

  function batch(pipeline: Pipeline): RemoteBatch {
    const memory = new TransferableMemory();
    return {
      keep(bytes) {
        const { length } = bytes;
        const copy = memory.allocate(length + (length >> 6) + 256).subarray(0, length);
        copy.set(bytes);
        return copy;
      },
      async encode(chunks, locations, take) {
        const positions = [...chunks.keys()].filter((i) => chunks[i] !== undefined);
        if (positions.length === 0) return chunks;
        const {
          failure,
          returned,
          chunks: encoded,
        } = await queue.run({
          byteLength: pipeline.byteLength * positions.length,
          signal,
          message: (id) => ({
            message: {
              type: "batch",
              id,
              array: known.number,
              level: levels.get(pipeline) ?? 0,
              chunks: chunks.filter((bytes) => bytes !== undefined),
            },
            transfer: memory.buffers,
          }),
        });
        try {
          if (failure !== undefined) throw toError(failure, locations[positions[failure.position] ?? 0]);
          const taken = new Array<Uint8Array | undefined>(chunks.length);
          for (const [i, bytes] of encoded.entries()) taken[positions[i] ?? 0] = take(bytes);
          return taken;
        } finally {
          for (const buffer of returned) transferable.give(buffer);
        }
      },
    };
  }

  function remotePipeline(pipeline: Pipeline, level: number): Pipeline {
    const { sharding } = pipeline;
    const inner: ShardLayout | undefined = sharding && {
      ...sharding,
      inner: remotePipeline(sharding.inner, level + 1),
    };
    const remote: Pipeline = {
      shape: pipeline.shape,
      byteLength: pipeline.byteLength,
      encodedByteLength: pipeline.encodedByteLength,
      maximumEncodedByteLength: pipeline.maximumEncodedByteLength,
      strides: pipeline.strides,
      swapUnit: pipeline.swapUnit,
      swapRuns: pipeline.swapRuns,
      normalise: pipeline.normalise,
      wrapped: pipeline.wrapped,
      sharding: inner,
      asynchronous: true,
      scratchByteLength: 0,
      decodeAhead: (bytes, _, at) => run("decode", level, pipeline, bytes, at),
      decode: (bytes) => bytes,
      encode: (elements) => elements,
      encodeRest: (bytes, _, at) => run("encode", level, pipeline, bytes, at),
      unwrap: (bytes, kernels, at) => pipeline.unwrap(bytes, kernels, at),
      wrap: (bytes, kernels, at) => pipeline.wrap(bytes, kernels, at),
    };
    levels.set(remote, level);
    return remote;
  }
  // One batch more than workers, so that no worker waits while this thread prepares the next batch.
  const batches: RemoteBatches = { atOnce: queue.size + 1, open: batch };
  return { ...array, keep, release, batches, pipeline: remotePipeline(array.pipeline, 0) };
}
