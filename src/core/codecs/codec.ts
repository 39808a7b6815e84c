/**
 * The interfaces that codecs implement. A codec file exports a CodecEntry, mostly as its default; registry.ts
 * maps names to loaders.
 */

import type { Awaitable } from "../../base/awaitable.js";
import type { InvalidMetadataError } from "../../base/errors.js";
import type { ColumnData } from "../../data-types/column.js";
import type { DataType, Endian } from "../../data-types/data-type.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { JsonObject } from "../../metadata/json.js";
import type { CodecMetadata } from "../../metadata/model.js";
import type { CodecForms } from "./forms.js";
import type { ChunkLocation, Pipeline, ShardLayout } from "./pipeline.js";
import type { StridedBox } from "./strided-box.js";

/** The array that a codec encodes: a chunk as the codecs before it leave it. */
export interface ChunkSpec {
  readonly shape: readonly number[];
  readonly dataType: DataType;
  /** Fill value as a scalar of the data type; undefined for null. */
  readonly fillValue: unknown;
  /**
   * Why a codec before has no stored form of the fill value, which is then undefined: thrown where that form
   * is needed.
   */
  readonly unfit?: InvalidMetadataError | undefined;
  /**
   * v2 and the draft: byte order of the stored elements. Filters may change it, and the implicit `bytes`
   * codec of these formats uses it. Undefined in v3 and for data types without a byte order.
   */
  readonly endian?: Endian | undefined;
}

/** The length that a decoder must produce, and the kernels that it runs on. */
export interface DecodeContext {
  /** What the array was prepared with: WebAssembly or JavaScript. */
  readonly kernels: Kernels;
  /** Exact decoded length in bytes, where the pipeline knows it. */
  readonly byteLength: number | undefined;
  /** Upper bound of the decoded length: a stream that claims or produces more is a CodecError. */
  readonly maximumByteLength: number;
}

/** What an encoder is called with. */
export interface EncodeContext {
  /** What the array was prepared with: WebAssembly or JavaScript. */
  readonly kernels: Kernels;
}

/**
 * bytes -> bytes: compressors and checksums. zarrita codecs (`encode`, `decode` of Uint8Array) fit as they
 * are. `decode` never modifies its input. A codec marked `synchronous` never returns a promise, and may
 * return memory from `context.kernels.allocate`; any other codec returns ordinary memory that the caller may
 * keep.
 */
export interface BytesToBytesCodec {
  readonly kind?: "bytes_to_bytes" | undefined;
  readonly synchronous?: boolean;
  /**
   * Decoded bytes are all elements of a chunk, in C order and this byte order. In v3 such a codec (an image)
   * may also stand in the place of an array-to-bytes codec.
   */
  readonly elements?: Endian;
  decode(bytes: Uint8Array, context: DecodeContext): Awaitable<Uint8Array>;
  encode(bytes: Uint8Array, context: EncodeContext): Awaitable<Uint8Array>;
  /**
   * Only for synchronous codecs that can decode a part alone. Returns decoded bytes `start` to `end`
   * (exclusive), the same as in the result of `decode`. Damage to other parts may go unnoticed.
   * @param elements the needed bytes, if not all of the range are: the element with the lowest address begins
   * at `start`
   */
  decodeRange?(
    bytes: Uint8Array,
    start: number,
    end: number,
    context: DecodeContext,
    elements?: StridedBox,
  ): Uint8Array;
  /**
   * For codecs with `decodeRange`: the byte ranges of the encoded value that `decodeRange` reads. Called only
   * if ranges are cheap and save much: for a store of the kind "files" whose `openNow` opens the value,
   * chunks of at least 512 KiB decoded, at most half of which is selected, without workers, and if no other
   * codec works on the bytes or changes the elements. Otherwise the whole value is read.
   */
  neededRanges?: FindNeededRanges;
  /**
   * For synchronous codecs that decode two values together faster than one by one: loads that decoder.
   * Resolves to undefined where values of `byteLength` decoded bytes are better decoded one by one. Large
   * values are, because both outputs stand in the arena at once. An undefined `byteLength` means any length.
   */
  loadPairs?(kernels: Kernels, byteLength: number | undefined): Promise<PairDecoder | undefined>;
  /** Arena bytes that decoding or encoding needs besides input and output. */
  readonly scratchByteLength?: number;
  /**
   * Encoded length of `byteLength` bytes, for codecs where it is fixed (checksums). Codecs of a shard's index
   * must have it.
   */
  encodedByteLength?(byteLength: number): number | undefined;
}

