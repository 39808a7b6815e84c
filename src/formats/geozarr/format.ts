/**
 * The attributes and coordinates that say where rasters lie, as documents have them: the reverse of
 * `parseGeoZarr`. Each array says it by the conventions `spatial` and `proj`, by coordinates and a grid
 * mapping of CF, and by `_CRS`, which every GDAL reads.
 */
import { checkNames, checkObject, describe, itemAt, type NamesOf, ownMember, product } from "../../extend.js";
import { InvalidArgumentError, type Json, type JsonObject } from "../../index.js";
import type { Crs } from "./crs.js";
import { isNodeName } from "./facts.js";
import type { GeoTransform, Grid } from "./grid.js";
import type { GeoZarrNode } from "./parse.js";
import type { PlacedLevel, PlacedRaster } from "./placed.js";

/** A level to write: its path, and where its elements lie. */
export type FormattedLevel = Pick<PlacedLevel, "path" | "grid">;

/** Options of `formatGeoZarr`. */
export interface FormatGeoZarrOptions {
  /** The name of the array in the group of each level. */
  readonly variable: string;
  /** Shape of the array of the first level. Each grid gives the lengths of rows and columns. */
  readonly shape: readonly number[];
  /** A name for each dimension. Those of rows and columns name the arrays of their coordinates, too. */
  readonly dimensions: readonly string[];
  /**
   * How coarser levels are made from finer ones: `resampling_method` of the levels, where "mean" is called
   * "average".
   */
  readonly method?: string | undefined;
}

/** `parseGeoZarr(attributes, nodes, { variable })` makes the same grids of it. */
export interface FormattedGeoZarr {
  /** Attributes of the group around all levels, or of the group of the array. */
  readonly attributes: JsonObject;
  /** Nodes by path below the group. Those with `data` are coordinates and their bounds, as doubles. */
  readonly nodes: Readonly<Record<string, GeoZarrNode>>;
}

const OPTIONS: NamesOf<FormatGeoZarrOptions> = {
  variable: true,
  shape: "list",
  dimensions: "list",
  method: true,
};

/**
 * The entries of `zarr_conventions`, as the schemas of the conventions have them. That of `spatial` has no
 * name: its schema says "spatial", and geozarr-toolkit "spatial:". Readers know conventions by their UUIDs.
 */
const CONVENTIONS = {
  multiscales: {
    uuid: "d35379db-88df-4056-af3a-620245f8e347",
    name: "multiscales",
    ...placesOf("zarr-conventions/multiscales", "v1"),
    description: "Multiscale layout of zarr datasets",
  },
  proj: {
    uuid: "f17cb550-5864-4468-aeb7-f3180cfb622f",
    name: "proj:",
    ...placesOf("zarr-experimental/geo-proj", "v1"),
    description: "Coordinate reference system information for geospatial data",
  },
  spatial: {
    uuid: "689b58e2-cf7b-45e0-9fff-9cfc0883d6b4",
    ...placesOf("zarr-conventions/spatial", "v0.1"),
    description: "Spatial coordinate information",
  },
} as const;

function placesOf(repository: string, version: string): { schema_url: string; spec_url: string } {
  return {
    schema_url: `https://raw.githubusercontent.com/${repository}/refs/tags/${version}/schema.json`,
    spec_url: `https://github.com/${repository}/blob/${version}/README.md`,
  };
}

/** Names of methods of down-sampling, of those that the convention `multiscales` lists. */
const METHODS: Readonly<Record<string, string>> = { mean: "average" };

const MAPPING = "spatial_ref";

/**
 * Says where the levels of a raster lie, in the attributes and coordinates that other programs read.
 * @param raster its levels, the finest first. A single level may have the path ""
 * @throws InvalidArgumentError for invalid names, a wrong number of dimensions, and no levels
 */
