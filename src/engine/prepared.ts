/** Types that the parts of the engine share: the prepared array, options, and the interfaces of workers. */
import type { ChunkLocation, Pipeline } from "../codecs/pipeline.js";
import { preparePipeline } from "../codecs/prepare-pipeline.js";
import { fillPattern } from "../data-types/data-type.js";
import { InvalidArgumentError } from "../errors.js";
import type { BasicSelection, DimensionSelection } from "../grid/selection.js";
import type { Kernels } from "../kernels/kernels.js";
import { loadKernels } from "../kernels/load.js";
import { chunkKeysOf } from "../metadata/chunk-key-encodings.js";
import type { ArrayMetadata } from "../metadata/model.js";
import { product } from "../shape.js";
import { describeGiven } from "../stores/check-store.js";
import type { Extent } from "../stores/keys-and-ranges.js";
import type { CoalesceOptions } from "../stores/merged-requests.js";
import type { Priority } from "../stores/request-queue.js";
import type { AbsolutePath, Awaitable, Store, WritableStore } from "../stores/store.js";
import { type Values, valuesOf } from "../stores/values.js";
import type { ChunkValue, ResultWindow } from "./assembler.js";
import type { Band, ChunkProjection, Planner } from "./bands.js";
import type { Concurrency, Limiter } from "./concurrency.js";
import type { WriteSource } from "./encoder.js";

/** The place of a chunk in the array and in the store. */
export interface ValueLocation extends ChunkLocation {
  readonly key: AbsolutePath;
  /**
   * Whether the array had no element there before this write: any stored value is then overwritten unread.
   */
  readonly isNew?: boolean | undefined;
}

/** All that the engine needs of an array, prepared once at the first read or write. */
export interface PreparedArray {
  readonly store: Store;
  readonly values: Values;
  readonly metadata: ArrayMetadata;
  readonly pipeline: Pipeline;
  readonly kernels: Kernels;
  /** Fill value as one element in memory order; zeros if the fill value is null. */
  readonly fillPattern: Uint8Array;
  locate(chunk: readonly number[]): ValueLocation;
  /**
   * If chunks differ in shape: reads and writes parts of the array that each have a regular grid. `pipeline`
   * is that of one of the shapes.
   */
  readonly blocks?: Blocks | undefined;
  /**
   * The plan of this read or write, used instead of `planBands` if the selection is no box of a regular grid.
   */
  readonly plan?: Planner | undefined;
  /** The moment when this read began, if it sent requests before the array was prepared. */
  readonly began?: number | undefined;
  /** Workers for this read. */
  readonly remote?: RemoteReader | undefined;
  /** For a write with workers: copies elements into memory that is sent to a worker without another copy. */
  readonly keep?: ((bytes: Uint8Array) => Uint8Array) | undefined;
  /** Workers for this write of shards. */
  readonly batches?: RemoteBatches | undefined;
  /** For a write with workers: takes back the memory of an encoded chunk that the store has copied. */
  readonly release?: ((encoded: Uint8Array) => void) | undefined;
}

export interface ReadOptions extends Concurrency {
  readonly signal?: AbortSignal | undefined;
  readonly priority?: Priority | undefined;
  /** Shared by the reads that are parts of one read. */
  readonly limiter?: Limiter | undefined;
  /** How byte ranges of one shard are merged into requests. */
  readonly coalesce?: Partial<CoalesceOptions> | undefined;
  readonly workers?: ChunkWorkers | undefined;
  readonly onProgress?: OnProgress | undefined;
}

