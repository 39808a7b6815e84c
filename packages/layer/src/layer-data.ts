/** The data of a layer: its variables, the step that is shown, and the tiles of the view. */
import { type ColorScale, colorScale } from "@wazarr/colors";
import { InvalidArgumentError } from "wazarr";
import { ChunkCache } from "wazarr/caches";
import type {
  PlaneProjection,
  Polygon,
  PolygonGeometry,
  Tile,
  TileLevel,
  TilePicture,
  TileView,
} from "wazarr/tiles";
import { TileSource } from "wazarr/tiles";
import type { GivenPlace } from "./given-place.js";
import { locationOf, OpenedVariable, type Place } from "./open-variable.js";
import {
  type Cell,
  entriesOf,
  type LayerOptions,
  type LayerSource,
  type Selection,
  type Variable,
} from "./options.js";
import { inDegrees, onMap, pairOf } from "./projection.js";
import { expressionOf, MISSING } from "./shader.js";
import { type Statistics, statisticsOf } from "./statistics.js";

type Source = TileSource<"float32">;
type Picture = TilePicture<"float32">;
type Point = readonly [longitude: number, latitude: number];

/** A place of the picture, with the tile of each variable. */
export interface LayerTile {
  /** The same for a later picture of the step. */
  readonly id: string;
  readonly tile: Tile<"float32">;
  /** As `names` of the data. */
  readonly values: readonly Tile<"float32">[];
}

/** One variable: the source of its tiles, and what is known of it unless the caller made the source. */
interface Part {
  readonly name: string;
  readonly source: Source;
  readonly opened: OpenedVariable | undefined;
  /** The step of the next view. */
  selectors: Readonly<Record<string, number | string>>;
}

/** Of the chunks that several variables share, or several steps. */
const CACHE_BYTES = 64 << 20;

export class LayerData {
  /** Names of the variables in `expression`. */
  readonly names: readonly string[];
  readonly expression: string;
  /** The colours; whoever draws may replace them. */
  scale: ColorScale;
  /** Of the expression, by the names with which the data were opened. */
  uniforms: Readonly<Record<string, number>>;
  readonly #parts: readonly [Part, ...Part[]];
  readonly #degrees: Pick<PlaneProjection, "forward" | "inverse">;
  /** The last pictures that are all of the step of the view. */
  #shown: readonly Picture[] = [];
  #hasView = false;
  #isClosed = false;
  #tiles: { readonly of: readonly Picture[]; readonly tiles: readonly LayerTile[] } | undefined;

  private constructor(
    parts: readonly [Part, ...Part[]],
    degrees: Pick<PlaneProjection, "forward" | "inverse">,
    expression: string,
    scale: ColorScale,
    uniforms: Readonly<Record<string, number>> = {},
  ) {
    this.#parts = parts;
    this.#degrees = degrees;
    this.names = parts.map(({ name }) => name);
    this.expression = expression;
    this.scale = scale;
    this.uniforms = uniforms;
  }

  /**
   * Opens what the options name, at the first step of the selection.
   * @param map from longitudes and latitudes to the plane of the map
   * @param onChange when there is more to draw
   * @throws what `openGeoZarr` throws; TypeError for an expression that is missing; RangeError for colours
   */
  static async open(options: LayerOptions, map: PlaneProjection, onChange: () => void): Promise<LayerData> {
    const { source, variable, variables = { value: variable }, missing, uniforms } = options;
    const scale = await colorScale(options.colors ?? "viridis", options);
    const names = source instanceof TileSource ? ["value"] : Object.keys(variables);
    const expression = expressionOf(names, options.expression, Object.keys(uniforms ?? {}));
    if (source instanceof TileSource) {
      const part = { name: "value", source, opened: undefined, selectors: {} };
      const same = (point: [x: number, y: number]): readonly number[] => point;
      return new LayerData([part], { forward: same, inverse: same }, expression, scale, uniforms);
    }
    const [first, ...more] = await openedFrom(source, Object.entries(variables), options.place);
    if (first === undefined) throw new TypeError("internal error: no variable");
    const { raster } = first[1];
    const degrees = await inDegrees(raster?.crs);
    const common = {
      as: "float32" as const,
      missingAs: MISSING,
      projection: raster && onMap(degrees, map),
      cache: new ChunkCache({ maxBytes: CACHE_BYTES }),
      onChange,
    };
    const partOf = ([name, each]: typeof first): Part => {
      const tiles = { ...common, ...each.unpacking, ...(missing !== undefined && { missing }) };
      return { name, opened: each, source: new TileSource(each.levels, tiles), selectors: {} };
    };
    const parts: [Part, ...Part[]] = [partOf(first), ...more.map(partOf)];
    const data = new LayerData(parts, degrees, expression, scale, uniforms);
    data.#checkAlike();
    for (const each of parts)
      each.selectors =
        (await each.opened?.indicesOf({ ...options.selection, ...each.opened.selection })) ?? {};
    return data;
  }

