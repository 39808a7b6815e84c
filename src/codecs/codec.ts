/** What a codec is to the pipeline. A codec file exports one CodecEntry as default; registry.ts maps names to loaders. */
import type { ColumnData } from "../data-types/column.js";
import { type DataType, type Endian, fillPattern } from "../data-types/data-type.js";
import type { Kernels } from "../kernels/kernels.js";
import type { JsonObject } from "../metadata/json.js";
import type { CodecMetadata } from "../metadata/model.js";
import type { Awaitable } from "../stores/store.js";
import type { ChunkLocation, Pipeline, ShardLayout } from "./pipeline.js";

/** The array a codec sees: a chunk at its place in the pipeline. */
export interface ChunkSpec {
  readonly shape: readonly number[];
  readonly dataType: DataType;
  /** Fill value as one element in memory order; undefined for null. */
  readonly fillValue: unknown;
  /**
   * v2 and the draft: the byte order in which the elements are stored, which filters may state anew; their implicit `bytes`
   * follows it. Undefined in v3 and for types without one.
   */
  readonly endian?: Endian | undefined;
}

/** What a decoder must produce. */
export interface DecodeContext {
  readonly kernels: Kernels;
  /** Exact decoded length in bytes, where the pipeline knows it. */
  readonly byteLength: number | undefined;
  /** Upper bound of the decoded length: a stream that claims or produces more is a CodecError. */
  readonly maximumByteLength: number;
}
/** Elements of a chunk: `shape` of them, of `itemSize` bytes, `steps` bytes apart in either direction, by dimension. */
export interface StridedBox {
  readonly itemSize: number;
  readonly shape: readonly number[];
  readonly steps: readonly number[];
}

export interface EncodeContext {
  readonly kernels: Kernels;
}

/**
 * bytes -> bytes: compressors and checksums. zarrita codecs (`encode`, `decode` of Uint8Array) fit as they are.
 * `decode` never modifies its input. A codec marked `synchronous` never returns a promise, and may return memory
 * from `context.kernels.allocate`; any other returns ordinary memory of its own.
 */
export interface BytesToBytesCodec {
  readonly kind?: "bytes_to_bytes";
  readonly synchronous?: boolean;
  decode(bytes: Uint8Array, context: DecodeContext): Awaitable<Uint8Array>;
  encode(bytes: Uint8Array, context: EncodeContext): Awaitable<Uint8Array>;
  /**
   * For synchronous codecs whose parts can be decoded one by one: decoded bytes `start` to `end` (exclusive), as `decode` gives
   * them. Damage to other parts may go unnoticed.
   * @param elements which of these bytes are needed, if not all of them are: the lowest element begins at `start`
   */
  decodeRange?(
    bytes: Uint8Array,
    start: number,
    end: number,
    context: DecodeContext,
    elements?: StridedBox,
  ): Uint8Array;
  /** For codecs with `decodeRange`: which bytes of an encoded value that looks at. */
  neededRanges?: FindNeededRanges;
  /**
   * For synchronous codecs that decode two values, or parts of one, at once in less time: loads what does. Undefined where two values
   * of `byteLength` decoded bytes (itself undefined: of any number) are better decoded one after the other, as large ones are:
   * both stand in the arena at once.
   */
  loadPairs?(kernels: Kernels, byteLength: number | undefined): Promise<PairDecoder | undefined>;
  /** Arena bytes that decoding or encoding wants besides input and output. */
  readonly scratchByteLength?: number;
  /** Encoded length for a decoded one, for codecs where it is fixed (checksums); needed inside shard indexes. */
  encodedByteLength?(byteLength: number): number | undefined;
}

/**
 * Byte ranges that `decodeRange` looks at for the same `start` and `elements`, of a value that is elsewhere: they are to be in their places
 * when it goes on. Gives whether that is all; otherwise it wants the whole value.
 * @param bytes as long as the value; what is not asked for keeps what was there
 */
export type FindNeededRanges = (
  bytes: Uint8Array,
  start: number,
  elements: StridedBox,
) => Generator<readonly { readonly start: number; readonly end: number }[], boolean, void>;

/**
 * Two values as `decode` gives them, one by one. Undefined, and both are for `decode`, where they are in any way unusual: that is
 * where errors come from.
 */
export type PairDecoder = (
  first: Uint8Array,
  second: Uint8Array,
  firstContext: DecodeContext,
  secondContext: DecodeContext,
) => readonly [Uint8Array, Uint8Array] | undefined;

