/**
 * Fancy indexing: reads and writes single points, or all combinations of one list of indices per dimension.
 */

import { cOrderStrides, product } from "../../base/shape.js";
import { pointGap } from "../../core/line/part-rules.js";
import { planCrossings } from "../../core/line/picked/crossings.js";
import { planPoints } from "../../core/line/picked/points.js";
import { readBoxes } from "../../core/line/picked/read-boxes.js";
import { readPicked } from "../../core/line/picked/read-picked.js";
import { pickedAsStored } from "../../core/line/placing/picked.js";
import { forEachArray } from "../../core/line/rectilinear/by-shape.js";
import type { BandPlan } from "../../core/line/shared/bands.js";
import type { Store } from "../../core/stores/store.js";
import { type ChunkRuns, chunkRuns } from "../../grid/chunk-grid.js";
import { type CoordinateSelection, normaliseCoordinates } from "../../grid/coordinates.js";
import { normaliseOrthogonal, type OrthogonalEntry } from "../../grid/orthogonal.js";
import type { BasicSelection } from "../../grid/selection.js";
import { checkArray } from "../nodes/check-arguments.js";
import type { Chunk, ZarrArray } from "../nodes/nodes.js";
import { untilOptionsAbort } from "../nodes/options-signal.js";
import { prepareFor } from "../nodes/prepare-for.js";
import type { SetValue } from "../write/set.js";
import type { SetOptions } from "../write/set-options.js";
import { checkStoredAlone, FANCY, type GetOptions, type StoredAlone } from "./get-options.js";
import { readOptions } from "./read-options.js";
import { readRuns } from "./read-runs.js";
import { resultBytes } from "./result-bytes.js";

type FancyGetOptions<D> = Omit<GetOptions<D>, "shared" | "useSharedArrayBuffer"> & StoredAlone;

/** As for `get`. */
export type GetCoordinatesOptions<D> = FancyGetOptions<D>;

/**
 * Reads single elements (zarr-python's `vindex`). Every chunk that holds one of them is decoded once.
 * @example
 * ```ts
 * const { data } = await getCoordinates(array, [[0, 1], [10, 20], [5, 6]]); // of [0, 10, 5] and [1, 20, 6]
 * ```
 * @param coordinates one list of indices per dimension, all of the same length, in any order, with
 * repetitions (an integer stands for a list of it); or a mask `{ data, shape }` over the whole array
 * @returns one dimension with an element for each index of the lists, in their order; for a mask, in C order
 * @throws InvalidSelectionError, and as `get`
 */
export async function getCoordinates<D, S extends Store>(
  array: ZarrArray<D, S>,
  coordinates: CoordinateSelection,
  options: GetCoordinatesOptions<D> = {},
): Promise<Chunk<D>> {
  checkArray(array);
  checkStoredAlone(options, "getCoordinates", FANCY);
  const points = normaliseCoordinates(coordinates, array.shape);
  return untilOptionsAbort(options, (effective) =>
    getFancy(array, points.result, (runs, gap) => planPoints(points, array.shape, runs, gap), effective),
  );
}

/** As for `get`. */
export type GetOrthogonalOptions<D> = FancyGetOptions<D>;

/**
 * Reads all combinations of the indices selected in each dimension (zarr-python's `oindex`, xarray's `isel`).
 * Every chunk that is touched is decoded once.
 * @example
 * ```ts
 * const { shape } = await getOrthogonal(array, [0, [7, 0, -1], slice(0, 100)]); // [3, 100]
 * ```
 * @param selection per dimension an entry of `get`'s selections, a list of indices in any order, with
 * repetitions, or a mask of booleans
 * @returns elements in C order, without the dimensions of integers; never a scalar, even for integers alone
 * @throws InvalidSelectionError, and as `get`
 */
export async function getOrthogonal<D, S extends Store>(
  array: ZarrArray<D, S>,
  selection: readonly OrthogonalEntry[],
  options: GetOrthogonalOptions<D> = {},
): Promise<Chunk<D>> {
  checkArray(array);
  checkStoredAlone(options, "getOrthogonal", FANCY);
  const { lines, result } = normaliseOrthogonal(selection, array.shape);
  return untilOptionsAbort(options, (effective) =>
    getFancy(array, result, (runs) => planCrossings(lines, array.shape, runs), effective),
  );
}

