/** Which tiles are on the screen. */
import type { Tile, Tiles } from "./tiles.js";

/** What the screen shows; indices are of the finest level. */
export interface Viewport {
  /** In CSS pixels. */
  readonly width: number;
  readonly height: number;
  readonly centre: readonly [x: number, y: number];
  indexAcross(left: number): number;
  indexDown(top: number): number;
}

/**
 * The coarsest level of which an element is no larger than a pixel of the screen; the finest where there is
 * none.
 */
export function levelAt({ layer: { levels, x } }: Tiles, zoom: number): number {
  let best = 0;
  for (const [level, { factors }] of levels.entries())
    if ((factors[x] ?? 1) * zoom * devicePixelRatio <= 1.01 || level === 0) best = level;
  return best;
}

/** Columns and rows of the tiles of a level that are on the screen, and so many around it. */
function range(port: Viewport, tiles: Tiles, level: number, around: number) {
  const { layer } = tiles;
  const size = tiles.sizeOf(level);
  const { array, factors } = layer.levels[level] ?? {};
  const [fx, fy] = [factors?.[layer.x] ?? 1, factors?.[layer.y] ?? 1];
  const within = (from: number, to: number, tile: number, length: number): [number, number] => {
    const most = Math.max(0, Math.ceil(length / tile) - 1);
    const [low = 0, high = 0] = [from, to].sort((a, b) => a - b);
    const clamp = (n: number): number => Math.min(most, Math.max(0, n));
    return [clamp(Math.floor(low / tile) - around), clamp(Math.floor(high / tile) + around)];
  };
  const columns = within(
    port.indexAcross(0) / fx,
    port.indexAcross(port.width) / fx,
    size.width,
    array?.shape[layer.x] ?? 1,
  );
  const height = layer.x === layer.y ? 1 : (array?.shape[layer.y] ?? 1);
  const rows = within(port.indexDown(0) / fy, port.indexDown(port.height) / fy, size.height, height);
  return { columns, rows };
}

export function* seen(
  port: Viewport,
  tiles: Tiles,
  level: number,
  indices: readonly number[],
  around = 0,
): Generator<Tile> {
  const { columns, rows } = range(port, tiles, level, around);
  for (let row = rows[0]; row <= rows[1]; row++)
    for (let column = columns[0]; column <= columns[1]; column++) yield { level, indices, column, row };
}

/** From the middle of the screen outwards. */
export function nearestFirst({ centre }: Viewport, tiles: Tiles, wanted: Iterable<Tile>): Tile[] {
  const { layer } = tiles;
  const distance = ({ level, column, row }: Tile): number => {
    const size = tiles.sizeOf(level);
    const { factors } = layer.levels[level] ?? {};
    const x = (column + 0.5) * size.width * (factors?.[layer.x] ?? 1) - centre[0];
    const y = (row + 0.5) * size.height * (factors?.[layer.y] ?? 1) - centre[1];
    return x * x + y * y;
  };
  return [...wanted].sort((a, b) => distance(a) - distance(b));
}