/**
 * Yields the byte ranges of a stored value that `decodeRange` reads for the same `start` and `elements`. The
 * caller reads each yielded range into its place in `bytes` before it resumes the generator. Returns true
 * when all are read, false if the whole value is needed.
 * @param bytes a buffer as long as the stored value; only the yielded ranges have to be filled
 */
export type FindNeededRanges = (
  bytes: Uint8Array,
  start: number,
  elements: StridedBox,
) => Generator<readonly { readonly start: number; readonly end: number }[], boolean, void>;

/**
 * Decodes two values at once, with the results of `decode`. Returns undefined for values that are unusual or
 * damaged: the caller then decodes each with `decode`, which reports the error.
 */
export type PairDecoder = (
  first: Uint8Array,
  second: Uint8Array,
  firstContext: DecodeContext,
  secondContext: DecodeContext,
) => readonly [Uint8Array, Uint8Array] | undefined;

/**
 * array -> array. A codec with `order` (transpose) changes the strides and never moves bytes. Others
 * transform contiguous C-order elements in memory's byte order. `encoded` describes the chunk after encoding
 * (shape, data type, fill value).
 */
export interface ArrayToArrayCodec {
  readonly kind: "array_to_array";
  readonly encoded: ChunkSpec;
  /** Encoded dimension i is decoded dimension order[i]. */
  readonly order?: readonly number[];
  decode?(elements: Uint8Array, context: EncodeContext): Uint8Array;
  encode?(elements: Uint8Array, context: EncodeContext): Uint8Array;
  /**
   * Replaces `decode` and `encode` in codecs that encode elements of variable length as elements of fixed
   * size (`categorize`).
   */
  readonly variable?: Pick<VariableCodec, "decode" | "encode">;
}

/**
 * array -> bytes. Without `decode`, the encoded bytes ARE the elements in C order of `spec.shape`, each
 * `itemSize` bytes wide and byte-reversed if `swapped` (`bytes`), so that decoding is only the copy to the
 * result. Codecs with another layout have `decode` (packbits), which gives elements in memory's byte order,
 * or `variable` (vlen-utf8).
 */
export interface ArrayToBytesCodec {
  readonly kind: "array_to_bytes";
  /** Byte order of the encoded elements differs from memory: reverse every unit of the data type. */
  readonly swapped?: boolean;
  decode?(bytes: Uint8Array, context: DecodeContext): Uint8Array;
  encode?(elements: Uint8Array, context: EncodeContext): Uint8Array;
  /** Encoded length where it is fixed. */
  encodedByteLength?: number | undefined;
  /** Arena bytes that decoding or encoding needs besides input and output. */
  scratchByteLength?: number;
  /** For shards: the layout of the inner chunks, which the engine reads one by one. */
  sharding?: ShardLayout;
  /** Replaces `decode` and `encode` for data types of variable length. */
  variable?: VariableCodec;
  /**
   * For codecs that contain asynchronous codecs: runs before `decode` or `variable`, and after them when
   * encoding.
   */
  asynchronous?: AsynchronousCodec;
  /** Number of codecs of the list that this instance replaces; 1 if undefined. */
  count?: number;
}

/** Limit on the decoded bytes of a chunk whose elements have no fixed size. */
export type DecodeBound = Pick<ChunkLocation, "maximumDecodedBytes">;

/**
 * The asynchronous part of a codec or of a pipeline, which decodes before the synchronous part and encodes
 * after it. Of a codec: encoded bytes to elements in memory's byte order (with `variable`: to the bytes that
 * it decodes) and back. Results are not arena memory.
 */
export interface AsynchronousCodec {
  decode(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation): Promise<Uint8Array>;
  encode(bytes: Uint8Array, kernels: Kernels, at: ChunkLocation): Promise<Uint8Array>;
}

/**
 * The elements of a chunk whose data type has no fixed size, in C order of the codec's `spec.shape`: a
 * column, or a list of values where the data type is `object`.
 */
