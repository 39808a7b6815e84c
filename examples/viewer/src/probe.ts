/** Values at a point of the picture: in words, and as a profile through it. */
import { get, type Selection, slice } from "wazarr";
import { showProfile } from "./chart/profile.js";
import { decodedElements, decodedNumbers, wordsOfElement } from "./data/decode.js";
import { indicesOver } from "./data/label-layer.js";
import { labelOf } from "./data/layers.js";
import { elementsOf } from "./data/values.js";
import { wordsOf } from "./opening.js";
import { page } from "./page.js";
import { showProblems } from "./panel/problems.js";
import type { Point } from "./picture/controls.js";
import { choiceOf } from "./picture/overlays.js";
import type { Shown } from "./picture/screen.js";
import { cache, workers } from "./reading.js";

let hover: AbortController | undefined;

export async function tellValue(shown: Shown | undefined, point: Point | undefined): Promise<void> {
  hover?.abort();
  hover = new AbortController();
  const { signal } = hover;
  if (!point || !shown) {
    page.readout.textContent = "";
    return;
  }
  const { layer, channels } = shown;
  const { dimensions, x, y } = layer;
  const where = [y, x].flatMap((d) => {
    const dimension = dimensions[d];
    if (!dimension) return [];
    const index = d === x ? point.x : point.y;
    return [`${dimension.name} ${labelOf(dimension, index)}${dimension.labels ? ` [${index}]` : ""}`];
  });
  try {
    const c = layer.channels?.dimension;
    const stored = await read(shown, selectionAt(shown, point, channels ? c : undefined), signal);
    const told = decodedElements(layer, stored).map(
      (value, i) =>
        `${channels ? `${channels[i]?.name ?? "alpha"}: ` : ""}${wordsOfElement(value)}${layer.unit ? ` ${layer.unit}` : ""}`,
    );
    told.push(...(await labelsAt(shown, point, signal)));
    signal.throwIfAborted();
    page.readout.textContent = `${where.join(", ")}: ${told.join(", ")}`;
  } catch {
    // The tile says what failed.
    if (!signal.aborted) page.readout.textContent = where.join(", ");
  }
}

/** Along the first dimension that has a slider; where there is none, along the row. */
export async function tellProfile(shown: Shown | undefined, point: Point): Promise<void> {
  if (!shown) return;
  const { layer, sliders } = shown;
  const along = sliders[0]?.dimension ?? layer.x;
  const dimension = layer.dimensions[along];
  if (!dimension) return;
  const at = [layer.y, layer.x].flatMap((d) => {
    const other = layer.dimensions[d];
    return other && d !== along ? [`${other.name} ${labelOf(other, d === layer.x ? point.x : point.y)}`] : [];
  });
  const caption = `${layer.title} along ${dimension.name}${at.length > 0 ? ` at ${at.join(", ")}` : ""}`;
  try {
    const values = decodedNumbers(layer, await read(shown, selectionAt(shown, point, along)));
    showProfile(page.profile, { dimension, first: 0, values, unit: layer.unit, caption });
  } catch (error) {
    const retry = (): void => void tellProfile(shown, point);
    showProblems(page.problems, [{ message: wordsOf(error), retry }]);
  }
}

/** Reads through the cache: what is on the screen is there already. */
async function read({ layer }: Shown, selection: Selection, signal?: AbortSignal): Promise<unknown> {
  const [finest] = layer.levels;
  if (!finest) throw new Error("a layer without an array");
  return (await get(finest, selection, { cache, workers, signal })).data;
}

/** The numbers of the label images that are seen there. */
async function labelsAt(
  { layer, indices, overlays }: Shown,
  { x, y }: Point,
  signal: AbortSignal,
): Promise<string[]> {
  const seen = overlays.filter(({ label }) => choiceOf(overlays, label.name).isVisible);
  const at = indices.with(layer.x, x).with(layer.y, y);
  const told = seen.map(async ({ label, tiles }) => {
    const [array] = tiles.layer.levels;
    if (!array) return "";
    const selection = indicesOver(tiles.layer, layer, at).map((index) => slice(index, index + 1));
    const { data } = await get(array, selection, { cache, workers, signal });
    return `${label.name}: ${elementsOf(data).map(wordsOfElement).join()}`;
  });
  return Promise.all(told);
}

function selectionAt({ layer, indices }: Shown, point: Point, open?: number): Selection {
  return layer.dimensions.map((_, d) => {
    if (d === open) return null;
    const index = d === layer.x ? point.x : d === layer.y ? point.y : (indices[d] ?? 0);
    // Of one element, too, a list is given.
    return slice(index, index + 1);
  });
}
