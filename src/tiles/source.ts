/** A source of tiles: it reads what a view needs, and what has arrived can be drawn at any moment. */
import { checkNames, describe, type NamesOf } from "../extend.js";
import { InvalidArgumentError, UnsupportedError } from "../index.js";
import { ChunkCache } from "../main/caches.js";
import type { DrawnType } from "../main/reading.js";
import { type ChosenTiles, chooseTiles } from "./choose-tiles.js";
import type { Cells } from "./holes.js";
import type { Point, TileLevel } from "./level.js";
import { type Job, Loader } from "./loader.js";
import { Plane } from "./plane.js";
import type { Polygon } from "./polygon-rows.js";
import { type PointValues, valuesAt } from "./query.js";
import { type PolygonGeometry, type PolygonValues, ringsOf, valuesIn } from "./query-polygon.js";
import { bytesOf, type LoadedTile, readTile } from "./read-tile.js";
import { SOURCE_OPTIONS, type TileSourceOptions } from "./source-options.js";
import { standInsFor, tilesToDraw } from "./stand-ins.js";
import { type Selectors, type Step, Steps } from "./steps.js";
import type { Tile, TilePicture } from "./tile.js";
import { type PlacedTile, shapeOf, TileGrid } from "./tile-grid.js";
import { type TileView, VIEW } from "./view.js";

const DEFAULT_BYTES = 256 << 20;
const DEFAULT_CONCURRENCY = 16;

/** The view in terms of tiles. */
interface Asked extends ChosenTiles {
  readonly view: TileView;
  readonly step: Step;
  /** Turns on which tiles are drawn. */
  readonly turns: readonly number[];
}

interface Waiting<As extends DrawnType> {
  resolve(picture: TilePicture<As>): void;
  reject(error: unknown): void;
}

/** Options of `query`. */
export interface QueryAt {
  /** The dimension of which all values are read. */
  readonly along?: string | undefined;
  /** A step other than that of the view. */
  readonly selectors?: Selectors | undefined;
  readonly signal?: AbortSignal | undefined;
}

const QUERY: NamesOf<QueryAt> = { along: true, selectors: "object", signal: true };

/**
 * Reads the tiles of views and keeps them, up to a number of bytes. `show` says what to read, `picture`
 * gives what has arrived, and `onChange` is called when there is more.
 */
export class TileSource<As extends DrawnType> {
  /** Levels, the finest first. */
  readonly levels: readonly TileLevel[];
  readonly #options: TileSourceOptions<As>;
  readonly #grids: readonly TileGrid[];
  readonly #steps: Steps;
  readonly #plane: Plane;
  readonly #finest: TileLevel;
  readonly #elementBytes: number;
  readonly #maximumBytes: number;
  readonly #cache: ChunkCache | undefined;
  readonly #loader: Loader<LoadedTile<As>>;
  #asked: Asked | undefined;
  #isClosed = false;
  /** The step that is drawn. */
  #shown: Step;
  #picture: TilePicture<As> | undefined;
  #waiting: Waiting<As>[] = [];
  /** What `onChange` has thrown since the last `show` or `retry`. */
  #thrown: readonly unknown[] = [];

