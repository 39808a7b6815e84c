/** Writes with workers: they encode chunks one at a time, and inner chunks of shards a band at a time. */

import { at as itemAt } from "../base/at.js";
import { CodecError } from "../base/errors.js";
import type { ChunkLocation, Pipeline } from "../core/codecs/pipeline.js";
import type { ArrayForWorkers, RemoteBatch, RemoteWriter } from "../core/line/shared/chunk-workers.js";
import { wayOf } from "../core/stores/faster-ways.js";
import { levelsOf } from "./levels.js";
import { type Answer, type ChunksMessage, type KnownArray, toError } from "./messages.js";
import type { WorkerQueue } from "./queue.js";
import { TransferableMemory, transferable } from "./transferable.js";

/** Returns a pipeline that encodes and decodes in workers, and what goes with it. */
export function remoteWriter(
  queue: WorkerQueue,
  known: KnownArray,
  array: ArrayForWorkers,
  signal: AbortSignal | undefined,
): RemoteWriter {
  const writer = new Writer(queue, known, array, signal);
  const pipeline = remotePipeline(writer, array.pipeline, 0);
  const levels = levelsOf(pipeline);
  return {
    pipeline,
    keep: (bytes) => writer.keep(bytes),
    release: (bytes) => writer.release(bytes),
    batches: {
      // One batch more than workers, so that no worker waits while this thread prepares the next batch.
      atOnce: queue.size + 1,
      open: (inner) => new Batch(writer, inner, levels.get(inner) ?? 0),
    },
  };
}

/** Chunks for a worker, and where they are in the array's pipelines. */
interface Work {
  readonly type: ChunksMessage["type"];
  readonly pipeline: Pipeline;
  readonly level: number;
  readonly count: number;
  /** Whether a chunk may be encoded into the memory in which it is sent. */
  readonly inPlace: boolean;
}

class Writer {
  readonly #queue: WorkerQueue;
  readonly #known: KnownArray;
  readonly #signal: AbortSignal | undefined;
  /**
   * If the store copies values, a chunk is encoded into its input buffer: a new buffer costs page faults and
   * garbage collection.
   */
  readonly #inPlace: boolean;
  /** Buffers made by `keep`. Nothing else uses them, so they can be transferred without a copy. */
  readonly #buffers = new WeakSet<ArrayBufferLike>();

  constructor(
    queue: WorkerQueue,
    known: KnownArray,
    array: ArrayForWorkers,
    signal: AbortSignal | undefined,
  ) {
    this.#queue = queue;
    this.#known = known;
    this.#signal = signal;
    this.#inPlace = wayOf(array.store, "copiesValues") === true && array.pipeline.sharding === undefined;
  }

  keep(bytes: Uint8Array): Uint8Array {
    const buffer = transferable.take(bytes.length);
    this.#buffers.add(buffer);
    const copy = new Uint8Array(buffer, 0, bytes.length);
    copy.set(bytes);
    return copy;
  }

  release({ buffer }: Uint8Array): void {
    if (this.#inPlace && buffer instanceof ArrayBuffer) transferable.give(buffer);
  }

  /**
   * Lets a worker decode or encode chunks.
   * @param take called when a worker is ready: returns chunks whose memory is sent to it
   */
  send(work: Work, take: () => readonly Uint8Array[]): Promise<Answer> {
    const { type, pipeline, level, count, inPlace } = work;
    return this.#queue.run({
      byteLength: pipeline.byteLength * count,
      signal: this.#signal,
      message: (id) => {
        const chunks = take();
        const buffers = new Set(chunks.map(({ buffer }) => buffer));
        return {
          message: { type, id, array: this.#known.number, level, chunks, inPlace },
          transfer: [...buffers].filter((buffer) => buffer instanceof ArrayBuffer),
        };
      },
    });
  }

  /** Lets a worker decode or encode one chunk. */
  async run(
    work: Pick<Work, "type" | "pipeline" | "level">,
    bytes: Uint8Array,
    at: ChunkLocation,
  ): Promise<Uint8Array> {
    const take = () => [this.#buffers.has(bytes.buffer) ? bytes : this.keep(bytes)];
    const answer = await this.send({ ...work, count: 1, inPlace: this.#inPlace }, take);
    const { failure, returned, chunks } = answer;
    const [result] = chunks;
    for (const buffer of returned) if (buffer !== result?.buffer) transferable.give(buffer);
    if (failure !== undefined) throw toError(failure, at);
    if (result === undefined) throw new CodecError("internal error: no bytes of a worker", at);
    return result;
  }
}

/** A pipeline whose codecs run in workers. */
function remotePipeline(writer: Writer, pipeline: Pipeline, level: number): Pipeline {
  const { sharding } = pipeline;
  // This thread runs the codecs around shards.
  if (sharding)
    return {
      ...pipeline,
      sharding: { ...sharding, inner: remotePipeline(writer, sharding.inner, level + 1) },
    };
  const work = { pipeline, level };
  return {
    ...pipeline,
    // Encoded bytes are for workers: this thread must not run the outermost codec, or decode a part, by
    // itself.
    outermost: undefined,
    decodeRange: undefined,
    scratch: (elements = pipeline.byteLength) => 3 * elements,
    asynchronous: {
      decode: (bytes, _, at) => writer.run({ ...work, type: "decode" }, bytes, at),
      encode: (bytes, _, at) => writer.run({ ...work, type: "encode" }, bytes, at),
    },
    decode: (bytes) => bytes,
    encode: (elements) => elements,
  };
}

/** The inner chunks of one band of a shard. */
class Batch implements RemoteBatch {
  readonly #writer: Writer;
  readonly #pipeline: Pipeline;
  readonly #level: number;
  readonly #memory = new TransferableMemory();

  constructor(writer: Writer, pipeline: Pipeline, level: number) {
    this.#writer = writer;
    this.#pipeline = pipeline;
    this.#level = level;
  }

  readonly keep = (bytes: Uint8Array): Uint8Array => {
    const { length } = bytes;
    const copy = this.#memory.allocate(length + (length >> 6) + 256).subarray(0, length);
    copy.set(bytes);
    return copy;
  };

  async encode(
    chunks: readonly (Uint8Array | undefined)[],
    locations: readonly ChunkLocation[],
    take: (position: number, encoded: Uint8Array | undefined) => unknown,
  ): Promise<void> {
    const positions = [...chunks.keys()].filter((i) => chunks[i] !== undefined);
    for (const [i, chunk] of chunks.entries()) if (chunk === undefined) take(i, undefined);
    const count = positions.length;
    if (count === 0) return;
    const work: Work = {
      type: "encode",
      pipeline: this.#pipeline,
      level: this.#level,
      count,
      inPlace: true,
    };
    const answer = await this.#writer.send(work, () => chunks.filter((bytes) => bytes !== undefined));
    const { failure, returned } = answer;
    try {
      if (failure !== undefined) throw toError(failure, locations[itemAt(positions, failure.position)]);
      for (const [i, bytes] of answer.chunks.entries()) take(itemAt(positions, i), bytes);
    } finally {
      for (const buffer of returned) transferable.give(buffer);
    }
  }
}
