/** Shows a node of the hierarchy in the form that suits it. Nothing of the last one stays. */
import { type Node, prefetch, type Array as ZarrArray } from "wazarr";
import { showChart } from "./chart/chart.js";
import { dimensionsOf } from "./data/coordinates.js";
import { type Layer, turned } from "./data/layers.js";
import { formOf, layerOf } from "./data/open-layer.js";
import type { Interval } from "./data/window.js";
import { type Exports, makeExports } from "./export/buttons.js";
import { csvOf } from "./export/csv.js";
import { pngOfChart, pngOfPicture } from "./export/png.js";
import { currentState, remember } from "./link.js";
import { opens, wordsOf } from "./opening.js";
import { page } from "./page.js";
import { showAbout } from "./panel/about.js";
import { showProblems } from "./panel/problems.js";
import { makeAxes } from "./panel/screen-axes.js";
import { makeSliders } from "./panel/sliders.js";
import { markInTree } from "./panel/tree.js";
import { chosenIndex, type Screen } from "./picture/screen.js";
import { cache, workers } from "./reading.js";
import { setStage } from "./stage.js";
import { showTable } from "./table/table.js";

/** Elements along a side of an array that is read before anything else is known of it. */
const SCREEN = 2048;

/** Ends what is shown in another form than the picture. */
let close: () => void = () => {};

export async function showNode(screen: Screen, node: Node, isLast: () => boolean): Promise<void> {
  const state = currentState();
  markInTree(page.tree, state.path ?? "/");
  clear(screen);
  void showAbout(page.about, node);
  // While the coordinates are read, so is what they label.
  if (node.kind === "array") void prefetchFirst(node);
  const found = await layerOf(node);
  if (!isLast()) return;
  document.title = `${"title" in found ? found.title : node.path} – wazarr viewer`;
  if (!("dimensions" in found)) return setStage("words", found.words);
  const layer = turned(found, state.axes);
  const form = formOf(layer);
  if (typeof form === "object") return setStage("words", form.words);
  setStage(form);
  const indices = layer.dimensions.map(chosenIndex);
  const exports = showForm(screen, form, layer, indices);
  makeExports(page.exports, { ...exports, name: fileNameOf(layer) }, onFail);
  makeAxes(page.sliders, layer, (axes) => {
    remember({ axes, view: undefined, point: undefined });
    void opens(async (last) => showNode(screen, node, last));
  });
}

function clear(screen: Screen): void {
  close();
  close = () => {};
  screen.close();
  for (const place of [page.sliders, page.colours, page.exports, page.profile]) place.replaceChildren();
  page.profile.hidden = true;
  page.canvas.dataset.loading = "";
  page.readout.textContent = "";
  setStage("words");
}

/** @returns how what is shown becomes files */
function showForm(
  screen: Screen,
  form: "picture" | "chart" | "table",
  layer: Layer,
  indices: number[],
): Omit<Exports, "name"> {
  if (form === "picture") {
    screen.show(layer, indices);
    return { png: pngOfPicture, csv: async () => csvOf(layer, indices, screen.window()) };
  }
  const wholeOf = (d: number): Interval => [0, layer.dimensions[d]?.length ?? 1];
  const csv = (): Promise<string> => csvOf(layer, indices, { x: wholeOf(layer.x), y: wholeOf(layer.y) });
  if (form === "table") {
    const shown = showTable(page.table, layer, indices, { onFail, onDone });
    makeSliders(page.sliders, layer, indices, { isReady: () => true, onIndex: shown.update });
    close = shown.close;
    return { csv };
  }
  const shown = showChart(page.chart, layer, { onWords, onFail, onDone });
  close = shown.close;
  const png = async (): Promise<Blob> => {
    const svg = shown.svg();
    if (!svg) throw new Error("the chart has no values yet");
    return pngOfChart(svg);
  };
  return { png, csv: () => csvOf(layer, indices, { x: wholeOf(layer.x), y: shown.interval() }) };
}

const fileNameOf = ({ title }: Layer): string =>
  title.replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "") || "zarr";

const onWords = (words: string): void => {
  page.readout.textContent = words;
};
const onFail = (error: unknown, retry: () => void): void =>
  showProblems(page.problems, [{ message: wordsOf(error), retry }]);
const onDone = (): void => {
  page.canvas.dataset.loading = "0";
  showProblems(page.problems, []);
};

/** The plane that is going to be seen, where it is no larger than a screen. */
async function prefetchFirst(array: ZarrArray): Promise<void> {
  const rank = array.shape.length;
  const isSmall = array.shape.slice(-2).every((length) => length <= SCREEN);
  if (rank < 2 || !isSmall || currentState().axes) return;
  const selection = dimensionsOf(array).map((dimension, d) => (d < rank - 2 ? chosenIndex(dimension) : null));
  // What fails here fails again, and is told, when it is wanted.
  await prefetch(array, selection, { cache, workers, concurrency: 8, priority: 0 }).catch(() => {});
}
