/**
 * The types of the core. A read is a straight line of data:
 *
 *     selection -> ReadPlan -> Batch -> ChunkSource (over Values) -> Placer (Pipeline, copy) -> result
 *
 * A variation is another value of these types, or a port that wraps a port. No step asks which it has.
 */

import type { DimensionProjection } from "../../grid/projection.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { ChunkLocation, Pipeline } from "../codecs/pipeline.js";
import type { CoalesceOptions } from "../stores/requests/merged-requests.js";
import type { Priority } from "../stores/requests/request-queue.js";
import type { Allocate, Awaitable, RangeQuery, ValueParts } from "../stores/store.js";
import type { Placement } from "./placement.js";
import type { Band } from "./shared/bands.js";

export type { Allocate, Awaitable, ChunkLocation, Pipeline, RangeQuery };

/** Parts of one version of a value, in the order of the ranges. */
export interface Parts {
  readonly parts: readonly Uint8Array[];
  /** Length of the whole value, where it is known. */
  readonly byteLength: number | undefined;
  /** Answers of two versions never have the same one here. NaN: the parts are of several versions. */
  readonly version: NonNullable<ValueParts["version"]>;
  /** False if the store gives no versions: then only writes of this process change `version`. */
  readonly isCertain: boolean;
}

/** What all requests of one read share: when they end, how urgent they are, and how many are under way. */
export interface Requests {
  /** Another one for each read. */
  readonly id: number;
  readonly priority: Priority | undefined;
  /** Which ranges of a value become one request. */
  readonly coalesce: CoalesceOptions;
  /** Sends a request when it is its turn, unless the read has ended by then. */
  send<Answer>(request: (signal: AbortSignal) => Promise<Answer>): Promise<Answer>;
  /** Parts that several batches of this read want are asked for once, also while they wait for their turn. */
  once(name: string, ask: () => Awaitable<Parts | undefined>): Awaitable<Parts | undefined>;
  /** @throws Replaced if a value is of another version than the one that this read has seen of it */
  expectSame(name: string, version: Parts["version"]): void;
}

/** Memory that is lent for answers until a batch is placed. Using it is optional. */
export interface Memory {
  /** For an answer that is given at once. */
  readonly now: Allocate;
  /** For an answer that comes later. */
  readonly later: Allocate;
  /** Memory of `now` ends with the call: copies what lies there, for an answer that waits for others. */
  readonly keep: (bytes: Encoded) => Encoded;
}

/** What a request may be given beside its key. */
export interface How {
  /** No valid value is longer: a longer one is a StoreError. */
  readonly most: number;
  /** Saves a look at the length of a whole value if it is right. */
  readonly probableLength?: number | undefined;
  readonly memory?: Memory | undefined;
  /** Whether other reads may want the same at the same time: then they may share a request. */
  readonly isShared?: boolean;
}

/** Port 1: the values of a store. An answer may come at once; then a read makes no promise but its own. */
export interface Values {
  /** Whether requests are expensive: then few are sent, and as little as possible is asked for twice. */
  isFar(): boolean;
  /** Whether ranges are read without the rest of a value: "ignored" if the last one brought all of it. */
  readonly rangeSupport: "none" | "ignored" | "read";
  /** A whole value; undefined if it is missing. */
  whole(key: string, requests: Requests, how: How): Awaitable<Encoded>;
  /**
   * Ranges of a value, shorter where it ends before, or all of it without ranges. Undefined if it is missing.
   */
  parts(
    key: string,
    ranges: readonly RangeQuery[] | undefined,
    requests: Requests,
    how: How,
  ): Awaitable<Parts | undefined>;
}

/** The index of a chunk in its chunk grid, by dimension of the array. */
export type Coordinates = readonly number[];

/** A stored chunk; undefined if it is missing: all of it is fill value. */
export type Encoded = Uint8Array | undefined;

/** A chunk that is wanted, and what of it where that is known: a source may read no more than that. */
export type Wanted = Pick<Piece, "chunk"> & Partial<Pick<Piece, "parts">>;

/**
 * Port 2: the encoded chunks of one chunk grid. `storedChunks` has a key for each chunk. `shardChunks` is a
 * source of inner chunks over a source of shards, and so over itself where shards nest.
 */
export interface ChunkSource {
  /** As those of the values. */
  isFar(): boolean;
  readonly rangeSupport: Values["rangeSupport"];
  /** The chunks in the order of `wanted`: one promise for all of them, or none. */
  chunks(wanted: readonly Wanted[], requests: Requests, memory?: Memory): Awaitable<readonly Encoded[]>;
  /** Ranges of one version of a chunk, or all of it without ranges. Undefined if the chunk is missing. */
  parts(
    chunk: Coordinates,
    ranges: readonly RangeQuery[] | undefined,
    requests: Requests,
    how?: Pick<How, "memory" | "isShared">,
  ): Awaitable<Parts | undefined>;
  /** The key of the value that has the chunk, for errors. */
  locate(chunk: Coordinates): ChunkLocation;
  /**
   * Forgets what is known of a chunk, or of its shard.
   * @returns whether anything was known before this read: then asking again may give other bytes
   */
  forget(chunk: Coordinates, requests: Requests): boolean;
}

