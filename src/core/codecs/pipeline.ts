/**
 * The pipeline: an array's codecs, which prepare-pipeline.ts prepares once and the engine runs, and the join
 * of its two stages.
 */

import type { CodecError } from "../../base/errors.js";
import type { DataType } from "../../data-types/data-type.js";
import type { Kernels, SwapUnit } from "../../kernels/kernels.js";
import type { ArrayStage } from "./array-stage.js";
import { type ByteStage, located } from "./byte-stage.js";
import type {
  AsynchronousCodec,
  BytesToBytesCodec,
  DecodeContext,
  FindNeededRanges,
  VariableCodec,
  VariableElements,
} from "./codec.js";
import type { StridedBox } from "./strided-box.js";

/** A bytes-to-bytes codec at its place in a pipeline. */
export interface NamedCodec {
  readonly name: string;
  readonly codec: BytesToBytesCodec;
  /** Exact decoded length in bytes, if it is fixed. */
  readonly byteLength: number | undefined;
  readonly maximumByteLength: number;
  /**
   * Arena bytes to reserve for the output, if its length is not fixed; `maximumByteLength` if undefined.
   */
  readonly roomByteLength?: number;
  /** Replaces `maximumByteLength` by a maximum for each chunk, where elements have no fixed size. */
  readonly bound?: DecodingBound;
}

/** Limits the decoded length of each chunk: see variable-length/stage.ts. */
export interface DecodingBound {
  /** @param encodedLength bytes of the stored chunk */
  maximum(at: ChunkLocation, encodedLength: number): number;
  /** The error with advice added, if the chunk only exceeds the limit; undefined for other errors. */
  explain(error: unknown, encodedLength: number, context: DecodeContext): CodecError | undefined;
}

/**
 * The chunk that is being decoded or encoded: its place, for errors, and what differs from other chunks of
 * the array.
 */
export interface ChunkLocation {
  readonly key: string;
  readonly chunk: readonly number[];
  /**
   * Only for shards of a rectilinear grid: coordinates of the shard's first inner chunk, counted in inner
   * chunks of the array.
   */
  readonly firstInner?: readonly number[];
  /** Only if the chunks of one read or write differ in shape: the pipeline for this chunk. */
  readonly pipeline?: Pipeline | undefined;
  /** Limit on the decoded bytes, if the caller of the read gave one. */
  readonly maximumDecodedBytes?: number | undefined;
}

/**
 * For pipelines inside a codec, which do not know their chunk: the outer pipeline adds the chunk to their
 * errors.
 */
export const HERE: ChunkLocation = { key: "", chunk: [] };

/**
 * An array's codecs, prepared once. `decode` returns the "stored elements", whose layout `strides` and
 * `swapUnit` describe.
 */
