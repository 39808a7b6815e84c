/** The plane of a map: what a view is in the plane of the data, and where on the map tiles are. */
import { BoundedCache, describe } from "../extend.js";
import type { Bounds } from "../formats/geozarr.js";
import { InvalidArgumentError } from "../index.js";
import type { PlaneGrid } from "./level.js";
import { meshOf } from "./mesh.js";
import { checkedProjection, type PlaneProjection } from "./projection.js";
import type { TileMesh } from "./tile.js";
import type { PlacedTile } from "./tile-grid.js";
import type { TileView } from "./view.js";

/** A level, as far as it lies in the plane. */
interface PlaneLevel {
  readonly grid: PlaneGrid;
}

type Box = Pick<TileView, "bounds" | "resolution">;

/** Triangles that are kept, some hundred tiles of them. */
const MESH_BYTES = 32 << 20;
/** Turns of one view, as many as `grid.windows` takes. */
const MOST_TURNS = 32;
/** Places along each side of a view that are looked up. */
const SAMPLES = 20;
const UNCHANGED: PlaneProjection = { forward: (point) => point, inverse: (point) => point };

export class Plane {
  readonly #levels: readonly PlaneLevel[];
  readonly #finest: PlaneGrid;
  readonly #projection: PlaneProjection;
  readonly #isOfData: boolean;
  /** How far the data as a whole are repeated; tiles on a grid that wraps repeat one by one. */
  readonly #turn: number | undefined;
  /** The middle of the data on the map. Their edge is half a turn from it. */
  readonly #middle: number;
  readonly #meshes = new BoundedCache<string, TileMesh>({ bytes: MESH_BYTES });

  /** @param levels the finest first. @throws InvalidArgumentError for a projection that is none */
  constructor(levels: readonly [PlaneLevel, ...PlaneLevel[]], projection: PlaneProjection | undefined) {
    this.#levels = levels;
    this.#finest = levels[0].grid;
    this.#projection = projection === undefined ? UNCHANGED : checkedProjection(projection);
    this.#isOfData = projection === undefined;
    this.#turn = this.#finest.wraps === undefined ? projection?.turn : undefined;
    const [rows, columns] = this.#finest.shape;
    const middle = this.#finest.toCoordinates(columns / 2, rows / 2);
    this.#middle = this.#turn === undefined ? 0 : (this.#projection.forward([...middle])[0] ?? Number.NaN);
  }

  /**
   * The bounds of a view as its source takes them: over the dateline, their east comes after their west.
   * @throws InvalidArgumentError for bounds that are none
   */
  boundsOf(bounds: Bounds): Bounds {
    const turn = this.#isOfData ? this.#finest.wraps : this.#projection.turn;
    if (Array.isArray(bounds) && bounds.length === 4 && bounds.every(Number.isFinite)) {
      const [west, south, east, north] = bounds;
      const beyond = turn !== undefined && east < west ? east + turn : east;
      if (west <= beyond && south <= north) return [west, south, beyond, north];
    }
    const advice = this.#isOfData || turn !== undefined ? "" : "; over the dateline, projection needs turn";
    throw new InvalidArgumentError(
      `bounds: expected [x minimum, y minimum, x maximum, y maximum], got ${describe(bounds)}${advice}`,
    );
  }

  /**
   * A view of the map in the plane of the data: the box around all of it, and the resolution that the pixels
   * of the screen have in the middle of the data.
   * @throws InvalidArgumentError for a view of which no point has a place in the plane of the data
   */
  viewOf({ bounds, resolution }: Box): Box {
    if (this.#isOfData) return { bounds, resolution };
    const [west, south, east, north] = bounds;
    const lattice = Array.from({ length: (SAMPLES + 1) ** 2 }, (_, i): [number, number] => {
      const [u, v] = [(i % (SAMPLES + 1)) / SAMPLES, Math.floor(i / (SAMPLES + 1)) / SAMPLES];
      return [west + u * (east - west), south + v * (north - south)];
    });
    const places = lattice
      .map((point) => this.#projection.inverse(point))
      .filter((place) => place.every(Number.isFinite));
    if (places.length === 0)
      throw new InvalidArgumentError(`view: expected bounds that meet the data, got [${bounds}]`);
    const [xs, ys] = [places.map(([x = NaN]) => x), places.map(([, y = NaN]) => y)];
    const [rows, columns] = this.#finest.shape;
    const [[x0 = NaN, y0 = NaN], [x1 = NaN, y1 = NaN]] = [
      this.#placeAt(this.#finest, columns / 2, rows / 2, 0),
      this.#placeAt(this.#finest, columns / 2 + 1, rows / 2, 0),
    ];
    return {
      bounds: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)],
      resolution: (resolution * this.#finest.resolution[0]) / Math.hypot(x1 - x0, y1 - y0),
    };
  }

  /**
   * The turns around the Earth on which a view of the map has the data as a whole.
   * @throws InvalidArgumentError for a view over more turns than 32
   */
  turnsIn({ bounds: [west, , east] }: Box): readonly number[] {
    if (this.#turn === undefined) return [0];
    const [first, last] = [this.#turnAt(west), this.#turnAt(east)];
    if (last - first >= MOST_TURNS)
      throw new InvalidArgumentError(
        `view: expected bounds over at most ${MOST_TURNS} turns of ${this.#turn}, got ${west} to ${east}`,
      );
    return Array.from({ length: last - first + 1 }, (_, i) => first + i);
  }

  /** The triangles of a tile on the map; the same object for another step. */
  meshOf(tile: PlacedTile, turn: number): TileMesh {
    const key = `${tile.id} ${turn}`;
    const known = this.#meshes.get(key);
    if (known !== undefined) return known;
    const grid = this.#levels[tile.level]?.grid;
    if (grid === undefined) throw new TypeError("a tile is of one of the levels");
    const mesh = meshOf(tile, (column, row) => this.#placeAt(grid, column, row, turn));
    const { positions, textureCoordinates, indices } = mesh;
    this.#meshes.set(key, mesh, positions.byteLength + textureCoordinates.byteLength + indices.byteLength);
    return mesh;
  }

  #placeAt(grid: PlaneGrid, column: number, row: number, turn: number): readonly number[] {
    const [x, y] = grid.toCoordinates(column, row);
    if (this.#turn === undefined) return this.#projection.forward([x + turn * (grid.wraps ?? 0), y]);
    const [longitude = NaN, ...others] = this.#projection.forward([x, y]);
    return [longitude + (turn - this.#turnAt(longitude)) * this.#turn, ...others];
  }

  #turnAt(x: number): number {
    return this.#turn === undefined ? 0 : Math.round((x - this.#middle) / this.#turn);
  }
}
