/**
 * The cells of each row whose middle is in a polygon. Edges enter with the first row that they meet and leave
 * after the last, so the time grows with edges and cells, not with their product.
 */
import { itemAt, noItem } from "../extend.js";
import type { Point } from "./level.js";

/**
 * Rings of points, as GeoJSON has them: the outer one and its holes. They may be closed or open.
 */
export type Polygon = readonly (readonly Point[])[];

/** Rows and columns of a grid, and the middle of each cell. */
interface Cells {
  readonly rows: readonly [start: number, stop: number];
  readonly columns: readonly [start: number, stop: number];
  middleOf(row: number, column: number): Point;
}

/** An edge in the frame of rows, in which y is the same along a row. */
interface Edge {
  readonly from: Point;
  readonly to: Point;
  /** The last row that it may meet. */
  readonly last: number;
}

/** A cell whose middle is inside. */
export interface CellInside {
  readonly row: number;
  readonly column: number;
  readonly middle: Point;
}

/**
 * The cells inside, one list for each row that has any. Even-odd: a ray from a cell along its row crosses an
 * odd number of edges.
 */
export function* cellsByRow(polygon: Polygon, cells: Cells): Generator<CellInside[], void, undefined> {
  const { rows, columns, middleOf } = cells;
  if (columns[1] <= columns[0]) return;
  const inFrame = frameOf(cells);
  const entering = edgesByRow(polygon, cells, inFrame);
  let edges: Edge[] = [];
  for (let row = rows[0]; row < rows[1]; row++) {
    edges = [...edges.filter(({ last }) => last >= row), ...(entering.get(row) ?? [])];
    const crossings = crossingsAt(inFrame(middleOf(row, columns[0]))[1], edges);
    if (crossings.length === 0) continue;
    const inside: CellInside[] = [];
    for (let column = columns[0]; column < columns[1]; column++) {
      const middle = middleOf(row, column);
      if ((crossings.length - countUpTo(crossings, inFrame(middle)[0])) % 2 === 1)
        inside.push({ row, column, middle });
    }
    if (inside.length > 0) yield inside;
  }
}

/**
 * Moves points along y so that y is the same along a row, as it is on a grid that is not turned: there,
 * points stay as they are. On a grid that is turned by more than 45 degrees, x and y change places before.
 */
function frameOf({ rows: [row], columns: [column], middleOf }: Cells): (point: Point) => Point {
  const [from, to] = [middleOf(row, column), middleOf(row, column + 1)];
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  if (dy === 0) return (point) => point;
  if (Math.abs(dx) >= Math.abs(dy)) return ([x, y]) => [x, y - (dy / dx) * (x - from[0])];
  return ([x, y]) => [y, x - (dx / dy) * (y - from[1])];
}

/** The edges of all rings by the first row that they may meet; those that meet none are left out. */
function edgesByRow(
  polygon: Polygon,
  { rows: [start, stop], columns: [column], middleOf }: Cells,
  inFrame: (point: Point) => Point,
): Map<number, Edge[]> {
  const y = (row: number): number => inFrame(middleOf(row, column))[1];
  const [first, step] = [y(start), y(start + 1) - y(start)];
  const edges = new Map<number, Edge[]>();
  for (const ring of polygon) {
    const points = ring.map(inFrame);
    for (const [i, from] of points.entries()) {
      const to = itemAt(points, (i + 1) % points.length);
      const ends = [from, to].map(([, at]) => start + (at - first) / step);
      // One row more on either side, for what rounding takes away.
      const enters = Math.max(start, Math.floor(Math.min(...ends)) - 1);
      const last = Math.min(stop - 1, Math.ceil(Math.max(...ends)) + 1);
      if (from[1] === to[1] || enters > last) continue;
      const known = edges.get(enters);
      if (known === undefined) edges.set(enters, [{ from, to, last }]);
      else known.push({ from, to, last });
    }
  }
  return edges;
}

/** Where edges cross a line of one y, in order. */
function crossingsAt(y: number, edges: readonly Edge[]): Float64Array {
  const found: number[] = [];
  for (const { from, to } of edges) {
    const [[x0, y0], [x1, y1]] = [from, to];
    if (y0 > y !== y1 > y) found.push(x0 + ((y - y0) / (y1 - y0)) * (x1 - x0));
  }
  return Float64Array.from(found).sort();
}

/** How many of some sorted numbers are not above `x`. */
function countUpTo(sorted: Float64Array, x: number): number {
  let low = 0;
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? noItem(sorted, middle)) <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}
