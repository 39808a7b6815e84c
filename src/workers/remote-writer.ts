/** Writing with workers: chunks are encoded there, one at a time. */
import type { ChunkLocation, Pipeline, ShardLayout } from "../codecs/codec.js";
import type { PreparedArray } from "../engine/prepared.js";
import { CodecError } from "../errors.js";
import { type KnownArray, toError } from "./known-array.js";
import type { ChunkMessage } from "./messages.js";
import type { WorkerQueue } from "./queue.js";
import { travelling } from "./travelling.js";

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
  /** What the store copies is encoded into the memory it came in: memory of its own costs page faults, and the garbage collector's time. */
  const inPlace = array.store.copiesValues === true && array.pipeline.sharding === undefined;
  const release = (bytes: Uint8Array): void => {
    if (inPlace && bytes.buffer instanceof ArrayBuffer) travelling.give(bytes.buffer);
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
    for (const buffer of answer.returned) if (buffer !== answer.bytes?.buffer) travelling.give(buffer);
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
  return { ...array, keep, release, pipeline: remotePipeline(array.pipeline, 0) };
}
