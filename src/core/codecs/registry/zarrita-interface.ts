/** The interfaces of codecs of zarrita and numcodecs.js, which `registry` has. */

import type { Awaitable } from "../../../base/awaitable.js";
import { type DataType, fillPattern } from "../../../data-types/data-type.js";
import type { DataTypeName } from "../../../data-types/names.js";
import type { CodecMetadata } from "../../../metadata/model.js";
import type { ChunkSpec, Codec } from "../codec.js";

/** A chunk in zarrita's interface; `stride` counts elements, not bytes. */
export interface CodecChunk {
  data: unknown;
  shape: number[];
  stride: number[];
}

/**
 * The array metadata that zarrita codecs get: the name of the data type, a scalar or null as `fillValue`, and
 * the whole list of codecs.
 */
export interface ChunkMetadata {
  dataType: DataTypeName;
  shape: number[];
  codecs: { name: string; configuration: Record<string, unknown> }[];
  fillValue: unknown;
}

/** A codec of zarrita's registry or of numcodecs.js that makes bytes of bytes. */
export interface ZarritaBytesCodec {
  readonly kind?: "bytes_to_bytes" | undefined;
  encode(bytes: Uint8Array): Awaitable<Uint8Array>;
  decode(bytes: Uint8Array): Awaitable<Uint8Array>;
}

/** A codec of arrays in zarrita's interface: it takes and gives chunks. */
export type ZarritaArrayCodec =
  | {
      readonly kind: "array_to_array";
      encode(chunk: CodecChunk): Awaitable<CodecChunk>;
      decode(chunk: CodecChunk): Awaitable<CodecChunk>;
      /**
       * The metadata of the encoded array, which the next codec gets. Without it, the next codec gets the
       * same `meta`.
       */
      getEncodedMeta?(meta: ChunkMetadata): ChunkMetadata;
    }
  | {
      readonly kind: "array_to_bytes";
      encode(chunk: CodecChunk): Awaitable<Uint8Array>;
      decode(bytes: Uint8Array): Awaitable<CodecChunk>;
    };

/** A codec of zarrita's registry or of numcodecs.js, usually a class. */
export interface ZarritaCodecEntry {
  /** The `kind` of its codecs. They have it too, which is what counts. */
  readonly kind?: NonNullable<Codec["kind"]> | undefined;
  readonly codecKind?: undefined;
  readonly load?: undefined;
  readonly prepare?: undefined;
  readonly checkWriting?: undefined;
  fromConfig(configuration: unknown, meta: ChunkMetadata): ZarritaBytesCodec | ZarritaArrayCodec;
}

/**
 * A codec that was taken out of `registry`. zarrita declares one type for codecs of bytes and of chunks, and
 * its users call `encode` and `decode` without asking for `kind`: hence `any`, in this declaration alone.
 */
interface RegisteredCodecOf<Kind> {
  readonly kind: Kind;
  // biome-ignore lint/suspicious/noExplicitAny: bytes or a chunk, as `kind` says
  encode(data: any): any;
  // biome-ignore lint/suspicious/noExplicitAny: bytes or a chunk, as `kind` says
  decode(data: any): any;
  /** Only of array-to-array codecs: the metadata of the encoded array. */
  getEncodedMeta?(meta: ChunkMetadata): ChunkMetadata;
  /** Encoded length of `byteLength` bytes. @throws InvalidArgumentError if it is not fixed */
  computeEncodedSize?(byteLength: number): number;
}

/** A codec of `registry`, in zarrita's interface. */
export type RegisteredCodec =
  | (Omit<RegisteredCodecOf<unknown>, "kind"> & Pick<ZarritaBytesCodec, "kind">)
  | RegisteredCodecOf<"array_to_array">
  | RegisteredCodecOf<"array_to_bytes">;

/** The metadata of a chunk by the names that fizarrita and zarrita before 0.7 give its members. */
export interface OldChunkMetadata {
  data_type: string;
  chunk_shape: number[];
  codecs?: unknown;
  fill_value?: unknown;
}

/** The entries that loaders in `registry` give. */
export interface RegisteredCodecEntry extends Omit<ZarritaCodecEntry, "fromConfig"> {
  /** @param meta zarrita's metadata of a chunk; codecs of bytes do not ask for it */
  fromConfig(configuration: unknown, meta: ChunkMetadata | OldChunkMetadata): RegisteredCodec;
}

/** zarrita's names for v2 data types without a name in the v3 specification. */
const ZARRITA_NAMES: Readonly<Record<string, (itemSize: number) => string>> = {
  fixed_length_utf32: (itemSize) => `v2:U${itemSize / 4}`,
  null_terminated_bytes: (itemSize) => `v2:S${itemSize}`,
};

/** Types of the application are names that DataTypeMap has. */
function zarritaName(dataType: DataType): DataTypeName;
function zarritaName({ name, itemSize }: DataType): string {
  return ZARRITA_NAMES[name]?.(itemSize) ?? name;
}

/** Describes the array `spec` for zarrita codecs. */
export function chunkMetadata(
  { shape, dataType, fillValue }: ChunkSpec,
  codecs: readonly CodecMetadata[],
): ChunkMetadata {
  const { itemSize } = dataType;
  const isFixed = itemSize > 0 && fillValue !== undefined && fillValue !== null;
  return {
    dataType: zarritaName(dataType),
    shape: [...shape],
    codecs: codecs.map((codec) => ({ name: codec.name, configuration: codec.configuration })),
    fillValue: isFixed ? dataType.readScalar(fillPattern(dataType, fillValue)) : (fillValue ?? null),
  };
}