export type VariableElements = ColumnData | readonly unknown[];

/** array -> bytes for elements of variable length. */
export interface VariableCodec {
  /**
   * Returns exactly as many elements as the chunk has. The offsets of a column begin at 0 and never decrease;
   * the codec must check this, because no later code does. The column may view `bytes`. @throws CodecError
   * with the index of the element
   */
  decode(bytes: Uint8Array, kernels: Kernels, at: DecodeBound): VariableElements;
  /** The result is not arena memory. */
  encode(elements: VariableElements, kernels: Kernels): Uint8Array;
  /** For formats that allow reading single elements by byte ranges. */
  readonly partial?: VariablePartial | undefined;
}

/** Reads byte ranges of an encoded chunk from a store. */
export interface RangeSource {
  /**
   * The first or the last `length` bytes of the value: all of a shorter value, undefined if the value is
   * missing.
   */
  edge(location: "start" | "end", length: number): Promise<Uint8Array | undefined>;
  parts(
    extents: readonly { readonly offset: number; readonly length: number }[],
  ): Promise<readonly Uint8Array[] | undefined>;
}

export interface VariablePartial {
  /** Name of the codec, for errors. */
  readonly codec: string;
  /**
   * Reads the offsets of all elements, and the byte offset in the value where their data begin. Undefined if
   * the value is missing.
   */
  locate(
    source: RangeSource,
    kernels: Kernels,
  ): Promise<{ readonly offsets: Int32Array; readonly dataStart: number } | undefined>;
}

/** A codec of any kind. */
export type Codec = BytesToBytesCodec | ArrayToArrayCodec | ArrayToBytesCodec;

/** A registered codec: makes one instance per array. @throws InvalidMetadataError for a bad configuration */
export interface CodecEntry {
  /**
   * The kind of the codec. It marks wazarr's own interface: entries of zarrita's interface, which may have a
   * `kind`, have no such member.
   */
  readonly codecKind: NonNullable<Codec["kind"]>;
  /** Only those of the package's own codecs are asked for. */
  readonly forms?: CodecForms;
  /**
   * Awaited before the first `decode` or `encode` with these kernels: loads the codec's WASM module, and
   * other code that the configuration needs.
   */
  load?(kernels: Kernels, configuration?: JsonObject): Promise<void>;
  /** Makes the codec for chunks of `spec`. @throws InvalidMetadataError for a bad configuration */
  fromConfig(configuration: JsonObject, spec: ChunkSpec): Codec;
  /**
   * Called before anything of a new array is written, so that errors of `encode` come early: UnsupportedError
   * for a codec that wazarr cannot write, InvalidMetadataError for settings that only writing needs and that
   * `fromConfig` accepts.
   * @param name of the codec in the document
   * @param spec the array that the codec encodes; its shape does not count. Undefined for codecs inside one
   * that changes the array
   */
  checkWriting?(configuration: JsonObject, name: string, spec?: ChunkSpec): void;
  /** Replaces `fromConfig` in codecs that contain other codecs, because these have to be loaded first. */
  prepare?(metadata: CodecMetadata, place: PipelinePlace): Promise<Codec>;
}

/**
 * The place in a pipeline where a codec is being prepared, and functions to prepare the codecs that it
 * contains.
 */
export interface PipelinePlace {
  readonly kernels: Kernels;
  /** The array that the codec encodes. */
  readonly spec: ChunkSpec;
  /** The array before the whole pipeline. */
  readonly decoded: ChunkSpec;
  /** The transposes before the codec; undefined if any other codec stands before it. */
  readonly transposes:
    | readonly { readonly metadata: CodecMetadata; readonly order: readonly number[] }[]
    | undefined;
  /** Prepares a list of codecs in v3 form. @throws UnknownCodecError, InvalidMetadataError */
  prepareCodecs(codecs: readonly CodecMetadata[], spec: ChunkSpec, kernels: Kernels): Promise<Pipeline>;
  /** @throws UnknownCodecError if one of the names is not registered */
  expectCodecs(codecs: readonly CodecMetadata[]): Promise<void>;
  /** Prepares a single codec. @throws UnknownCodecError, InvalidMetadataError */
  prepareCodec(codec: CodecMetadata, spec: ChunkSpec, kernels: Kernels): Promise<Codec>;
}
