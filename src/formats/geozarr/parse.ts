/** The place of a raster without a store: from attributes, shapes, and coordinates that the caller has. */
import { checkNames, checkObject } from "../../extend.js";
import type { JsonObject } from "../../index.js";
import type { Conversation, NodeFacts, Question } from "./facts.js";
import { levelsAt } from "./levels.js";
import type { PlacedRaster } from "./placed.js";
import { readRaster } from "./read-raster.js";

/** A node below the group, as the caller of `parseGeoZarr` knows it. */
export interface GeoZarrNode {
  readonly attributes?: JsonObject | undefined;
  /** The shape of an array; missing for a group. */
  readonly shape?: readonly number[] | undefined;
  readonly dimensionNames?: readonly (string | null)[] | null | undefined;
  /** The elements of a coordinate or its bounds, decoded. They are needed if no transform is stated. */
  readonly data?: ArrayLike<number> | undefined;
}

/** Options of `parseGeoZarr`. */
export interface ParseGeoZarrOptions {
  /** The name of the array in the group, or in the group of each level. */
  readonly variable?: string | undefined;
  /** The names of the dimensions that count rows and columns, if neither names nor metadata tell. */
  readonly dimensions?: readonly [y: string, x: string] | undefined;
}

/**
 * Reads the place of a raster from what the caller knows, with the rules of `openGeoZarr`.
 * @param attributes of the group, or of the array itself, whose shape is that of the node ""
 * @param nodes by path below the group: "r10m/b04", "spatial_ref". A list of numbers is the shape of an
 * array. Groups need no entry if an array is below them.
 * @throws as `openGeoZarr`
 */
export function parseGeoZarr(
  attributes: JsonObject,
  nodes: Readonly<Record<string, GeoZarrNode | readonly number[]>>,
  options: ParseGeoZarrOptions = {},
): PlacedRaster {
  checkNames(options, "parseGeoZarr", { variable: true, dimensions: "list" });
  const { variable, dimensions } = options;
  const known = new Map<string, GeoZarrNode>();
  checkObject(nodes, "nodes", "an object");
  for (const [path, node] of Object.entries(nodes)) {
    checkObject(node, `nodes: ${path}`, "a node or a shape");
    const steps = path.split("/").filter((step) => step !== "");
    for (let i = 1; i < steps.length; i++) {
      const group = `/${steps.slice(0, i).join("/")}`;
      if (!known.has(group)) known.set(group, {});
    }
    known.set(`/${steps.join("/")}`, isShape(node) ? { shape: node } : node);
  }
  const start = factsOf("/", { ...known.get("/"), attributes });
  return answered(readRaster(start, { variable, dimensions }, levelsAt), known);
}

function isShape(node: GeoZarrNode | readonly number[]): node is readonly number[] {
  return Array.isArray(node);
}

function factsOf(path: string, { attributes = {}, shape, dimensionNames }: GeoZarrNode): NodeFacts {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dimensions = (shape ?? []).map((_, d) => dimensionNames?.[d] ?? "");
  return { path, name, attributes, array: shape && { shape, dimensions } };
}

function answered<Result>(
  conversation: Conversation<Result>,
  known: ReadonlyMap<string, GeoZarrNode>,
): Result {
  const answer = ({ path, wants }: Question) => {
    const node = known.get(path);
    if (wants === "elements") return { elements: node?.data && Float64Array.from(node.data) };
    return { node: node && factsOf(path, node) };
  };
  let step = conversation.next();
  while (step.done !== true) step = conversation.next(step.value.map(answer));
  return step.value;
}
