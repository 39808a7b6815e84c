/** Opens rasters. */
import { checkNames, type NamesOf, STORE_OPTIONS, untilAborted } from "../../extend.js";
import { type Location, open, type Store, type StoreOptions, Array as ZarrArray } from "../../index.js";
import { factsOf, Nodes } from "./nodes.js";
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
}

const OPTIONS: NamesOf<OpenGeoZarrOptions> = { ...STORE_OPTIONS, variable: true };

/**
 * Opens a raster: a group that lists levels (`multiscales`), a group with `variable`, or an array. It reads
 * metadata, in one request if they are consolidated, and the coordinates of rows and columns if no transform
 * is stated.
 * @throws NotFoundError for a missing node that the metadata or `variable` name; InvalidMetadataError with
 * the node and member for invalid metadata, and for an array without a place (`open` can still read the
 * arrays); UnsupportedError for curvilinear and unstructured grids; InvalidArgumentError for a group that
 * needs `variable`
 */
export async function openGeoZarr<S extends Store>(
  where: Location<S> | S,
  options: OpenGeoZarrOptions = {},
): Promise<GeoRaster<S>> {
  checkNames(options, "openGeoZarr", OPTIONS);
  const { variable, signal } = options;
  return untilAborted(signal, async () => {
    const start =
      where instanceof ZarrArray ? where : await open(await locationOf(where, { signal }), { signal });
    const nodes = new Nodes<S>(start, signal);
    const { levels, crs } = await nodes.hold(readRaster(factsOf(start), variable));
    const opened = levels.map(({ path, array, grid }) => new RasterLevel(path, nodes.arrayAt(array), grid));
    return new GeoRaster(opened, crs);
  });
}