export function formatGeoZarr(
  raster: Pick<PlacedRaster, "crs"> & { readonly levels: readonly FormattedLevel[] },
  options: FormatGeoZarrOptions,
): FormattedGeoZarr {
  checkNames(options, "formatGeoZarr", OPTIONS);
  checkObject(raster, "raster", "an object");
  const { levels } = raster;
  const crs = raster.crs ?? undefined;
  const [finest] = Array.isArray(levels) ? levels : [];
  if (finest?.grid === undefined) throw new InvalidArgumentError("levels: expected at least one level");
  check(finest.grid, options);
  const nodes: Record<string, GeoZarrNode> = {};
  for (const { path, grid } of levels) {
    const folder = path === "" ? "" : `${path}/`;
    if (path !== "") nodes[path] = {};
    for (const [name, node] of Object.entries(nodesOf(grid, crs, options))) nodes[`${folder}${name}`] = node;
  }
  if (levels.length === 1 && finest.path === "") return { attributes: {}, nodes };
  return { attributes: layoutOf(levels, crs, options), nodes };
}

function check({ yAxis, xAxis }: Grid, { variable, shape, dimensions }: FormatGeoZarrOptions): void {
  if (dimensions?.length !== shape?.length || !Array.isArray(shape))
    throw new InvalidArgumentError(
      `dimensions: expected a name for each dimension of the shape ${describe(shape)}, got ${describe(dimensions)}`,
    );
  const names = [variable, itemAt(dimensions, yAxis), itemAt(dimensions, xAxis), MAPPING];
  if (!names.every(isNodeName) || new Set(names).size < names.length)
    throw new InvalidArgumentError(
      `variable, dimensions: expected different names of arrays, none of them ${MAPPING}, got ${describe(names.slice(0, 3))}`,
    );
}

function layoutOf(
  levels: readonly FormattedLevel[],
  crs: Crs | undefined,
  { dimensions, method }: FormatGeoZarrOptions,
): JsonObject {
  const layout = levels.map(({ path, grid }, i) => {
    const finer = levels[i - 1];
    const item: Record<string, Json> = { asset: path };
    if (finer !== undefined)
      Object.assign(item, { derived_from: finer.path, transform: derivation(finer.grid, grid) });
    if (grid.transform !== undefined)
      Object.assign(item, { "spatial:shape": [...grid.shape], "spatial:transform": [...grid.transform] });
    return item;
  });
  const [finest] = levels;
  return {
    zarr_conventions: registered("multiscales", "spatial", ...(crs === undefined ? [] : ["proj" as const])),
    multiscales: {
      layout,
      ...(method === undefined ? {} : { resampling_method: ownMember(METHODS, method) ?? method }),
    },
    ...(finest && planeOf(finest.grid, dimensions)),
    ...projOf(crs),
  };
}

/** The pixels of a level in those of the finer one: index there = scale * index + translation. */
function derivation(finer: Grid, { shape: [rows, columns], transform }: Grid) {
  if (transform === undefined || finer.transform === undefined)
    return { scale: [finer.shape[0] / rows, finer.shape[1] / columns], translation: [0, 0] };
  const [left, top] = finer.toPixel(transform[2], transform[5]);
  const [a, b, c, d, e, f] = transform;
  const [right] = finer.toPixel(a + c, d + f);
  const [, bottom] = finer.toPixel(b + c, e + f);
  // `+ 0`: JSON has a -0.
  return { scale: [bottom - top, right - left], translation: [top + 0, left + 0] };
}

const registered = (...names: readonly (keyof typeof CONVENTIONS)[]): JsonObject[] =>
  names.map((name) => CONVENTIONS[name]);

function planeOf({ yAxis, xAxis, bounds }: Grid, dimensions: readonly string[]): JsonObject {
  return {
    "spatial:dimensions": [itemAt(dimensions, yAxis), itemAt(dimensions, xAxis)],
    "spatial:bbox": [...bounds],
  };
}

function projOf(crs: Crs | undefined): JsonObject {
  return withoutUndefined({
    "proj:code": crs?.code,
    "proj:wkt2": crs?.wkt,
    "proj:projjson": crs?.projjson,
  });
}

