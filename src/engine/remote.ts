/** What the engine asks of other cores: bands of chunks put together, and chunks encoded. A WorkerPool of `wazarr/workers` does both. */
import type { ChunkLocation, Pipeline } from "../codecs/pipeline.js";
import { InvalidArgumentError } from "../errors.js";
import type { DimensionSelection } from "../grid/selection.js";
import { describeGiven } from "../stores/check-store.js";
import type { Extent } from "../stores/coalesce.js";
import type { AbsolutePath } from "../stores/store.js";
import type { ChunkValue, ResultWindow } from "./assembler.js";
import type { Band, ChunkProjection } from "./bands.js";
import type { PreparedArray } from "./prepared.js";

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
