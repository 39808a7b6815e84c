/** Writes rasters of one or more resolutions. */
import {
  checkMethod,
  checkNames,
  checkObject,
  type DownsamplingMethod,
  describe,
  isNumbers,
  isNumberType,
  itemAt,
  type NamesOf,
  type Numbers,
  type NumberType,
  numberTypeOf,
  toLocation,
  untilAborted,
  writeCoarser,
} from "../../extend.js";
import {
  type CreateArrayOptions,
  create,
  type Group,
  InvalidArgumentError,
  type JsonObject,
  type Location,
  set,
  UnsupportedError,
  updateAttributes,
  type WritableStore,
  Array as ZarrArray,
} from "../../index.js";
import { codeOfText } from "./crs.js";
import { formatGeoZarr } from "./format.js";
import { type GeoTransform, Grid } from "./grid.js";
import { parseGeoZarr } from "./parse.js";
import { rescaled } from "./transform.js";

/** The place of a source whose rows and columns are its last dimensions, or those named as such. */
export interface GridPlace {
  /** From pixels to coordinates: `[10, 0, 500000, 0, -10, 5000000]`. */
  readonly transform: GeoTransform;
  /** AUTHORITY:CODE, such as "EPSG:32633". */
  readonly crs?: string | undefined;
}

const PLACE: NamesOf<GridPlace> = { transform: "list", crs: true };

/** Options of `writeGeoZarr`. */
export interface WriteGeoZarrOptions
  extends Pick<
    CreateArrayOptions<NumberType>,
    "chunkShape" | "shards" | "codecs" | "fillValue" | "zarrFormat" | "overwrite" | "signal"
  > {
  /** The name of the array in the group, or in the group of each level. */
  readonly variable: string;
  /**
   * Where the elements of the source lie: the grid of a level of `openGeoZarr` or `parseGeoZarr`, or a
   * transform and the code of a CRS.
   */
  readonly grid: Grid | GridPlace;
  /** Names of all dimensions. Default: those of the source, and "y" and "x" if it has none. */
  readonly dimensions?: readonly string[] | undefined;
  /** Attributes of the array: `units`, `long_name`, `_FillValue`. */
  readonly attributes?: JsonObject | undefined;
  /**
   * Factors of further levels relative to the first, along rows and columns. Default: none, so that the array
   * lies in the group itself.
   */
  readonly scaleFactors?: readonly number[] | undefined;
  /** How coarser levels are made. Default: "nearest". "mean" treats only NaN as missing. */
  readonly method?: DownsamplingMethod | undefined;
}

const OPTIONS: NamesOf<WriteGeoZarrOptions> = {
  variable: true,
  grid: true,
  dimensions: "list",
  attributes: "object",
  scaleFactors: "list",
  method: true,
  chunkShape: true,
  shards: true,
  codecs: true,
  fillValue: true,
  zarrFormat: true,
  overwrite: true,
  signal: true,
};

/** Elements in memory, in C order. */
export interface RasterData {
  /** The elements, as many as `shape` says. */
  readonly data: Numbers;
  /** Lengths of the dimensions. */
  readonly shape: readonly number[];
}

/**
 * Writes a raster so that GDAL, rioxarray, OpenLayers and `openGeoZarr` find its place. The finest level is
 * "0" and a coarser one has `ceil(length / factor)` rows and columns, each in a group of its own. The
 * attributes of the group come last, so that an unfinished raster has no levels.
 * @param source an array of numbers, which is read box by box, or elements in memory
 * @throws InvalidArgumentError, UnsupportedError for elements that are not numbers, and for the mean of
 * values of which some are missing; AlreadyExistsError without `overwrite`, and what `create`, `get` and
 * `set` throw
 */
