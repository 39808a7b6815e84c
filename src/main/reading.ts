/**
 * Has the types of the options and results of reads.
 *
 * ```ts
 * import { type Array, get } from "wazarr";
 * import type { DrawAsOptions } from "wazarr/reading";
 *
 * async function pictureOf(array: Array<"int16">, options: DrawAsOptions<"uint8">) {
 *   const { data, shape } = await get(array, null, options);
 *   return { data, shape };
 * }
 * ```
 * @module
 */

export type { ChunkLike } from "../array/nodes/chunk-like.js";
export type {
  DrawAsOptions,
  DrawnAs,
  DrawnChunk,
  DrawnOut,
  DrawnType,
  DrawOptions,
  HistogramOptions,
  Statistics,
} from "../array/read/draw-options.js";
export type { GetCoordinatesOptions, GetOrthogonalOptions } from "../array/read/fancy-indexing.js";
export type { ColumnChunk, GetColumnResult, GetDrawnResult } from "../array/read/get.js";
export type { ColumnOptions, SafeIntegersOptions } from "../array/read/get-options.js";
export type { PrefetchOptions } from "../array/read/prefetch.js";
export type { ReadSlabsOptions, Slab } from "../array/read/read-slabs.js";
export type { ChunkWorkers } from "../core/line/shared/chunk-workers.js";
export type { OnProgress } from "../core/line/shared/on-progress.js";