  /** Lengths of the dimensions that are not y or x: `{ time: 24 }`. */
  get dimensions(): Readonly<Record<string, number>> {
    return this.#first.source.dimensions;
  }

  /** Its unit as the metadata have it; "" without one. */
  get unit(): string {
    return this.#first.opened?.unit ?? "";
  }

  /** The indices that are drawn. */
  get step(): Readonly<Record<string, number>> {
    return this.#pictures()[this.#leading]?.step ?? {};
  }

  /** Tiles of the view, and how many of them have arrived or failed. */
  get progress(): { readonly settled: number; readonly total: number } {
    const each = this.#parts.map(({ source }) => source.progress);
    const sumOf = (key: "settled" | "total") => each.reduce((sum, part) => sum + part[key], 0);
    return { settled: sumOf("settled"), total: sumOf("total") };
  }

  /** Whether all tiles of the view have arrived or failed, and are what is drawn. */
  get isComplete(): boolean {
    return this.#parts
      .map(({ source }) => source.picture())
      .every((each) => each.isComplete && each.isCurrent);
  }

  /** Errors of tiles of the view. */
  get failures(): readonly unknown[] {
    return this.#parts.flatMap(({ source }) => source.picture().failures);
  }

  /** Reads what a view of the map needs. @param view `bounds` and `resolution` in units of the map */
  show(view: Pick<TileView, "bounds" | "resolution">): void {
    for (const { source, selectors } of this.#parts) source.show({ ...view, selectors });
    this.#hasView = true;
  }

  /** Requests the tiles that failed once more. */
  retry(): void {
    for (const { source } of this.#parts) source.retry();
  }

  /**
   * Shows another step; dimensions that are not named stay as they are. It is drawn once it covers the view.
   * @throws what `locate` of `wazarr/xarray` throws for unknown dimensions and labels
   */
  async select(selection: Selection): Promise<void> {
    const { opened } = this.#first;
    const given = opened === undefined ? numbersOf(selection) : await opened.indicesOf(selection);
    this.#step(given, {});
  }

  /** The labels of a dimension as text, such as its times; undefined without a coordinate. */
  async labelsOf(dimension: string): Promise<readonly string[] | undefined> {
    return this.#first.opened?.labelsOf(dimension);
  }

  /** What to draw: one step, the same list until it changes. */
  tiles(): readonly LayerTile[] {
    const pictures = this.#pictures();
    if (this.#tiles?.of === pictures) return this.#tiles.tiles;
    const [first, ...others] = pictures;
    const known = others.map(({ tiles }) => new Map(tiles.map((tile) => [placeOf(tile), tile])));
    const tiles = (first?.tiles ?? []).flatMap((tile) => {
      const beside = known.map((byPlace) => byPlace.get(placeOf(tile)));
      const values = [tile, ...beside.filter((each) => each !== undefined)];
      const id = [...values.map(({ key }) => key), tile.turn].join(" ");
      return values.length === this.#parts.length ? { id, tile, values } : [];
    });
    this.#tiles = { of: pictures, tiles };
    return tiles;
  }

  /** Resolves once all tiles of the view have arrived. @throws the error of a tile that failed */
  async complete(): Promise<void> {
    await Promise.all(this.#parts.map(({ source }) => source.complete()));
  }

  /**
   * Plays a dimension without end: each turn of the loop is a step that is complete.
   * @throws the error of a tile that failed; InvalidArgumentError for an unknown dimension
   */
  async *play(dimension: string): AsyncGenerator<Readonly<Record<string, number>>, void, undefined> {
    const { [dimension]: length } = this.dimensions;
    if (length === undefined) throw new InvalidArgumentError(`no dimension ${JSON.stringify(dimension)}`);
    for (;;) {
      await this.complete();
      if (this.#isClosed) return;
      yield this.step;
      // A loop that waits for nothing, over steps that are there, would not let the page draw.
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (this.#isClosed) return;
      const next = ((this.step[dimension] ?? 0) + 1) % length;
      this.#step({ [dimension]: next }, { [dimension]: Math.min(2, length - 1) });
    }
  }

  /** The values at a longitude and latitude; undefined outside of the data. @throws what `get` throws */
  async queryPoint(point: Point, signal?: AbortSignal): Promise<Cell | undefined> {
    const place = pairOf(this.#degrees.inverse([...point]));
    const found = await Promise.all(this.#parts.map(({ source }) => source.query(place, { signal })));
    const [first] = found;
    if (first === undefined) return undefined;
    const { row, column, middle } = first;
    const entries = this.names.map((name, i) => [name, found[i]?.values[0] ?? Number.NaN] as const);
    return { values: Object.fromEntries(entries), label: this.#label(entries[0]?.[1]), middle, row, column };
  }

  /**
   * Statistics of the first variable in a polygon of longitudes and latitudes.
   * @throws what `query` of a TileSource throws
   */
  async queryPolygon(
    polygon: PolygonGeometry,
    signal?: AbortSignal,
  ): Promise<Statistics & { label: string }> {
    const rings: Polygon = polygon.coordinates.map((ring) =>
      ring.map(([x, y]) => pairOf(this.#degrees.inverse([x, y]))),
    );
    const { values } = await this.#first.source.query(rings, { signal });
    const statistics = statisticsOf([values]);
    return { ...statistics, label: this.#label(statistics.mean) };
  }

  /** The values at a place in the tiles that are drawn, at once; undefined where there are none. */
  drawnAt(point: Point): Cell | undefined {
    const [x, y] = pairOf(this.#degrees.inverse([...point]));
    for (const { tile, values } of [...this.tiles()].reverse()) {
      const [[x0, y0], [x1], , [, y1]] = tile.corners;
      const [down, across] = tile.shape;
      const [row, column] = [
        Math.floor(((y - y0) / (y1 - y0)) * down),
        Math.floor(((x - x0) / (x1 - x0)) * across),
      ];
      if (!(row >= 0 && row < down && column >= 0 && column < across)) continue;
      const numbers = values.map(({ data }) => data[row * across + column] ?? MISSING);
      const entries = this.names.map((name, i) => [name, unmasked(numbers[i])] as const);
      const middle = [
        x0 + ((column + 0.5) / across) * (x1 - x0),
        y0 + ((row + 0.5) / down) * (y1 - y0),
      ] as const;
      const label = this.#label(entries[0]?.[1]);
      return {
        values: Object.fromEntries(entries),
        label,
        middle,
        row: tile.rows[0] + row,
        column: tile.columns[0] + column,
      };
    }
    return undefined;
  }

  /** Statistics of the first variable in the tiles that are drawn. */
  statistics(): Statistics {
    return statisticsOf(this.tiles().map(({ tile }) => tile.data));
  }

  close(): void {
    // Whoever made a source closes it.
    for (const { source, opened } of this.#parts) if (opened !== undefined) source.close();
    this.#shown = [];
    this.#isClosed = true;
  }

  #step(indices: Part["selectors"], ahead: Readonly<Record<string, number>>): void {
    for (const part of this.#parts) {
      part.selectors = { ...part.selectors, ...indices, ...fixedOf(part) };
      if (this.#hasView) part.source.show({ selectors: part.selectors, ahead });
    }
  }

  /** Index of a variable that follows the selection in all dimensions, if there is one. */
  get #leading(): number {
    return Math.max(
      0,
      this.#parts.findIndex(({ opened }) => Object.keys(opened?.selection ?? {}).length === 0),
    );
  }

  get #first(): Part {
    return this.#parts[0];
  }

  /** Of all variables, once all have the step of the view; until then those before. */
  #pictures(): readonly Picture[] {
    const now = this.#parts.map(({ source }) => source.picture());
    const isSame = now.every((picture, i) => picture === this.#shown[i]);
    const areTogether = now.length === 1 || now.every(({ isCurrent }) => isCurrent);
    if (!isSame && (areTogether || this.#shown.length === 0)) this.#shown = now;
    return this.#shown;
  }

  #label(value: number | undefined): string {
    if (value === undefined || Number.isNaN(value)) return "no data";
    const text = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 4 }).format(value);
    return `${text} ${UNITS[this.unit] ?? this.unit}`.trim();
  }

  /** @throws InvalidArgumentError for variables of which tiles are not at the same places */
  #checkAlike(): void {
    const formOf = ({ source: { levels } }: Part) =>
      JSON.stringify([
        levels[0]?.array?.chunks,
        levels.map(({ grid }) => [grid.shape, grid.toCoordinates(0, 0)]),
      ]);
    const other = this.#parts.find((part) => formOf(part) !== formOf(this.#first));
    if (other !== undefined)
      throw new InvalidArgumentError(
        `variables: expected arrays of the same shape, chunks and place, got others in ${this.#first.name} and ${other.name}`,
      );
  }
}

/** All variables of a source, by name. */
async function openedFrom(
  source: Exclude<LayerSource, TileSource<"float32">>,
  variables: readonly (readonly [name: string, variable: Variable | undefined])[],
  place: GivenPlace | undefined,
): Promise<(readonly [name: string, opened: OpenedVariable])[]> {
  const opened = isLevels(source)
    ? (each: Variable | undefined) =>
        OpenedVariable.ofLevels(source, typeof each === "object" ? each.selection : {})
    : await openerAt(source, place);
  return Promise.all(variables.map(async ([name, each]) => [name, await opened(each)] as const));
}

async function openerAt(
  source: Place,
  place: GivenPlace | undefined,
): Promise<(variable: Variable | undefined) => Promise<OpenedVariable>> {
  const location = await locationOf(source);
  return (variable) => OpenedVariable.open(location, variable, place);
}

const isLevels = (source: LayerSource): source is readonly TileLevel[] => Array.isArray(source);

/** The step of a variable's own selection, which the layer's does not change. */
function fixedOf({ opened, selectors }: Part): Part["selectors"] {
  const names = Object.keys(opened?.selection ?? {});
  return Object.fromEntries(Object.entries(selectors).filter(([name]) => names.includes(name)));
}

/** As readers write them. */
const UNITS: Readonly<Record<string, string>> = {
  degC: "°C",
  celsius: "°C",
  Celsius: "°C",
  degree_Celsius: "°C",
  degrees: "°",
};

const unmasked = (value: number | undefined): number =>
  value === undefined || value === MISSING ? Number.NaN : value;

const placeOf = ({ level, rows, columns, turn }: Tile<"float32">): string =>
  `${level}/${rows[0]}/${columns[0]} ${turn}`;

function numbersOf(selection: Selection): Readonly<Record<string, number | string>> {
  return Object.fromEntries(
    entriesOf(selection).map(([name, entry]) => {
      if (typeof entry === "number" || typeof entry === "string") return [name, entry];
      throw new InvalidArgumentError(`selection.${name}: expected an index or a label of the source`);
    }),
  );
}