export async function writeGeoZarr<S extends WritableStore>(
  where: Location<S> | S,
  source: ZarrArray | RasterData,
  options: WriteGeoZarrOptions,
): Promise<Group<S>> {
  checkNames(options, "writeGeoZarr", OPTIONS);
  const { variable, zarrFormat, signal, overwrite, method = "nearest" } = options;
  if (typeof variable !== "string")
    throw new InvalidArgumentError(`variable: expected the name of the array, got ${describe(variable)}`);
  checkMethod(method);
  const dtype = typeOf(source);
  const grid = gridOf(options, source);
  const factors = checkFactors(options.scaleFactors ?? []);
  const dimensions = options.dimensions ?? dimensionsOf(source, grid);
  checkMissing(options, factors.length > 1 ? method : "nearest");
  const levels = factors.map((factor, i) => ({
    path: factors.length === 1 ? "" : String(i),
    grid: factor === 1 ? grid : coarser(grid, factor),
    factor,
  }));
  checkShape(source, grid);
  const made = formatGeoZarr(
    { levels, crs: grid.crs },
    { variable, shape: source.shape, dimensions, method },
  );
  const { chunkShape, shards, codecs } = options;
  const layout = { chunkShape, shards, codecs };
  const { attributesOfMissing, fillValue } = missingOf(options, zarrFormat);
  return untilAborted(signal, async () => {
    const group = await create(toLocation(where), { zarrFormat, overwrite, signal });
    const written = new Map<string, ZarrArray<NumberType, S>>();
    for (const [path, { shape, data, dimensionNames, attributes }] of Object.entries(made.nodes)) {
      const at = group.resolve(path);
      const more = {
        ...(zarrFormat === 2 && { fillValue: null }),
        ...{ attributes, dimensionNames: dimensionNames ?? undefined, zarrFormat, signal },
      };
      if (shape === undefined) await create(at, { zarrFormat, signal });
      else if (data !== undefined) {
        const coordinate = await create(at, { ...more, shape: [...shape], dtype: "float64" });
        await set(coordinate, null, { data: Float64Array.from(data), shape }, { signal });
      } else if (shape.length === 0) await create(at, { ...more, shape: [], dtype: "int32" });
      else {
        const arrayOptions = {
          attributes: { ...attributesOfMissing, ...attributes },
          fillValue,
          shape: [...shape],
          dtype,
        };
        const array = await create(at, { ...more, ...layout, ...arrayOptions });
        written.set(path, array);
      }
    }
    let finer: { readonly array: ZarrArray | RasterData; readonly factor: number } = {
      array: source,
      factor: 1,
    };
    for (const { path, factor } of levels) {
      const array = written.get(path === "" ? variable : `${path}/${variable}`);
      if (array === undefined) throw new TypeError("internal error: no array for a level");
      const step = factor / finer.factor;
      const ratio = source.shape.map((_, d) => (d === grid.yAxis || d === grid.xAxis ? step : 1));
      if (finer.array instanceof ZarrArray) await writeCoarser(array, finer.array, { ratio, method }, signal);
      else await set(array, null, finer.array, { signal });
      finer = { array, factor };
    }
    return updateAttributes(group, made.attributes, { signal });
  });
}

/**
 * The grid of a level whose pixels are blocks of those of another one. The last may reach beyond its edge.
 */
function coarser(grid: Grid, factor: number): Grid {
  const { crs, yAxis, xAxis, transform, wraps } = grid;
  const [rows, columns] = grid.shape;
  const shape = [Math.ceil(rows / factor), Math.ceil(columns / factor)] as const;
  const edges = (count: number, length: number, at: (edge: number) => number) =>
    Float64Array.from({ length: count + 1 }, (_, i) => at(Math.min(i * factor, length)));
  const place =
    transform === undefined
      ? {
          x: edges(shape[1], columns, (edge) => grid.toCoordinates(edge, 0)[0]),
          y: edges(shape[0], rows, (edge) => grid.toCoordinates(0, edge)[1]),
        }
      : rescaled(transform, [factor, factor], [0, 0]);
  return new Grid({ crs, shape, yAxis, xAxis, place, wraps });
}

