/**
 * GeoZarr: rasters with overviews (conventions `multiscales` with `layout`, `spatial:` and `proj:`) and
 * single rasters (CF grid mapping). This is the package entry `wazarr/geozarr`. It does not reproject.
 *
 *     const raster = await openGeoZarr(new HttpStore("https://example.com/scene.zarr"), { variable: "b04" });
 *     const { data } = await get(raster.overviewFor({ resolution: 60 }).array);
 * @module
 */
import { isJsonArray, Member, toLocation, untilAborted } from "./extend.js";
import {
  type Bounds,
  boundsOf,
  type Crs,
  crsOf,
  type GeoTransform,
  geoTransformOf,
  layoutOf,
  notGeoreferenced,
  rescaled,
} from "./geozarr/georeference.js";
import {
  type DataTypeName,
  type Group,
  InvalidArgumentError,
  InvalidMetadataError,
  isZarrError,
  type Location,
  type Node,
  NotFoundError,
  open,
  type Store,
  type StoreOptions,
  Array as ZarrArray,
} from "./index.js";

export type { Bounds, Crs, GeoTransform } from "./geozarr/georeference.js";

/** Options of `openGeoZarr`. */
export interface OpenGeoZarrOptions extends StoreOptions {
  /**
   * The name of the array in the group, or in the group of each level: "b04". Not needed if the levels are
   * arrays.
   */
  readonly variable?: string | undefined;
}

/**
 * One resolution of a raster. Rows and columns are the last two dimensions of the array, unless
 * `spatial:dimensions` names others.
 */
export interface RasterLevel<S extends Store = Store> {
  /** Path below the group; "" if the array itself was opened. */
  readonly path: string;
  /** The array of this resolution. */
  readonly array: ZarrArray<DataTypeName, S>;
  /** Columns and rows to coordinates of the CRS. */
  readonly transform: GeoTransform;
  /** Width and height of a pixel in units of the CRS. */
  readonly resolution: readonly [x: number, y: number];
  /** The outer edges, in units of the CRS. */
  readonly bounds: Bounds;
}

/** A raster of one or more levels, with its CRS. `openGeoZarr` makes it. */
export class GeoRaster<S extends Store = Store> {
  /** Sorted by pixel area, finest level first. */
  readonly levels: readonly RasterLevel<S>[];
  /** Undefined if the metadata name none. */
  readonly crs: Crs | undefined;

  constructor(levels: readonly RasterLevel<S>[], crs: Crs | undefined) {
    const area = ({ resolution: [x, y] }: RasterLevel<S>) => x * y;
    this.levels = [...levels].sort((a, b) => area(a) - area(b));
    this.crs = crs;
  }

  /** Bounds of the finest level in units of the CRS. @throws NotFoundError if the raster has no level */
  get bounds(): Bounds {
    return this.#finest().bounds;
  }

  /**
   * The coarsest level whose pixels are at most `resolution` units of the CRS wide and high; the finest level
   * if all pixels are larger.
   * @throws InvalidArgumentError for a `resolution` that is not above 0
   */
  overviewFor({ resolution }: { readonly resolution: number }): RasterLevel<S> {
    if (!(resolution > 0))
      throw new InvalidArgumentError(`resolution: expected a number above 0, got ${resolution}`);
    const fits = this.levels.filter((level) => Math.max(...level.resolution) <= resolution * (1 + 1e-9));
    return fits.at(-1) ?? this.#finest();
  }

  #finest(): RasterLevel<S> {
    const [finest] = this.levels;
    if (finest === undefined) throw new NotFoundError("the raster has no level");
    return finest;
  }
}

/**
 * Opens a raster: a group with `multiscales.layout`, a group with `variable`, or an array.
 * @throws NotFoundError for a missing node that the metadata or `variable` name, InvalidMetadataError with
 * the node and member for invalid
 *   metadata (`open` can still read the arrays), InvalidArgumentError for a group that needs `variable`
 */
export async function openGeoZarr<S extends Store>(
  where: Location<S> | S,
  { variable, signal }: OpenGeoZarrOptions = {},
): Promise<GeoRaster<S>> {
  return untilAborted(signal, async () => {
    const node = await open(toLocation(where), { signal });
    if (node instanceof ZarrArray) {
      const parent = node.resolve(node.path.slice(0, node.path.lastIndexOf("/")) || "/");
      return single("", node, [await attributesOf(node, parent, signal)]);
    }
    const attributes = memberOf(node);
    const multiscales = attributes.get("multiscales");
    if (!multiscales.isNull && !isJsonArray(multiscales.json))
      return pyramid(node, attributes, variable, signal);
    const array = await arrayAt(node, node, variable, attributes, signal);
    return single(variable ?? "", array, [await attributesOf(array, node, signal), [attributes]]);
  });
}

