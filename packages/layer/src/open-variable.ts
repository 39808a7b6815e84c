/** Opens one array of a source, with what is known of its values and its steps. */
import {
  type DataTypeName,
  InvalidArgumentError,
  isZarrError,
  Location,
  open,
  root,
  type Store,
  type Array as ZarrArray,
} from "wazarr";
import { type GeoRaster, openGeoZarr } from "wazarr/geozarr";
import type { TileLevel } from "wazarr/tiles";
import { type Dataset, decodingOf, type Variable as Labelled, openDataset } from "wazarr/xarray";
import { type GivenPlace, placed } from "./given-place.js";
import { entriesOf, type LayerSource, type Selection, type Variable } from "./options.js";

/** What a layer opens itself. */
export type Place = Exclude<LayerSource, { readonly levels: unknown } | readonly TileLevel[]>;

export async function locationOf(source: Place): Promise<Location<Store>> {
  if (source instanceof Location) return source;
  if (typeof source !== "string" && !(source instanceof URL)) return root(source);
  const { openStore } = await import("wazarr/stores/open-store");
  return root(await openStore(source));
}

/** One variable of the picture. */
export class OpenedVariable {
  /** Its levels, the finest first. */
  readonly levels: readonly TileLevel[];
  /** Where they are on Earth; undefined for levels that the caller has placed. */
  readonly raster: GeoRaster | undefined;
  /** What a TileSource takes to give decoded numbers. */
  readonly unpacking: NonNullable<ReturnType<typeof decodingOf>["unpacking"]>;
  /** As the metadata have it; "" without one. */
  readonly unit: string;
  /** Its part of the selection, if bands are indices of a dimension. */
  readonly selection: Selection;
  #dataset: Promise<Dataset> | undefined;

  readonly #array: ZarrArray<DataTypeName, Store>;

  private constructor(
    levels: readonly TileLevel[],
    array: ZarrArray<DataTypeName, Store>,
    selection: Selection,
    raster?: GeoRaster,
  ) {
    const decoding = decodingOf(array);
    this.#array = array;
    this.levels = levels;
    this.raster = raster;
    this.unpacking = decoding.unpacking ?? {};
    this.unit = typeof decoding.attrs.units === "string" ? decoding.attrs.units : "";
    this.selection = selection;
  }

  /** @throws what `openGeoZarr` throws, and why the finest level has no place on Earth */
  static async open(
    location: Location<Store>,
    variable: Variable | undefined,
    place: GivenPlace = {},
  ): Promise<OpenedVariable> {
    const { variable: name, selection = {} } = typeof variable === "object" ? variable : { variable };
    const { dimensions } = place;
    const raster = placed(await openGeoZarr(location, { variable: name, dimensions }), place, location);
    const [finest] = raster.levels;
    if (finest === undefined) throw raster.unplaced[0]?.reason ?? new InvalidArgumentError("no levels");
    return new OpenedVariable(raster.levels, await finest.open(), selection, raster);
  }

  /**
   * A variable of levels that the caller has placed, the finest first.
   * @throws InvalidArgumentError for no levels
   */
  static async ofLevels(levels: readonly TileLevel[], selection: Selection = {}): Promise<OpenedVariable> {
    const [finest] = levels;
    const array =
      finest?.array ?? (finest !== undefined && "open" in finest ? await finest.open() : undefined);
    if (array === undefined) throw new InvalidArgumentError("source: expected one level or more, got none");
    return new OpenedVariable(levels, array, selection);
  }

  /**
   * The index of each dimension that a selection names; of a label for several steps the first.
   * @throws what `locate` of `wazarr/xarray` throws for unknown dimensions and labels
   */
  async indicesOf(selection: Selection): Promise<Readonly<Record<string, number>>> {
    const found = entriesOf(selection).map(async ([name, entry]) => {
      if (typeof entry === "number") return [name, entry] as const;
      const chosen = (await (await this.#labelled()).locate({ [name]: entry })).get(name);
      const index =
        chosen?.kind === "index"
          ? chosen.index
          : chosen?.kind === "slice"
            ? chosen.start
            : chosen?.indices[0];
      if (index === undefined)
        throw new InvalidArgumentError(`selection.${name}: expected one step or more, got none`);
      return [name, index] as const;
    });
    return Object.fromEntries(await Promise.all(found));
  }

  /** The labels of a dimension as text; undefined for a dimension without a coordinate. */
  async labelsOf(dimension: string): Promise<readonly string[] | undefined> {
    const coordinate = (await this.#opened()).variables[dimension];
    if (coordinate === undefined) return undefined;
    const read = await coordinate.get();
    return /^(?:string|bytes|datetime|cftime)/.test(read.dtype)
      ? read.strings()
      : Array.from(read.numbers(), String);
  }

  async #labelled(): Promise<Labelled> {
    const { path } = this.#array;
    const found = (await this.#opened()).variables[path.slice(path.lastIndexOf("/") + 1)];
    if (found === undefined) throw new InvalidArgumentError(`no variable at ${path} whose steps have labels`);
    return found;
  }

  /** The variable of the finest level, with the coordinates that are beside it. */
  #opened(): Promise<Dataset> {
    this.#dataset ??= datasetOf(this.#array);
    return this.#dataset;
  }
}

/** Most stores on the web cannot be listed: a coordinate has the name of its dimension. */
async function datasetOf({ store, path, metadata }: ZarrArray<DataTypeName, Store>): Promise<Dataset> {
  const group = root(store).resolve(path.slice(0, path.lastIndexOf("/")) || "/");
  if (store.contents !== undefined) return openDataset(group);
  const names = (metadata.dimensionNames ?? []).filter((name) => name !== null);
  const found = names.map(async (name) => {
    const location = group.resolve(name);
    const coordinate = await open(location, { kind: "array" }).catch((error: unknown) => {
      if (isZarrError(error, "NotFoundError")) return undefined;
      throw error;
    });
    return coordinate === undefined ? [] : [{ path: location.path, kind: "array" as const }];
  });
  const nodes = [{ path, kind: "array" as const }, ...(await Promise.all(found)).flat()];
  const listed: Store = {
    get: (key, options) => store.get(key, options),
    contents: () => [{ path: group.path, kind: "group" }, ...nodes],
  };
  return openDataset(new Location(listed, group.path));
}
