/** The tiles of steps: reads those of a view, keeps what has arrived, and says what of it can be drawn. */
import { describe } from "../extend.js";
import { type DataTypeName, InvalidArgumentError, type Array as ZarrArray } from "../index.js";
import { ChunkCache } from "../main/caches.js";
import type { DrawnType } from "../main/reading.js";
import { type ChosenTiles, chooseTiles } from "./choose-tiles.js";
import type { Cells } from "./holes.js";
import { type Job, Loader } from "./loader.js";
import { Plane } from "./plane.js";
import { bytesOf, type LoadedTile, readTile } from "./read-tile.js";
import type { SourceLevel } from "./source-level.js";
import type { TileSourceOptions } from "./source-options.js";
import { standInsFor, tilesToDraw } from "./stand-ins.js";
import type { Step, Steps } from "./steps.js";
import type { Tile, UnreadTile } from "./tile.js";
import { type PlacedTile, shapeOf, TileGrid } from "./tile-grid.js";
import type { TileView } from "./view.js";

const DEFAULT_BYTES = 256 << 20;
const DEFAULT_CONCURRENCY = 16;

/** The view in terms of tiles. */
export interface ViewTiles extends ChosenTiles {
  readonly view: TileView;
  readonly step: Step;
  /** Turns on which tiles are drawn. */
  readonly turns: readonly number[];
}

export class StepTiles<As extends DrawnType> {
  /** A view of it may have half as many. */
  readonly maximumBytes: number;
  readonly #options: TileSourceOptions<As>;
  readonly #steps: Steps;
  readonly #grids: readonly TileGrid[];
  readonly #plane: Plane;
  readonly #elementBytes: number;
  /** Chunks that several tiles or steps have. */
  readonly #shared: ChunkCache;
  readonly #loader: Loader<LoadedTile<As>>;