export interface WriteOptions extends Concurrency {
  readonly signal?: AbortSignal | undefined;
  /** Shared by the writes that are parts of one write. */
  readonly limiter?: Limiter | undefined;
  /** Whether to store chunks that contain only the fill value, too. */
  readonly writeEmptyChunks: boolean;
  readonly workers?: ChunkWorkers | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Reads and writes an array whose chunks differ in shape. */
interface Blocks {
  /** As `readWindow`. */
  read(
    array: PreparedArray,
    selection: BasicSelection,
    window: ResultWindow,
    options: ReadOptions,
  ): Promise<void>;
  /** As `writeSelection` of write.ts. */
  write(
    array: PreparedArray,
    store: WritableStore,
    selection: BasicSelection,
    source: WriteSource,
    options: WriteOptions,
    writeSelection: WriteSelection,
  ): Promise<void>;
  /** Returns the pipeline for a chunk shape; no promise if that shape was prepared before. */
  pipelineOf(chunkShape: readonly number[]): Awaitable<Pipeline>;
}

/**
 * The type of `writeSelection` of write.ts. It is a parameter, so that code for reading does not load code
 * for writing.
 */
export type WriteSelection = (
  array: PreparedArray,
  store: WritableStore,
  selection: BasicSelection,
  source: WriteSource,
  options: WriteOptions,
) => Promise<void>;

/** Workers that decode and encode chunks. */
export interface ChunkWorkers {
  /**
   * Returns a reader for the array; undefined if workers cannot read it or save no time. An abort of `signal`
   * removes waiting tasks.
   */
  reader(array: PreparedArray, signal: AbortSignal): Promise<RemoteReader | undefined>;
  /**
   * Returns the array with its codecs running in workers, or `array` itself if workers cannot write it or
   * save no time.
   */
  writer(array: PreparedArray, signal: AbortSignal | undefined): Promise<PreparedArray>;
}

export interface RemoteReader {
  /** Whether workers read values of the array's store themselves. */
  readonly readsFiles: boolean;
  /**
   * Reserves a worker for a band of `pipeline`'s chunks; undefined if the band is too little work for a
   * message.
   */
  open(pipeline: Pipeline, band: Band): RemoteBand | undefined;
  /** Resolves when no worker writes to any result any more, after success or failure. */
  settled(): Promise<void>;
}

/** Parts of one value of the array's store, such as inner chunks of a shard. */
export interface StoredParts {
  readonly key: AbsolutePath;
  /**
   * The store's version of the value from which the extents were taken; the extents are valid for this
   * version only.
   */
  readonly version: string;
  /** undefined: the part is missing */
  readonly extents: readonly (Extent | undefined)[];
}

export interface RemoteBand {
  /**
   * As `assemble`, but workers read the values themselves. For chunks that are whole values of the array's
   * store. Resolves with false if only the store can read them; parts of the window may be written by then.
   */
  read(
    selection: readonly DimensionSelection[],
    window: ResultWindow,
    locate: (chunk: ChunkProjection) => ChunkLocation,
  ): Promise<boolean>;
  /** As `read`, for chunks that are parts of one value. */
  readParts(
    value: StoredParts,
    selection: readonly DimensionSelection[],
    window: ResultWindow,
    locate: (chunk: ChunkProjection) => ChunkLocation,
  ): Promise<boolean>;
  /** Allocates memory for encoded bytes that is sent to a worker without another copy. */
  readonly allocate: (byteLength: number) => Uint8Array;
  /**
   * Decodes the band's chunks and writes them to `window`: directly if its memory is shared, otherwise
   * through memory that the worker sends back. `values` must stay unchanged until the promise settles.
   * @param selection only its steps are used
   */
  assemble(
    values: readonly ChunkValue[],
    selection: readonly DimensionSelection[],
    window: ResultWindow,
    locate: (chunk: ChunkProjection) => ChunkLocation,
  ): Promise<void>;
}

/** Workers that encode the inner chunks of shards, one band per message. */
export interface RemoteBatches {
  /** How many bands under way keep all workers busy. */
  readonly atOnce: number;
  /** Begins a batch for one band of `pipeline`'s chunks. */
  open(pipeline: Pipeline): RemoteBatch;
}

/** The inner chunks of one band of a shard, to be encoded by a worker. */
export interface RemoteBatch {
  /** Copies elements into memory that is sent to a worker without another copy. */
  readonly keep: (elements: Uint8Array) => Uint8Array;
  /**
   * @param chunks copied by `keep`
   * @param take copies an encoded chunk, because its memory is used again
   * @returns the results of `take`
   */
  encode(
    chunks: readonly (Uint8Array | undefined)[],
    locations: readonly ChunkLocation[],
    take: (encoded: Uint8Array) => Uint8Array,
  ): Promise<readonly (Uint8Array | undefined)[]>;
}

/** @throws InvalidArgumentError if `workers` is not a pool of workers */
export function checkWorkers(workers: ChunkWorkers): void {
  if (typeof workers.reader === "function" && typeof workers.writer === "function") return;
  throw new InvalidArgumentError(
    `workers: expected a WorkerPool of wazarr/workers, got ${describeGiven(workers)}`,
  );
}

/** Prepares an array: loads and checks its codecs, and sets up the keys of its chunks. */
export async function prepareArray(
  store: Store,
  prefix: AbsolutePath,
  metadata: ArrayMetadata,
): Promise<PreparedArray> {
  if (metadata.chunkGrid.name !== "regular") {
    return (await import("./rectilinear/prepare.js")).prepareRectilinear(store, prefix, metadata);
  }
  const kernels = await loadKernels();
  const keys = chunkKeysOf(metadata.chunkKeyEncoding, metadata.shape.length);
  return {
    store,
    values: valuesOf(store),
    metadata,
    kernels,
    pipeline: await preparePipeline(metadata, kernels),
    fillPattern: fillPattern(metadata.dataType, metadata.fillValue),
    locate: (chunk) => ({ key: `${prefix}${keys.keyOf(chunk)}`, chunk }),
  };
}

/**
 * Reports progress of a read or write: finished chunks (shards of a sharded array) and bytes of their
 * elements.
 */
export type OnProgress = (progress: {
  readonly chunksDone: number;
  readonly chunksTotal: number;
  readonly bytes: number;
}) => void;

/** Returns a function that counts finished bands and reports them. */
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
