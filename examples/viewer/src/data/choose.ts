/** What of a group a person would look at first. */
import { children, type Node, type Array as ZarrArray } from "wazarr";
import { dimensionsOf } from "./coordinates.js";
import { isImage } from "./image-layer.js";
import { keyOf } from "./names.js";
import { isPlate } from "./plate.js";
import { drawnTypeOf } from "./values.js";

/** Groups that are looked into: a hierarchy may have a million. */
const MOST = 100;

/** Names of what describes other variables, or where they are. */
const HELPERS =
  /(?:^|_)(?:bnds|bounds|mask|lsm|land|orog(?:raphy)?|crs|spatial_ref|grid_mapping|weights?|quality|qc|qa|flags?|area|areacella|counts?|n?obs|err(?:or)?|std|stderr|uncertainty)(?:$|_)/i;

/**
 * The node itself if it is an array or image, and if nothing below it can be listed. Without a picture, the
 * first array that is no coordinate.
 */
export async function firstNode(node: Node): Promise<Node> {
  let left = MOST;
  let other: Node | undefined;
  async function search(each: Node): Promise<Node | undefined> {
    // A plate is a picture of its own: that of its wells.
    if (isPicture(each) || isPlate(each)) return each;
    if (each.kind === "array" || left-- <= 0) return undefined;
    const all = await children(each, { onUnreadable: () => {} });
    const own = bestOf(all);
    if (own) return own;
    other ??= all.find(isVariable);
    for (const child of all) {
      const found = await search(child);
      if (found) return found;
    }
    return undefined;
  }
  if (node.kind === "array") return node;
  return (await search(node).catch(() => undefined)) ?? other ?? node;
}

/** Whether a node is a picture when it is opened; of a group, whether it is an image. */
export function isPicture(node: Node): boolean {
  if (node.kind === "group") return isImage(node);
  const { shape, dtype } = node;
  return shape.length > 1 && !shape.includes(0) && drawnTypeOf(String(dtype)) !== undefined;
}

function isVariable(node: Node): boolean {
  return node.kind === "array" && !node.shape.includes(0) && !isCoordinate(node);
}

export const isCoordinate = (array: ZarrArray): boolean =>
  dimensionsOf(array).some(({ name }) => name === keyOf(array));

/** Of the pictures among the members of a group, the one that says most; images come before arrays. */
export function bestOf(members: readonly Node[]): Node | undefined {
  const pictures = members.filter(isPicture);
  const image = pictures.find((node) => node.kind === "group");
  if (image) return image;
  const referred = namesReferredTo(members);
  const scores = pictures.map((node) => ({
    node,
    score: node.kind === "array" ? scoreOf(node, referred) : 0,
  }));
  return scores.reduce<(typeof scores)[number] | undefined>(
    (best, each) => (best === undefined || each.score > best.score ? each : best),
    undefined,
  )?.node;
}

/** Variables that others name as their coordinates, bounds, cell measures or quality. */
function namesReferredTo(members: readonly Node[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of members) {
    if (node.kind !== "array") continue;
    const { coordinates, bounds, ancillary_variables, cell_measures, grid_mapping } = node.attrs;
    for (const text of [coordinates, bounds, ancillary_variables, cell_measures, grid_mapping])
      if (typeof text === "string") for (const name of text.split(/[\s:]+/)) names.add(name);
  }
  return names;
}

/** The members of a group as they are listed: what is looked at, then what describes it, then where it is. */
export function inOrder(members: readonly Node[]): readonly Node[] {
  const referred = namesReferredTo(members);
  const placeOf = (node: Node): number => {
    if (node.kind === "group") return 0;
    if (isCoordinate(node)) return 2;
    return isPicture(node) && scoreOf(node, referred) < 0 ? 1 : 0;
  };
  return members.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Data with steps before planes, plain data before masks, what has a name before what has none. */
function scoreOf(array: ZarrArray, referred: ReadonlySet<string>): number {
  const { attrs, shape, dtype } = array;
  const isHelper = referred.has(keyOf(array)) || HELPERS.test(keyOf(array)) || isCoordinate(array);
  const isOfClasses = dtype === "bool" || "flag_values" in attrs || "flag_masks" in attrs;
  const steps = shape.filter((length) => length > 1).length;
  const isNamed = "standard_name" in attrs || "long_name" in attrs;
  return (isHelper ? -100 : 0) + (isOfClasses ? -50 : 0) + 10 * steps + (isNamed ? 1 : 0);
}
