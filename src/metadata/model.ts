/** The normalised metadata model. All stored formats are read into it and written from it. */
import type { DataType, Endian, ZarrFormat } from "../data-types/data-type.js";
import type { JsonObject } from "./json.js";

/**
 * A codec in the form of v3. Codecs of v2 and the draft are named `numcodecs.ID`; their other JSON members
 * are the configuration.
 */
export interface CodecMetadata {
  /** Name in the document, such as "gzip". */
  readonly name: string;
  /** Settings in the document; {} if there are none. */
  readonly configuration: JsonObject;
  /** v3 `must_understand: false`: a reader that does not know the codec may skip it. */
  readonly mustUnderstand?: false;
}

export interface RegularChunkGrid {
  readonly name: "regular";
  readonly chunkShape: readonly number[];
}

/**
 * Lengths of the chunks along one dimension: one length for all chunks, or a list where [length, count] means
 * `count` chunks.
 */
export type ChunkLengths = number | readonly (number | readonly [length: number, count: number])[];

/** v3: chunks of different lengths. Chunks may lie beyond the end of the array, or cross it. */
export interface RectilinearChunkGrid {
  readonly name: "rectilinear";
  /** Chunk lengths by dimension. */
  readonly chunkShapes: readonly ChunkLengths[];
  /** Chunks have no common shape. @throws UnsupportedError */
  readonly chunkShape: never;
}
export type ChunkGrid = RegularChunkGrid | RectilinearChunkGrid;

/**
 * `default`: "c/0/0", `v2`: "0.0", `draft`: "c0/0", or another that is built in or was registered
 * (`registerChunkKeyEncoding`).
 */
export interface ChunkKeyEncoding {
  readonly name: string;
  /**
   * Between indices, "/" or "."; the draft allows other strings of key characters. "" for encodings with a
   * configuration of their own.
   */
  readonly separator: string;
  /** Configuration of an encoding other than those three. */
  readonly configuration?: JsonObject | undefined;
}

/** The metadata of an array of any format. */
export interface ArrayMetadata {
  /** "array". */
  readonly nodeType: "array";
  /** 2, 3 or "draft". */
  readonly zarrFormat: ZarrFormat;
  /** Lengths of the dimensions. */
  readonly shape: readonly number[];
  /** The data type with its sizes, classes and conversions. */
  readonly dataType: DataType;
  /** Which elements are in which chunk; of a sharded array, in which shard. */
  readonly chunkGrid: ChunkGrid;
  /** How the key of a chunk is made from its coordinates. */
  readonly chunkKeyEncoding: ChunkKeyEncoding;
  /**
   * In encoding order. v3: all codecs. v2 and draft: a `transpose` for order F (rank > 1), the filters, the
   * compressor. They have no array-to-bytes codec unless a filter is one: the codec pipeline inserts `bytes`
   * with `endian`.
   */
  readonly codecs: readonly CodecMetadata[];
  /** Byte order of v2 and draft data types that have one; undefined for v3, whose codecs state it. */
  readonly endian: Endian | undefined;
  /**
   * The scalar of absent chunks; undefined if the document has null (contents undefined: read as zeros, times
   * as NaT).
   */
  readonly fillValue: unknown;
  /** The user's attributes, which `attrs` of the node shows too. */
  readonly attributes: JsonObject;
  /** One for each dimension, null for one without a name; undefined if the document has none. */
  readonly dimensionNames: readonly (string | null)[] | undefined;
  /** Unknown members that may be ignored (v3: with `must_understand: false`; v2: any), kept for rewriting. */
  readonly extra: JsonObject;
}

/** The metadata of a group of any format. */
export interface GroupMetadata {
  /** "group". */
  readonly nodeType: "group";
  /** 2, 3 or "draft". */
  readonly zarrFormat: ZarrFormat;
  /** The user's attributes, which `attrs` of the node shows too. */
  readonly attributes: JsonObject;
  /** Inline consolidated metadata and unknown members with `must_understand: false`, kept for rewriting. */
  readonly extra: JsonObject;
  /** The draft: the group has no document; nodes below it imply it, or the entry point implies the root. */
  readonly isImplicit?: true;
}

export type NodeMetadata = ArrayMetadata | GroupMetadata;
