/** Reading with workers: bands of chunks are put together there. */
import { cOrderStrides } from "../codecs/array-stage.js";
import type { Pipeline } from "../codecs/codec.js";
import { offsetOf, type ResultWindow } from "../engine/assembler.js";
import type { Band, ChunkProjection } from "../engine/bands.js";
import type { PreparedArray } from "../engine/prepared.js";
import type { RemoteBand, RemoteReader } from "../engine/remote.js";
import { copyRows, movePlans } from "../engine/rows.js";
import { BufferPool } from "../engine/shards/buffers.js";
import { type KnownArray, toError } from "./known-array.js";
import type { Answer, BandMessage } from "./messages.js";
import type { Task, WorkerQueue } from "./queue.js";
import { TravellingMemory, travelling } from "./travelling.js";

/** Less than this is decoded sooner than sent: a message there and back costs 30 to 60 us and should bring ten times that in work. */
const SMALLEST_TASK = 64 << 10;

/**
 * Memory in which workers put bands together: shared where that can be. Memory that changes hands is new memory to the garbage collector
 * of whoever gets it, which then runs several times during a read of 64 MiB, on the cores that workers are to have.
 */
const boxes =
  typeof SharedArrayBuffer === "function"
    ? new BufferPool(32 << 20, (byteLength) => new SharedArrayBuffer(byteLength))
    : undefined;

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
