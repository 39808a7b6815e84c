/** Opens the variable that the picture is compared with, and lists those that it can be compared with. */
import { computed, effect } from "@preact/signals";
import { open, type Array as ZarrArray } from "wazarr";
import { arrayLayer } from "../data/array-layer.js";
import { dimensionsOf } from "../data/coordinates.js";
import { type Layer, turned } from "../data/layers.js";
import { drawnTypeOf } from "../data/values.js";
import { canCompare } from "../picture/comparison.js";
import { act, otherVariable, tree } from "../session.js";
import { page } from "../state-of-page.js";
import { showProblem } from "./opening.js";
import { nodesOf } from "./tree.js";

/** The path of another variable, where it is compared with. */
const wanted = computed(() => {
  const { compared } = page.value;
  const shown = act.value;
  const isPath = shown.kind === "picture" && compared !== undefined && "path" in compared;
  return isPath && canCompare(shown.layer) ? compared.path : undefined;
});

effect(() => {
  const [shown, path] = [act.value, wanted.value];
  otherVariable.value = undefined;
  if (shown.kind !== "picture" || path === undefined) return;
  const { node, layer } = shown;
  const run = async (): Promise<void> => {
    try {
      const other = await openBeside(await open(node.resolve(path), { kind: "array" }), layer);
      if (act.peek() === shown && wanted.peek() === path) otherVariable.value = { of: layer, layer: other };
    } catch (error) {
      if (act.peek() === shown) showProblem(error, () => void run());
    }
  };
  void run();
});

/** @throws Error for an array that is of other rows and columns */
async function openBeside(array: ZarrArray, layer: Layer): Promise<Layer> {
  if (!isComparable(array, layer))
    throw new Error(`${array.path} has other rows and columns than ${layer.title}: choose another variable`);
  const [y, x] = [layer.dimensions[layer.y]?.name ?? "", layer.dimensions[layer.x]?.name ?? ""];
  return turned(await arrayLayer(array), [y, x]);
}

function isComparable(array: ZarrArray, { dimensions, x, y }: Layer): boolean {
  if (drawnTypeOf(String(array.dtype)) === undefined) return false;
  const own = dimensionsOf(array);
  return [x, y].every((d) =>
    own.some(({ name, length }) => name === dimensions[d]?.name && length === dimensions[d]?.length),
  );
}

/** Arrays of the same rows and columns, among those that are found. */
export function comparableNodes(layer: Layer): readonly ZarrArray[] {
  const [finest] = layer.levels;
  return nodesOf(tree.value).flatMap(({ node }) =>
    node.kind === "array" && node.path !== finest?.path && isComparable(node, layer) ? [node] : [],
  );
}
