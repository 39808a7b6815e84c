/** What the parts of the engine hand each other: a prepared array, options, and the workers' side of both. */
import type { ChunkLocation, Pipeline } from "../codecs/pipeline.js";
import { preparePipeline } from "../codecs/prepare-pipeline.js";
import { fillPattern } from "../data-types/data-type.js";
import { InvalidArgumentError } from "../errors.js";
import { chunkKey } from "../grid/chunk-grid.js";
import type { BasicSelection, DimensionSelection } from "../grid/selection.js";
import type { Kernels } from "../kernels/kernels.js";
import { loadKernels } from "../kernels/load.js";
import type { ArrayMetadata } from "../metadata/model.js";
import { product } from "../shape.js";
import { describeGiven } from "../stores/check-store.js";
import type { CoalesceOptions, Extent } from "../stores/keys-and-ranges.js";
import type { Priority } from "../stores/request-queue.js";
import type { AbsolutePath, Awaitable, Store, WritableStore } from "../stores/store.js";
import type { ChunkValue, ResultWindow } from "./assembler.js";
import type { Band, ChunkProjection, Planner } from "./bands.js";
import type { Concurrency, Limiter } from "./concurrency.js";
import type { WriteSource } from "./encoder.js";
import type { AnswersAhead } from "./shards/freshness.js";
import { type SharedGet, sharedGets } from "./shared-gets.js";

/** Where a chunk is in the array and in the store. */
export interface ValueLocation extends ChunkLocation {
  readonly key: AbsolutePath;
  /** Whether the array has no element there before this write: what the store has there nobody wants to keep. */
  readonly isNew?: boolean | undefined;
}

/** What the engine needs of an array, worked out once when it is first read or written. */
export interface PreparedArray {
  readonly store: Store;
  /** `store.get`, by way of requests that are under way already; undefined where that cannot be. */
  readonly sharedGet: SharedGet | undefined;
  readonly metadata: ArrayMetadata;
  readonly pipeline: Pipeline;
  readonly kernels: Kernels;
  /** Fill value as one element in memory order; zeros for null. */
  readonly fillPattern: Uint8Array;
  locate(chunk: readonly number[]): ValueLocation;
  /** Where chunks differ in shape: reads and writes parts of the array that have a regular grid each. `pipeline` is that of some chunk. */
  readonly blocks?: Blocks | undefined;
  /** The one selection that this is for, where it is no box of a regular grid: in place of `planBands`. */
  readonly plan?: Planner | undefined;
  /** Answers to requests that this read sent before the array was prepared. */
  readonly ahead?: AnswersAhead | undefined;
  /** Other cores, for this read. */
  readonly remote?: RemoteReader | undefined;
  /** Other cores, for this write: copies what is to be encoded there into memory that gets there without another copy. */
  readonly keep?: ((bytes: Uint8Array) => Uint8Array) | undefined;
  /** Other cores, for this write of shards. */
  readonly batches?: RemoteBatches | undefined;
  /** Other cores, for this write: takes back the memory of an encoded chunk that the store has copied. */
  readonly release?: ((encoded: Uint8Array) => void) | undefined;
}

