/** Programs that read what is on the screen. */
import { chosenIndex, type Layer } from "../data/layers.js";
import { stage } from "../picture/stage.js";
import { page } from "../state-of-page.js";

/** Where the data are, as another program finds them. */
function addressNow(): string {
  const { url = "" } = page.peek();
  return /^[\w+.-]+:/.test(url) || url.startsWith("example:") ? url : new URL(url, location.href).href;
}

/** First and last index along each dimension of the array, or one index. */
function selectionOf(layer: Layer): readonly (number | readonly [first: number, end: number])[] {
  const window = stage.peek()?.window();
  return layer.dimensions.map((dimension, d) => {
    if (d === layer.channels?.dimension) return [0, dimension.length];
    if (d === layer.x) return window?.x ?? [0, dimension.length];
    if (d === layer.y) return window?.y ?? [0, dimension.length];
    return chosenIndex(dimension, page.peek().indices);
  });
}

const pathOf = (layer: Layer): string => layer.levels[0]?.path ?? "/";

export function codeOf(layer: Layer): string {
  const parts = selectionOf(layer).map((part) =>
    typeof part === "number" ? part : `slice(${part.join(", ")})`,
  );
  return `import { get, open, root, slice } from "wazarr";
import { openStore } from "wazarr/stores/open-store";

const store = await openStore(${JSON.stringify(addressNow())});
const array = await open(root(store).resolve(${JSON.stringify(pathOf(layer))}), { kind: "array" });
const { data, shape } = await get(array, [${parts.join(", ")}]);`;
}

export function pythonOf(layer: Layer): string {
  const path = pathOf(layer).slice(1);
  const parts = selectionOf(layer);
  const url = JSON.stringify(addressNow());
  const isNamed = layer.dimensions.every(({ name }) => /^[A-Za-z_]\w*$/.test(name));
  const isInRoot = path !== "" && !path.includes("/");
  if (!isNamed || !isInRoot) {
    const slices = parts.map((part) => (typeof part === "number" ? part : part.join(":")));
    return `import zarr

array = zarr.open_array(${url}, path=${JSON.stringify(path)}, mode="r")
values = array[${slices.join(", ")}]`;
  }
  const names = parts.map(
    (part, d) =>
      `${layer.dimensions[d]?.name}=${typeof part === "number" ? part : `slice(${part.join(", ")})`}`,
  );
  return `import xarray as xr

dataset = xr.open_zarr(${url}, consolidated=None)
values = dataset[${JSON.stringify(path)}].isel(${names.join(", ")}).load()`;
}
