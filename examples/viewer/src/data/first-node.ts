/** What a group shows when it is opened: the first of its images and arrays that makes a picture. */
import { children, type Node } from "wazarr";
import { dimensionsOf } from "./coordinates.js";
import { isImage } from "./image-layer.js";
import { drawnTypeOf } from "./values.js";

/** Groups that are looked into: a hierarchy may have a million. */
const MOST = 100;

/**
 * The node itself if it is an array or image, and if nothing below it can be listed. Without a picture, the
 * first array that is no coordinate.
 */
export async function firstNode(node: Node): Promise<Node> {
  let left = MOST;
  let other: Node | undefined;
  async function search(each: Node): Promise<Node | undefined> {
    if (isPicture(each)) return each;
    if (each.kind === "array" || left-- <= 0) return undefined;
    const all = await children(each, { onUnreadable: () => {} });
    const own = all.find(isPicture);
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
  if (node.kind === "group" || node.shape.includes(0)) return false;
  return !dimensionsOf(node).some(({ name }) => node.path.endsWith(`/${name}`));
}