export interface ReadOptions extends Concurrency {
  readonly signal?: AbortSignal | undefined;
  readonly priority?: Priority | undefined;
  /** Those of several reads that are parts of one, together. */
  readonly limiter?: Limiter | undefined;
  /** How byte ranges of one shard are merged into requests. */
  readonly coalesce?: Partial<CoalesceOptions> | undefined;
  readonly workers?: ChunkWorkers | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export interface WriteOptions extends Concurrency {
  readonly signal?: AbortSignal | undefined;
  /** Those of several writes that are parts of one, together. */
  readonly limiter?: Limiter | undefined;
  /** Store chunks that hold nothing but the fill value, too. */
  readonly writeEmptyChunks: boolean;
  readonly workers?: ChunkWorkers | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** An array whose chunks differ in shape. */
interface Blocks {
  /** `readWindow` of such an array. */
  read(
    array: PreparedArray,
    selection: BasicSelection,
    window: ResultWindow,
    options: ReadOptions,
  ): Promise<void>;
  /** `writeSelection` of such an array. */
  write(
    array: PreparedArray,
    store: WritableStore,
    selection: BasicSelection,
    source: WriteSource,
    options: WriteOptions,
    writeSelection: WriteSelection,
  ): Promise<void>;
  /** The codecs of chunks of a shape; no promise where there were such chunks before. */
  pipelineOf(chunkShape: readonly number[]): Awaitable<Pipeline>;
}

/** Writes a selection: `writeSelection` of write.ts, handed to those that must not load what writes. */
export type WriteSelection = (
  array: PreparedArray,
  store: WritableStore,
  selection: BasicSelection,
  source: WriteSource,
  options: WriteOptions,
) => Promise<void>;

/** Other cores that decode and encode. */
export interface ChunkWorkers {
  /** What puts bands of the array together there; undefined where that does not pay or cannot be. `signal` takes back what waits. */
  reader(array: PreparedArray, signal: AbortSignal): Promise<RemoteReader | undefined>;
  /** The array with its codecs running there; itself where that does not pay or cannot be. */
  writer(array: PreparedArray, signal: AbortSignal | undefined): Promise<PreparedArray>;
}

export interface RemoteReader {
  /** Whether workers read values of the array's store themselves. */
  readonly readsFiles: boolean;
  /** A place for a band of `pipeline`'s chunks; undefined where the band is too little work for a message. */
  open(pipeline: Pipeline, band: Band): RemoteBand | undefined;
  /** Resolves when no worker touches any result any more, whatever became of it. */
  settled(): Promise<void>;
}

/** Parts of a value of the array's store. */
export interface StoredParts {
  readonly key: AbsolutePath;
  /** What the store says of the value that the parts are known of: of any other they are something else. */
  readonly version: string;
  /** undefined: no such part */
  readonly extents: readonly (Extent | undefined)[];
}

export interface RemoteBand {
  /**
   * The same as `assemble` by workers that read the values themselves: of chunks that are values of the array's store. False, and
   * perhaps something written, where only the store can read them.
   */
  read(
    selection: readonly DimensionSelection[],
    window: ResultWindow,
    locate: (chunk: ChunkProjection) => ChunkLocation,
  ): Promise<boolean>;
  /** `read` of chunks that are parts of one value. */
  readParts(
    value: StoredParts,
    selection: readonly DimensionSelection[],
    window: ResultWindow,
    locate: (chunk: ChunkProjection) => ChunkLocation,
  ): Promise<boolean>;
  /** Memory for encoded bytes, from which they need no copy to get to a worker. */
  readonly allocate: (byteLength: number) => Uint8Array;
  /**
   * Decodes the band's chunks and puts them into `window`: there, if its memory is shared, or else by way of memory that is
   * handed over. Looks at `values` until it is done.
   * @param selection of which only the steps count
   */
  assemble(
    values: readonly ChunkValue[],
    selection: readonly DimensionSelection[],
    window: ResultWindow,
    locate: (chunk: ChunkProjection) => ChunkLocation,
  ): Promise<void>;
}

/** Where inner chunks of shards are encoded, those of a band together. */
export interface RemoteBatches {
  /** Bands under way that keep everybody busy. */
  readonly atOnce: number;
  /** For a band of `pipeline`'s chunks. */
  open(pipeline: Pipeline): RemoteBatch;
}

/** Inner chunks of a shard on their way to be encoded. */
export interface RemoteBatch {
  /** Copies what is to be encoded into memory that gets there without another copy. */
  readonly keep: (elements: Uint8Array) => Uint8Array;
  /**
   * @param chunks from `keep`
   * @param take copies what a chunk became: its memory is used again
   * @returns what `take` made of each
   */
  encode(
    chunks: readonly (Uint8Array | undefined)[],
    locations: readonly ChunkLocation[],
    take: (encoded: Uint8Array) => Uint8Array,
  ): Promise<readonly (Uint8Array | undefined)[]>;
}

/** @throws InvalidArgumentError for what is no pool of workers */
export function checkWorkers(workers: ChunkWorkers): void {
  if (typeof workers.reader === "function" && typeof workers.writer === "function") return;
  throw new InvalidArgumentError(
    `workers: expected a WorkerPool of wazarr/workers, got ${describeGiven(workers)}`,
  );
}

/** Prepares an array: its codecs loaded and checked, and where its chunks are. */
export async function prepareArray(
  store: Store,
  prefix: AbsolutePath,
  metadata: ArrayMetadata,
): Promise<PreparedArray> {
  if (metadata.chunkGrid.name !== "regular") {
    return (await import("./rectilinear/prepare.js")).prepareRectilinear(store, prefix, metadata);
  }
  const kernels = await loadKernels();
  return {
    store,
    sharedGet: sharedGets(store)?.get,
    metadata,
    kernels,
    pipeline: await preparePipeline(metadata, kernels),
    fillPattern: fillPattern(metadata.dataType, metadata.fillValue),
    locate: (chunk) => ({ key: `${prefix}${chunkKey(metadata.chunkKeyEncoding, chunk)}`, chunk }),
  };
}

/** Told of a read or write as it goes on: chunks (shards of a sharded array) and bytes of elements that are done. */
export type OnProgress = (progress: {
  readonly chunksDone: number;
  readonly chunksTotal: number;
  readonly bytes: number;
}) => void;

/** Counts the bands that are done. */
export function trackProgress(
  onProgress: OnProgress | undefined,
  chunksTotal: number,
  itemSize: number,
): (band: { readonly shape: readonly number[]; readonly chunks: { readonly length: number } }) => void {
  if (onProgress === undefined) return () => {};
  let chunksDone = 0;
  let bytes = 0;
  return ({ shape, chunks }) => {
    chunksDone += chunks.length;
    bytes += product(shape, itemSize);
    onProgress({ chunksDone, chunksTotal, bytes });
  };
}
