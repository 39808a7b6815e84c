/** Values of a layer at an element: in words, and along a dimension. */
import { get, type Selection, slice } from "wazarr";
import { decodedElements, decodedNumbers, wordsOfElement } from "./data/decode.js";
import { indicesOver } from "./data/label-layer.js";
import { chosenIndex, type Layer, labelOf } from "./data/layers.js";
import { elementsOf } from "./data/values.js";
import { wordsOf } from "./open/opening.js";
import { comparedIndices, comparedInWords, comparedWith } from "./picture/comparison.js";
import type { Point } from "./picture/controls.js";
import { choiceOf, namesOf } from "./picture/overlays.js";
import type { Scene } from "./picture/scene.js";
import { cache, workers } from "./reading.js";
import { readout } from "./session.js";
import { page } from "./state-of-page.js";

let hover: AbortController | undefined;

/** Puts the value under the pointer into words. */
export async function readAt(scene: Scene | undefined, point: Point | undefined): Promise<void> {
  hover?.abort();
  hover = new AbortController();
  const { signal } = hover;
  if (!point || !scene) {
    readout.value = "";
    return;
  }
  const { layer } = scene;
  const where = placeOf(layer, point);
  try {
    const channels = layer.channels?.list;
    const stored = await valuesAt(layer, scene.indices(), point, layer.channels?.dimension, signal);
    const words = decodedElements(layer, stored).map((value, i) => {
      const name = channels ? `${channels[i]?.name ?? "alpha"}: ` : "";
      return `${name}${valueInWords(layer, value)}`;
    });
    words.push(...(await labelsAt(scene, point, signal)));
    words.push(...(await comparedAt(layer, point, signal)));
    signal.throwIfAborted();
    readout.value = `${where}: ${words.join(", ")}`;
  } catch (error) {
    if (!signal.aborted) readout.value = `${where}: cannot be read. ${wordsOf(error)}`;
  }
}

/** The value of what the picture is compared with, and the difference where that is shown. */
async function comparedAt(layer: Layer, point: Point, signal: AbortSignal): Promise<string[]> {
  const compared = comparedWith(layer);
  if (!compared) return [];
  const indices = comparedIndices(compared);
  const [there = Number.NaN] = decodedNumbers(
    compared.layer,
    await valuesAt(compared.layer, indices, point, undefined, signal),
  );
  const words = `${comparedInWords(compared)}: ${numberInWords(compared.layer, there)}`;
  if (compared.curtain !== undefined) return [words];
  const [here = Number.NaN] = decodedNumbers(
    layer,
    await valuesAt(layer, indicesOf(layer), point, undefined, signal),
  );
  return [words, `difference: ${numberInWords(layer, here - there)}`];
}

const indicesOf = ({ dimensions }: Layer): readonly number[] =>
  dimensions.map((dimension) => chosenIndex(dimension, page.peek().indices));

const numberInWords = (layer: Layer, value: number): string =>
  valueInWords(layer, Number.isNaN(value) ? undefined : Number(value.toPrecision(7)));

function valueInWords({ classes, unit }: Layer, value: unknown): string {
  const name = classes?.get(Number(value));
  const words =
    name === undefined || value === undefined ? wordsOfElement(value) : `${name} (${Number(value)})`;
  return unit === undefined ? words : `${words} ${unit}`;
}

/** "lat 46.5° [86], lon -80.5° [42]". */
export function placeOf({ dimensions, x, y }: Layer, point: Point): string {
  const parts = [y, x].flatMap((d) => {
    const dimension = dimensions[d];
    if (!dimension) return [];
    const index = d === x ? point.x : point.y;
    return [`${dimension.name} ${labelOf(dimension, index)}${dimension.labels ? ` [${index}]` : ""}`];
  });
  return parts.join(", ");
}

/**
 * The stored elements at a point, through the cache: what is on the screen is there already.
 * @param open dimension of which all are read
 */
export async function valuesAt(
  layer: Layer,
  indices: readonly number[],
  point: Point,
  open?: number,
  signal?: AbortSignal,
): Promise<unknown> {
  const [finest] = layer.levels;
  if (!finest) throw new Error("a layer without an array");
  const selection: Selection = layer.dimensions.map((_, d) => {
    if (d === open) return null;
    const index = d === layer.x ? point.x : d === layer.y ? point.y : (indices[d] ?? 0);
    // Of one element, too, a list is given.
    return slice(index, index + 1);
  });
  return (await get(finest, selection, { cache, workers, signal })).data;
}

/** Decoded values along a dimension through a point; NaN for missing ones. */
export async function seriesAt(
  layer: Layer,
  indices: readonly number[],
  point: Point,
  along: number,
  signal?: AbortSignal,
): Promise<Float64Array> {
  return decodedNumbers(layer, await valuesAt(layer, indices, point, along, signal));
}

/** The numbers of the label images that are seen there. */
async function labelsAt(scene: Scene, { x, y }: Point, signal: AbortSignal): Promise<string[]> {
  const { layer } = scene;
  const overlays = scene.overlays();
  const seen = overlays.filter(({ label }) => choiceOf(namesOf(overlays), label.name).isVisible);
  const at = scene.indices().with(layer.x, x).with(layer.y, y);
  const words = seen.map(async ({ label, tiles }) => {
    const [array] = tiles.layer.levels;
    if (!array) return "";
    const selection = indicesOver(tiles.layer, layer, at).map((index) => slice(index, index + 1));
    const { data } = await get(array, selection, { cache, workers, signal });
    return `${label.name}: ${elementsOf(data).map(wordsOfElement).join()}`;
  });
  return Promise.all(words);
}
