/** What the engine hands to workers: bands of chunks to read, chunks to encode. */

import { outlast } from "../abort.js";
import type { ChunkLocation, Pipeline } from "../codecs/pipeline.js";
import { offsetOf, type ResultWindow } from "../engine/assembler.js";
import type { Band, ChunkProjection } from "../engine/bands.js";
import { BufferPool } from "../engine/buffers.js";
import type { PreparedArray, RemoteBatch, RemoteBatches, RemoteReader } from "../engine/prepared.js";
import { copyRows, movePlans } from "../engine/rows.js";
import { CodecError } from "../errors.js";
import type { DimensionSelection } from "../grid/selection.js";
import { cOrderStrides, product } from "../shape.js";
import type { ValueFiles } from "../stores/store.js";
import {
  type Answer,
  type BandMessage,
  type ChunksMessage,
  type KnownArray,
  toError,
  UNREAD,
} from "./messages.js";
import { type Task, TransferableMemory, transferable, type WorkerQueue } from "./queue.js";

/** Bytes of a band. Smaller bands are decoded in this thread: a message and its answer cost 30 to 60 us, and the work should take ten times that. */
const SMALLEST_TASK = 64 << 10;

/**
 * Buffers in which workers assemble bands: shared if possible. A transferred buffer counts as new memory for the receiver's garbage
 * collector, which then runs several times during a read of 64 MiB and takes cores from the workers.
 */
const boxes =
  typeof SharedArrayBuffer === "function"
    ? new BufferPool(32 << 20, (byteLength) => new SharedArrayBuffer(byteLength))
    : undefined;

type Locate = (chunk: ChunkProjection) => ChunkLocation;

interface PlacedBand {
  readonly level: number;
  readonly band: Band;
  readonly byteLength: number;
  readonly memory: TransferableMemory;
}

