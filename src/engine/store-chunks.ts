/** Chunks that are values of a store, each in a request of its own. */
import { checkBytes, checkLength, isBytes, storeFailure } from "../stores/check-store.js";
import type { Allocate, Awaitable } from "../stores/store.js";
import type { ChunkValue, ResultWindow } from "./assembler.js";
import type { ChunkProjection } from "./bands.js";
import type { Limiter } from "./concurrency.js";
import type { PreparedArray, ValueLocation } from "./prepared.js";
import type { ChunkParts } from "./ranges.js";
import type { ChunkSource } from "./run.js";
import { type RequestStop, StoreRead } from "./store-read.js";

/** @param parts reads parts of chunks; undefined to read whole chunks */
export function storeChunks(
  array: PreparedArray,
  window: ResultWindow,
  parts: ChunkParts | undefined,
  limiter: Limiter,
  stop: RequestStop,
): ChunkSource<ValueLocation> {
  const { store, sharedGet, pipeline, kernels, remote } = array;
  // A Map does not look at any options.
  const isMap = store.get === Map.prototype.get;

  /** Asks the store for a chunk. It may answer at once into memory from `allocate`, or later into memory from `held`. */
  function ask(
    chunk: ChunkProjection,
    at: ValueLocation,
    held: Allocate | undefined,
    allocate = held,
    byteLength?: number,
  ): Awaitable<ChunkValue> {
    const { key } = at;
    const { maximumEncodedByteLength: maximumBytes } = at.pipeline ?? pipeline;
    try {
      if (parts) return parts.get(chunk, at, allocate, stop, held);
      if (sharedGet) return sharedGet(key, stop, maximumBytes);
      if (store.getInto && allocate) {
        return store.getInto(key, allocate, new StoreRead(stop, held, byteLength, maximumBytes));
      }
      const { priority } = stop;
      return store.get(
        key,
        isMap ? undefined : { signal: stop.signal(), priority, byteLength, maximumBytes },
      );
    } catch (error) {
      throw storeFailure(error, key, stop.signal());
    }
  }

  /** Waits for the answer to a request, and runs the asynchronous decoders unless a worker does. */
  async function receive(
    answer: () => Awaitable<ChunkValue>,
    at: ValueLocation,
    isDecodedByWorker: boolean,
  ): Promise<ChunkValue> {
    let value: ChunkValue;
    try {
      value = await answer();
      checkBytes(value, at.key);
      checkLength(value, (at.pipeline ?? pipeline).maximumEncodedByteLength, at.key);
    } catch (error) {
      throw storeFailure(error, at.key, stop.signal());
    }
    if (!value || !pipeline.ahead || isDecodedByWorker) return value;
    return pipeline.ahead.decode(value, kernels, at);
  }

  const locate = ({ chunk }: ChunkProjection): ValueLocation => array.locate(chunk);

  return {
    locate,
    batchBytes: -1,
    byteLengthOf: () => 0,
    // Elements of variable length keep the store's answer, so it must not be in lent memory.
    isLending: store.getInto !== undefined && window.assembler === undefined,

    openNow() {
      if (pipeline.ahead || remote || !limiter.tryEnter()) return undefined;
      /** Whether a pending request keeps the place in the limiter until it has settled. */
      let isWaiting = false;
      return {
        read(chunk, at, allocate, lease) {
          const { encodedByteLength, maximumEncodedByteLength } = at.pipeline ?? pipeline;
          const value = ask(chunk, at, lease?.allocate, allocate, encodedByteLength);
          if (value == null || isBytes(value)) {
            checkLength(value, maximumEncodedByteLength, at.key);
            return value;
          }
          // `request` refuses what is neither bytes nor a promise.
          isWaiting = true;
          return value;
        },
        close() {
          if (!isWaiting) limiter.leave();
        },
      };
    },

    request: (bands, { lease, workers, begun }) =>
      Promise.all(
        bands.map((band) => {
          const worker = workers.get(band);
          const into = worker?.allocate ?? lease?.allocate;
          return Promise.all(
            band.chunks.map((chunk, i) => {
              const at = locate(chunk);
              if (i === 0 && begun) {
                return receive(() => begun, at, worker !== undefined).finally(limiter.leave);
              }
              return limiter.run(async () => {
                stop.check();
                return receive(() => ask(chunk, at, into), at, worker !== undefined);
              });
            }),
          );
        }),
      ),

    readByWorker: (_band, worker, { selection, window: target }) => worker.read(selection, target, locate),
  };
}
