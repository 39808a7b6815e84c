/** What a source of tiles returns. */
import type { Bounds } from "../formats/geozarr.js";
import type { DrawnType } from "../main/reading.js";
import type { TileHole } from "./holes.js";
import type { Point } from "./level.js";
import type { TileData } from "./read-tile.js";

/** Triangles that cover a tile on a map. */
export interface TileMesh {
  /** x and y of each vertex, and what else `forward` of the projection returned. */
  readonly positions: Float64Array;
  /** Numbers per position. */
  readonly size: number;
  /** The place of each vertex in the tile, from [0, 0] before the first column and row to [1, 1]. */
  readonly textureCoordinates: Float32Array;
  /** Three vertices per triangle. */
  readonly indices: Uint32Array;
}

/** A tile to draw. `key` and `turn` together tell it from the others of a picture. */
export interface Tile<As extends DrawnType = DrawnType> {
  /**
   * Names level, tile and step: tiles of one key have the same elements, also elsewhere on a grid that wraps.
   */
  readonly key: string;
  /** Index in `levels` of the source, the finest first. */
  readonly level: number;
  /** Rows of the level, from the first to one beyond the last. */
  readonly rows: readonly [start: number, stop: number];
  /** Columns of the level, likewise. */
  readonly columns: readonly [start: number, stop: number];
  /** How many rows and columns these are, the shape of `data`. */
  readonly shape: readonly [rows: number, columns: number];
  /** Elements, row by row. Shared with later pictures: do not change it. */
  readonly data: TileData<As>;
  /**
   * Its parts whose chunks are damaged. Their elements are NaN, or `missingAs`; those of integers without it
   * are 0, which a drawing program draws over.
   */
  readonly holes: readonly TileHole[];
  /** How many turns around the Earth the tile is away from its data. */
  readonly turn: number;
  /**
   * Its triangles on the map; in units of the data if there is no `projection`. They are made when they are
   * asked for, and are the same for another step.
   */
  readonly mesh: TileMesh;
  /** Outer edges, in units of the data. */
  readonly bounds: Bounds;
  /** In the first row those of the first and the last column, in the last row of the last and the first. */
  readonly corners: readonly [Point, Point, Point, Point];
}

/** A tile of the view of which nothing could be read. */
export interface UnreadTile extends Pick<Tile, "level" | "rows" | "columns" | "bounds"> {
  /** Why: one of the `failures`. */
  readonly error: unknown;
}

/** Everything that can be drawn of a view at one step. */
export interface TilePicture<As extends DrawnType = DrawnType> {
  /** Tiles in the order to draw them: coarse ones lie below. */
  readonly tiles: readonly Tile<As>[];
  /** The step of the tiles: indices by dimension name. */
  readonly step: Readonly<Record<string, number>>;
  /** Whether that is the step of the view. */
  readonly isCurrent: boolean;
  /** Whether all tiles of the view have arrived or failed. */
  readonly isComplete: boolean;
  /**
   * Errors of tiles of the view, and of holes in them. Such a tile is requested again by `retry`; one without
   * any elements also after the view has left it.
   */
  readonly failures: readonly unknown[];
  /**
   * The parts of the view of which nothing could be read. Mark them over `tiles`, which may have a coarser
   * tile there, or the step before. Empty until all tiles of the view have arrived or failed.
   */
  readonly unread: readonly UnreadTile[];
  /** Whether `maximumBytes` is too little for the view in any level: only its middle is read. */
  readonly isCut: boolean;
}
