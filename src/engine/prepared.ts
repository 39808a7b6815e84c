/** The prepared array: all that the engine needs of an array, and how it is made. */
import type { ChunkLocation, Pipeline } from "../core/codecs/pipeline.js";
import { preparePipeline } from "../core/codecs/prepare-pipeline.js";
import type { Cut } from "../core/line/plan.js";
import type { CoreArray, Target } from "../core/line/ports.js";
import type { Placing } from "../core/line/select.js";
import type { WriteSource } from "../core/line/write/encoders.js";
import type { AbsolutePath, Awaitable, Store, WritableStore } from "../core/stores/store.js";
import { type Values, valuesOf } from "../core/stores/values.js";
import { fillPattern } from "../data-types/data-type.js";
import type { BasicSelection } from "../grid/selection.js";
import type { Kernels } from "../kernels/kernels.js";
import { loadKernels } from "../kernels/load.js";
import { chunkKeysOf } from "../metadata/chunk-key-encodings.js";
import type { ArrayMetadata } from "../metadata/model.js";
import type { Planner } from "./bands.js";
import type { ReadOptions, WriteOptions } from "./options.js";

/** The place of a chunk in the array and in the store. */
export interface ValueLocation extends ChunkLocation {
  readonly key: AbsolutePath;
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
  /** The line of this read, and where its selection is cut, if chunks differ in shape. */
  readonly line?: CoreArray | undefined;
  readonly cut?: Cut | undefined;
  /**
   * The plan of this read or write, used instead of `planBands` if the selection is not a box of a regular
   * grid.
   */
  readonly plan?: Planner | undefined;
}

/** Reads and writes an array whose chunks differ in shape. */
interface Blocks {
  /** As `readInto` of core/line/select.ts. */
  read(
    array: PreparedArray,
    selection: BasicSelection,
    target: Target,
    options: ReadOptions,
    placing: Placing,
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