/**
 * array -> array. `order` alone (transpose) is folded into strides and never moves bytes. Others transform contiguous
 * C-order elements in memory order; `encoded` is what they make of the chunk (shape, data type, fill value).
 */
export interface ArrayToArrayCodec {
  readonly kind: "array_to_array";
  readonly encoded: ChunkSpec;
  /** encoded dimension i is decoded dimension order[i]. */
  readonly order?: readonly number[];
  decode?(elements: Uint8Array, context: EncodeContext): Uint8Array;
  encode?(elements: Uint8Array, context: EncodeContext): Uint8Array;
  /** In place of `decode` and `encode` for elements of variable length, which become elements of fixed size. */
  readonly variable?: Pick<VariableCodec, "decode" | "encode">;
}

/**
 * array -> bytes for fixed-size elements: the encoded bytes ARE the elements in C order of `spec.shape`, each
 * `itemSize` wide with the bytes of every unit reversed (`bytes`), so that decoding is the copy to the result. Codecs that cannot
 * be described so (packbits, vlen-utf8) decode into memory order.
 */
export interface ArrayToBytesCodec {
  readonly kind: "array_to_bytes";
  /** Byte order of the encoded elements differs from memory: reverse every unit of the data type. */
  readonly swapped?: boolean;
  decode?(bytes: Uint8Array, context: DecodeContext): Uint8Array;
  encode?(elements: Uint8Array, context: EncodeContext): Uint8Array;
  /** Encoded length where it is fixed. */
  encodedByteLength?: number | undefined;
  /** Arena bytes that decoding or encoding wants besides input and output. */
  scratchByteLength?: number;
  /** How the encoded bytes are made of inner chunks that can be read one by one. */
  sharding?: ShardLayout;
  /** In place of `decode` and `encode` for data types of variable length. */
  variable?: VariableCodec;
  /** For codecs that hold asynchronous ones: what happens between the encoded bytes and all of the above. */
  ahead?: AheadCodec;
  /** How many codecs of the list it stands for, if not for one. */
  count?: number;
}

/** Of a chunk whose elements have no fixed size. */
export type DecodeBound = Pick<ChunkLocation, "maximumDecodedBytes">;

/** Encoded bytes to elements in memory order (to what `variable` decodes, where there is that) and back; memory of its own. */
export interface AheadCodec {
  decode(bytes: Uint8Array, kernels: Kernels, at: DecodeBound): Promise<Uint8Array>;
  encode(elements: Uint8Array, kernels: Kernels): Promise<Uint8Array>;
}

/**
 * The elements of a chunk whose data type has no fixed size, in C order of the array that the codec sees: a column, or the values
 * themselves where the data type is `object`.
 */
export type VariableElements = ColumnData | readonly unknown[];

/** array -> bytes for elements of variable length. */
export interface VariableCodec {
  /**
   * Exactly as many elements as the chunk has, the offsets of a column from 0 and never decreasing (checked here: nobody does
   * after). The column may view `bytes`. @throws CodecError with the index of the element
   */
  decode(bytes: Uint8Array, kernels: Kernels, at: DecodeBound): VariableElements;
  /** Memory of its own. */
  encode(elements: VariableElements, kernels: Kernels): Uint8Array;
  /** How single elements can be read without the others. */
  readonly partial?: VariablePartial | undefined;
}

/** Encoded bytes of a chunk that lie elsewhere, in a store. */
export interface RangeSource {
  /** The first or the last bytes of the value; fewer when it is shorter, undefined when it is not there. */
  edge(location: "start" | "end", length: number): Promise<Uint8Array | undefined>;
  parts(
    extents: readonly { readonly offset: number; readonly length: number }[],
  ): Promise<readonly Uint8Array[] | undefined>;
}

export interface VariablePartial {
  /** Offsets of all elements, and where in the value their data begin; undefined for a value that is not there. */
  locate(
    source: RangeSource,
    kernels: Kernels,
  ): Promise<{ readonly offsets: Int32Array; readonly dataStart: number } | undefined>;
}

export type Codec = BytesToBytesCodec | ArrayToArrayCodec | ArrayToBytesCodec;

