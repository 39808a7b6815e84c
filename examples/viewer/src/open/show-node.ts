/** Shows a node of the hierarchy in the form that suits it. Nothing of the last one stays. */
import { type Node, prefetch, type Array as ZarrArray } from "wazarr";
import { dimensionsOf } from "../data/coordinates.js";
import { isImage } from "../data/image-layer.js";
import { chosenIndex, turned } from "../data/layers.js";
import { formOf, layerOf } from "../data/open-layer.js";
import { firstField, isPlate, isWell, openPlate } from "../data/plate.js";
import { prepareMap } from "../map/load.js";
import { mayBecomeMap } from "../picture/choose-stage.js";
import { cache, workers } from "../reading.js";
import { act, NOTHING_SEEN, progress, readout, seen, waiting } from "../session.js";
import { page, remember } from "../state-of-page.js";
import { opens } from "./opening.js";

/** Elements along a side of an array that is read before anything else is known of it. */
const SCREEN = 2048;

export async function showNode(node: Node, isLast: () => boolean): Promise<void> {
  readout.value = "";
  seen.value = NOTHING_SEEN;
  progress.value = undefined;
  waiting.value = "";
  if (act.value.kind !== "cards") act.value = { kind: "opening" };
  if (isWell(node)) {
    const field = await firstField(node);
    if (!isLast()) return;
    remember({ path: field.path });
    return showNode(field, isLast);
  }
  if (isPlate(node)) {
    const plate = await openPlate(node);
    if (!isLast()) return;
    document.title = `${plate.name ?? node.path} – wazarr viewer`;
    act.value = { kind: "plate", plate };
    return;
  }
  if (node.kind === "group" && !isImage(node)) {
    document.title = `${node.path} – wazarr viewer`;
    act.value = { kind: "cards", group: node };
    return;
  }
  // While the coordinates are read, so is what they label.
  if (node.kind === "array") {
    if (mayBecomeMap(node, page.value)) prepareMap();
    void prefetchFirst(node);
  }
  const found = await layerOf(node);
  if (!isLast()) return;
  document.title = `${"title" in found ? found.title : node.path} – wazarr viewer`;
  if (!("dimensions" in found)) {
    act.value = { kind: "words", words: found.words };
    return;
  }
  const layer = turned(found, page.value.axes);
  const form = formOf(layer);
  act.value = typeof form === "object" ? { kind: "words", ...form } : { kind: form, node, layer };
}

/** Shows the same node once more, after the state has changed what is read of it. */
export function showAgain(): void {
  const shown = act.peek();
  if ("node" in shown) void opens((isLast) => showNode(shown.node, isLast));
}

/** The plane that is going to be seen, where it is no larger than a screen. */
async function prefetchFirst(array: ZarrArray): Promise<void> {
  const { axes, indices } = page.value;
  const rank = array.shape.length;
  const isSmall = array.shape.slice(-2).every((length) => length <= SCREEN);
  if (rank < 2 || !isSmall || axes) return;
  const selection = dimensionsOf(array).map((dimension, d) =>
    d < rank - 2 ? chosenIndex(dimension, indices) : null,
  );
  // What fails here fails again, and is told, when it is wanted.
  await prefetch(array, selection, { cache, workers, concurrency: 8, priority: 0 }).catch(() => {});
}