  /**
   * @param onSettled is called with the key of a tile that has arrived or failed
   * @throws InvalidArgumentError for wrong options, UnsupportedError for chunks of different shapes
   */
  constructor(
    levels: readonly [SourceLevel, ...SourceLevel[]],
    steps: Steps,
    options: TileSourceOptions<As>,
    onSettled: (key: string) => void,
  ) {
    const { as, maximumBytes = DEFAULT_BYTES, concurrency = DEFAULT_CONCURRENCY } = options;
    this.#options = options;
    this.#steps = steps;
    this.#grids = levels.map((level, index) => new TileGrid(index, level));
    this.#plane = new Plane(levels, options.projection);
    const elementBytes = bytesOf(as);
    if (elementBytes === undefined)
      throw new InvalidArgumentError(`as: expected a type of number, got ${describe(as)}`);
    this.#elementBytes = elementBytes;
    const least = 4 * elementBytes * Math.max(...this.#grids.map(({ largest }) => largest));
    if (typeof maximumBytes !== "number" || !(maximumBytes >= least))
      throw new InvalidArgumentError(
        `maximumBytes: expected ${least} (four tiles) or more, got ${describe(maximumBytes)}`,
      );
    this.maximumBytes = maximumBytes;
    this.#shared = new ChunkCache({ maxBytes: maximumBytes / 4 });
    this.#loader = new Loader({
      maximumBytes,
      concurrency: positive("concurrency", concurrency),
      onSettled,
    });
  }

  /** Bytes of the tiles that are kept. */
  get bytes(): number {
    return this.#loader.bytes;
  }

  /**
   * The tiles that a view needs, of the level for its resolution.
   * @throws InvalidArgumentError for an invalid box or resolution
   */
  choose(view: TileView, step: Step): ViewTiles {
    const { bounds, resolution, ...others } = view;
    const checked = {
      ...others,
      bounds: this.#plane.boundsOf(bounds),
      resolution: positive("resolution", resolution),
    };
    const inData = this.#plane.viewOf(checked);
    const most = this.maximumBytes / 2 / this.#elementBytes;
    const chosen = chooseTiles(this.#grids, inData.bounds, inData.resolution, most);
    return { ...chosen, step, view: checked, turns: this.#plane.turnsIn(checked) };
  }

  /** Whether a tile that has arrived or failed is one of the view. */
  has({ tiles, cover, step }: ViewTiles, key: string): boolean {
    return [...tiles, ...cover].some((tile) => keyOf(tile, step) === key);
  }

  /** How many tiles of the view have not arrived yet. */
  missing({ tiles, step }: ViewTiles): number {
    return tiles.filter((tile) => !this.#loader.isSettled(keyOf(tile, step))).length;
  }

  /** Why tiles of the view could not be read at all. */
  failures({ tiles, step }: ViewTiles): unknown[] {
    return tiles.flatMap((tile) => this.failureOf(keyOf(tile, step)) ?? []).map(({ error }) => error);
  }

  unread({ tiles, step }: ViewTiles): UnreadTile[] {
    return tiles.flatMap((tile) => {
      const { level, rows, columns, bounds } = tile;
      const failure = this.failureOf(keyOf(tile, step));
      return failure === undefined ? [] : [{ level, rows, columns, bounds, error: failure.error }];
    });
  }

  failureOf(key: string): { readonly error: unknown } | undefined {
    return this.#loader.failureOf(key);
  }

  /** Why parts of the view, or tiles of it, could not be read. */
  problems({ tiles, step }: ViewTiles): unknown[] {
    return tiles.flatMap((tile) => {
      const key = keyOf(tile, step);
      const holes = this.#loader.get(key)?.holes ?? [];
      return [...holes, this.failureOf(key) ?? []].flat().map(({ error }) => error);
    });
  }

  /** Whether something can be drawn at every place of the view. */
  covers({ tiles, step }: ViewTiles): boolean {
    return tiles.every((tile) => {
      if (this.#loader.isSettled(keyOf(tile, step))) return true;
      return standInsFor(tile, this.#grids, (each) => this.#loader.has(keyOf(each, step))).covers;
    });
  }

  /** The tiles of a step that have arrived for the view, and what is drawn in place of the others. */
  drawable({ tiles, turns }: ViewTiles, step: Step): Tile<As>[] {
    const isThere = (tile: PlacedTile): boolean => this.#loader.has(keyOf(tile, step));
    return tilesToDraw(tiles, this.#grids, isThere).flatMap((tile) => {
      const { level, rows, columns, bounds, corners } = tile;
      const key = keyOf(tile, step);
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

  /**
   * Reads what a view needs from now on, and what will be next, as far as there is room. If nothing is drawn,
   * what covers the view comes first.
   * @param drawn tiles that are on the screen, which are kept
   */
  read(targetView: ViewTiles, drawn: readonly Tile<As>[]): void {
    const { tiles, cover, step, view } = targetView;
    const before = drawn.length === 0 ? cover : [];
    const jobs = new Map(before.map((tile) => [keyOf(tile, step), this.#job(tile, step)]));
    for (const tile of tiles) {
      const job = this.#job(tile, step, before[0]?.level);
      if (!jobs.has(job.key)) jobs.set(job.key, job);
    }
    const remaining = drawn.filter(({ key }) => !jobs.has(key));
    let room = this.maximumBytes - [...jobs.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { data } of remaining) room -= data.byteLength;
    const next = this.#steps
      .following(step, view.ahead ?? {})
      .flatMap((after) => tiles.map((tile) => this.#job(tile, after)));
    const around = ringAround(targetView).map((tile) => this.#job(tile, step));
    const ahead = [...next, ...around].filter(({ key, bytes }) => {
      if (jobs.has(key) || room < bytes) return false;
      room -= bytes;
      return true;
    });
    this.#loader.plan(
      [...jobs.values()],
      ahead,
      remaining.map(({ key }) => key),
    );
  }

  /** Forgets failures and tiles with holes, and reads them again. */
  retry(): void {
    this.#loader.retry(({ holes }) => holes.length > 0);
  }

  /** Aborts all reads and forgets all tiles. */
  clear(): void {
    this.#loader.clear();
  }

  /** The cache of reads in a level: a chunk that a single tile has is decoded into the tile. */
  cacheFor(index: number, array: ZarrArray<DataTypeName>): ChunkCache | undefined {
    return this.#options.cache ?? (this.#gridAt(index).sharesChunks(array) ? this.#shared : undefined);
  }

  /** @param before a level whose tiles are requested before this one */
  #job(tile: PlacedTile, step: Step, before?: number): Job<LoadedTile<As>> {
    const { as, missing, missingAs, scale, offset, window, workers } = this.#options;
    const [rows, columns] = shapeOf(tile);
    return {
      key: keyOf(tile, step),
      bytes: rows * columns * this.#elementBytes,
      read: async ({ signal, priority }) => {
        // It may have yet to be opened. If it cannot be, its own tiles say so.
        if (before !== undefined)
          await this.#gridAt(before)
            .level.open()
            .catch(() => {});
        const level = await this.#gridAt(tile.level).level.open();
        const selectionOf = (cells: Cells) => this.#steps.selection(level, step, cells.rows, cells.columns);
        const cache = this.cacheFor(tile.level, level.array);
        const drawn = { as, missing, missingAs, scale, offset, window, workers, cache };
        return readTile(level, tile, selectionOf, { ...drawn, signal, priority });
      },
    };
  }

  #gridAt(index: number): TileGrid {
    const grid = this.#grids[index];
    if (grid !== undefined) return grid;
    throw new TypeError("internal error: no level of a tile");
  }
}

function keyOf(tile: PlacedTile, step: Step): string {
  return `${tile.id}@${step.key}`;
}

/** The ring of tiles around a view. A view that is cut has more tiles than there is room for. */
function ringAround({ grid, tiles, isCut, bounds }: ViewTiles): PlacedTile[] {
  if (isCut) return [];
  const inside = new Set(tiles.map(({ id }) => id));
  return grid.touching(grid.grown(bounds)).filter(({ id }) => !inside.has(id));
}

function positive(name: string, value: number): number {
  if (typeof value === "number" && value > 0) return value;
  throw new InvalidArgumentError(`${name}: expected a number above 0, got ${describe(value)}`);
}
