/** What is drawn in place of a tile that has not arrived: tiles of other levels. */
import type { PlacedTile, TileGrid } from "./tile-grid.js";

/** Most finer tiles that can stand for one tile. */
const MOST_FINER = 64;

export interface StandIns {
  readonly tiles: readonly PlacedTile[];
  /** Whether they cover the tile. */
  readonly covers: boolean;
}

/**
 * Finer tiles if they cover the tile; else those that have arrived, and tiles of the nearest coarser levels.
 * @param grids of all levels, the finest first
 */
export function standInsFor(
  tile: PlacedTile,
  grids: readonly TileGrid[],
  isThere: (tile: PlacedTile) => boolean,
): StandIns {
  const finer = grids.slice(0, tile.level).reverse();
  const coarser = grids.slice(tile.level + 1);
  const found: PlacedTile[] = [];
  for (const grid of [...finer, ...coarser]) {
    if (grid.index < tile.level && grid.count(tile.bounds) > MOST_FINER) continue;
    const touched = grid.touching(tile.bounds);
    const there = touched.filter(isThere);
    found.push(...there);
    if (touched.length > 0 && there.length === touched.length) return { tiles: found, covers: true };
  }
  return { tiles: found, covers: false };
}

/**
 * The tiles of a view that have arrived, and what is drawn in place of the others: coarse tiles first.
 * @param grids of all levels, the finest first
 */
export function tilesToDraw(
  tiles: readonly PlacedTile[],
  grids: readonly TileGrid[],
  isThere: (tile: PlacedTile) => boolean,
): PlacedTile[] {
  const chosen = tiles.flatMap((tile) => (isThere(tile) ? [tile] : standInsFor(tile, grids, isThere).tiles));
  const distinct = new Map(chosen.map((tile) => [`${tile.id} ${tile.turn}`, tile]));
  return [...distinct.values()].sort((a, b) => b.level - a.level);
}
