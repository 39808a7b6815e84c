/** An array's codecs, prepared once (by prepare-pipeline.ts): what the engine runs, and how its two stages are put together. */
import type { DataType } from "../data-types/data-type.js";
import type { CodecError } from "../errors.js";
import type { Kernels, SwapUnit } from "../kernels/kernels.js";
import type { ArrayStage } from "./array-stage.js";
import { type ByteStage, located } from "./byte-stage.js";
import type {
  AheadCodec,
  ArrayToBytesCodec,
  BytesToBytesCodec,
  DecodeContext,
  StridedBox,
  VariableCodec,
  VariableElements,
} from "./codec.js";

/** A bytes-to-bytes codec at its place in a pipeline. */
export interface NamedCodec {
  readonly name: string;
  readonly codec: BytesToBytesCodec;
  /** Exact and greatest number of bytes that decoding yields. */
  readonly byteLength: number | undefined;
  readonly maximumByteLength: number;
  /** Scratch for its output, where that has no fixed length. */
  readonly roomByteLength?: number;
  /** And what the maximum is of each chunk, then. */
  readonly bound?: DecodingBound;
}

/** How long a chunk may become: see variable-length/stage.ts. */
export interface DecodingBound {
  /** @param encodedLength that the chunk is stored with */
  maximum(at: ChunkLocation, encodedLength: number): number;
  /** What is refused for its length and nothing else, with what can be done about it. */
  explain(error: unknown, encodedLength: number, context: DecodeContext): CodecError | undefined;
}

/** Where a chunk is, for errors. */
export interface ChunkLocation {
  readonly key: string;
  readonly chunk: readonly number[];
  /** Of a shard, where shards differ in shape: coordinates of its first inner chunk. */
  readonly firstInner?: readonly number[];
  /** Where the chunks of one read or write differ in shape: the codecs of this one. */
  readonly pipeline?: Pipeline | undefined;
  /** Bytes that the chunk may decode to, where the read says that. */
  readonly maximumDecodedBytes?: number | undefined;
}

/** For pipelines inside of a codec: only the pipeline around it knows where the chunk is, and adds it to errors without a place. */
export const HERE: ChunkLocation = { key: "", chunk: [] };

