/** What the attributes of a group describe. Opening (open.ts) and parsing (parse.ts) both begin with it. */
import { describe, isJsonArray, isJsonObject, type Member } from "../../extend.js";
import { InvalidArgumentError, InvalidMetadataError } from "../../index.js";
import type { Axis } from "./axes.js";
import { refused } from "./members.js";
import { type Dataset, type Multiscale, multiscaleOf, type OmeMetadata } from "./metadata.js";
import { type Field, fieldsOf, type PlateLayout, plateOf } from "./plate.js";
import { type ImageLabel, imageLabelOf, type Rendering, renderingOf } from "./rendering.js";
import { type Systems, systemsOf } from "./systems.js";
import { type AffineMap, scaling } from "./transformations.js";

/** The content of a group, by its kind. */
export type OmeContent =
  | ImageContent
  | { readonly kind: "plate"; readonly layout: PlateLayout }
  | { readonly kind: "well"; readonly fields: readonly Field[] }
  | { readonly kind: "labels"; readonly names: readonly string[] }
  | { readonly kind: "collection" }
  | ({ readonly kind: "scene"; readonly names: readonly string[] } & Systems);

export interface ImageContent extends Systems {
  readonly kind: "image";
  readonly multiscale: Multiscale;
  readonly rendering: Rendering | undefined;
  readonly label: ImageLabel | undefined;
}

/**
 * @param index index in `multiscales`
 * @throws InvalidMetadataError, UnsupportedError, InvalidArgumentError
 */
export function contentOf(metadata: OmeMetadata, index: number): OmeContent {
  if (!Number.isInteger(index) || index < 0)
    throw new InvalidArgumentError(`multiscale: expected an index, got ${describe(index)}`);
  const { member, path } = metadata;
  if (isJsonArray(member.get("multiscales").json)) {
    const multiscale = multiscaleOf(metadata, index);
    const label = member.get("image-label");
    return {
      kind: "image",
      multiscale,
      rendering: renderingOf(metadata),
      label: isJsonObject(label.json) ? imageLabelOf(label) : undefined,
      ...systemsOf(multiscale.member),
    };
  }
  if (isJsonObject(member.get("plate").json)) return { kind: "plate", layout: plateOf(metadata) };
  if (isJsonObject(member.get("well").json)) return { kind: "well", fields: fieldsOf(metadata) };
  const labels = member.get("labels");
  if (isJsonArray(labels.json)) return { kind: "labels", names: labels.list().map((item) => item.path()) };
  if (isJsonObject(member.get("scene").json)) return sceneOf(member.get("scene"));
  if (!member.get("bioformats2raw.layout").isNull) return { kind: "collection" };
  const found = Object.keys(member.object());
  throw new InvalidMetadataError(
    `expected OME-Zarr attributes (multiscales, plate, well, labels or scene), got ${found.length === 0 ? "none" : found.slice(0, 8).join(", ")}`,
    { path },
  );
}

/** Images by the transformations that lead to them, or from them. */
function sceneOf(scene: Member): OmeContent {
  const names = new Set<string>();
  for (const step of scene.get("coordinateTransformations").list())
    for (const end of [step.get("input"), step.get("output")])
      if (!end.get("path").isNull) names.add(end.get("path").path());
  return { kind: "scene", names: [...names], ...systemsOf(scene) };
}

/**
 * Axes and transformations of an image whose arrays have these shapes.
 * @param warnings gets what is assumed
 * @throws InvalidMetadataError for an array of another rank than the axes
 */
export function fitLevels(
  { datasets, axes: named, namesAxes, member }: Multiscale,
  shapes: readonly (readonly number[])[],
  warnings: string[],
): { readonly axes: readonly Axis[]; readonly maps: readonly AffineMap[] } {
  const [finest = []] = shapes;
  const axes = namesAxes ? named : named.slice(-finest.length);
  if (!namesAxes && shapes.length > 0 && finest.length < named.length)
    warnings.push(
      `the arrays have ${finest.length} dimensions: ${axes.map(({ name }) => name).join(", ")} are assumed`,
    );
  const maps = shapes.map((shape, i) => {
    const dataset = datasets[i];
    if (dataset !== undefined && shape.length === axes.length) return mapFor(dataset, shape, finest);
    throw refused(
      dataset?.member ?? member,
      `expected an array of ${axes.length} dimensions, one for each axis, got ${shape.length}`,
    );
  });
  return { axes, maps };
}

/**
 * Without transformations, as before 0.4, the shapes determine pixel sizes: a level of half the length has
 * pixels of twice the size.
 */
function mapFor({ map }: Dataset, shape: readonly number[], finest: readonly number[]): AffineMap {
  if (map !== undefined && map[0]?.length === shape.length + 1) return map;
  return scaling(shape.map((length, d) => (finest[d] || 1) / (length || 1)));
}
