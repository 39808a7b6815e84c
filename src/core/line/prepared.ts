/** The prepared array: all that reads and writes need of an array. prepare-array.ts makes it. */

import type { BasicSelection } from "../../grid/selection.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { ArrayMetadata } from "../../metadata/model.js";
import type { ChunkLocation, Pipeline } from "../codecs/pipeline.js";
import type { AbsolutePath, Awaitable, Store, WritableStore } from "../stores/store.js";
import type { Values } from "../stores/values.js";
import type { Cut } from "./plan.js";
import type { Batch, CoreArray, ReadPlan, Target } from "./ports.js";
import type { Planner } from "./shared/bands.js";
import type { ReadOptions, WriteOptions } from "./shared/options.js";
import type { WriteSource } from "./write/encoders.js";

/** The place of a chunk in the array and in the store. */
export interface ValueLocation extends ChunkLocation {
  readonly key: AbsolutePath;
}

/** All that reads and writes need of an array, prepared once at the first read or write. */
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

/** A read whose plan is made. */
export interface Planned {
  readonly array: PreparedArray;
  readonly line: CoreArray;
  readonly plan: ReadPlan;
  readonly target: Target;
  readonly options: ReadOptions;
  readonly done: ((batch: Batch) => void) | undefined;
}

/** How elements get into the result. */
export interface Placing {
  /** Bytes of an element of the result: those of a stored one if undefined; 0 where that varies. */
  readonly itemSize: number | undefined;
  run(planned: Planned): Promise<void>;
}
