/** A source of tiles: it reads what a view needs, and what has arrived can be drawn at any moment. */
import { checkNames, describe, type NamesOf } from "../extend.js";
import { InvalidArgumentError, UnsupportedError } from "../index.js";
import type { DrawnType } from "../main/reading.js";
import type { Point, TileLevel } from "./level.js";
import type { Polygon } from "./polygon-rows.js";
import { type PointValues, valuesAt } from "./query.js";
import { type PolygonGeometry, type PolygonValues, ringsOf, valuesIn } from "./query-polygon.js";
import { type GivenLevels, levelsOf, type SourceLevel, sourceLevels } from "./source-level.js";
import { SOURCE_OPTIONS, type TileSourceOptions } from "./source-options.js";
import { StepTiles, type ViewTiles } from "./step-tiles.js";
import { type Selectors, type Step, Steps } from "./steps.js";
import type { Tile, TilePicture } from "./tile.js";
import { type TileView, VIEW } from "./view.js";

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
  readonly #levels: readonly [SourceLevel, ...SourceLevel[]];
  readonly #options: TileSourceOptions<As>;
  readonly #steps: Steps;
  readonly #tiles: StepTiles<As>;
  #view: ViewTiles | undefined;
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
  constructor(levels: GivenLevels, options: TileSourceOptions<As>) {
    checkNames(options, "TileSource", SOURCE_OPTIONS);
    this.#options = options;
    this.levels = levelsOf(levels);
    this.#levels = sourceLevels(this.levels);
    const [finest] = this.#levels;
    const { labels = {}, dimensions } = options;
    this.#steps = new Steps(finest.pattern, finest.grid, labels, dimensions);
    this.#shown = this.#steps.first;
    this.#tiles = new StepTiles(this.#levels, this.#steps, options, (key) => this.#settled(key));
  }

  /** Lengths of the dimensions that are not y or x, by the names that `selectors` take: `{ time: 24 }`. */
  get dimensions(): Readonly<Record<string, number>> {
    return this.#steps.lengths;
  }

  /** Bytes of the tiles that are kept. */
  get bytes(): number {
    return this.#tiles.bytes;
  }

  /** How many tiles the view has, and how many of them have arrived or failed. */
  get progress(): { readonly settled: number; readonly total: number } {
    const total = this.#view?.tiles.length ?? 0;
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
    const { bounds, resolution, ahead = {} } = { ...this.#view?.view, ...change };
    if (bounds === undefined || resolution === undefined)
      throw new InvalidArgumentError("show: expected bounds and resolution of the first view");
    const step = this.#steps.select(this.#view?.step ?? this.#shown, change.selectors ?? {});
    this.#steps.following(step, ahead);
    this.#view = this.#tiles.choose({ bounds, resolution, ahead }, step);
    this.#picture = undefined;
    this.#thrown = [];
    this.#switch();
    this.#tiles.read(this.#view, this.picture().tiles);
    this.#tell();
  }

  /** Requests the tiles of the view that failed once more. */
  retry(): void {
    this.#tiles.retry();
    this.#picture = undefined;
    this.#thrown = [];
  }

  /** What can be drawn now; the same object until it changes. */
  picture(): TilePicture<As> {
    if (this.#picture !== undefined) return this.#picture;
    const view = this.#view;
    const isComplete = view !== undefined && this.#missing() === 0;
    this.#picture = {
      tiles: this.#drawable(this.#shown),
      step: this.#shown.indices,
      isCurrent: view === undefined || view.step.key === this.#shown.key,
      isComplete,
      failures: [...(view === undefined ? [] : this.#tiles.problems(view)), ...this.#thrown],
      unread: isComplete ? this.#tiles.unread(view) : [],
      isCut: view?.isCut ?? false,
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
    if (this.#view === undefined)
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
    if (typeof dimension !== "string")
      throw new InvalidArgumentError(`play: expected the name of a dimension, got ${describe(dimension)}`);
    const next = () => this.#steps.following(this.#view?.step ?? this.#shown, { [dimension]: 1 });
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
    const step = this.#steps.select(this.#view?.step ?? this.#shown, selectors);
    const { missing, scale, offset, workers } = this.#options;
    const [finest] = this.#levels;
    const cache = this.#tiles.cacheFor(0, finest.pattern);
    const options = { missing, scale, offset, workers, cache, signal };
    const choice = [this.#steps, step, along] as const;
    const area = isList(where) ? where : ringsOf(where);
    if (isPoint(area)) return valuesAt(finest, area, choice, options);
    return valuesIn(this.#levels, area, choice, Math.floor(this.#tiles.maximumBytes / 32), options);
  }

  /** Aborts all reads and forgets all tiles. Later calls of `show` and `query` are an UnsupportedError. */
  close(): void {
    this.#isClosed = true;
    this.#view = undefined;
    this.#picture = undefined;
    this.#tiles.clear();
    this.#tell();
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new UnsupportedError("the source of tiles is closed");
  }

  /** How many tiles of the view have not arrived yet. */
  #missing(): number {
    return this.#view === undefined ? 0 : this.#tiles.missing(this.#view);
  }

  /** A tile has arrived or failed. */
  #settled(key: string): void {
    const view = this.#view;
    if (view === undefined || !this.#tiles.has(view, key)) return;
    const isSwitched = this.#switch();
    // The tiles of the step before leave room for others.
    if (isSwitched) this.#tiles.read(view, this.picture().tiles);
    const isChanged = view.step.key === this.#shown.key || this.#tiles.failureOf(key) !== undefined;
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
    if (this.#view === undefined || this.#view.step.key === this.#shown.key) return false;
    const { step } = this.#view;
    const covers = this.#tiles.covers(this.#view);
    // Of a step that failed in every tile nothing can be drawn: what is there stays.
    const isDrawable = covers && this.#drawable(step).length > 0;
    if (!isDrawable && this.#drawable(this.#shown).length > 0) return false;
    this.#shown = step;
    this.#picture = undefined;
    return true;
  }

  #drawable(step: Step): Tile<As>[] {
    return this.#view === undefined ? [] : this.#tiles.drawable(this.#view, step);
  }

  /** Tells those who wait for a complete picture. */
  #tell(): void {
    if (this.#waiting.length === 0 || this.#missing() > 0) return;
    const picture = this.picture();
    const failures = this.#view === undefined ? [] : this.#tiles.failures(this.#view);
    const errors = [...failures, ...this.#thrown];
    for (const { resolve, reject } of this.#waiting.splice(0)) {
      if (errors.length > 0) reject(errors[0]);
      else resolve(picture);
    }
  }
}

function isList(where: Point | Polygon | PolygonGeometry): where is Point | Polygon {
  return Array.isArray(where);
}

function isPoint(where: Point | Polygon): where is Point {
  return !Array.isArray(where[0]);
}
