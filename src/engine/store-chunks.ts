/** Chunks that are values of a store, each in a request of its own. */
import type { Allocate } from "../core/stores/store.js";
import { wholeNow } from "../core/stores/values.js";
import type { ChunkValue, ResultWindow } from "./assembler.js";
import type { ChunkProjection } from "./bands.js";
import type { Limiter } from "./concurrency.js";
import { exchangesOf } from "./exchange.js";
import type { RequestStop } from "./options.js";
import type { PreparedArray, ValueLocation } from "./prepared.js";
import type { ChunkParts } from "./ranges.js";
import type { ChunkSource, LaterChunks } from "./run.js";

/** @param parts reads parts of chunks; undefined to read whole chunks */
export function storeChunks(
  array: PreparedArray,
  window: ResultWindow,
  parts: ChunkParts | undefined,
  limiter: Limiter,
  stop: RequestStop,
): ChunkSource<ValueLocation> {
  const { values, pipeline, kernels, remote } = array;
  const exchanges = exchangesOf(values.store);

  /** Requests a chunk, and runs the asynchronous decoders unless a worker does. */
  async function receive(
    at: ValueLocation,
    allocate: Allocate | undefined,
    isDecodedByWorker: boolean,
  ): Promise<ChunkValue> {
    const maximumBytes = (at.pipeline ?? pipeline).maximumEncodedByteLength;
    const options = { signal: stop.signal(), priority: stop.priority, maximumBytes, allocate };
    const value = await exchanges.value(at.key, options);
    if (!value || !pipeline.asynchronous || isDecodedByWorker) return value;
    return pipeline.asynchronous.decode(value, kernels, at);
  }

  const locate = ({ chunk }: ChunkProjection): ValueLocation => array.locate(chunk);

  const later: LaterChunks = {
    batchBytes: -1,
    byteLengthOf: () => 0,

    request: (bands, { lease, workers }) =>
      Promise.all(
        bands.map((band) => {
          const worker = workers.get(band);
          const into = worker?.allocate ?? lease?.allocate;
          return Promise.all(
            band.chunks.map((chunk) =>
              limiter.run(async () => {
                stop.check();
                if (parts) return parts.later(chunk, locate(chunk), into, stop);
                return receive(locate(chunk), into, worker !== undefined);
              }),
            ),
          );
        }),
      ),

    readByWorker: (_band, worker, { selection, window: target }) => worker.read(selection, target, locate),
  };

  return {
    locate,
    // Elements of variable length keep the store's answer, so it must not be in lent memory.
    isLending: !window.assembler || window.drawing !== undefined,

    openNow() {
      if (pipeline.asynchronous || remote || values.kind === "network" || !limiter.tryEnter())
        return undefined;
      return {
        read(chunk, at, allocate) {
          if (parts) return parts.now(chunk, at, allocate);
          const { encodedByteLength, maximumEncodedByteLength } = at.pipeline ?? pipeline;
          return wholeNow(values, at.key, maximumEncodedByteLength, allocate, encodedByteLength);
        },
        close: limiter.leave,
      };
    },
    later,
  };
}
