/** Opens arrays on HEALPix grids. */
import {
  checkNames,
  describe,
  itemAt,
  type NamesOf,
  STORE_OPTIONS,
  toLocation,
  untilAborted,
} from "../../extend.js";
import {
  type DataTypeName,
  get,
  InvalidArgumentError,
  InvalidMetadataError,
  Location,
  open,
  type Store,
  type StoreOptions,
  UnsupportedError,
  withMaybeConsolidatedMetadata,
  type Array as ZarrArray,
} from "../../index.js";
import { type FoundGrid, findGrid } from "./find-grid.js";
import { HealpixGrid } from "./grid.js";
import { allCells, indicesOf, levelOf, listedCells } from "./places.js";
import { HealpixVariable } from "./variable.js";

/** Options of `openHealpix`. */
export interface OpenHealpixOptions extends StoreOptions {
  /** The array, by its path in the group: "temperature". */
  readonly variable: string;
}
const OPTIONS: NamesOf<OpenHealpixOptions> = { ...STORE_OPTIONS, variable: true };

/** Indices of cells to read at most: 256 MiB. */
const MOST_CELLS = 2 ** 25;

/**
 * Opens an array on a HEALPix grid, which the convention `dggs` of zarr-conventions describes, a grid mapping
 * of CF 1.13, one with `healpix_nside` as climate archives had it before, or a coordinate with the attributes
 * of xdggs. It reads metadata, and the indices of cells if the data set lists them.
 * @example
 * ```ts
 * const variable = await openHealpix(store, { variable: "temperature" });
 * const place = variable.placeAt(11.58, 48.14);
 * ```
 * @throws NotFoundError for a missing array; InvalidMetadataError with node and member for metadata that
 * describe no grid, or not that of the array; UnsupportedError for another grid, for cells of several levels,
 * and for compressed indices
 */
export async function openHealpix<S extends Store>(
  where: Location<S> | S,
  options: OpenHealpixOptions,
): Promise<HealpixVariable<S>> {
  checkNames(options, "openHealpix", OPTIONS);
  const { variable, signal } = options;
  if (typeof variable !== "string" || variable === "")
    throw new InvalidArgumentError("variable: expected the name of an array");
  return untilAborted(signal, async () => {
    const { store, path } = toLocation(where);
    const start = new Location<S>(await withMaybeConsolidatedMetadata(store, { signal }), path);
    const array = await open(start.resolve(variable), { kind: "array", signal });
    const folder = array.path.slice(0, array.path.lastIndexOf("/"));
    const group = await open(start.resolve(`${folder}/`), { kind: "group", signal });
    return placed(array, await findGrid(array, group, signal), signal);
  });
}

async function placed<S extends Store>(
  array: ZarrArray<DataTypeName, S>,
  { grid: { level, scheme, ellipsoid, dimension }, cells }: FoundGrid,
  signal: AbortSignal | undefined,
): Promise<HealpixVariable<S>> {
  if (cells === undefined) {
    if (level === undefined || scheme === "nuniq" || scheme === "zuniq")
      throw new InvalidMetadataError("expected a refinement level, or the indices of cells", {
        path: array.path,
      });
    const grid = new HealpixGrid({ level, scheme, ellipsoid });
    const count = Number(grid.cellCount);
    const axis = dimension === undefined ? array.shape.lastIndexOf(count) : axisOf(array, dimension);
    if (array.shape[axis] !== count)
      throw new InvalidMetadataError(
        `expected a dimension of all ${count} cells of level ${level}, got shape [${array.shape.join(", ")}]`,
        { path: array.path },
      );
    return new HealpixVariable(array, grid, axis, allCells(grid));
  }
  if (cells.shape.length !== 1 || itemAt(cells.shape, 0) > MOST_CELLS)
    throw new UnsupportedError(
      `expected a list of at most ${MOST_CELLS} indices of cells, got shape [${cells.shape.join(", ")}]`,
      { path: cells.path },
    );
  const [cellDimension] = cells.metadata.dimensionNames ?? [];
  const axis = axisOf(array, dimension ?? cellDimension ?? cells.path.slice(cells.path.lastIndexOf("/") + 1));
  if (array.shape[axis] !== cells.shape[0])
    throw new InvalidMetadataError(
      `expected an index for each of the ${itemAt(array.shape, axis)} cells, got ${itemAt(cells.shape, 0)}`,
      { path: cells.path },
    );
  const { data } = await get(cells, null, { signal });
  const indices = indicesOf(data, cells.path);
  const grid = new HealpixGrid({ level: level ?? levelOf(scheme, indices, cells.path), scheme, ellipsoid });
  return new HealpixVariable(array, grid, axis, listedCells(grid, indices, cells.path));
}

function axisOf({ metadata, path }: ZarrArray<DataTypeName>, dimension: string): number {
  const axis = metadata.dimensionNames?.indexOf(dimension) ?? -1;
  if (axis >= 0) return axis;
  throw new InvalidMetadataError(
    `no dimension ${describe(dimension)}; the dimensions are ${metadata.dimensionNames?.join(", ") ?? "without names"}`,
    { path },
  );
}