/** A registered codec: makes one instance per array. @throws InvalidMetadataError for a bad configuration */
export interface CodecEntry {
  /** What tells it from one of zarrita's, which say it in the instance alone. */
  readonly kind: NonNullable<Codec["kind"]>;
  /**
   * Awaited before the first `decode` or `encode` with these kernels: loads the WASM module the codec runs in, and whatever
   * else the configuration asks for.
   */
  load?(kernels: Kernels, configuration?: JsonObject): Promise<void>;
  fromConfig(configuration: JsonObject, spec: ChunkSpec): Codec;
  /**
   * Asked before anything is written for a new array: throws where `encode` would, for what cannot be encoded (UnsupportedError) and for
   * settings that only writing needs and that `fromConfig` lets pass (InvalidMetadataError).
   * @param name that the codec has in the document
   * @param spec the array as the codec sees it, its shape aside; undefined within codecs that make other arrays of it
   */
  checkWriting?(configuration: JsonObject, name: string, spec?: ChunkSpec): void;
  /** Takes the place of `fromConfig` for codecs that are made of other codecs, which have to be loaded. */
  prepare?(metadata: CodecMetadata, place: PipelinePlace): Promise<Codec>;
}

/** A chunk as codecs of zarrita's interface take and give it; strides count elements. */
export interface CodecChunk {
  data: unknown;
  shape: number[];
  stride: number[];
}
/** The array as such codecs are told of it: the data type by its name, `fillValue` a scalar or null, `codecs` all of the list. */
export interface ChunkMetadata {
  dataType: string;
  shape: number[];
  codecs: { name: string; configuration: Record<string, unknown> }[];
  fillValue: unknown;
}
export type ZarritaArrayCodec =
  | {
      readonly kind: "array_to_array";
      encode(chunk: CodecChunk): Awaitable<CodecChunk>;
      decode(chunk: CodecChunk): Awaitable<CodecChunk>;
      /** What the next codec is told, where that is something else. */
      getEncodedMeta?(meta: ChunkMetadata): ChunkMetadata;
    }
  | {
      readonly kind: "array_to_bytes";
      encode(chunk: CodecChunk): Awaitable<Uint8Array>;
      decode(bytes: Uint8Array): Awaitable<CodecChunk>;
    };
/** A codec as zarrita's registry has it, or numcodecs: a class, usually. */
export interface ZarritaCodecEntry {
  readonly kind?: undefined;
  readonly load?: undefined;
  readonly prepare?: undefined;
  readonly checkWriting?: undefined;
  fromConfig(configuration: unknown, meta: ChunkMetadata): BytesToBytesCodec | ZarritaArrayCodec;
}

/** zarrita's names of data types that have no name of their own in v3. */
const ZARRITA_NAMES: Readonly<Record<string, (itemSize: number) => string>> = {
  fixed_length_utf32: (itemSize) => `v2:U${itemSize / 4}`,
  null_terminated_bytes: (itemSize) => `v2:S${itemSize}`,
};

/** What codecs of zarrita's interface are told of the array `spec`. */
export function chunkMetadata(
  { shape, dataType, fillValue }: ChunkSpec,
  codecs: readonly CodecMetadata[],
): ChunkMetadata {
  const { name, itemSize } = dataType;
  const isFixed = itemSize > 0 && fillValue !== undefined && fillValue !== null;
  return {
    dataType: ZARRITA_NAMES[name]?.(itemSize) ?? name,
    shape: [...shape],
    codecs: codecs.map((codec) => ({ name: codec.name, configuration: codec.configuration })),
    fillValue: isFixed ? dataType.readScalar(fillPattern(dataType, fillValue)) : (fillValue ?? null),
  };
}

/** Where in a pipeline a codec is being prepared. */
export interface PipelinePlace {
  readonly kernels: Kernels;
  /** The array as the codec sees it. */
  readonly spec: ChunkSpec;
  /** The array before the whole pipeline. */
  readonly decoded: ChunkSpec;
  /** The transposes that stand before the codec; undefined when some other codec does. */
  readonly transposes:
    | readonly { readonly metadata: CodecMetadata; readonly order: readonly number[] }[]
    | undefined;
  /** The pipeline of a list of codecs as v3 has it. @throws UnknownCodecError, InvalidMetadataError */
  prepareCodecs(codecs: readonly CodecMetadata[], spec: ChunkSpec, kernels: Kernels): Promise<Pipeline>;
  /** One codec of its own. @throws UnknownCodecError, InvalidMetadataError */
  prepareCodec(codec: CodecMetadata, spec: ChunkSpec, kernels: Kernels): Promise<Codec>;
}

/** One dimension of a box: bytes from one element to the next, whichever way it is walked, and how many. */
export interface Loop {
  readonly step: number;
  readonly count: number;
}

/** The dimensions of a box in which there are several elements, the longest step first. */
export function loopsOf({ shape, steps }: StridedBox): Loop[] {
  return shape
    .map((count, d) => ({ count, step: Math.abs(steps[d] ?? 0) }))
    .filter(({ count }) => count > 1)
    .sort((a, b) => b.step - a.step);
}
