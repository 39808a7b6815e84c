/** One array as the workers know it: bands of its chunks are put together there, and chunks encoded. */
import { cOrderStrides } from "../codecs/array-stage.js";
import type { ChunkLocation, Pipeline, ShardLayout } from "../codecs/codec.js";
import { offsetOf, type ResultWindow } from "../engine/assembler.js";
import type { Band, ChunkProjection } from "../engine/bands.js";
import type { PreparedArray } from "../engine/prepared.js";
import type { RemoteBand, RemoteReader } from "../engine/remote.js";
import { copyRows, movePlans } from "../engine/rows.js";
import { BufferPool, bufferPool } from "../engine/shards/buffers.js";
import { CodecError, UnsupportedError } from "../errors.js";
import type { Answer, BandMessage, ChunkMessage } from "./messages.js";
import type { Task, WorkerQueue } from "./queue.js";

/** Less than this is decoded sooner than sent: a message there and back costs 30 to 60 us and should bring ten times that in work. */
const SMALLEST_TASK = 64 << 10;
/** Less than this is mostly the overhead of a chunk, which the calling thread has as well. */
const SMALLEST_CHUNK = 8 << 10;

/** Encoded bytes of several chunks share memory of this size. */
const BLOCK = 1 << 20;

/** Memory on its way to and from workers, used again and again: fresh memory costs more than what is done in it. */
const travelling = bufferPool(32 << 20);

/**
 * Memory in which workers put bands together: shared where that can be. Memory that changes hands is new memory to the garbage collector
 * of whoever gets it, which then runs several times during a read of 64 MiB, on the cores that workers are to have.
 */
const boxes =
  typeof SharedArrayBuffer === "function"
    ? new BufferPool(32 << 20, (byteLength) => new SharedArrayBuffer(byteLength))
    : undefined;

/** An array that every worker has been told of. */
export interface KnownArray {
  readonly number: number;
}

/** Whether decoding is real work: some codec beyond the bytes themselves. */
export function paysOff({ byteLength, wrapped, sharding }: Pipeline): boolean {
  return sharding === undefined ? wrapped && byteLength >= SMALLEST_CHUNK : paysOff(sharding.inner);
}

export function remoteReader(
  queue: WorkerQueue,
  known: KnownArray,
  { pipeline, fillPattern }: PreparedArray,
  signal: AbortSignal,
): RemoteReader {
  const levels = levelsOf(pipeline);
  const plans = movePlans(fillPattern.length);
  const running = new Set<Promise<unknown>>();

  async function run(task: Task): Promise<Answer> {
    const promise = queue.run(task);
    running.add(promise);
    try {
      return await promise;
    } finally {
      running.delete(promise);
    }
  }

  function openBand(level: number, band: Band, byteLength: number): RemoteBand {
    const memory = new TravellingMemory();
    return {
      allocate: memory.allocate,
      async assemble(values, steps, window, locate) {
        const isShared = !(window.bytes.buffer instanceof ArrayBuffer);
        const strides = isShared ? window.strides : cOrderStrides(band.shape, fillPattern.length);
        const boxLength = band.shape.reduce((product, length) => product * length, fillPattern.length);
        /** Where the band is put together unless the result is shared. */
        const own: { box?: ArrayBufferLike } = {};
        const { returned, failure } = await run({
          byteLength,
          signal,
          message(id) {
            const sent = values.map((value) => value && memory.hold(value));
            if (!isShared) own.box = (boxes ?? travelling).take(boxLength);
            const { box } = own;
            const message: BandMessage = {
              type: "band",
              id,
              array: known.number,
              level,
              start: band.start,
              shape: band.shape,
              steps,
              projections: projectionsOf(band.chunks),
              values: sent,
              window:
                box === undefined
                  ? { ...pick(window), fresh: window.fresh }
                  : {
                      bytes: new Uint8Array(box, 0, boxLength),
                      offset: -offsetOf(band.start, strides),
                      strides,
                      fresh: false,
                    },
            };
            const transfer = box instanceof ArrayBuffer ? [...memory.buffers, box] : memory.buffers;
            return { message, transfer };
          },
        });
        try {
          if (failure !== undefined) {
            const chunk = band.chunks[failure.position];
            throw toError(failure, chunk && locate(chunk));
          }
          signal.throwIfAborted();
          // What has changed hands is another object when it comes back.
          const filled = own.box instanceof ArrayBuffer ? returned.at(-1) : own.box;
          if (filled === undefined) return;
          const target = window.offset + offsetOf(band.start, window.strides);
          const plan = plans.plan(band.shape, window.strides, strides);
          copyRows(plan, window.bytes, target, new Uint8Array(filled, 0, boxLength), 0);
        } finally {
          for (const buffer of returned) travelling.give(buffer);
          if (own.box !== undefined && !(own.box instanceof ArrayBuffer)) boxes?.give(own.box);
        }
      },
    };
  }

  return {
    open(from, band) {
      const level = levels.get(from);
      const byteLength = from.byteLength * band.chunks.length;
      if (level === undefined || byteLength < SMALLEST_TASK) return undefined;
      return openBand(level, band, byteLength);
    },
    async settled() {
      await Promise.allSettled(running);
    },
  };
}

