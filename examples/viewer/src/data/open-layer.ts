/** What a node of a hierarchy shows, and how. */
import type { Node } from "wazarr";
import { arrayLayer } from "./array-layer.js";
import { imageLayer, isImage } from "./image-layer.js";
import type { Layer } from "./layers.js";
import { drawnTypeOf, isNumeric } from "./values.js";

/** How a layer can be shown; otherwise why it cannot. */
export type Form = "picture" | "chart" | "table" | { readonly words: string };

/** The layer of a node; for groups without one, words. */
export async function layerOf(node: Node): Promise<Layer | { readonly words: string }> {
  if (node.kind === "array") return arrayLayer(node);
  if (!isImage(node)) return { words: "A group: choose one of its arrays in the list." };
  const { openOmeZarr } = await import("wazarr/ome-zarr");
  const image = await openOmeZarr(node);
  if (image.kind === "image") return imageLayer(image);
  return { words: `A ${image.kind}: choose one of its images in the list.` };
}

export function formOf({ dimensions, dtype, dateOf, levels: [finest] }: Layer): Form {
  const shape = finest?.shape ?? [];
  if (shape.includes(0)) return { words: `This array is empty: it has ${shape.join(" × ")} elements.` };
  if (dimensions.length === 0 || !isNumeric(dtype)) return "table";
  if (dimensions.length > 1) return drawnTypeOf(dtype) ? "picture" : "table";
  return dateOf ? "table" : "chart";
}
