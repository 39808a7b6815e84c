/** The label images of an OME-Zarr image, as layers over it. */
import type { OmeImage } from "wazarr/ome-zarr";
import { commonOf } from "./array-layer.js";
import type { LabelImage, Layer } from "./layers.js";

/** @throws what `openLabels` throws */
export async function openLabelImages(image: OmeImage, over: Layer): Promise<readonly LabelImage[]> {
  const { openLabels } = await import("wazarr/ome-zarr");
  const list = await openLabels(image);
  const images = (list?.names ?? []).map(async (name): Promise<LabelImage> => {
    const labels = await list?.image(name);
    if (labels === undefined) throw new Error(`no label image ${name}`);
    return { name, layer: layerOver(labels, over), colours: labels.label?.colors ?? new Map() };
  });
  return Promise.all(images);
}

function layerOver({ axes, levels, name = "" }: OmeImage, over: Layer): Layer {
  const [finest] = levels;
  if (finest === undefined) throw new Error(`the label image ${name} has no levels`);
  const dimensions = axes.map(({ name }, d) => ({ name, length: finest.shape[d] ?? 1 }));
  // Axes that only the labels have are counted in their own elements.
  const factors = dimensions.map(({ name, length }) => {
    const whole = over.dimensions.find((dimension) => dimension.name === name)?.length ?? length;
    return Math.max(1, Math.round(whole / Math.max(1, length)));
  });
  return {
    ...commonOf(finest.array, dimensions),
    title: name,
    levels: levels.map(({ array }) => array),
    factors,
    isFlipped: false,
    isMap: false,
  };
}

/** The layer with the same dimensions on the screen as another; undefined if it lacks one of them. */
export function onSameScreen(layer: Layer, over: Layer): Layer | undefined {
  const find = (d: number): number =>
    layer.dimensions.findIndex(({ name }) => name === over.dimensions[d]?.name);
  const [x, y] = [find(over.x), find(over.y)];
  return x < 0 || y < 0 ? undefined : { ...layer, x, y };
}

/** Indices of the labels at those of the image. */
export function indicesOver(
  { dimensions, factors }: Layer,
  over: Layer,
  indices: readonly number[],
): number[] {
  return dimensions.map(({ name, length }, d) => {
    const index = indices[over.dimensions.findIndex((dimension) => dimension.name === name)] ?? 0;
    return Math.min(length - 1, Math.floor(index / (factors[d] ?? 1)));
  });
}
