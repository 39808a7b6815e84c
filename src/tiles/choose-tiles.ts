/** Which tiles of which level a view needs. */
import type { Bounds } from "../formats/geozarr.js";
import type { PlacedTile, TileGrid } from "./tile-grid.js";

export interface ChosenTiles {
  /** Bounds of the view. */
  readonly bounds: Bounds;
  readonly grid: TileGrid;
  /** From the middle of the view outwards. */
  readonly tiles: readonly PlacedTile[];
  /** A few tiles of a coarser level that cover the view: its first picture, if nothing else is there. */
  readonly cover: readonly PlacedTile[];
  /** Whether the view has more tiles, which are left out. */
  readonly isCut: boolean;
}

/** How many tiles of a view one of its cover stands for, at least. */
const COVERED = 4;

/**
 * The tiles of the coarsest level whose pixels are no larger than those of the screen, or of a coarser one if
 * that has more than `most` elements. If all have more, those in the middle of the view.
 * @param grids of all levels, the finest first
 * @throws InvalidArgumentError for bounds over too many turns
 */
export function chooseTiles(
  grids: readonly TileGrid[],
  bounds: Bounds,
  resolution: number,
  most: number,
): ChosenTiles {
  const coarsest = grids.at(-1);
  if (coarsest === undefined) throw new TypeError("expected one level or more");
  const fits = grids.findLastIndex(
    ({ level }) => Math.max(...level.grid.resolution) <= resolution * (1 + 1e-9),
  );
  const isSmall = (grid: TileGrid, box: Bounds): boolean => grid.count(box) * grid.largest <= most;
  const candidates = grids.slice(Math.max(0, fits));
  const found = candidates.find((grid) => isSmall(grid, bounds));
  if (found !== undefined) {
    const tiles = outwards(found.touching(bounds), bounds);
    return { bounds, grid: found, tiles, cover: coverOf(found, tiles.length, grids, bounds), isCut: false };
  }
  let box = bounds;
  for (let share = 0.8; share > 1e-9 && !isSmall(coarsest, box); share *= 0.8) box = shrunk(bounds, share);
  if (!isSmall(coarsest, box)) box = shrunk(bounds, 0);
  return { bounds, grid: coarsest, tiles: outwards(coarsest.touching(box), bounds), cover: [], isCut: true };
}

/** The tiles of the finest level that has few enough; none if all have too many. */
function coverOf(
  { index }: TileGrid,
  count: number,
  grids: readonly TileGrid[],
  bounds: Bounds,
): readonly PlacedTile[] {
  for (const grid of grids.slice(index + 1)) {
    const tiles = grid.touching(bounds);
    if (tiles.length > 0 && COVERED * tiles.length <= count) return outwards(tiles, bounds);
  }
  return [];
}

function middleOf([west, south, east, north]: Bounds): readonly [x: number, y: number] {
  return [(west + east) / 2, (south + north) / 2];
}

function shrunk(bounds: Bounds, share: number): Bounds {
  const [x, y] = middleOf(bounds);
  const [dx, dy] = [((bounds[2] - bounds[0]) / 2) * share, ((bounds[3] - bounds[1]) / 2) * share];
  return [x - dx, y - dy, x + dx, y + dy];
}

function outwards(tiles: readonly PlacedTile[], bounds: Bounds): PlacedTile[] {
  const [x, y] = middleOf(bounds);
  const distance = ({ bounds: of }: PlacedTile): number => {
    const [tx, ty] = middleOf(of);
    return Math.hypot(tx - x, ty - y);
  };
  return [...tiles].sort((a, b) => distance(a) - distance(b));
}
