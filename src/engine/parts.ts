/**
 * Parts of chunks that are stored as they are: no more is read than what is selected spans. Only from stores that say how long the
 * whole value is, and answer into memory that is there: over a network, ranges cost browsers a preflight and their cache, and
 * into fresh memory half a chunk is read no sooner than a whole one into warm memory.
 */
import type { DimensionSelection } from "../indexing/selection.js";
import type { AbsolutePath, Awaitable, StoreOptions } from "../stores/store.js";
import { type ChunkValue, spanOf } from "./assembler.js";
import type { ChunkProjection } from "./bands.js";
import type { PreparedArray } from "./prepared.js";

/** Smaller chunks are read in less time than it takes to open them. */
const SMALLEST_CHUNK = 32 << 10;
/** Codecs that leave all elements as they are, somewhere. */
const PLAIN = ["bytes", "transpose"];

export interface ChunkParts {
  /** The array whose chunks are what `get` gives. */
  readonly array: PreparedArray;
  /** What spans the selected elements of a chunk. @param allocate as `getInto` has it */
  get(
    chunk: ChunkProjection,
    key: AbsolutePath,
    allocate: ((byteLength: number) => Uint8Array) | undefined,
    options: StoreOptions,
  ): Awaitable<ChunkValue>;
}

/** Undefined where that does not pay. */
export function prepareParts(
  array: PreparedArray,
  selection: readonly DimensionSelection[],
): ChunkParts | undefined {
  const { store, pipeline, kernels, metadata, fillPattern } = array;
  const { byteLength, strides, shape } = pipeline;
  const steps = selection.map(({ step }, d) => step * (strides[d] ?? 0));
  const widest = selection.reduce((span, { step, count }, d) => {
    const inChunk = Math.min(count, Math.ceil((shape[d] ?? 1) / Math.abs(step)));
    return span + (inChunk - 1) * Math.abs(steps[d] ?? 0);
  }, fillPattern.length);
  const isPlain = metadata.codecs.every(({ name }) => PLAIN.includes(name)) && !pipeline.wrapped;
  const isFixed = pipeline.encodedByteLength === byteLength && metadata.dataType.itemSize > 0;
  if (!isPlain || !isFixed || byteLength < SMALLEST_CHUNK || 2 * widest > byteLength) return undefined;

  return {
    array: { ...array, pipeline: { ...pipeline, decodeRange: (bytes) => bytes } },

    get(chunk, key, allocate = ownMemory, options) {
      const { start, end } = spanOf(chunk, strides, steps, fillPattern.length);
      let told: number | undefined;
      const answer = store.getRangeInto?.(key, { offset: start, length: end - start }, allocate, {
        ...options,
        onValue: (state) => {
          told = state.byteLength;
        },
      });
      const check = (part: ChunkValue): Awaitable<ChunkValue> =>
        part === undefined || (told === byteLength && part.length === end - start) ? part : whole();
      // A chunk of another length is an error in the words of the pipeline, unless it was replaced meanwhile.
      const whole = async (): Promise<ChunkValue> => {
        const value = await store.get(key, options);
        return value && pipeline.decode(value, kernels, { key, chunk: chunk.chunk }).subarray(start, end);
      };
      return answer instanceof Promise ? answer.then(check) : check(answer);
    },
  };
}

const ownMemory = (byteLength: number): Uint8Array => new Uint8Array(byteLength);