/** @throws InvalidArgumentError for another grid, and for an invalid place */
function gridOf({ grid, dimensions }: WriteGeoZarrOptions, source: ZarrArray | RasterData): Grid {
  if (typeof grid === "object" && grid !== null && "toPixel" in grid) return grid;
  const expected = (got: unknown) =>
    new InvalidArgumentError(
      `grid: expected { crs: "EPSG:4326", transform: [a, b, c, d, e, f] } (x = a * column + b * row + c, y = d * column + e * row + f), or the grid of a level of openGeoZarr, got ${describe(got)}`,
    );
  if (typeof grid !== "object" || grid === null) throw expected(grid);
  checkNames(grid, "grid", PLACE);
  const { transform, crs } = grid;
  const isAffine = Array.isArray(transform) && transform.length === 6 && transform.every(Number.isFinite);
  if (!isAffine || transform[0] * transform[4] === transform[1] * transform[3]) throw expected(grid);
  if (crs !== undefined && codeOfText(crs) === undefined)
    throw new InvalidArgumentError(
      `grid.crs: expected AUTHORITY:CODE, such as "EPSG:4326", got ${describe(crs)}`,
    );
  if (source.shape.length < 2)
    throw new InvalidArgumentError(
      `expected an array of two dimensions or more, got the shape [${source.shape.join(", ")}]`,
    );
  const names = source instanceof ZarrArray ? source.metadata.dimensionNames : undefined;
  const node = { shape: source.shape, dimensionNames: dimensions ?? names };
  const attributes = {
    "spatial:transform": [...transform],
    ...(crs === undefined ? {} : { "proj:code": crs }),
  };
  const [level] = parseGeoZarr(attributes, { "": node }).levels;
  if (level === undefined) throw expected(grid);
  return level.grid;
}

function checkFactors(list: readonly number[]): number[] {
  const factors = [1, ...list];
  const isFine = (factor: number, i: number) =>
    Number.isSafeInteger(factor) && factor >= 1 && (i === 0 || factor % itemAt(factors, i - 1) === 0);
  if (factors.every(isFine)) return factors;
  throw new InvalidArgumentError(
    `scaleFactors: expected integers, each a multiple of the one before, got ${describe(list)}`,
  );
}

function checkShape({ shape }: ZarrArray | RasterData, { shape: [rows, columns], yAxis, xAxis }: Grid): void {
  if (shape[yAxis] === rows && shape[xAxis] === columns) return;
  throw new InvalidArgumentError(
    `grid: expected the grid of an array of the shape [${shape.join(", ")}], got one of ${rows} rows along dimension ${yAxis} and ${columns} columns along dimension ${xAxis}`,
  );
}

/**
 * The attributes and the fill value of the raster. In v2 the fill value stands for missing pixels, so it is
 * the attribute `_FillValue`, or null: 0 would make zeros missing.
 */
function missingOf(
  { attributes, fillValue }: WriteGeoZarrOptions,
  zarrFormat: WriteGeoZarrOptions["zarrFormat"],
): {
  readonly attributesOfMissing: JsonObject | undefined;
  readonly fillValue: WriteGeoZarrOptions["fillValue"] | null;
} {
  if (zarrFormat !== 2 || fillValue !== undefined) return { attributesOfMissing: attributes, fillValue };
  const { _FillValue, ...others } = attributes ?? {};
  return typeof _FillValue === "number" || typeof _FillValue === "bigint"
    ? { attributesOfMissing: others, fillValue: Number(_FillValue) }
    : { attributesOfMissing: attributes, fillValue: null };
}

/** The kernel does not know missing values: a number that marks them would be part of the mean. */
function checkMissing({ attributes = {} }: WriteGeoZarrOptions, method: DownsamplingMethod): void {
  const stated = ["_FillValue", "missing_value"].find((name) => Number.isFinite(attributes[name]));
  if (method !== "mean" || stated === undefined) return;
  throw new UnsupportedError(
    `method: "mean" would count the missing value of ${stated} as a number; use "nearest" or "mode", or write NaN for missing values`,
  );
}

function dimensionsOf(source: ZarrArray | RasterData, { yAxis, xAxis }: Grid): readonly string[] {
  const named = source instanceof ZarrArray ? source.metadata.dimensionNames : undefined;
  return source.shape.map((_, d) => named?.[d] ?? (d === yAxis ? "y" : d === xAxis ? "x" : `dimension_${d}`));
}

/** Data type of the source. */
function typeOf(source: ZarrArray | RasterData): NumberType {
  if (source instanceof ZarrArray) {
    const { name } = source.dataType;
    if (isNumberType(name)) return name;
    throw new UnsupportedError(`expected numbers, got elements of data type ${name}`, { path: source.path });
  }
  checkObject(source, "source", "an array, or { data, shape }");
  if (isNumbers(source.data) && Array.isArray(source.shape)) return numberTypeOf(source.data);
  throw new InvalidArgumentError(
    `source: expected a typed array of numbers and its shape, got ${describe(source.data)} and ${describe(source.shape)}`,
  );
}
