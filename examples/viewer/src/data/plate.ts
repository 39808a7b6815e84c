/** Plates of wells (high-content screening): where the images of their fields are. */
import { type Node, open } from "wazarr";
import type { OmePlate, WellPosition } from "wazarr/ome-zarr";

const hasMember = (node: Node, name: "plate" | "well"): boolean => {
  if (node.kind === "array") return false;
  const { attributes } = node.metadata;
  const { ome } = attributes;
  return name in attributes || (typeof ome === "object" && ome !== null && name in ome);
};

export const isPlate = (node: Node): boolean => hasMember(node, "plate");
export const isWell = (node: Node): boolean => hasMember(node, "well");

/** @throws what `openOmeZarr` throws */
export async function openPlate(group: Node): Promise<OmePlate> {
  const { openOmeZarr } = await import("wazarr/ome-zarr");
  const plate = await openOmeZarr(group);
  if (plate.kind !== "plate") throw new Error(`${group.path} is no plate`);
  return plate;
}

/** The fields of a well, in order: groups of images. */
export async function fieldsOf(plate: OmePlate, well: WellPosition): Promise<readonly string[]> {
  const { fields, group } = await plate.well(well);
  return fields.map(({ path }) => group.resolve(path).path);
}

/** The first field of a well, for one that is opened by itself. @throws Error for a well without fields */
export async function firstField(well: Node): Promise<Node> {
  const { openOmeZarr } = await import("wazarr/ome-zarr");
  const opened = await openOmeZarr(well);
  const [field] = opened.kind === "well" ? opened.fields : [];
  if (!field) throw new Error(`the well ${well.path} has no fields`);
  return open(well.resolve(field.path), { kind: "group" });
}

/** "B3". */
export const nameOfWell = ({ row, column }: WellPosition): string => `${row}${column}`;

/** The plate among these nodes that an image lies in. */
export const plateAround = (nodes: readonly Node[], path: string): Node | undefined =>
  nodes.filter(isPlate).find((plate) => path.startsWith(plate.path === "/" ? "/" : `${plate.path}/`));
