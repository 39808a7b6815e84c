/** What a codec is to the pipeline. A codec file exports one CodecEntry as default; registry.ts maps names to loaders. */
import type { DataType } from "../data-types/data-type.js";
import type { Kernels } from "../kernels/kernels.js";
import type { JsonObject } from "../metadata/json.js";
import type { Awaitable } from "../stores/store.js";

/** The array a codec sees: a chunk at its place in the pipeline. */
export interface ChunkSpec {
  readonly shape: readonly number[];
  readonly dataType: DataType;
  /** Fill value as one element in memory order; undefined for null. */
  readonly fillValue: unknown;
}

/** What a decoder must produce. */
export interface DecodeContext {
  readonly kernels: Kernels;
  /** Exact decoded length in bytes, where the pipeline knows it. */
  readonly byteLength: number | undefined;
  /** Upper bound of the decoded length: a stream that claims or produces more is a CodecError. */
  readonly maximumByteLength: number;
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
  /** Encoded length for a decoded one, for codecs where it is fixed (checksums); needed inside shard indexes. */
  encodedByteLength?(byteLength: number): number | undefined;
}

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
}

/**
 * array -> bytes for fixed-size elements: the encoded bytes ARE the elements in C order of `spec.shape`, each
 * `itemSize` wide with every `swapUnit` bytes reversed (`bytes`), so that decoding is the copy to the result. Codecs that cannot
 * be described so (packbits, vlen-utf8) decode into memory order.
 */
export interface ArrayToBytesCodec {
  readonly kind: "array_to_bytes";
  /** Byte order of the encoded elements differs from memory: reverse each data type `swapUnit`. */
  readonly swapped?: boolean;
  decode?(bytes: Uint8Array, context: DecodeContext): Uint8Array;
  encode?(elements: Uint8Array, context: EncodeContext): Uint8Array;
  /** Encoded length where it is fixed. */
  encodedByteLength?: number | undefined;
}

export type Codec = BytesToBytesCodec | ArrayToArrayCodec | ArrayToBytesCodec;

/** A registered codec: makes one instance per array. @throws InvalidMetadataError for a bad configuration */
export interface CodecEntry {
  readonly kind?: Codec["kind"];
  /**
   * Awaited before the first `decode` or `encode` with these kernels: loads the WASM module the codec runs in, and whatever
   * else the configuration asks for.
   */
  load?(kernels: Kernels, configuration?: JsonObject): Promise<void>;
  fromConfig(configuration: JsonObject, spec: ChunkSpec): Codec;
}
