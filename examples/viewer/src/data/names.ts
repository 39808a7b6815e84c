/** What a node is called, and what it is, as its attributes and its document say. */
import type { Node, Array as ZarrArray } from "wazarr";
import { isImage } from "./image-layer.js";

export const keyOf = ({ path }: { readonly path: string }): string =>
  path === "/" ? "/" : path.slice(path.lastIndexOf("/") + 1);

export const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;

/** The long name of an array, or the title of a group, if it has one. */
export function longNameOf(node: Node): string | undefined {
  const { attributes } = node.kind === "group" ? node.metadata : { attributes: node.attrs };
  const name = textOf(attributes.long_name) ?? textOf(attributes.title) ?? textOf(attributes.name);
  return name === undefined ? undefined : name.charAt(0).toUpperCase() + name.slice(1);
}

export function kindOf(node: Node): string {
  if (node.kind === "array") return `${String(node.dtype)} ${node.shape.join(" × ")}`;
  return isImage(node) ? "image" : "group";
}

/** "38.6 MB" of decoded elements. */
export function sizeOf({ shape, dtype }: ZarrArray): string {
  const bits = Number(/\d+/.exec(String(dtype))?.[0] ?? 8);
  return bytesInWords((shape.reduce((product, length) => product * length, 1) * bits) / 8);
}

export function bytesInWords(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB", "PB"];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const value = bytes / 1000 ** power;
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power]}`;
}
