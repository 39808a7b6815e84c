/** The edges of rows or columns from coordinates: evenly spaced or not, rising or falling, with bounds. */
import { describe, itemAt } from "../../extend.js";
import { InvalidMetadataError } from "../../index.js";
import { isLatitude, isLongitude } from "./axes.js";
import type { NodeFacts } from "./facts.js";
import type { Edges, GeoTransform } from "./grid.js";

/** Rows or columns along an axis. */
export interface Spacing {
  readonly count: number;
  /** The outer edge of the first, and the distance of edges; undefined if they are not evenly spaced. */
  readonly even: { readonly first: number; readonly step: number } | undefined;
  readonly edges: Float64Array;
}

/** How far an edge may be from its place, in pixels, for spacing to count as even. */
const EVEN = 1 / 20;

/**
 * @param centres the elements of the coordinate
 * @param bounds the elements of its bounds: two for each centre
 * @throws InvalidMetadataError for coordinates that are not numbers or neither rise nor fall, and for a
 * single one without bounds
 */
export function spacingOf(
  coordinate: NodeFacts,
  centres: Float64Array | undefined,
  bounds: Float64Array | undefined,
): Spacing {
  if (centres === undefined || centres.length === 0)
    throw invalid(coordinate, `expected numbers as coordinates, got ${describe(centres)}`);
  const unwrapped = isLongitude(coordinate) ? withoutJump(centres) : centres;
  checkOrder(coordinate, unwrapped);
  const stated = bounds && edgesOfBounds(unwrapped, bounds);
  if (stated === undefined && unwrapped.length === 1)
    throw invalid(
      coordinate,
      "expected two coordinates or more, or bounds: one coordinate alone does not give the size of a pixel",
    );
  const edges = stated ?? edgesBetween(unwrapped, isLatitude(coordinate));
  const even = stated === undefined ? evenSpacing(unwrapped, 0.5) : evenSpacing(stated, 0);
  return { count: unwrapped.length, even: even && closed(coordinate, even, unwrapped.length), edges };
}

/** @param factor from the units of the coordinates to those of the CRS */
export function placeBy(x: Spacing, y: Spacing, factor: number): GeoTransform | Edges {
  if (x.even !== undefined && y.even !== undefined) {
    const { first, step } = y.even;
    return [x.even.step * factor, 0, x.even.first * factor, 0, step * factor, first * factor];
  }
  return { x: listed(x, factor), y: listed(y, factor) };
}

function listed({ even, edges, count }: Spacing, factor: number): Float64Array {
  if (even === undefined) return edges.map((edge) => edge * factor);
  return Float64Array.from({ length: count + 1 }, (_, i) => (even.first + i * even.step) * factor);
}

/** Longitudes that go on at -180 after 180, or at 0 after 360, as if they went on. */
function withoutJump(centres: Float64Array): Float64Array {
  const jump = centres.findIndex((centre, i) => i > 0 && Math.abs(centre - itemAt(centres, i - 1)) > 180);
  if (jump < 0) return centres;
  const shift = itemAt(centres, jump) < itemAt(centres, jump - 1) ? 360 : -360;
  return centres.map((centre, i) => (i < jump ? centre : centre + shift));
}

function checkOrder(coordinate: NodeFacts, centres: Float64Array): void {
  const rises = itemAt(centres, centres.length - 1) > itemAt(centres, 0);
  const wrong = centres.findIndex((centre, i) => {
    if (!Number.isFinite(centre)) return true;
    const before = centres[i - 1];
    return before !== undefined && (rises ? centre <= before : centre >= before);
  });
  if (wrong < 0) return;
  throw invalid(
    coordinate,
    `expected coordinates that rise or fall, got ${centres[wrong]} at index ${wrong}${wrong > 0 ? ` after ${centres[wrong - 1]}` : ""}`,
  );
}

function invalid({ path }: NodeFacts, message: string): InvalidMetadataError {
  return new InvalidMetadataError(message, { path });
}

/** Edges from CF's bounds; undefined if the cells do not meet. */
function edgesOfBounds(centres: Float64Array, bounds: Float64Array): Float64Array | undefined {
  const { length } = centres;
  if (bounds.length !== 2 * length) return undefined;
  // The order of two bounds may be that of the centres, or the smaller one first.
  const rises = length === 1 ? undefined : itemAt(centres, length - 1) > itemAt(centres, 0);
  const cells = Array.from(centres, (_, i) => {
    const [from, to] = [itemAt(bounds, 2 * i), itemAt(bounds, 2 * i + 1)] as const;
    return rises === undefined || rises === from < to ? ([from, to] as const) : ([to, from] as const);
  });
  const last = cells.at(-1);
  if (last === undefined) return undefined;
  const edges = Float64Array.from([...cells.map(([from]) => from), last[1]]);
  const meet = cells.every(([from, to], i) => {
    return from !== to && Math.abs(itemAt(edges, i + 1) - to) <= EVEN * Math.abs(to - from);
  });
  return meet && edges.every(Number.isFinite) ? edges : undefined;
}

/** Edges half way between centres; the outermost cells are as wide as they reach inwards. */
function edgesBetween(centres: Float64Array, isLatitude: boolean): Float64Array {
  const last = centres.length - 1;
  const centre = (i: number): number => {
    if (i < 0) return 2 * itemAt(centres, 0) - itemAt(centres, 1);
    return i > last ? 2 * itemAt(centres, last) - itemAt(centres, last - 1) : itemAt(centres, i);
  };
  const limit = isLatitude && centres.every((each) => Math.abs(each) <= 90) ? 90 : Number.POSITIVE_INFINITY;
  return Float64Array.from({ length: centres.length + 1 }, (_, i) =>
    Math.min(Math.max((centre(i - 1) + centre(i)) / 2, -limit), limit),
  );
}

/** @param offset of the places from the edge of the first pixel, in pixels */
function evenSpacing(places: Float64Array, offset: number): Spacing["even"] {
  const first = itemAt(places, 0);
  const step = (itemAt(places, places.length - 1) - first) / (places.length - 1);
  const isEven = places.every((place, i) => Math.abs(place - (first + i * step)) <= EVEN * Math.abs(step));
  return isEven && step !== 0 ? { first: first - offset * step, step } : undefined;
}

/** Longitudes all around the Earth meet exactly, whatever the coordinates were rounded to. */
function closed(coordinate: NodeFacts, even: NonNullable<Spacing["even"]>, count: number): Spacing["even"] {
  const step = (Math.sign(even.step) * 360) / count;
  if (!isLongitude(coordinate) || Math.abs(even.step - step) * count > EVEN * Math.abs(step)) return even;
  return { first: even.first + ((even.step - step) * count) / 2, step };
}