/**
 * Reads the elements of a plan.
 * @param result the number of elements along each dimension of the result, including dropped dimensions
 */
async function getFancy<D>(
  array: ZarrArray<D>,
  result: BasicSelection,
  plan: (runs: readonly ChunkRuns[], gap?: number) => BandPlan,
  options: FancyGetOptions<D>,
): Promise<Chunk<D>>;
async function getFancy(
  array: ZarrArray<unknown>,
  result: BasicSelection,
  plan: (runs: readonly ChunkRuns[], gap?: number) => BandPlan,
  { out, invalidText = "error", ...others }: FancyGetOptions<unknown>,
): Promise<unknown> {
  const { itemSize, variable } = array.dataType;
  const options = readOptions(others);
  const { shape } = result;
  const prepared = await prepareFor(array, { ...others, invalidText });
  const { metadata } = prepared;
  const runs = chunkRuns(metadata.chunkGrid);
  const layout = { shape: [...shape], stride: cOrderStrides(shape, 1) };
  if (variable !== undefined) {
    const { checkOut, readValues } = await import("./variable-length.js");
    const data = checkOut(out, product(shape)) ?? new Array<unknown>(product(shape));
    const readOne = { ...options, workers: undefined, invalidText };
    await forEachArray(prepared, plan(runs), readOne, async (part, partOptions) => {
      await readValues(part, result, data, partOptions);
    });
    return { data, ...layout };
  }
  const { bytes, fresh } = resultBytes(array, { out }, product(shape) * itemSize);
  const strides = cOrderStrides(
    result.dimensions.map(({ count }) => count),
    itemSize,
  );
  if (options.workers === undefined) {
    const target = { bytes, offset: 0, strides, isBlank: fresh };
    await forEachArray(prepared, plan(runs, pointGap(prepared)), options, (part, partOptions) =>
      readPicked(part, target, partOptions, pickedAsStored(itemSize)),
    );
  } else {
    const inner = readRuns(metadata);
    await readBoxes(prepared, plan(inner), inner, { bytes, strides }, options);
  }
  return { data: out ?? array.dataType.view(bytes), ...layout };
}

/**
 * Writes single elements (zarr-python's `vindex[...] = `) at coordinates as `getCoordinates` takes them. For
 * a repeated point, the last element is kept. Every chunk that is touched is read, changed and written once,
 * under a lock.
 * @param value a scalar for all points, or one dimension with an element per point
 * @throws InvalidSelectionError, and as `set`
 */
export async function setCoordinates<D, S extends Store>(
  array: ZarrArray<D, S>,
  coordinates: CoordinateSelection,
  value: SetValue<D>,
  options: SetOptions = {},
): Promise<void> {
  checkArray(array);
  const points = normaliseCoordinates(coordinates, array.shape);
  const plan = (runs: readonly ChunkRuns[]) => planPoints(points, array.shape, runs);
  await writeFancy(array, points.result, plan, value, options, "setCoordinates");
}

/**
 * Writes all combinations of the indices selected in each dimension (zarr-python's `oindex[...] = `): a
 * scalar everywhere, or elements of exactly the selection's shape. For a repeated index, the last element is
 * kept. Every chunk that is touched is written once, under a lock. It is read before, unless all of it is
 * written; a chunk that crosses the array's edge is always read.
 * @throws InvalidSelectionError, and as `set`
 */
export async function setOrthogonal<D, S extends Store>(
  array: ZarrArray<D, S>,
  selection: readonly OrthogonalEntry[],
  value: SetValue<D>,
  options: SetOptions = {},
): Promise<void> {
  checkArray(array);
  const { lines, result } = normaliseOrthogonal(selection, array.shape);
  const plan = (runs: readonly ChunkRuns[]) => planCrossings(lines, array.shape, runs);
  await writeFancy(array, result, plan, value, options, "setOrthogonal");
}

type SetFancy = typeof import("../write/write.js").setFancy;

async function writeFancy(...args: Parameters<SetFancy>): Promise<void> {
  const [array, result, plan, value, options, name] = args;
  const { setFancy } = await import("../write/write.js");
  await untilOptionsAbort(options, (effective) => setFancy(array, result, plan, value, effective, name));
}