/** The array with pipelines whose work is done by workers, a chunk at a time. */
export function remoteWriter(
  queue: WorkerQueue,
  known: KnownArray,
  array: PreparedArray,
  signal: AbortSignal | undefined,
): PreparedArray {
  /** Memory made by `keep`, which nobody else uses. */
  const kept = new WeakSet<ArrayBufferLike>();
  const keep = (bytes: Uint8Array): Uint8Array => {
    const buffer = travelling.take(bytes.length);
    kept.add(buffer);
    const copy = new Uint8Array(buffer, 0, bytes.length);
    copy.set(bytes);
    return copy;
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
        const message: ChunkMessage = { type, id, array: known.number, level, bytes: own };
        return { message, transfer: own.buffer instanceof ArrayBuffer ? [own.buffer] : [] };
      },
    });
    for (const buffer of answer.returned) travelling.give(buffer);
    if (answer.failure !== undefined) throw toError(answer.failure, at);
    if (answer.bytes === undefined) throw new CodecError("a worker gave no bytes", at);
    return answer.bytes;
  };

  function remotePipeline(pipeline: Pipeline, level: number): Pipeline {
    const { sharding } = pipeline;
    const inner: ShardLayout | undefined = sharding && {
      ...sharding,
      inner: remotePipeline(sharding.inner, level + 1),
    };
    return {
      shape: pipeline.shape,
      byteLength: pipeline.byteLength,
      encodedByteLength: pipeline.encodedByteLength,
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
  }
  return { ...array, keep, pipeline: remotePipeline(array.pipeline, 0) };
}

/** Memory for the encoded bytes of one band. */
class TravellingMemory {
  readonly buffers: ArrayBuffer[] = [];
  #block: ArrayBuffer | undefined;
  #used = 0;

  readonly allocate = (byteLength: number): Uint8Array => {
    if (this.#block === undefined || this.#used + byteLength > this.#block.byteLength) {
      this.#block = travelling.take(Math.max(byteLength, BLOCK));
      this.buffers.push(this.#block);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += byteLength;
    return new Uint8Array(this.#block, start, byteLength);
  };

  /** `bytes` in this memory. */
  hold(bytes: Uint8Array): Uint8Array {
    if (this.buffers.some((buffer) => buffer === bytes.buffer)) return bytes;
    const copy = this.allocate(bytes.length);
    copy.set(bytes);
    return copy;
  }
}

function pick({ bytes, offset, strides }: ResultWindow): Omit<BandMessage["window"], "fresh"> {
  return { bytes, offset, strides };
}

function projectionsOf(chunks: readonly ChunkProjection[]): Float64Array {
  return Float64Array.from(
    chunks.flatMap(({ parts }) =>
      parts.flatMap(({ chunk, source, count, target }) => [chunk, source, count, target]),
    ),
  );
}

function levelsOf(pipeline: Pipeline): Map<Pipeline, number> {
  const levels = new Map<Pipeline, number>();
  for (let next: Pipeline | undefined = pipeline; next !== undefined; next = next.sharding?.inner) {
    levels.set(next, levels.size);
  }
  return levels;
}

function toError(
  { tag, reason, codec, offset }: NonNullable<Answer["failure"]>,
  at: ChunkLocation | undefined,
): Error {
  if (tag === "CodecError") return new CodecError(reason, { codec, offset, ...at });
  const said = tag === "UnsupportedError" ? reason : `in a worker: ${reason}`;
  return new UnsupportedError(said, { codec, offset, ...at });
}
