/** What a node of a hierarchy shows. */
import type { Node } from "wazarr";
import { arrayLayer } from "./array-layer.js";
import { imageLayer, isImage } from "./image-layer.js";
import type { Layer } from "./layers.js";

/** @throws Error for what cannot be drawn, in words for its user */
export async function layerOf(node: Node): Promise<Layer> {
  if (node.kind === "array") return arrayLayer(node);
  if (!isImage(node)) throw new Error("a group: choose one of its arrays");
  const { openOmeZarr } = await import("wazarr/ome-zarr");
  const image = await openOmeZarr(node);
  if (image.kind !== "image") throw new Error(`a ${image.kind}: choose one of its images`);
  return imageLayer(image);
}
