/** Saves what is shown as files. */
import { chosenIndex, type Dimension, type Layer } from "../data/layers.js";
import type { Interval } from "../data/window.js";
import { stage } from "../picture/stage.js";
import { act } from "../session.js";
import { page } from "../state-of-page.js";
import { csvOf } from "./csv.js";
import { pngOfChart, pngOfPicture } from "./png.js";

/** Of files, without an ending. */
const nameOf = ({ title }: Layer): string =>
  title.replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "") || "zarr";

export function save(blob: Blob, layer: Layer, ending: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  Object.assign(link, { href: url, download: `${nameOf(layer)}.${ending}` });
  link.click();
  // The browser may read it a little later.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The picture or chart on the screen. @throws Error where there is none */
export async function savePng(): Promise<void> {
  const shown = act.peek();
  if (shown.kind === "picture" && stage.peek()) {
    const picture = stage.peek();
    if (picture) save(await pngOfPicture(picture, shown.layer), shown.layer, "png");
    return;
  }
  const canvas = document.querySelector<HTMLCanvasElement>("#chart canvas");
  if (shown.kind !== "chart" || !canvas) throw new Error("there is no picture on the screen");
  save(await pngOfChart(canvas), shown.layer, "png");
}

/** The values on the screen; of a table all of them. */
export async function saveCsv(): Promise<void> {
  const shown = act.peek();
  if (!("layer" in shown)) throw new Error("there are no values on the screen");
  const { layer } = shown;
  const indices = layer.dimensions.map((dimension) => chosenIndex(dimension, page.peek().indices));
  const whole = (d: number): Interval => [0, layer.dimensions[d]?.length ?? 1];
  const window = stage.peek()?.window() ?? { x: whole(layer.x), y: whole(layer.y) };
  save(new Blob([await csvOf(layer, indices, window)], { type: "text/csv" }), layer, "csv");
}

/** A column of the axis, and one of each line. */
export function csvOfSeries(
  dimension: Dimension,
  lines: readonly { readonly name: string; readonly values: ArrayLike<number> }[],
): string {
  const head = [dimension.name, ...lines.map(({ name }) => name)];
  const rows = Array.from({ length: dimension.length }, (_, i) => [
    dimension.labels?.[i] ?? String(i),
    ...lines.map(({ values }) => (Number.isNaN(values[i]) ? "" : String(values[i]))),
  ]);
  return [head, ...rows].map((row) => `${row.join()}\r\n`).join("");
}