/** The array of a level, and what lies beside it: coordinates, their bounds, and the grid mapping. */
function nodesOf(
  grid: Grid,
  crs: Crs | undefined,
  { variable, shape, dimensions }: FormatGeoZarrOptions,
): Record<string, GeoZarrNode> {
  const { yAxis, xAxis, transform } = grid;
  const [y, x] = [itemAt(dimensions, yAxis), itemAt(dimensions, xAxis)];
  const [rows, columns] = grid.shape;
  const stated = projOf(crs);
  const hasProj = Object.keys(stated).length > 0;
  const spatial: JsonObject = {
    zarr_conventions: registered("spatial", ...(hasProj ? ["proj" as const] : [])),
    ...planeOf(grid, dimensions),
    "spatial:shape": [rows, columns],
    "spatial:transform": [...(transform ?? [])],
    ...stated,
  };
  const attributes: JsonObject = {
    ...(transform === undefined ? stated : spatial),
    ...(crs === undefined ? {} : { grid_mapping: MAPPING, ...gdalCrs(crs) }),
  };
  const lengths = shape.map((length, d) => (d === yAxis ? rows : d === xAxis ? columns : length));
  const nodes: Record<string, GeoZarrNode> = {
    [variable]: { attributes, shape: lengths, dimensionNames: dimensions },
  };
  if (crs !== undefined) nodes[MAPPING] = { attributes: mappingOf(crs, transform), shape: [] };
  // Rows and columns of a rotated raster have no coordinates of their own.
  if (transform !== undefined && (transform[1] !== 0 || transform[3] !== 0)) return nodes;
  const isDegrees = crs?.isGeographic === true;
  const along = [
    ["Y", y, rows, (i: number) => grid.toCoordinates(0, i)[1]],
    ["X", x, columns, (i: number) => grid.toCoordinates(i, 0)[0]],
  ] as const;
  for (const [axis, name, length, at] of along) {
    const bounds = transform === undefined ? `${name}_bounds` : undefined;
    nodes[name] = {
      attributes: { axis, ...coordinateOf(axis, isDegrees), ...(bounds === undefined ? {} : { bounds }) },
      shape: [length],
      dimensionNames: [name],
      data: Float64Array.from({ length }, (_, i) => at(i + 0.5)),
    };
    // The edges of pixels that are not evenly spaced cannot be told from their middles.
    if (bounds === undefined) continue;
    const edges = Float64Array.from({ length: product([length, 2]) }, (_, i) => at(Math.ceil(i / 2)));
    nodes[bounds] = { attributes: {}, shape: [length, 2], dimensionNames: [name, "bounds"], data: edges };
  }
  return nodes;
}

function coordinateOf(axis: "X" | "Y", isDegrees: boolean): JsonObject {
  // The unit of a projection is in its CRS, which is not looked up.
  if (!isDegrees) return { standard_name: `projection_${axis.toLowerCase()}_coordinate` };
  return axis === "X"
    ? { standard_name: "longitude", units: "degrees_east" }
    : { standard_name: "latitude", units: "degrees_north" };
}

/** The grid mapping of CF, as rioxarray and GDAL write it. */
function mappingOf({ code, wkt, gridMapping, isGeographic }: Crs, transform: GeoTransform | undefined) {
  const [a, b, c, d, e, f] = transform ?? [];
  const name = isGeographic ? "latitude_longitude" : undefined;
  return withoutUndefined({
    grid_mapping_name: name,
    crs_wkt: wkt,
    // rioxarray takes a code in its place.
    spatial_ref: wkt ?? code,
    ...gridMapping,
    GeoTransform: transform && [c, a, b, f, d, e].join(" "),
  });
}

/** `_CRS` of GDAL. */
function gdalCrs({ code, wkt, projjson }: Crs): JsonObject {
  const [, authority, number] = /^(\w+):(\w+)$/.exec(code ?? "") ?? [];
  const url = authority && `http://www.opengis.net/def/crs/${authority}/0/${number}`;
  const crs = withoutUndefined({ url, wkt, projjson });
  return Object.keys(crs).length > 0 ? { _CRS: crs } : {};
}

function withoutUndefined(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
