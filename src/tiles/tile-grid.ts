/** The tiles of one level, and which of them a box touches. */

import { itemAt } from "../extend.js";
import type { Bounds } from "../formats/geozarr.js";
import type { DataTypeName, Array as ZarrArray } from "../index.js";
import { Cuts } from "./cuts.js";
import type { Point } from "./level.js";
import type { SourceLevel } from "./source-level.js";

/** A tile at a place. On a grid that wraps, a tile may be at several places. */
export interface PlacedTile {
  /** Id of the tile, wherever it is placed. */
  readonly id: string;
  /** Index of the level, the finest first. */
  readonly level: number;
  readonly rows: readonly [start: number, stop: number];
  readonly columns: readonly [start: number, stop: number];
  /** Outer edges, in units of the plane. */
  readonly bounds: Bounds;
  /** In the first row those of the first and the last column, in the last row of the last and the first. */
  readonly corners: readonly [Point, Point, Point, Point];
  /** How many times around the Earth it is from where the grid has it. */
  readonly turn: number;
}

type Range = readonly [start: number, stop: number];

export class TileGrid {
  readonly index: number;
  readonly level: SourceLevel;
  /** Elements of the largest tile. */
  readonly largest: number;
  readonly #rows: Cuts;
  readonly #columns: Cuts;

  /** @throws UnsupportedError for chunks of different shapes */
  constructor(index: number, level: SourceLevel) {
    this.index = index;
    this.level = level;
    const { pattern, grid } = level;
    const [rows, columns] = grid.shape;
    this.#rows = new Cuts(rows, itemAt(pattern.chunks, grid.yAxis));
    this.#columns = new Cuts(columns, itemAt(pattern.chunks, grid.xAxis));
    this.largest = this.#rows.longest * this.#columns.longest;
  }

  /**
   * Whether a chunk has elements of several tiles or steps.
   * @param array of the level, by whose chunks tiles are cut unless it was opened later
   */
  sharesChunks(array: ZarrArray<DataTypeName>): boolean {
    const { pattern, grid } = this.level;
    return (
      array.chunks.some((length, d) => {
        if (d === grid.yAxis || d === grid.xAxis) return length !== itemAt(pattern.chunks, d);
        return Math.min(length, itemAt(array.shape, d)) > 1;
      }) ||
      this.#rows.isWithinChunks ||
      this.#columns.isWithinChunks
    );
  }

  /** How many tiles a box touches, without making them: there may be millions. */
  count(box: Bounds): number {
    const touched = this.#ranges(box).map(({ rows, columns }) => spanOf(rows) * spanOf(columns));
    return Math.min(
      touched.reduce((sum, each) => sum + each, 0),
      this.#rows.count * this.#columns.count,
    );
  }

  /** The tiles that a box touches, from row to row, at each place where they touch it. */
  touching(box: Bounds): PlacedTile[] {
    return this.#ranges(box).flatMap(({ rows, columns, turn }) =>
      indicesOf(rows).flatMap((row) => indicesOf(columns).map((column) => this.#placed(row, column, turn))),
    );
  }

  /** A box that touches one more ring of tiles. */
  grown([west, south, east, north]: Bounds): Bounds {
    const { resolution, wraps } = this.level.grid;
    const isWhole = wraps !== undefined && east - west >= wraps;
    const dx = isWhole ? 0 : resolution[0] * this.#columns.longest;
    const dy = resolution[1] * this.#rows.longest;
    return [west - dx, south - dy, east + dx, north + dy];
  }

  /** Tiles, from the first to one beyond the last, by the turn on which they are. */
  #ranges(box: Bounds): { rows: Range; columns: Range; turn: number }[] {
    const { grid } = this.level;
    const { wraps } = grid;
    return grid.windows(box).map(({ rows, columns, bounds }) => {
      const [west] = boundsOf(this.#corners(rows, columns, 0));
      const turn = wraps === undefined ? 0 : Math.round((bounds[0] - west) / wraps);
      return { rows: tilesOf(this.#rows, rows), columns: tilesOf(this.#columns, columns), turn };
    });
  }

  #placed(row: number, column: number, turn: number): PlacedTile {
    const [rows, columns] = [this.#rows.range(row), this.#columns.range(column)];
    const corners = this.#corners(rows, columns, turn);
    const { index: level } = this;
    return {
      id: `${level}/${row}/${column}`,
      level,
      rows,
      columns,
      bounds: boundsOf(corners),
      corners,
      turn,
    };
  }

  #corners([top, bottom]: Range, [left, right]: Range, turn: number): PlacedTile["corners"] {
    const shift = turn * (this.level.grid.wraps ?? 0);
    const at = (column: number, row: number): Point => {
      const [x, y] = this.level.grid.toCoordinates(column, row);
      return [x + shift, y];
    };
    return [at(left, top), at(right, top), at(right, bottom), at(left, bottom)];
  }
}

export function shapeOf({ rows, columns }: PlacedTile): readonly [rows: number, columns: number] {
  return [spanOf(rows), spanOf(columns)];
}

function tilesOf(cuts: Cuts, [start, stop]: Range): Range {
  return [cuts.indexOf(start), cuts.indexOf(stop - 1) + 1];
}

function spanOf([start, stop]: Range): number {
  return stop - start;
}

function indicesOf(range: Range): number[] {
  return Array.from({ length: spanOf(range) }, (_, i) => range[0] + i);
}

function boundsOf(corners: readonly Point[]): Bounds {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