export interface Pipeline {
  /** Shape of a chunk. */
  readonly shape: readonly number[];
  /** Bytes of the stored elements of one chunk: the decoded length. */
  readonly byteLength: number;
  /** Encoded length in bytes, if it is the same for all chunks. */
  readonly encodedByteLength: number | undefined;
  /**
   * Upper bound of the encoded length: stores refuse longer values, because a server may send any number of
   * bytes.
   */
  readonly maximumEncodedByteLength: number;
  /** Bytes from one stored element to the next, by dimension of the chunk. */
  readonly strides: readonly number[];
  /**
   * Byte order of the stored elements: the copy to the result reverses units of this many bytes (1: memory's
   * byte order).
   */
  readonly swapUnit: SwapUnit;
  /** As in DataType: for structs in another byte order than memory's. */
  readonly swapRuns?: DataType["swapRuns"] | undefined;
  /**
   * For bool: sets every byte other than 0 to 1, in place. Called on elements in memory order, read or to be
   * written.
   */
  readonly normalise?: ((elements: Uint8Array) => void) | undefined;
  /** The layout of inner chunks and index, if the chunks are shards. */
  readonly sharding: ShardLayout | undefined;
  /**
   * For data types of variable length: converts between elements and the bytes that `decode` returns and
   * `encode` takes. `strides` then count elements, and `byteLength` is an estimate.
   */
  readonly variable?: VariablePipeline | undefined;
  /** Whether bytes-to-bytes codecs stand after the array-to-bytes codec. */
  readonly wrapped: boolean;
  /**
   * Whether the array-to-array and array-to-bytes codecs leave the bytes of each element as they are, and
   * only order them.
   */
  readonly asStored: boolean;
  /**
   * The last bytes-to-bytes codec, which decodes first; undefined if there is none or any is asynchronous.
   */
  readonly outermost?: NamedCodec | undefined;
  /**
   * The codecs from the first asynchronous one on, between the store and the other codecs. Undefined if none
   * is asynchronous: `decode` then takes what the store has, and else what `asynchronous` decodes.
   */
  readonly asynchronous?: AsynchronousCodec | undefined;
  /**
   * Arena bytes, for `kernels.within`, to decode or encode one chunk with its input and its result.
   * @param elements bytes of the elements; those of a chunk unless given
   */
  scratch(elements?: number): number;
  /**
   * Runs the decoders; of a shard only those around it. The result may be arena memory or `bytes` itself;
   * callers never modify it.
   * @param known the result of the outermost codec for `bytes`, if it has already run
   */
  decode(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation, known?: Uint8Array): Uint8Array;
  /**
   * As `decode`, but only for bytes `start` to `end` (exclusive) of its result. Undefined if the codecs
   * cannot decode a part.
   */
  readonly decodeRange?: RangeDecoder | undefined;
  /** The byte ranges of a stored chunk that `decodeRange` reads; undefined if that may be any. */
  readonly neededRanges?: FindNeededRanges | undefined;
  /**
   * Runs the encoders; for a shard only those around it. The result may be arena memory or `elements` itself.
   */
  encode(elements: Uint8Array, kernels: Kernels, at: ChunkLocation): Uint8Array;
}

export type RangeDecoder = (
  bytes: Uint8Array,
  start: number,
  end: number,
  kernels: Kernels,
  at: ChunkLocation,
  elements?: StridedBox,
) => Uint8Array;

export interface VariablePipeline extends Pick<VariableCodec, "partial"> {
  decode(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation): VariableElements;
  encode(elements: VariableElements, kernels: Kernels, at: ChunkLocation): Uint8Array;
}

/** The layout of inner chunks and index in a shard, computed once per array. */
export interface ShardLayout {
  /**
   * Shapes of the shard and of an inner chunk, and the number of inner chunks along each dimension; all by
   * dimension of the array.
   */
  readonly shape: readonly number[];
  readonly innerShape: readonly number[];
  readonly gridShape: readonly number[];
  /** Strides of the index, in entries, by dimension of the array. */
  readonly gridStrides: readonly number[];
  readonly innerCount: number;
  /**
   * Codecs of an inner chunk, with any transpose before the sharding codec. It has `sharding` of its own when
   * shards nest.
   */
  readonly inner: Pipeline;
  readonly index: Pipeline;
  readonly indexLocation: "start" | "end";
  readonly indexByteLength: number;
}

/** The part of a pipeline that follows from its two stages. */
export type JoinedStages = Omit<
  Pipeline,
  "shape" | "sharding" | "variable" | "normalise" | "maximumEncodedByteLength"
>;

/** Joins the stages: decoding runs the byte stage and then the array stage, encoding the reverse. */
export function joinStages(arrayStage: ArrayStage, byteStage: ByteStage): JoinedStages {
  const scratchByteLength = arrayStage.scratchByteLength + byteStage.scratchByteLength;
  return {
    ...arrayStage,
    ...byteStage,
    scratch: (elements = arrayStage.byteLength) => 3 * elements + scratchByteLength,
    decodeRange: arrayStage.asStored ? byteStage.decodeRange : undefined,
    neededRanges: arrayStage.asStored ? byteStage.neededRanges : undefined,

    decode(bytes, kernels, at, known) {
      const encoded = byteStage.decode(bytes, kernels, at, known);
      try {
        return arrayStage.decode(encoded, kernels);
      } catch (error) {
        throw located(error, arrayStage.name, at);
      }
    },

    encode(elements, kernels, at) {
      let encoded: Uint8Array;
      try {
        encoded = arrayStage.encode(elements, kernels);
      } catch (error) {
        throw located(error, arrayStage.name, at);
      }
      return byteStage.encode(encoded, kernels, at);
    },
  };
}
