/** Opens rasters. */
import { checkNames, describe, type NamesOf, STORE_OPTIONS, untilAborted } from "../../extend.js";
import {
  type DataTypeName,
  InvalidMetadataError,
  type Location,
  open,
  type Store,
  type StoreOptions,
  Array as ZarrArray,
} from "../../index.js";
import { levelsAt } from "./levels.js";
import { neededLevels } from "./needed-levels.js";
import { factsOf, Nodes } from "./nodes.js";
import type { PlacedLevel } from "./placed.js";
import { GeoRaster, RasterLevel } from "./raster.js";
import { readRaster } from "./read-raster.js";
import { locationOf } from "./where.js";

/** Options of `openGeoZarr`. */
export interface OpenGeoZarrOptions extends StoreOptions {
  /**
   * The name of the array in the group, or in the group of each level: "b04". Not needed if the levels are
   * arrays.
   */
  readonly variable?: string | undefined;
  /** The names of the dimensions that count rows and columns, if neither names nor metadata tell. */
  readonly dimensions?: readonly [y: string, x: string] | undefined;
}

const OPTIONS: NamesOf<OpenGeoZarrOptions> = { ...STORE_OPTIONS, variable: true, dimensions: "list" };

/**
 * Opens a raster: a group that lists levels (`multiscales`), a group with `variable`, or an array. It reads
 * metadata, in one request if they are consolidated, and the coordinates of rows and columns if no transform
 * is stated.
 * @example
 * ```ts
 * const raster = await openGeoZarr(store, { variable: "elevation" });
 * const [finest] = raster.levels;
 * ```
 * @throws NotFoundError for a missing node that the metadata or `variable` name; InvalidMetadataError with
 * the node and member for metadata that do not tell the levels; InvalidArgumentError for a group that needs
 * `variable`. A level without a place is no error: it is in `unplaced`, with the reason
 */
export async function openGeoZarr<S extends Store>(
  where: Location<S> | S,
  options: OpenGeoZarrOptions = {},
): Promise<GeoRaster<S>> {
  checkNames(options, "openGeoZarr", OPTIONS);
  const { variable, dimensions, signal } = options;
  return untilAborted(signal, async () => {
    const start =
      where instanceof ZarrArray ? where : await open(await locationOf(where, { signal }), { signal });
    const nodes = new Nodes<S>(start, signal);
    const find = start.store.contents === undefined ? neededLevels : levelsAt;
    const { levels, ...raster } = await nodes.hold(
      readRaster(factsOf(start), { variable, dimensions }, find),
    );
    const opened = levels.map((level) => {
      const array = nodes.arrayAt(level.array);
      return new RasterLevel<S>(level, array ?? (() => openStated(start.resolve(level.array), level)));
    });
    return new GeoRaster(opened, raster);
  });
}

/** Opens the array of a level whose shape the group states. */
async function openStated<S extends Store>(
  location: Location<S>,
  { shape }: PlacedLevel,
): Promise<ZarrArray<DataTypeName, S>> {
  const array = await open(location, { kind: "array" });
  const isSame = array.shape.length === shape.length && array.shape.every((length, d) => length === shape[d]);
  if (isSame) return array;
  throw new InvalidMetadataError(
    `expected the shape ${describe(shape)}, by spatial:shape of this level and the array of the finest, got ${describe(array.shape)}`,
    { path: array.path },
  );
}