/** An array's codecs, prepared once. */
export interface Pipeline {
  /** Shape of a chunk. */
  readonly shape: readonly number[];
  /** Bytes of the stored elements of one chunk. */
  readonly byteLength: number;
  /** Length of an encoded chunk where it is the same for all. */
  readonly encodedByteLength: number | undefined;
  /** No encoded chunk is longer: what stores are told, who might be sent anything. */
  readonly maximumEncodedByteLength: number;
  /** Bytes from one stored element to the next, by dimension of the chunk. */
  readonly strides: readonly number[];
  /** The stored elements' byte order: each unit is to be reversed on the way out (1: as memory). */
  readonly swapUnit: SwapUnit;
  /** As in DataType: for structs that are not stored in memory order. */
  readonly swapRuns?: DataType["swapRuns"] | undefined;
  /** For bool, where any byte but 0 means true: makes it 1, in place. For elements in memory order, read or to be written. */
  readonly normalise?: ((elements: Uint8Array) => void) | undefined;
  /** How a chunk is made of inner chunks, when it is a shard. */
  readonly sharding: ShardLayout | undefined;
  /**
   * For data types of variable length: what lies between the elements and the bytes that `decode` gives and `encode` takes. The
   * strides count elements, then, and `byteLength` is a guess.
   */
  readonly variable?: VariablePipeline | undefined;
  /** Whether bytes-to-bytes codecs stand after the array-to-bytes codec. */
  readonly wrapped: boolean;
  /** The last of these, which decodes first; undefined where there is none or some are asynchronous. */
  readonly outermost?: NamedCodec | undefined;
  /** Whether `decodeAhead`/`encodeRest` have anything to do: some bytes-to-bytes codec is asynchronous. */
  readonly asynchronous: boolean;
  /** Arena bytes a decode or encode may want besides its input. */
  readonly scratchByteLength: number;
  /** Runs the decoders up to and including the last asynchronous one. */
  decodeAhead(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation): Promise<Uint8Array>;
  /**
   * Runs the remaining decoders; the result may be arena memory or `bytes` itself, and is never to be modified.
   * @param known what the outermost codec makes of `bytes`, where that was done before
   */
  decode(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation, known?: Uint8Array): Uint8Array;
  /** In place of `decode`, where less work does: bytes `start` to `end` (exclusive) of the stored elements. */
  readonly decodeRange?: RangeDecoder | undefined;
  /** Runs the encoders before the first asynchronous one; the result may be arena memory or `elements` itself. */
  encode(elements: Uint8Array, kernels: Kernels, at: ChunkLocation): Uint8Array;
  /** Runs the remaining encoders. */
  encodeRest(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation): Promise<Uint8Array>;
  /** Undoes all bytes-to-bytes codecs and nothing else; memory of its own, or `bytes` itself. */
  unwrap(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation): Promise<Uint8Array>;
  /** Applies all bytes-to-bytes codecs and nothing else. */
  wrap(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation): Promise<Uint8Array>;
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

/** How a shard is made of inner chunks, worked out once per array. */
export interface ShardLayout {
  /** Shapes of the shard and of an inner chunk, and inner chunks along each dimension, by dimension of the array. */
  readonly shape: readonly number[];
  readonly innerShape: readonly number[];
  readonly gridShape: readonly number[];
  /** Inner chunks from one to the next in the index, by dimension of the array. */
  readonly gridStrides: readonly number[];
  readonly innerCount: number;
  /** Codecs of an inner chunk, any transpose before the sharding codec included; its own `sharding` when shards nest. */
  readonly inner: Pipeline;
  readonly index: Pipeline;
  readonly indexLocation: "start" | "end";
  readonly indexByteLength: number;
}

/** What the two stages of a pipeline are together. */
export type JoinedStages = Omit<
  Pipeline,
  "shape" | "sharding" | "variable" | "normalise" | "maximumEncodedByteLength"
>;

/** Arena bytes beyond what the codecs of a chunk ask for. */
const ROOM = 65536;

const same = (bytes: Uint8Array): Uint8Array => bytes;

/** What a pipeline does with the bytes of a chunk: the array stage on the elements' side, the byte stage on the store's. */
export function joinStages(arrayStage: ArrayStage, byteStage: ByteStage): JoinedStages {
  const scratchByteLength = arrayStage.scratchByteLength + byteStage.scratchByteLength;
  return {
    ...arrayStage,
    ...byteStage,
    scratchByteLength,
    decodeRange: arrayStage.asStored ? byteStage.decodeRange : undefined,

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

    async unwrap(bytes, kernels, at) {
      const ahead = await byteStage.decodeAhead(bytes, kernels, at);
      kernels.begin(ahead.length + scratchByteLength + ROOM);
      const decoded = byteStage.decode(ahead, kernels, at);
      return decoded === ahead ? ahead : decoded.slice();
    },

    async wrap(bytes, kernels, at) {
      if (!byteStage.wrapped) return bytes;
      kernels.begin(3 * bytes.length + scratchByteLength + ROOM);
      return byteStage.encodeRest(byteStage.encode(bytes, kernels, at).slice(), kernels, at);
    },
  };
}

/** What runs in place of `joinStages` where the array-to-bytes codec holds asynchronous codecs; undefined where it holds none. */
export function joinAhead({ ahead }: ArrayToBytesCodec): ArrayStage["join"] {
  return ahead && ((arrayStage, byteStage) => join(arrayStage, byteStage, ahead));
}

function join(arrayStage: ArrayStage, byteStage: ByteStage, ahead: AheadCodec): JoinedStages {
  const { unwrap, wrap } = joinStages(arrayStage, byteStage);
  const asynchronous: ByteStage = {
    wrapped: byteStage.wrapped,
    asynchronous: true,
    encodedByteLength: undefined,
    scratchByteLength: 0,
    decodeRange: undefined,
    decode: same,
    encode: same,
    async decodeAhead(bytes, kernels, at) {
      const encoded = await unwrap(bytes, kernels, at);
      try {
        return await ahead.decode(encoded, kernels, at);
      } catch (error) {
        throw located(error, arrayStage.name, at);
      }
    },
    async encodeRest(elements, kernels, at) {
      let encoded: Uint8Array;
      try {
        encoded = await ahead.encode(elements, kernels);
      } catch (error) {
        throw located(error, arrayStage.name, at);
      }
      return wrap(encoded, kernels, at);
    },
  };
  return { ...joinStages(arrayStage, asynchronous), unwrap, wrap };
}