export function remoteReader(
  queue: WorkerQueue,
  known: KnownArray,
  { store, locate: locateIn, pipeline, fillPattern }: PreparedArray,
  signal: AbortSignal,
): RemoteReader {
  const levels = levelsOf(pipeline);
  const plans = movePlans(fillPattern.length);
  const running = new Set<Promise<unknown>>();
  const pathsOf = (from: ValueFiles, band: Band): string[] | undefined => {
    const paths: string[] = [];
    for (const { chunk } of band.chunks) {
      const path = from.pathOf(locateIn(chunk).key);
      if (path === undefined) return undefined;
      paths.push(path);
    }
    return paths;
  };
  let { files } = store;

  /** @param writesResult whether the worker writes into memory of the caller */
  async function run(task: Task, writesResult: boolean): Promise<Answer> {
    const promise = queue.run(task);
    running.add(promise);
    if (writesResult) outlast(signal, promise);
    try {
      return await promise;
    } finally {
      running.delete(promise);
    }
  }

  /**
   * Lets a worker assemble a band. @returns false when the worker could not read the files
   * @throws the error of a chunk; the signal's reason
   */
  async function send(
    { level, band, byteLength, memory }: PlacedBand,
    { values, file }: Pick<BandMessage, "values" | "file">,
    selection: readonly DimensionSelection[],
    window: ResultWindow,
    locate: Locate,
  ): Promise<boolean> {
    const isShared = !(window.bytes.buffer instanceof ArrayBuffer);
    const strides = isShared ? window.strides : cOrderStrides(band.shape, fillPattern.length);
    const boxLength = product(band.shape, fillPattern.length);
    /** The buffer in which the band is assembled unless the result is shared. */
    const own: { box?: ArrayBufferLike } = {};
    const task: Task = {
      byteLength,
      signal,
      message(id) {
        const sent = values.map((value) => (value instanceof Uint8Array ? memory.hold(value) : value));
        if (!isShared) own.box = (boxes ?? transferable).take(boxLength);
        const { box } = own;
        const message: BandMessage = {
          type: "band",
          id,
          array: known.number,
          level,
          start: band.start,
          shape: band.shape,
          steps: selection.map(({ step }) => step),
          projections: projectionsOf(band.chunks),
          values: sent,
          file,
          window:
            box === undefined
              ? pick(window)
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
    };
    const { returned, reads, failure } = await run(task, isShared);
    try {
      for (let i = 0; i + 1 < reads.length; i += 2) files?.measured(reads[i] ?? 0, reads[i + 1] ?? 0);
      if (failure?.tag === UNREAD) return false;
      if (failure !== undefined) {
        const chunk = band.chunks[failure.position];
        throw toError(failure, chunk && locate(chunk));
      }
      signal.throwIfAborted();
      // A transferred buffer comes back as another object, the last one in `returned`.
      const filled = own.box instanceof ArrayBuffer ? returned.at(-1) : own.box;
      if (filled === undefined) return true;
      const target = window.offset + offsetOf(band.start, window.strides);
      const plan = plans.plan(band.shape, window.strides, strides);
      copyRows(plan, window.bytes, target, new Uint8Array(filled, 0, boxLength), 0);
      return true;
    } finally {
      for (const buffer of returned) transferable.give(buffer);
      if (own.box !== undefined && !(own.box instanceof ArrayBuffer)) boxes?.give(own.box);
    }
  }

  return {
    get readsFiles() {
      return files !== undefined;
    },
    open(from, band) {
      const level = levels.get(from);
      const byteLength = from.byteLength * band.chunks.length;
      if (level === undefined || byteLength < SMALLEST_TASK) return undefined;
      const placed = { level, band, byteLength, memory: new TransferableMemory() };
      let isUntouched = true;
      /** @param from the files that workers read; undefined when they cannot read any */
      const read = async (
        from: Pick<BandMessage, "values" | "file"> | undefined,
        selection: readonly DimensionSelection[],
        window: ResultWindow,
        locate: Locate,
      ): Promise<boolean> => {
        if (from === undefined) return false;
        if (await send(placed, from, selection, window, locate)) return true;
        // From now on the store reads all chunks: it can read the file, or reports why it cannot.
        files = undefined;
        isUntouched = false;
        return false;
      };
      return {
        allocate: placed.memory.allocate,
        read(...into) {
          const values = files && pathsOf(files, band);
          return read(values && { values, file: undefined }, ...into);
        },
        readParts({ key, version, extents }, ...into) {
          const path = files?.pathOf(key);
          return read(path === undefined ? undefined : { values: extents, file: { path, version } }, ...into);
        },
        async assemble(values, selection, window, locate) {
          const fresh = window.fresh && isUntouched;
          await send(placed, { values, file: undefined }, selection, { ...window, fresh }, locate);
        },
      };
    },
    async settled() {
      await Promise.allSettled(running);
    },
  };
}

/** The members of a window that can be posted: functions cannot. */
function pick({ bytes, offset, strides, fresh }: ResultWindow): BandMessage["window"] {
  return { bytes, offset, strides, fresh };
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

// Writes: workers encode chunks one at a time, and inner chunks of shards a band at a time

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
  /** Lets a worker decode or encode chunks. @param take called when a worker is ready: returns chunks whose memory is sent to it */
  const send = (
    type: ChunksMessage["type"],
    pipeline: Pipeline,
    level: number,
    count: number,
    take: () => readonly Uint8Array[],
    inPlace: boolean,
  ): Promise<Answer> =>
    queue.run({
      byteLength: pipeline.byteLength * count,
      signal,
      message(id) {
        const chunks = take();
        const buffers = new Set(chunks.map(({ buffer }) => buffer));
        return {
          message: { type, id, array: known.number, level, chunks, inPlace },
          transfer: [...buffers].filter((buffer) => buffer instanceof ArrayBuffer),
        };
      },
    });

  const run = async (
    type: ChunksMessage["type"],
    level: number,
    pipeline: Pipeline,
    bytes: Uint8Array,
    at: ChunkLocation,
  ): Promise<Uint8Array> => {
    const take = () => [kept.has(bytes.buffer) ? bytes : keep(bytes)];
    const { failure, returned, chunks } = await send(type, pipeline, level, 1, take, inPlace);
    const [result] = chunks;
    for (const buffer of returned) if (buffer !== result?.buffer) transferable.give(buffer);
    if (failure !== undefined) throw toError(failure, at);
    if (result === undefined) throw new CodecError("a worker gave no bytes", at);
    return result;
  };

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
        const level = levels.get(pipeline) ?? 0;
        const present = () => chunks.filter((bytes) => bytes !== undefined);
        const answer = await send("encode", pipeline, level, positions.length, present, true);
        const { failure, returned } = answer;
        try {
          if (failure !== undefined) throw toError(failure, locations[positions[failure.position] ?? 0]);
          const taken = new Array<Uint8Array | undefined>(chunks.length);
          for (const [i, bytes] of answer.chunks.entries()) taken[positions[i] ?? 0] = take(bytes);
          return taken;
        } finally {
          for (const buffer of returned) transferable.give(buffer);
        }
      },
    };
  }

  const remotePipeline = (pipeline: Pipeline, level: number): Pipeline => {
    const { sharding } = pipeline;
    // This thread runs the codecs around shards.
    if (sharding) {
      return { ...pipeline, sharding: { ...sharding, inner: remotePipeline(sharding.inner, level + 1) } };
    }
    return {
      ...pipeline,
      // Encoded bytes are for workers: this thread must not run the outermost codec, or decode a part, by itself.
      outermost: undefined,
      decodeRange: undefined,
      scratch: (elements = pipeline.byteLength) => 3 * elements,
      ahead: {
        decode: (bytes, _, at) => run("decode", level, pipeline, bytes, at),
        encode: (bytes, _, at) => run("encode", level, pipeline, bytes, at),
      },
      decode: (bytes) => bytes,
      encode: (elements) => elements,
    };
  };
  const pipeline = remotePipeline(array.pipeline, 0);
  const levels = levelsOf(pipeline);
  // One batch more than workers, so that no worker waits while this thread prepares the next batch.
  const batches: RemoteBatches = { atOnce: queue.size + 1, open: batch };
  return { ...array, keep, release, batches, pipeline };
}
