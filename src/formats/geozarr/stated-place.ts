/** The place of a level that its metadata state, without looking at coordinates. */
import { itemAt } from "../../extend.js";
import { lastAxes, type PlaneAxes } from "./axes.js";
import { type Crs, crsOf } from "./crs.js";
import type { ArrayFacts } from "./facts.js";
import type { Edges, GeoTransform } from "./grid.js";
import { type Known, note } from "./known-level.js";
import type { LevelFacts } from "./levels.js";
import { firstOf, rescaled, spatialTransform, statedTransform, unlessMalformed } from "./transform.js";

export interface Place {
  readonly axes: PlaneAxes;
  readonly place: GeoTransform | Edges;
  readonly crs: Crs | undefined;
}

export function shapeOf({ shape }: ArrayFacts, { yAxis, xAxis }: PlaneAxes): readonly [number, number] {
  return [itemAt(shape, yAxis), itemAt(shape, xAxis)];
}

/** Whether the metadata say how the pixels of a level are made of those of another one. */
export function isDerived({ derivation }: LevelFacts): boolean {
  return derivation !== undefined && derivation.root !== derivation.asset;
}

/**
 * The place that the metadata of a level state.
 * @param isFirst whether a transform of the group around all levels is that of this one
 */
export function stateOf(level: Omit<Known, "crs">, isFirst: boolean): Place | undefined {
  const axes = level.axes ?? lastAxes(level.array.shape);
  if (axes === undefined) return undefined;
  const { attributes, inherited, warnings } = level;
  const shape = shapeOf(level.array, axes);
  const tried = (read: () => GeoTransform | undefined) => unlessMalformed(read, note(level));
  const place =
    tried(() => statedTransform(attributes, inherited, shape, warnings)) ??
    level.transformOf?.(shape) ??
    tried(() => derivedTransform(level, level.root && spatialTransform([level.root], inherited))) ??
    (isFirst ? tried(() => spatialTransform(inherited, [], warnings)) : undefined);
  return place && { axes, place, crs: firstOf([...attributes, ...inherited], crsOf) };
}

/** The place of a level whose pixels are those of another one, scaled and moved. */
export function derive(level: Known, root: Place | undefined): Place | undefined {
  const axes = level.axes ?? lastAxes(level.array.shape);
  const place = root && !("x" in root.place) ? derivedTransform(level, root.place) : undefined;
  return axes && place && { axes, place, crs: level.crs ?? root?.crs };
}

function derivedTransform({ derivation }: LevelFacts, root: GeoTransform | undefined) {
  return root && derivation && rescaled(root, derivation.scale, derivation.translation);
}
