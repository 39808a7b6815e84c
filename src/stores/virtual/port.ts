/**
 * What a format of files says of a file, lazily: its groups and arrays as Zarr v3 documents, and where the
 * bytes of each chunk lie. `virtual-store.ts` makes a store of it; nothing else knows a format.
 *
 * A node is asked for when it is wanted: to open one array reads nothing of the others. All methods may be
 * called many times and at the same time, so a node keeps what it has read. They throw StoreError for a
 * damaged file, UnsupportedError (with the node's path) for what the format has and wazarr cannot read.
 */

import type { Extent, JsonObject, PartsOptions, StoreOptions } from "../../core/for-stores.js";
import type { FileBytes } from "./file-bytes.js";

/** A format: one folder of `virtual/`, loaded when a file of it is opened. */
export interface VirtualFormat {
  /** Reads what every node needs, such as a superblock. @returns the root of the hierarchy */
  open(file: FileBytes, options?: VirtualFormatOptions): Promise<VirtualGroup>;
}

/** What the caller of `openVirtual` may choose for the formats. */
export interface VirtualFormatOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * GRIB: an index that says where the messages are, as NOAA, ECMWF and kerchunk write them beside the file.
   */
  readonly index?: Uint8Array | undefined;
}

export type VirtualNode = VirtualGroup | VirtualArray;

export interface VirtualGroup {
  readonly kind: "group";
  /** The Zarr v3 document, with the attributes. */
  document(): Promise<JsonObject>;
  /** Names of the groups and arrays directly below, in the order of the file. */
  names(): Promise<readonly string[]>;
  /** The node of this name; undefined if there is none. */
  child(name: string): Promise<VirtualNode | undefined>;
}

export interface VirtualArray {
  readonly kind: "array";
  /**
   * The Zarr v3 document. Chunk keys are those of `chunk_key_encoding` "default" with "/": "c/0/1", or "c".
   */
  document(): Promise<JsonObject>;
  /**
   * Where the chunk at these coordinates of the grid lies; undefined for a chunk that is not stored, whose
   * elements are the fill value, and for coordinates beyond the grid.
   */
  chunk(coordinates: readonly number[]): Promise<VirtualChunk | undefined>;
  /** Coordinates of all chunks that are stored, in any order. For listings and for `writeReferences`. */
  chunks(): AsyncIterable<readonly number[]>;
}

/** A file that has bytes of chunks. */
export interface ChunkFile {
  /** What messages call the file. */
  readonly name: string;
  /** Where others find the file: an absolute path or a URL. Undefined for a Blob. */
  readonly address?: string | undefined;
  /** Reads exactly these bytes. @throws StoreError for bytes past the end of the file */
  chunk(extent: Extent, options?: PartsOptions): Promise<Uint8Array>;
}

/** The encoded bytes of a chunk: these parts, one after the other. */
export interface VirtualChunk {
  /** The file that the ranges are of, in a hierarchy of several files; otherwise the one that was opened. */
  readonly file?: ChunkFile | undefined;
  /** Ranges of the file, and bytes that are not in it. */
  readonly parts: readonly (Extent | Uint8Array)[];
  /**
   * Makes what the codecs of the document decode out of the joined parts, for chunks that are stored in
   * another way than the document says: with a filter left out, or with elements elsewhere in the file.
   */
  readonly recode?: ((bytes: Uint8Array, options?: StoreOptions) => Promise<Uint8Array>) | undefined;
}

/** A chunk that is one range of the file. */
export const oneRange = (offset: number, length: number): VirtualChunk => ({ parts: [{ offset, length }] });
