/** What the engine needs of an array, worked out once when the array is first read or written. */

import type { ChunkLocation, Pipeline } from "../codecs/pipeline.js";
import { preparePipeline } from "../codecs/prepare-pipeline.js";
import { fillPattern } from "../data-types/data-type.js";
import { isZarrError, StoreError } from "../errors.js";
import { chunkKey } from "../grid/chunk-grid.js";
import type { Kernels } from "../kernels/kernels.js";
import { loadKernels } from "../kernels/load.js";
import type { ArrayMetadata } from "../metadata/model.js";
import { product } from "../shape.js";
import type { AbsolutePath, Store } from "../stores/store.js";
import type { Planner } from "./bands.js";
import type { Blocks } from "./rectilinear/prepare.js";
import type { RemoteBatches, RemoteReader } from "./remote.js";
import { type SharedGet, sharedGets } from "./shared-gets.js";

/** Where a chunk is in the array and in the store. */
export interface ValueLocation extends ChunkLocation {
  readonly key: AbsolutePath;
  /** Whether the array has no element there before this write: what the store has there nobody wants to keep. */
  readonly isNew?: boolean | undefined;
}

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
  /** Other cores, for this read. */
  readonly remote?: RemoteReader | undefined;
  /** Other cores, for this write: copies what is to be encoded there into memory that gets there without another copy. */
  readonly keep?: ((bytes: Uint8Array) => Uint8Array) | undefined;
  /** Other cores, for this write of shards. */
  readonly batches?: RemoteBatches | undefined;
  /** Other cores, for this write: takes back the memory of an encoded chunk that the store has copied. */
  readonly release?: ((encoded: Uint8Array) => void) | undefined;
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

export async function prepareArray(
  store: Store,
  prefix: AbsolutePath,
  metadata: ArrayMetadata,
): Promise<PreparedArray> {
  if (metadata.chunkGrid.name !== "regular") {
    return (await import("./rectilinear/prepare.js")).prepareRectilinear(store, prefix, metadata);
  }
  const isShared = store.set === undefined && store.getInto === undefined;
  const kernels = await loadKernels();
  return {
    store,
    sharedGet: isShared ? sharedGets(store) : undefined,
    metadata,
    kernels,
    pipeline: await preparePipeline(metadata, kernels),
    fillPattern: fillPattern(metadata.dataType, metadata.fillValue),
    locate: (chunk) => ({ key: `${prefix}${chunkKey(metadata.chunkKeyEncoding, chunk)}`, chunk }),
  };
}

/**
 * What a store threw, as a StoreError that names the key, or the node whose keys were listed. After an abort its reason, whatever the store
 * made of it; aborts of the store's own and wazarr's errors pass as they are.
 */
export function storeFailure(
  error: unknown,
  key: string | undefined,
  signal: AbortSignal | undefined,
  path?: string,
): unknown {
  if (signal?.aborted) return signal.reason;
  if (isZarrError(error) || isAbort(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError(`the store failed: ${reason}`, { key, path, cause: error });
}

function isAbort(error: unknown): boolean {
  return typeof error === "object" && error !== null && "name" in error && error.name === "AbortError";
}