/** A prepared array: what does not change from read to read. */
export interface CoreArray {
  /** The chunks that are decoded: of a sharded array, the inner ones. */
  readonly source: ChunkSource;
  /** Of the longest chunks, where chunks differ in shape. */
  readonly pipeline: Pipeline;
  readonly pipelineOf: (chunk: Coordinates) => Pipeline;
  readonly kernels: Kernels;
  /** One element of the fill value, in memory order. */
  readonly fill: Uint8Array;
  /** Shape of what is a value of the store, in chunks: of a shard, or 1 along each dimension. */
  readonly stored: Coordinates;
}

/**
 * What is taken of one chunk: a box of it, cut along each dimension, or elements of that box in any order.
 */
export interface Piece {
  readonly chunk: Coordinates;
  readonly parts: readonly DimensionProjection[];
  /** Whether every element of the chunk is selected, padding beyond the array's edge included. */
  readonly whole: boolean;
  /** The selected elements of the box and their order; undefined if all of the box is selected. */
  readonly picked?: Picked | undefined;
}

/** Elements of one chunk in any order. Both placements have `count` elements, in the same order. */
export interface Picked {
  readonly count: number;
  /** @param strides of the chunk, in elements */
  inChunk(strides: readonly number[]): Placement;
  /** Places in the result, or in the source of a write. @param place its offset and strides, in elements */
  inResult(place: Pick<Placement, "offset" | "strides">): Placement;
}

/** Pieces that fill a box of the result, in C order. They are decoded and placed without a pause. */
export interface Block {
  /** First index and shape of the box in the result, by dimension of the array. */
  readonly start: readonly number[];
  readonly shape: readonly number[];
  readonly pieces: readonly Piece[];
}

/** Blocks whose chunks are requested together: `pieces` are those of all blocks, in their order. */
export interface Batch {
  readonly pieces: readonly Piece[];
  readonly blocks: readonly Block[];
}

/** A selection as data: what is requested, and where it goes. */
export interface ReadPlan {
  /** Each is made when it is taken, in C order of the chunk grid. */
  readonly batches: Iterable<Batch>;
  /** How many chunks are met. */
  readonly chunks: number;
  /** Requests of a batch, and the decoded bytes that one of them brings: what memory is planned by. */
  readonly requests: number;
  readonly requestBytes: number;
  /** Bytes that all requests under way may bring. */
  readonly held: number;
}

/** Port 3: gets the chunks of a block into the result. */
export interface Placer {
  /** Arena bytes that `place` takes. */
  room(block: Block): number;
  /**
   * Decodes the chunks of a block and places their selected elements; fill value where they are missing.
   * @param encoded the chunks of a batch, of which those of the block begin at `first`
   * @param isBlank whether nothing was placed there before
   * @returns a promise if this happens elsewhere
   * @throws CodecError with the chunk and its key
   */
  place(block: Block, encoded: readonly Encoded[], first: number, isBlank: boolean): Awaitable<void>;
}

/** Where the selected elements go. */
export interface Target {
  readonly bytes: Uint8Array;
  /** Byte offset of the first selected element. */
  readonly offset: number;
  /** Bytes from one selected element to the next, by dimension of the array. */
  readonly strides: readonly number[];
  /** Whether all bytes are zero. */
  readonly isBlank: boolean;
}

/** Chunks of one grid that are encoded together, without a pause: those of a band. */
export interface WriteBlock {
  /** What is written of each chunk. */
  readonly band: Band;
  /**
   * Where the indices of the band count from in the value: a byte offset, or one in elements of any length.
   */
  readonly offset: number;
  /** The places of the chunks, in the order of the band. */
  readonly at: readonly ChunkLocation[];
  /** What is stored of each chunk, if the write keeps some of its elements. */
  readonly old: readonly Encoded[];
}

/** Who takes encoded chunks: the store's sink, or the shard that they are in. */
export interface Receiver {
  /**
   * Memory in which a chunk may be put together, because it stays there. Undefined if the receiver copies
   * what it takes.
   */
  readonly own: Allocate | undefined;
  /** Memory that is lent until a chunk is stored. Undefined if the receiver copies what it takes. */
  readonly lent: Allocate | undefined;
  /**
   * @param position in the block
   * @param encoded undefined: all of the chunk is fill value
   * @param isKept whether the bytes are in memory of `own` or `lent`, or given away; else they are used again
   * once this returns
   * @returns a promise, which never rejects, if the bytes are needed for longer
   * @throws what went wrong with a chunk before: encoding more is in vain
   */
  take(position: number, encoded: Encoded, isKept: boolean): Awaitable<void>;
}

/**
 * Port 4: makes encoded chunks of a value, for one chunk grid. Elements are encoded in one place. Shards are
 * an encoder over the encoder of their inner chunks, and so over itself where shards nest; codecs that answer
 * later, or stand around shards, are encoders over another one, too.
 */
export interface ChunkEncoder {
  /** Whether all of `encode` is done when it returns. */
  readonly isNow: boolean;
  /** How many blocks to have under way, if they are encoded elsewhere. */
  readonly blocksAtOnce: number;
  /** Encodes the chunks of a block, and hands over each. @throws CodecError */
  encode(block: WriteBlock, receiver: Receiver): Awaitable<void>;
  /** A chunk of fill value alone, for stores that cannot delete. */
  encodeFill(at: ChunkLocation): Awaitable<Uint8Array>;
}

/**
 * Port 5: stores the chunks of a write. Only here keys are locked, and conflicts with other writers found.
 */
export interface ChunkSink {
  /** Replaces the chunks of a band. @returns undefined if the store answered at once, and all is done */
  replace(band: Band, offset: number): Promise<void> | undefined;
}
