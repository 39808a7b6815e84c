/** Outlines of elements on Earth, to be hatched. */
import type { Interval } from "../data/window.js";
import type { Place } from "./placing.js";

export interface Cells {
  readonly rows: Interval;
  readonly columns: Interval;
}

/** Corners along an edge: on a globe, edges are bent. */
const BENDS = 6;
/** Parts of a hole along each of its sides. */
const PARTS = 8;
/** Mercator's plane ends here. */
const MOST_LATITUDE = 85.05;

const between = ([from, to]: Interval, part: number): number => from + (to - from) * part;

/**
 * Longitudes and latitudes around cells, in the copy of the Earth that is nearest to the middle of the map. A
 * longitude goes on where it would jump by a turn. Undefined where a corner has no place.
 */
export function outlineAround(
  cells: Cells,
  positionOf: Place["positionOf"],
  middle: number,
): (readonly [longitude: number, latitude: number])[] | undefined {
  const outline: [number, number][] = [];
  for (const [column, row] of cornersAround(cells)) {
    const position = positionOf(column, row);
    if (!position) return undefined;
    const [longitude, latitude] = position;
    const before = outline.at(-1)?.[0] ?? longitude;
    outline.push([
      longitude + 360 * Math.round((before - longitude) / 360),
      Math.max(-MOST_LATITUDE, Math.min(MOST_LATITUDE, latitude)),
    ]);
  }
  const centre = outline.reduce((sum, [longitude]) => sum + longitude, 0) / outline.length;
  const turn = 360 * Math.round((centre - middle) / 360);
  return outline.map(([longitude, latitude]) => [longitude - turn, latitude]);
}

function cornersAround({ rows, columns }: Cells): readonly (readonly [column: number, row: number])[] {
  const parts = Array.from({ length: BENDS }, (_, i) => i / BENDS);
  return [
    ...parts.map((part) => [between(columns, part), rows[0]] as const),
    ...parts.map((part) => [columns[1], between(rows, part)] as const),
    ...parts.map((part) => [between(columns, 1 - part), rows[1]] as const),
    ...parts.map((part) => [columns[0], between(rows, 1 - part)] as const),
  ];
}

/** Cells in smaller ones, side by side. */
export function partsOf({ rows, columns }: Cells): readonly Cells[] {
  const intervals = (whole: Interval): readonly Interval[] =>
    Array.from({ length: PARTS }, (_, i) => [between(whole, i / PARTS), between(whole, (i + 1) / PARTS)]);
  return intervals(rows).flatMap((down) =>
    intervals(columns).map((across) => ({ rows: down, columns: across })),
  );
}