async function pyramid<S extends Store>(
  group: Group<S>,
  attributes: Member,
  variable: string | undefined,
  signal: AbortSignal | undefined,
): Promise<GeoRaster<S>> {
  const items = layoutOf(attributes.get("multiscales").get("layout"));
  const base = geoTransformOf(attributes);
  const found = await Promise.all(
    items.map(async ({ asset, member }) => {
      const named = member.get("asset");
      const node: Node<S> = await below(group, asset, named, signal);
      const array = node instanceof ZarrArray ? node : await arrayAt(group, node, variable, named, signal);
      const own = await attributesOf(array, node instanceof ZarrArray ? group : node, signal);
      return {
        array,
        members: node instanceof ZarrArray ? [member, ...own] : [member, ...own, memberOf(node)],
      };
    }),
  );
  const transforms = found.map(({ members }) => firstOf(members, geoTransformOf));
  const places = new Map(items.map(({ asset }, i) => [asset, i] as const).reverse());
  const levels = found.map(({ array, members }, i) => {
    const { root = "", scale = [1, 1], translation = [0, 0], asset = "" } = items[i] ?? {};
    const from = transforms[places.get(root) ?? -1] ?? base;
    const transform = transforms[i] ?? (from && rescaled(from, scale, translation));
    if (transform === undefined) throw notGeoreferenced(array.path);
    return levelOf(asset, array, transform, [...members, attributes]);
  });
  const crs = crsOf(attributes) ?? found.map(({ members }) => firstOf(members, crsOf)).find((each) => each);
  return new GeoRaster(levels, crs);
}

function single<S extends Store>(
  path: string,
  array: ZarrArray<DataTypeName, S>,
  parts: readonly (readonly Member[])[],
): GeoRaster<S> {
  const members = parts.flat();
  const transform = firstOf(members, geoTransformOf);
  if (transform === undefined) throw notGeoreferenced(array.path);
  return new GeoRaster([levelOf(path, array, transform, members)], firstOf(members, crsOf));
}

function levelOf<S extends Store>(
  path: string,
  array: ZarrArray<DataTypeName, S>,
  transform: GeoTransform,
  members: readonly Member[],
): RasterLevel<S> {
  const [a, b, , d, e] = transform;
  const names = firstOf(members, (member) => {
    const list = member.get("spatial:dimensions");
    return list.isNull ? undefined : list.list(2).map((item) => item.string());
  });
  const places = (names ?? []).map((name) => array.metadata.dimensionNames?.indexOf(name) ?? -1);
  const isNamed = places.length === 2 && !places.includes(-1);
  const [row = -1, column = -1] = isNamed ? places : [array.shape.length - 2, array.shape.length - 1];
  if (row < 0)
    throw new InvalidMetadataError("expected an array of two dimensions or more", { path: array.path });
  const bounds = boundsOf(transform, [array.shape[row] ?? 0, array.shape[column] ?? 0]);
  return { path, array, transform, resolution: [Math.hypot(a, d), Math.hypot(b, e)], bounds };
}

/**
 * Attributes of an array, then those of the array that its `grid_mapping` names: "spatial_ref", or "crs: x y"
 * (CF's extended form).
 */
async function attributesOf<S extends Store>(
  array: ZarrArray<DataTypeName, S>,
  group: Location<S>,
  signal: AbortSignal | undefined,
): Promise<Member[]> {
  const own = memberOf(array);
  const mapping = own.get("grid_mapping");
  if (mapping.isNull) return [own];
  const [name = ""] = mapping.string().split(/[:\s]/);
  return [own, memberOf(await below(group, mapping.as(name).path(), mapping, signal))];
}

async function arrayAt<S extends Store>(
  named: Location<S>,
  group: Location<S>,
  variable: string | undefined,
  member: Member,
  signal: AbortSignal | undefined,
): Promise<ZarrArray<DataTypeName, S>> {
  if (variable === undefined)
    throw new InvalidArgumentError("variable: expected the name of an array in the group", {
      path: group.path,
    });
  const node = await below(group, variable, member, signal);
  if (node instanceof ZarrArray) return node;
  throw new NotFoundError(`expected array, found group at ${JSON.stringify(node.path)}`, {
    path: named.path,
  });
}

async function below<S extends Store>(
  location: Location<S>,
  path: string,
  member: Member,
  signal: AbortSignal | undefined,
): Promise<Node<S>> {
  const at = location.resolve(path);
  try {
    return await open(at, { signal });
  } catch (cause) {
    if (!isZarrError(cause, "NotFoundError")) throw cause;
    throw new NotFoundError(
      `nothing at ${JSON.stringify(at.path)}, which the metadata or the variable name`,
      {
        ...member.where(),
        path: location.path,
        cause,
      },
    );
  }
}

function memberOf(node: Node): Member {
  return new Member(node.metadata.attributes, { path: node.path });
}

function firstOf<Value>(
  members: readonly Member[],
  read: (member: Member) => Value | undefined,
): Value | undefined {
  for (const member of members) {
    const value = read(member);
    if (value !== undefined) return value;
  }
  return undefined;
}
