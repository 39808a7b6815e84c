/** The normalised model that every on-disk format is read into and written from. */
import type { DataType, Endian, ZarrFormat } from "../data-types/data-type.js";
import type { JsonObject } from "./json.js";

/** A codec as v3 spells it. v2 and draft codecs appear as `numcodecs.ID` with the rest of their JSON as configuration. */
export interface CodecMetadata {
  readonly name: string;
  readonly configuration: JsonObject;
  /** v3 `must_understand: false`: a reader that does not know the codec may leave it out. */
  readonly mustUnderstand?: false;
}

export interface RegularChunkGrid {
  readonly name: "regular";
  readonly chunkShape: readonly number[];
}

/** Lengths of the chunks along one dimension: one for all chunks, or a list in which [length, count] stands for `count` chunks. */
export type ChunkLengths = number | readonly (number | readonly [length: number, count: number])[];

/** v3: chunks of different lengths. Chunks beyond the end of the array are allowed, and a last one that crosses it. */
export interface RectilinearChunkGrid {
  readonly name: "rectilinear";
  /** By dimension. */
  readonly chunkShapes: readonly ChunkLengths[];
  /** Chunks have no common shape. @throws UnsupportedError */
  readonly chunkShape: never;
}
export type ChunkGrid = RegularChunkGrid | RectilinearChunkGrid;

/**
 * `default`: "c/0/0", `v2`: "0.0", `draft`: "c0/0"; the separator stands between indices. It is "/" or "." but in the
 * draft, where any string of key characters may be one.
 */
export interface ChunkKeyEncoding {
  readonly name: "default" | "v2" | "draft";
  readonly separator: string;
}

export interface ArrayMetadata {
  readonly nodeType: "array";
  readonly zarrFormat: ZarrFormat;
  readonly shape: readonly number[];
  readonly dataType: DataType;
  readonly chunkGrid: ChunkGrid;
  readonly chunkKeyEncoding: ChunkKeyEncoding;
  /**
   * In encoding order. v3: complete. v2 and draft: a `transpose` for order F (rank > 1), the filters, the compressor,
   * and no array-to-bytes codec unless a filter is one: the codec pipeline puts `bytes` with `endian` where it belongs.
   */
  readonly codecs: readonly CodecMetadata[];
  /** Byte order of v2 and draft data types that have one; undefined for v3, where the codecs say it. */
  readonly endian: Endian | undefined;
  /** The scalar of absent chunks; undefined where the document says null (contents undefined: read as zeros, times as NaT). */
  readonly fillValue: unknown;
  readonly attributes: JsonObject;
  readonly dimensionNames: readonly (string | null)[] | undefined;
  /** Unknown members that may be ignored (v3: with `must_understand: false`; v2: any), kept for rewriting. */
  readonly extra: JsonObject;
}

export interface GroupMetadata {
  readonly nodeType: "group";
  readonly zarrFormat: ZarrFormat;
  readonly attributes: JsonObject;
  /** Inline consolidated metadata and unknown members with `must_understand: false`, kept for rewriting. */
  readonly extra: JsonObject;
  /** The draft: the group has no document, it is implied by the nodes below it (or, the root, by the entry point). */
  readonly isImplicit?: true;
}

export type NodeMetadata = ArrayMetadata | GroupMetadata;
