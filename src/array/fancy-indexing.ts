/** Fancy indexing: reading and writing single points, or the crossings of a list of indices for each dimension. */

import { untilAborted } from "../abort.js";
import type { BandPlan } from "../engine/bands.js";
import { planCrossings } from "../engine/fancy-indexing/crossings.js";
import { planPoints } from "../engine/fancy-indexing/points.js";
import { fewGap, readBoxes, readChosen } from "../engine/fancy-indexing/read.js";
import { forEachArray } from "../engine/rectilinear/blocks.js";
import { type ChunkRuns, chunkRuns } from "../grid/chunk-grid.js";
import {
  type CoordinateSelection,
  normaliseCoordinates,
  normaliseOrthogonal,
  type OrthogonalEntry,
} from "../grid/fancy-indexing.js";
import type { BasicSelection } from "../grid/selection.js";
import { cOrderStrides, product } from "../shape.js";
import type { Store } from "../stores/store.js";
import { checkArray, checkNames } from "./check-arguments.js";
import { readRuns } from "./chunk-walk.js";
import { prepareFor, readOptions, signalOf } from "./get.js";
import { FANCY, type GetOptions } from "./get-options.js";
import type { Chunk, ZarrArray } from "./nodes.js";
import { resultBytes } from "./result-bytes.js";
import type { SetOptions, SetValue } from "./set.js";

type FancyGetOptions<D> = Omit<GetOptions<D>, "shared" | "useSharedArrayBuffer">;

/** As for `get`. */
export type GetCoordinatesOptions<D> = FancyGetOptions<D>;

/**
 * Reads single elements (zarr-python's `vindex`): one list of indices per dimension, all of the same length, in any order, where an index may
 * occur more than once and an integer counts for every element; or a mask `{ data, shape }` over the whole array. Every chunk that is
 * touched is decoded once.
 * @returns one dimension of elements: as many as the lists have, in their order; for a mask, in C order
 * @throws InvalidSelectionError, and as `get`
 */
export async function getCoordinates<D, S extends Store>(
  array: ZarrArray<D, S>,
  coordinates: CoordinateSelection,
  options?: GetCoordinatesOptions<D>,
): Promise<Chunk<D>>;
export async function getCoordinates(
  array: ZarrArray<unknown>,
  coordinates: CoordinateSelection,
  options: GetOptions<unknown> = {},
): Promise<unknown> {
  checkArray(array);
  checkNames(options, "getCoordinates", FANCY);
  const points = normaliseCoordinates(coordinates, array.shape);
  return untilAborted(signalOf(options), () =>
    getFancy(array, points.result, (runs, gap) => planPoints(points, array.shape, runs, gap), options),
  );
}

/** As for `get`. */
export type GetOrthogonalOptions<D> = FancyGetOptions<D>;

/**
 * Reads every combination of what the dimensions select (zarr-python's `oindex`, xarray's `isel`): per dimension an entry of a basic selection, a
 * list of indices, in any order and with repetitions, or a mask of booleans. An integer drops its dimension. Every chunk that is touched is
 * decoded once.
 * @returns elements in C order; an array, not a scalar, also for integers alone
 * @throws InvalidSelectionError, and as `get`
 */
export async function getOrthogonal<D, S extends Store>(
  array: ZarrArray<D, S>,
  selection: readonly OrthogonalEntry[],
  options?: GetOrthogonalOptions<D>,
): Promise<Chunk<D>>;
export async function getOrthogonal(
  array: ZarrArray<unknown>,
  selection: readonly OrthogonalEntry[],
  options: GetOptions<unknown> = {},
): Promise<unknown> {
  checkArray(array);
  checkNames(options, "getOrthogonal", FANCY);
  const { lines, result } = normaliseOrthogonal(selection, array.shape);
  return untilAborted(signalOf(options), () =>
    getFancy(array, result, (runs) => planCrossings(lines, array.shape, runs), options),
  );
}

/**
 * Reads the elements that `plan` names.
 * @param result the number of elements along each dimension of the result, dropped ones included
 */
async function getFancy(
  array: ZarrArray<unknown>,
  result: BasicSelection,
  plan: (runs: readonly ChunkRuns[], gap?: number) => BandPlan,
  { out, invalidText = "error", ...others }: FancyGetOptions<unknown>,
): Promise<Chunk<unknown>> {
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
    await forEachArray(prepared, plan(runs), readOne, async (part, own) => {
      await readValues(part, result, data, own);
    });
    return { data, ...layout };
  }
  const { bytes, fresh } = resultBytes(array, { out }, product(shape) * itemSize);
  const strides = cOrderStrides(
    result.dimensions.map(({ count }) => count),
    itemSize,
  );
  if (options.workers === undefined) {
    await readChosen(prepared, plan(runs, fewGap(prepared)), { bytes, strides, fresh }, options);
  } else {
    const inner = readRuns(metadata);
    await readBoxes(prepared, plan(inner), inner, { bytes, strides }, options);
  }
  return { data: out ?? array.dataType.view(bytes), ...layout };
}

/**
 * Writes single elements, given as `getCoordinates` takes them (zarr-python's `vindex[...] = `): a scalar everywhere, or as many elements
 * in one dimension as there are points. Of several for one point the last one stays. Every chunk that is touched is read, changed
 * and written once, under a lock.
 * @throws InvalidSelectionError, and as `set`
 */
export async function setCoordinates<D, S extends Store>(
  array: ZarrArray<D, S>,
  coordinates: CoordinateSelection,
  value: SetValue<D>,
  options?: SetOptions,
): Promise<void>;
export async function setCoordinates(
  array: ZarrArray<unknown>,
  coordinates: CoordinateSelection,
  value: unknown,
  options: SetOptions = {},
): Promise<void> {
  checkArray(array);
  const points = normaliseCoordinates(coordinates, array.shape);
  await writeFancy(array, points.result, (runs) => planPoints(points, array.shape, runs), value, options);
}

/**
 * Writes the elements at the crossings of what each dimension selects, as `getOrthogonal` reads them (zarr-python's `oindex[...] = `): a
 * scalar everywhere, or elements of exactly the selection's shape. Where an index is given twice the last one stays. Every chunk that is touched
 * is written once, and read before, unless all of it is written (what is behind the array's edge included), under a lock.
 * @throws InvalidSelectionError, and as `set`
 */
export async function setOrthogonal<D, S extends Store>(
  array: ZarrArray<D, S>,
  selection: readonly OrthogonalEntry[],
  value: SetValue<D>,
  options?: SetOptions,
): Promise<void>;
export async function setOrthogonal(
  array: ZarrArray<unknown>,
  selection: readonly OrthogonalEntry[],
  value: unknown,
  options: SetOptions = {},
): Promise<void> {
  checkArray(array);
  const { lines, result } = normaliseOrthogonal(selection, array.shape);
  await writeFancy(array, result, (runs) => planCrossings(lines, array.shape, runs), value, options);
}

async function writeFancy(...given: Parameters<typeof import("./write.js").setFancy>): Promise<void> {
  const { setFancy } = await import("./write.js");
  await untilAborted(signalOf(given[4]), () => setFancy(...given));
}
