/**
 * The entry `wazarr/reading`: types of the options and results of reads.
 * @module
 */

export type { ChunkLike } from "../array/chunk-like.js";
export type {
  DrawAsOptions,
  DrawnAs,
  DrawnChunk,
  DrawnOut,
  DrawnType,
  DrawOptions,
  HistogramOptions,
  Statistics,
} from "../array/draw-options.js";
export type { GetCoordinatesOptions, GetOrthogonalOptions } from "../array/fancy-indexing.js";
export type { ColumnChunk, GetColumnResult, GetDrawnResult } from "../array/get.js";
export type { ColumnOptions, SafeIntegersOptions } from "../array/get-options.js";
export type { PrefetchOptions } from "../array/prefetch.js";
export type { ReadSlabsOptions, Slab } from "../array/read-slabs.js";
export type { ChunkWorkers } from "../core/line/shared/chunk-workers.js";
export type { OnProgress } from "../core/line/shared/on-progress.js";