  /**
   * @param levels of one raster in any order: a `GeoRaster`, or arrays with their grids
   * @throws InvalidArgumentError for no levels, levels of different rank, wrong labels and options;
   * UnsupportedError for chunks of different shapes
   */
  constructor(
    levels: readonly TileLevel[] | { readonly levels: readonly TileLevel[] },
    options: TileSourceOptions<As>,
  ) {
    checkNames(options, "TileSource", SOURCE_OPTIONS);
    this.#options = options;
    this.levels = levelsOf(levels).sort((a, b) => areaOf(a) - areaOf(b));
    const [finest, ...coarser] = this.levels;
    if (finest === undefined) throw new InvalidArgumentError("levels: expected one level or more, got none");
    if (this.levels.some(({ array }) => array.shape.length !== finest.array.shape.length))
      throw new InvalidArgumentError("levels: expected levels with the same dimensions");
    const { as, labels = {}, dimensions, maximumBytes = DEFAULT_BYTES, concurrency } = options;
    this.#finest = finest;
    this.#grids = this.levels.map((level, index) => new TileGrid(index, level));
    this.#steps = new Steps(finest, labels, dimensions);
    this.#plane = new Plane([finest, ...coarser], options.projection);
    this.#shown = this.#steps.first;
    const elementBytes = bytesOf(as);
    if (elementBytes === undefined)
      throw new InvalidArgumentError(`as: expected a type of number, got ${describe(as)}`);
    this.#elementBytes = elementBytes;
    this.#maximumBytes = maximumBytes;
    const least = 4 * elementBytes * Math.max(...this.#grids.map(({ largest }) => largest));
    if (typeof maximumBytes !== "number" || !(maximumBytes >= least))
      throw new InvalidArgumentError(
        `maximumBytes: expected ${least} (four tiles) or more, got ${describe(maximumBytes)}`,
      );
    this.#cache = options.cache ?? cacheFor(this.#grids, maximumBytes / 4);
    this.#loader = new Loader({
      maximumBytes,
      concurrency: positive("concurrency", concurrency ?? DEFAULT_CONCURRENCY),
      onSettled: (key) => this.#settled(key),
    });
  }

  /** Lengths of the dimensions that are not y or x, by the names that `selectors` take: `{ time: 24 }`. */
  get dimensions(): Readonly<Record<string, number>> {
    return this.#steps.lengths;
  }

  /** Bytes of the tiles that are kept. */
  get bytes(): number {
    return this.#loader.bytes;
  }

  /** How many tiles the view has, and how many of them have arrived or failed. */
  get progress(): { readonly settled: number; readonly total: number } {
    const total = this.#asked?.tiles.length ?? 0;
    return { settled: total - this.#missing(), total };
  }

  /**
   * Reads what a view needs from now on, and aborts what it does not. What is not given stays as it is.
   * @throws InvalidArgumentError for a first view without bounds or resolution, and for an invalid
   * box, resolution, dimension, index or label; the view then stays as it was
   */
  show(change: Partial<TileView>): void {
    checkNames(change, "show", VIEW);
    this.#checkOpen();
    const { bounds, resolution, ahead = {} } = { ...this.#asked?.view, ...change };
    if (bounds === undefined || resolution === undefined)
      throw new InvalidArgumentError("show: expected bounds and resolution of the first view");
    const step = this.#steps.select(this.#asked?.step ?? this.#shown, change.selectors ?? {});
    this.#steps.following(step, ahead);
    const most = this.#maximumBytes / 2 / this.#elementBytes;
    const view = {
      bounds: this.#plane.boundsOf(bounds),
      resolution: positive("resolution", resolution),
      ahead,
    };
    const inData = this.#plane.viewOf(view);
    const chosen = chooseTiles(this.#grids, inData.bounds, inData.resolution, most);
    this.#asked = { ...chosen, step, view, turns: this.#plane.turnsIn(view) };
    this.#picture = undefined;
    this.#thrown = [];
    this.#switch();
    this.#plan(this.#asked);
    this.#tell();
  }

  /** Requests the tiles of the view that failed once more. */
  retry(): void {
    this.#loader.retry(({ holes }) => holes.length > 0);
    this.#picture = undefined;
    this.#thrown = [];
  }

  /** What can be drawn now; the same object until it changes. */
  picture(): TilePicture<As> {
    if (this.#picture !== undefined) return this.#picture;
    const { step, tiles, isCut } = this.#asked ?? { step: this.#shown, tiles: [], isCut: false };
    const isCurrent = step.key === this.#shown.key;
    this.#picture = {
      tiles: this.#drawable(this.#shown),
      step: this.#shown.indices,
      isCurrent,
      isComplete: this.#asked !== undefined && this.#missing() === 0,
      failures: tiles
        .flatMap((tile) => {
          const key = this.#key(tile, step);
          const holes = this.#loader.get(key)?.holes ?? [];
          return [...holes, this.#loader.failureOf(key) ?? []].flat().map(({ error }) => error);
        })
        .concat(this.#thrown),
      isCut,
    };
    return this.#picture;
  }

  /**
   * The picture of the last view once it is complete; if the source is closed meanwhile, one without tiles.
   * Damaged chunks are holes in its tiles.
   * @throws the error of a tile of the view of which nothing could be read, or of `onChange`;
   * InvalidArgumentError before `show`, UnsupportedError after `close`
   */
  async complete(): Promise<TilePicture<As>> {
    this.#checkOpen();
    if (this.#asked === undefined)
      throw new InvalidArgumentError("complete: expected a view; call show first");
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#tell();
    });
  }

  /**
   * Plays a dimension from the step of the view on, without end: shows the next step each time the loop asks
   * for it, and yields its picture once it is complete. A loop that draws each picture before it goes on
   * skips no step and mixes none.
   *
   *     for await (const { step } of source.play("time")) await drawn(step);
   * @throws what `complete` throws; InvalidArgumentError for an unknown dimension
   */
  async *play(dimension: string): AsyncGenerator<TilePicture<As>, void, undefined> {
    const next = () => this.#steps.following(this.#asked?.step ?? this.#shown, { [dimension]: 1 });
    next();
    for (;;) {
      if (this.#isClosed) return;
      const picture = await this.complete();
      if (this.#isClosed) return;
      yield picture;
      // A loop that waits for nothing, over steps that are there, would not let the page draw.
      await new Promise((resolve) => setTimeout(resolve, 0));
      if (this.#isClosed) return;
      this.show({ selectors: next()[0]?.indices });
    }
  }

  /**
   * The values at a point in the finest level, of the step of the view, in one read; chunks in the `cache` of
   * the options are not read again. With `along`, all values of that dimension: a series.
   * @returns undefined for a point outside. @throws what `get` throws
   */
  query(point: Point, options?: QueryAt): Promise<PointValues | undefined>;
  /**
   * The values in a polygon, of the finest level whose box around it takes at most a quarter of
   * `maximumBytes`. One read for each row of chunks, of the columns that the polygon has there.
   * @throws InvalidArgumentError for invalid rings, and a polygon that is too large; what `get` throws
   */
  query(polygon: Polygon | PolygonGeometry, options?: QueryAt): Promise<PolygonValues>;
  async query(
    where: Point | Polygon | PolygonGeometry,
    at: QueryAt = {},
  ): Promise<PointValues | PolygonValues | undefined> {
    checkNames(at, "query", QUERY);
    this.#checkOpen();
    const { along, selectors = {}, signal } = at;
    const step = this.#steps.select(this.#asked?.step ?? this.#shown, selectors);
    const { missing, scale, offset, workers } = this.#options;
    const options = { missing, scale, offset, workers, cache: this.#cache, signal };
    const choice = [this.#steps, step, along] as const;
    const area = isList(where) ? where : ringsOf(where);
    if (isPoint(area)) return valuesAt(this.#finest, area, choice, options);
    return valuesIn(this.levels, area, choice, Math.floor(this.#maximumBytes / 32), options);
  }

  /** Aborts all reads and forgets all tiles. Later calls of `show` and `query` are an UnsupportedError. */
  close(): void {
    this.#isClosed = true;
    this.#asked = undefined;
    this.#picture = undefined;
    this.#loader.clear();
    this.#tell();
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new UnsupportedError("the source of tiles is closed");
  }

  #key(tile: PlacedTile, step: Step): string {
    return `${tile.id}@${step.key}`;
  }

  /** How many tiles of the view have not arrived yet. */
  #missing(): number {
    if (this.#asked === undefined) return 0;
    const { tiles, step } = this.#asked;
    return tiles.filter((tile) => !this.#loader.isSettled(this.#key(tile, step))).length;
  }

  /** A tile has arrived or failed. */
  #settled(key: string): void {
    const asked = this.#asked;
    if (asked === undefined || !asked.tiles.some((tile) => this.#key(tile, asked.step) === key)) return;
    const isSwitched = this.#switch();
    // The tiles of the step before leave room for others.
    if (isSwitched) this.#plan(asked);
    const isChanged = asked.step.key === this.#shown.key || this.#loader.failureOf(key) !== undefined;
    if (isChanged && !isSwitched) this.#picture = undefined;
    if (isChanged) this.#callOnChange();
    this.#tell();
  }

  /** An error of the caller's function is a failure of the picture: a tile arrives in nobody's call. */
  #callOnChange(): void {
    try {
      this.#options.onChange?.();
    } catch (error) {
      this.#thrown = [...this.#thrown, error];
      this.#picture = undefined;
    }
  }

  /** Draws the step of the view once it covers the view, or if there is nothing else to draw. */
  #switch(): boolean {
    if (this.#asked === undefined || this.#asked.step.key === this.#shown.key) return false;
    const { step, tiles } = this.#asked;
    const covers = tiles.every((tile) => {
      if (this.#loader.isSettled(this.#key(tile, step))) return true;
      return standInsFor(tile, this.#grids, (each) => this.#loader.has(this.#key(each, step))).covers;
    });
    // Of a step that failed in every tile nothing can be drawn: what is there stays.
    const isDrawable = covers && this.#drawable(step).length > 0;
    if (!isDrawable && this.#drawable(this.#shown).length > 0) return false;
    this.#shown = step;
    this.#picture = undefined;
    return true;
  }

  /** The tiles of a step that have arrived for the view, and what is drawn in place of the others. */
  #drawable(step: Step): Tile<As>[] {
    const { tiles, turns } = this.#asked ?? { tiles: [], turns: [] };
    const isThere = (tile: PlacedTile): boolean => this.#loader.has(this.#key(tile, step));
    return tilesToDraw(tiles, this.#grids, isThere).flatMap((tile) => {
      const { level, rows, columns, bounds, corners } = tile;
      const key = this.#key(tile, step);
      const loaded = this.#loader.get(key);
      if (loaded === undefined) return [];
      const plane = this.#plane;
      const common = { key, level, rows, columns, shape: shapeOf(tile), ...loaded, bounds, corners };
      return turns.map((each) => {
        const turn = tile.turn + each;
        return {
          ...common,
          turn,
          get mesh() {
            return plane.meshOf(tile, turn);
          },
        };
      });
    });
  }

  #plan(asked: Asked): void {
    const { tiles, step, view } = asked;
    const wanted = new Map(tiles.map((tile) => [this.#key(tile, step), this.#job(tile, step)]));
    const kept = this.picture().tiles.filter(({ key }) => !wanted.has(key));
    let room = this.#maximumBytes - [...wanted.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { data } of kept) room -= data.byteLength;
    const next = this.#steps
      .following(step, view.ahead ?? {})
      .flatMap((after) => tiles.map((tile) => this.#job(tile, after)));
    const around = this.#around(asked).map((tile) => this.#job(tile, step));
    const ahead = [...next, ...around].filter(({ key, bytes }) => {
      if (wanted.has(key) || room < bytes) return false;
      room -= bytes;
      return true;
    });
    this.#loader.plan(
      [...wanted.values()],
      ahead,
      kept.map(({ key }) => key),
    );
  }

  /** The ring of tiles around a view. A view that is cut has more tiles than there is room for. */
  #around({ grid, tiles, isCut, bounds }: Asked): PlacedTile[] {
    if (isCut) return [];
    const inside = new Set(tiles.map(({ id }) => id));
    return grid.touching(grid.grown(bounds)).filter(({ id }) => !inside.has(id));
  }

  #job(tile: PlacedTile, step: Step): Job<LoadedTile<As>> {
    const { as, missing, missingAs, scale, offset, window, workers } = this.#options;
    const [rows, columns] = shapeOf(tile);
    return {
      key: this.#key(tile, step),
      bytes: rows * columns * this.#elementBytes,
      read: async ({ signal, priority }) => {
        const { level } = this.#gridOf(tile);
        const selectionOf = (cells: Cells) => this.#steps.selection(level, step, cells.rows, cells.columns);
        const drawn = { as, missing, missingAs, scale, offset, window, workers, cache: this.#cache };
        return readTile(level, tile, selectionOf, { ...drawn, signal, priority });
      },
    };
  }

  #gridOf({ level }: PlacedTile): TileGrid {
    const grid = this.#grids[level];
    if (grid !== undefined) return grid;
    throw new TypeError("internal error: no level of a tile");
  }

  /** Tells those who wait for a complete picture. */
  #tell(): void {
    if (this.#waiting.length === 0 || this.#missing() > 0) return;
    const picture = this.picture();
    const { tiles = [], step } = this.#asked ?? {};
    const errors = tiles
      .flatMap((tile) => (step && this.#loader.failureOf(this.#key(tile, step))) ?? [])
      .map(({ error }) => error)
      .concat(this.#thrown);
    for (const { resolve, reject } of this.#waiting.splice(0)) {
      if (errors.length > 0) reject(errors[0]);
      else resolve(picture);
    }
  }
}

/** @throws InvalidArgumentError for a value without levels, such as a store */
function levelsOf(given: readonly TileLevel[] | { readonly levels: readonly TileLevel[] }): TileLevel[] {
  const isObject = typeof given === "object" && given !== null;
  // A raster of which no level has a place says why.
  if (isObject && "levels" in given && given.levels.length === 0 && "unplaced" in given)
    for (const { reason } of Array.isArray(given.unplaced) ? given.unplaced : []) throw reason;
  const levels = isObject && "levels" in given ? given.levels : given;
  if (Array.isArray(levels) && levels.every((level) => level?.array && level.grid)) return [...levels];
  throw new InvalidArgumentError(
    "levels: expected a raster of openGeoZarr, a list of { array, grid }, or levelsInPixels([array]); open a store first",
  );
}

function areaOf({ grid: { resolution } }: TileLevel): number {
  return resolution[0] * resolution[1];
}

function positive(name: string, value: number): number {
  if (typeof value === "number" && value > 0) return value;
  throw new InvalidArgumentError(`${name}: expected a number above 0, got ${describe(value)}`);
}

/** For chunks that have several steps or tiles in them, and would be read again for each. */
function cacheFor(grids: readonly TileGrid[], maxBytes: number): ChunkCache | undefined {
  return grids.some((grid) => grid.sharesChunks) ? new ChunkCache({ maxBytes }) : undefined;
}

function isList(where: Point | Polygon | PolygonGeometry): where is Point | Polygon {
  return Array.isArray(where);
}

function isPoint(where: Point | Polygon): where is Point {
  return !Array.isArray(where[0]);
}
