/** What the nodes around a level say of it: its grid mapping, and the group in which it is. */
import { coordinateNames, lastAxes, namedAxes, placesOf, statedAxes } from "./axes.js";
import { crsOf } from "./crs.js";
import { below, type Conversation, folderOf, memberOf, type NodeFacts, nodesAt } from "./facts.js";
import type { Known } from "./known-level.js";
import type { LevelFacts } from "./levels.js";
import type { StatedLevel } from "./needed-levels.js";
import { isDerived, stateOf } from "./stated-place.js";
import { firstOf } from "./transform.js";

/** Which array is read, and what the caller knows of it. */
export interface RasterChoice {
  /** The array in the group, or in the group of each level. */
  readonly variable: string | undefined;
  /** Names of the dimensions that count rows and columns. */
  readonly dimensions?: readonly [y: string, x: string] | undefined;
}

/**
 * The path of the grid mapping. Calculations drop the attribute that names it, but not rioxarray's
 * coordinate.
 */
function mappingOf(node: NodeFacts): string | undefined {
  const named = memberOf(node).get("grid_mapping");
  // "spatial_ref", or "crs: x y" in CF's extended form.
  const [name = ""] = named.isNull ? [] : named.string().split(/[:\s]/);
  if (!named.isNull) return below(folderOf(node.path), named.as(name).path());
  const isCoordinate = coordinateNames(memberOf(node)).includes("spatial_ref");
  return isCoordinate ? below(folderOf(node.path), "spatial_ref") : undefined;
}

/** Finds the grid mapping and the group around an array, if what is known already does not suffice. */
export function* lookAround(
  found: LevelFacts,
  choice: RasterChoice,
  warnings: string[],
): Conversation<Known> {
  const level = { ...found, warnings, malformed: [] };
  const { node, array, attributes, inherited, knowsFolder } = level;
  const [y, x] = choice.dimensions ?? [];
  const chosen =
    y === undefined || x === undefined
      ? undefined
      : placesOf(array.dimensions.indexOf(y), array.dimensions.indexOf(x));
  const axes =
    chosen ?? statedAxes([...attributes, ...inherited], array.dimensions) ?? namedAxes(array.dimensions);
  const folder = folderOf(node.path);
  const needsCrs = firstOf([...attributes, ...inherited], crsOf) === undefined;
  const isPlaced = isDerived(level) || stateOf({ ...level, axes }, true) !== undefined;
  const asks = needsCrs || !isPlaced || axes === undefined;
  const [mapping, group] = yield* nodesAt([
    asks ? mappingOf(node) : undefined,
    asks && !knowsFolder && folder !== node.path ? folder : undefined,
  ]);
  const near = mapping === undefined ? attributes : [...attributes, memberOf(mapping)];
  const far = group === undefined ? inherited : [memberOf(group), ...inherited];
  return {
    ...level,
    attributes: near,
    inherited: far,
    axes: axes ?? statedAxes(far, array.dimensions),
    crs: firstOf([...near, ...far], crsOf),
  };
}

/** What is known of a level that is not read: its dimensions are those of its model, with other lengths. */
export function likeModel(level: StatedLevel, model: Known): Known {
  const { path, label, shape, attributes, inherited } = level;
  const { axes, array } = model;
  const { yAxis, xAxis } = axes ?? lastAxes(array.shape) ?? {};
  const lengths = array.shape.map((length, d) => {
    if (d === yAxis) return shape[0];
    return d === xAxis ? shape[1] : length;
  });
  const self = { shape: lengths, dimensions: array.dimensions };
  return {
    ...level,
    node: { path, name: label, attributes: {}, array: self },
    array: self,
    knowsFolder: true,
    axes,
    crs: firstOf([...attributes, ...inherited], crsOf) ?? model.crs,
    warnings: model.warnings,
    malformed: [],
  };
}
