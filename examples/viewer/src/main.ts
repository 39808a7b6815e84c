/** The viewer: opens what the URL names, and puts the tree, the picture and the panel together. */
import {
  ChunkCache,
  get,
  isZarrError,
  open,
  prefetch,
  root,
  type Selection,
  type Store,
  slice,
  tree,
  type Array as ZarrArray,
  type Node as ZarrNode,
} from "wazarr";
import { WorkerPool } from "wazarr/workers/pool";
import { coloursOf } from "./colour-maps.js";
import { EXAMPLES } from "./examples.js";
import {
  below,
  type Channel,
  type Dimension,
  dimensionsOf,
  isImage,
  type Layer,
  layerOf,
  turned,
} from "./layers.js";
import {
  element,
  labelOf,
  makeAxes,
  makeColours,
  makeSliders,
  type Problem,
  type Slider,
  showProblems,
} from "./panel.js";
import { createPicture, type Pass, type Point } from "./picture.js";
import { drawProfile, format } from "./profile.js";
import { createRenderer } from "./renderer.js";
import { chosenFiles, droppedFiles, openFiles, openUrl } from "./sources.js";
import { parseState, type State, writeState } from "./state.js";
import { createTiles, type Tiles } from "./tiles.js";

const CACHE_BYTES = 256 << 20;
/** Elements along a side of an array that is read before anything else is known of it. */
const SCREEN = 2048;

function find<Type extends Element>(id: string, type: abstract new () => Type): Type {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`the page has no ${id}`);
}

const canvas = find("canvas", HTMLCanvasElement);
const [axes, progress, readout] = [
  find("axes", HTMLCanvasElement),
  find("progress", HTMLProgressElement),
  find("readout", HTMLElement),
];
const [nav, url, example] = [
  find("tree", HTMLElement),
  find("url", HTMLInputElement),
  find("example", HTMLSelectElement),
];
const [sliderPlace, colourPlace, problemPlace] = ["sliders", "colours", "problems"].map((id) =>
  find(id, HTMLElement),
);
const [figure, about] = [find("profile", HTMLElement), find("about", HTMLDetailsElement)];

const renderer = makeRenderer();
const workers = new WorkerPool();
const cache = new ChunkCache({ maxBytes: CACHE_BYTES });
// Their code comes while documents do.
void workers.start();

let state: State = parseState(location.hash);
let source: Store | undefined;
/** What is shown. */
let shown:
  | {
      layer: Layer;
      tiles: Tiles;
      indices: number[];
      channels: Channel[] | undefined;
      sliders: readonly Slider[];
    }
  | undefined;
let legend: ReturnType<typeof makeColours> | undefined;
/** Ends of the colour map, in stored values. */
let ends: readonly [number, number] | undefined;
let hover: AbortController | undefined;
let opening = 0;

const picture = createPicture(canvas, axes, renderer, {
  onView(view) {
    remember({ view });
  },
  onPoint(point) {
    void tellValue(point);
  },
  onPick(point) {
    void tellValue(point);
    void tellProfile(point);
  },
  onKey(key) {
    const [first] = shown?.sliders ?? [];
    if (key === ",") first?.step(-1);
    else if (key === ".") first?.step(1);
    else if (key === " ") first?.play();
  },
});

/** @throws where there is no WebGL2, after saying so */
function makeRenderer(): ReturnType<typeof createRenderer> {
  try {
    return createRenderer(canvas);
  } catch (error) {
    showProblems(need(problemPlace), [{ message: wordsOf(error), retry: () => location.reload() }]);
    throw error;
  }
}

let timer = 0;
function remember(change: Partial<State>): void {
  state = { ...state, ...change };
  clearTimeout(timer);
  // Safari allows a hundred changes in half a minute.
  timer = window.setTimeout(() => history.replaceState(null, "", writeState(state)), 300);
}

/** Runs what opens something; the last one counts. */
async function opens(action: (isLast: () => boolean) => Promise<void>): Promise<void> {
  const turn = ++opening;
  showProblems(need(problemPlace), []);
  try {
    await action(() => turn === opening);
  } catch (error) {
    if (turn !== opening) return;
    showProblems(need(problemPlace), [{ message: wordsOf(error), retry: () => void opens(action) }]);
  }
}

function wordsOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return isZarrError(error, "StoreError") && /Failed to fetch|NetworkError|Load failed/.test(message)
    ? `${message}. The server may be down, or not allow other pages to read from it (CORS)`
    : message;
}

function need<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("the page is not complete");
  return value;
}

async function openSource(store: Store, path: string, isLast: () => boolean): Promise<void> {
  source = store;
  const node = await open(root(store).resolve(path));
  if (!isLast()) return;
  // The tree is for looking around: the picture does not wait for it.
  const top = path === "/" ? node : await open(store).catch(() => node);
  void showTree(top, isLast);
  if (node.kind === "array" || isImage(node)) await showNode(node, isLast);
  else await showAbout(node);
}

async function showTree(top: ZarrNode, isLast: () => boolean): Promise<void> {
  const list = element("ul");
  nav.replaceChildren(list);
  const add = async (node: ZarrNode, place: HTMLElement): Promise<void> => {
    if (!isLast()) return;
    const name = node.path === "/" ? "/" : node.path.slice(node.path.lastIndexOf("/") + 1);
    const kind =
      node.kind === "array"
        ? `${String(node.dtype)} ${node.shape.join(" × ")}`
        : isImage(node)
          ? "image"
          : "group";
    const button = element(
      "button",
      { type: "button", "data-path": node.path },
      name,
      " ",
      element("small", {}, kind),
    );
    button.addEventListener("click", () => {
      remember({ path: node.path, indices: new Map(), axes: undefined, range: undefined, view: undefined });
      void opens(async (last) => showNode(node, last));
    });
    const item = element("li", {}, button);
    place.append(item);
    mark();
    if (node.kind === "array") return;
    const inner = element("ul");
    item.append(inner);
    for await (const child of below(node)) await add(child, inner);
  };
  await add(top, list).catch((error: unknown) => {
    list.append(
      element(
        "li",
        {},
        element(
          "small",
          {},
          isZarrError(error, "UnsupportedError")
            ? "What is below cannot be listed here: open an array by its URL."
            : wordsOf(error),
        ),
      ),
    );
  });
}

/** Marks what is shown in the tree. */
function mark(): void {
  for (const button of nav.querySelectorAll("button"))
    button.setAttribute("aria-current", String(button.dataset.path === (state.path ?? "/")));
}

async function showAbout(node: ZarrNode): Promise<void> {
  const text = node.kind === "array" ? node.metadata : node.metadata.attributes;
  const plain = JSON.stringify(
    text,
    (_, value: unknown) => (typeof value === "bigint" ? String(value) : value),
    2,
  );
  need(about.querySelector("pre") ?? undefined).textContent =
    node.kind === "array" ? plain : `${await tree(node).catch(() => node.path)}\n\n${plain}`;
  about.open = node.kind === "group";
}

async function showNode(node: ZarrNode, isLast: () => boolean): Promise<void> {
  mark();
  void showAbout(node);
  // While the coordinates are read, so is what they label.
  if (node.kind === "array") void prefetchFirst(node);
  const layer = turned(await layerOf(node), state.axes);
  if (!isLast()) return;
  shown?.tiles.close();
  figure.hidden = true;
  const tiles = createTiles({ layer, renderer, cache, workers, onChange: update });
  const indices = layer.dimensions.map(chosenIndex);
  const channels = layer.channels && [...layer.channels.list];
  const sliders = makeSliders(need(sliderPlace), layer, indices, {
    isReady: () => tiles.progress.done === tiles.progress.total,
    onIndex(dimension, index) {
      indices[dimension] = index;
      const chosen = new Map(state.indices).set(layer.dimensions[dimension]?.name ?? "", index);
      remember({ indices: chosen });
      picture.update(passes());
    },
  });
  makeAxes(need(sliderPlace), layer, (axes) => {
    remember({ axes, view: undefined });
    void opens(async (last) => showNode(node, last));
  });
  legend = makeColours(need(colourPlace), layer, state.colours, channels, {
    onColours(colours) {
      remember({ colours });
      renderer.setColours(coloursOf(colours));
      update();
    },
    onRange(range) {
      remember({ range });
      ends = range && stored(layer, range);
      update();
      picture.update(passes());
    },
    onChannel(index, isVisible) {
      const channel = channels?.[index];
      if (channels && channel) channels[index] = { ...channel, isVisible };
      picture.update(passes());
    },
  });
  shown = { layer, tiles, indices, channels, sliders };
  ends = state.range && stored(layer, state.range);
  renderer.setColours(coloursOf(state.colours));
  canvas.setAttribute(
    "aria-label",
    `${layer.title}: ${layer.dimensions.map(({ name, length }) => `${name} ${length}`).join(", ")}`,
  );
  document.title = `${layer.title} – wazarr viewer`;
  picture.show({ layer, tiles, passes: passes() }, state.view);
}

/** The index that the URL gives for a dimension, brought into its bounds. */
const chosenIndex = ({ name, length }: Dimension): number =>
  Math.min(length - 1, Math.max(0, state.indices.get(name) ?? 0));

/** The plane that is going to be seen, where it is no larger than a screen. */
async function prefetchFirst(array: ZarrArray): Promise<void> {
  const rank = array.shape.length;
  const isSmall = array.shape.slice(-2).every((length) => length <= SCREEN);
  if (rank < 2 || !isSmall || state.axes) return;
  const selection = dimensionsOf(array).map((dimension, d) => (d < rank - 2 ? chosenIndex(dimension) : null));
  // What fails here fails again, and is told, when it is wanted.
  await prefetch(array, selection, { cache, workers, concurrency: 8, priority: 0 }).catch(() => {});
}

const stored = ({ scale, offset }: Layer, range: readonly [number, number]): readonly [number, number] => [
  (range[0] - offset) / scale,
  (range[1] - offset) / scale,
];

/** One for each channel that is to be seen, or one of the colour map. */
function passes(): Pass[] {
  if (!shown) return [];
  const { layer, indices, channels } = shown;
  const dimension = layer.channels?.dimension ?? -1;
  if (!channels) return [{ indices, paint: { range: ends ?? [0, 1], missing: layer.missing } }];
  return channels.flatMap(({ isVisible, colour, range }, c) =>
    isVisible
      ? [
          {
            indices: indices.with(dimension, c),
            paint: { range: range ?? ends ?? [0, 65535], missing: layer.missing, colour },
          },
        ]
      : [],
  );
}

/** After something arrived or failed. */
function update(): void {
  if (!shown) return;
  const { layer, tiles, indices } = shown;
  const { done, total } = tiles.progress;
  progress.hidden = done === total;
  progress.max = Math.max(1, total);
  progress.value = done;
  canvas.dataset.loading = String(total - done);
  // Two of a hundred values on either side may be anything.
  const isFirst = ends === undefined && done > 0;
  if (isFirst) {
    const samples = [...tiles.samples()].sort((a, b) => a - b);
    const at = (part: number): number | undefined => samples[Math.round(part * (samples.length - 1))];
    const [low, high] = [at(0.02), at(0.98)];
    if (low !== undefined && high !== undefined) {
      const range = low < high ? ([low, high] as const) : ([low - 0.5, high + 0.5] as const);
      // Until all of the first screen is there, what arrives may be darker or lighter.
      if (done === total) ends = range;
      showEnds(layer, range);
      picture.update(shown.channels ? passes() : [{ indices, paint: { range, missing: layer.missing } }]);
    }
  } else if (ends) showEnds(layer, ends);
  const problems: Problem[] = tiles.failures.map(({ message, retry }) => ({ message, retry }));
  showProblems(need(problemPlace), problems);
  picture.draw();
  if (done === total && total > 0) {
    const [first] = shown.sliders;
    const length = first ? (layer.dimensions[first.dimension]?.length ?? 1) : 1;
    const later = first
      ? [1, 2].map((by) => indices.with(first.dimension, ((indices[first.dimension] ?? 0) + by) % length))
      : [];
    tiles.prefetch(picture.around(later));
  }
}

function showEnds({ scale, offset }: Layer, [low, high]: readonly [number, number]): void {
  legend?.show(state.colours, [low * scale + offset, high * scale + offset]);
}

/** Reads through the cache: what is on the screen is there already. */
async function read(selection: Selection, signal?: AbortSignal): Promise<(number | undefined)[]> {
  const { layer } = need(shown);
  const array = need(layer.levels[0]?.array);
  const { data } = await get(array, selection, { cache, workers, signal });
  const list: unknown = data;
  const values =
    ArrayBuffer.isView(list) && "length" in list
      ? Array.from({ length: Number(list.length) }, (_, i) => Number(Reflect.get(list, i)))
      : [Number(list)];
  return values.map((value) =>
    Number.isNaN(value) || layer.missing.includes(value) ? undefined : value * layer.scale + layer.offset,
  );
}

function selectionAt(point: Point, open?: number): Selection {
  const { layer, indices } = need(shown);
  return layer.dimensions.map((_, d) => {
    if (d === open) return null;
    const index = d === layer.x ? point.x : d === layer.y ? point.y : (indices[d] ?? 0);
    // Of one element, too, a list is given.
    return slice(index, index + 1);
  });
}

async function tellValue(point: Point | undefined): Promise<void> {
  hover?.abort();
  hover = new AbortController();
  const { signal } = hover;
  if (!point || !shown) {
    readout.textContent = "";
    return;
  }
  const { layer, channels } = shown;
  const { dimensions, x, y } = layer;
  const where = [...new Set([y, x])].map((d) => {
    const dimension = need(dimensions[d]);
    const index = d === x ? point.x : point.y;
    return `${dimension.name} ${labelOf(dimension, index)}${dimension.labels ? ` [${index}]` : ""}`;
  });
  try {
    const c = layer.channels?.dimension;
    const values = await read(selectionAt(point, channels ? c : undefined), signal);
    const told = values.map(
      (value, i) =>
        `${channels ? `${channels[i]?.name}: ` : ""}${value === undefined ? "no value" : format(value)}`,
    );
    signal.throwIfAborted();
    readout.textContent = `${where.join(", ")}: ${told.join(", ")}${layer.unit ? ` ${layer.unit}` : ""}`;
  } catch {
    // The tile says what failed.
    if (!signal.aborted) readout.textContent = where.join(", ");
  }
}

/** Along the first dimension that has a slider; where there is none, along the row. */
async function tellProfile(point: Point): Promise<void> {
  if (!shown) return;
  const { layer, sliders } = shown;
  const along = sliders[0]?.dimension ?? layer.x;
  const dimension = need(layer.dimensions[along]);
  const others = [...new Set([layer.y, layer.x])].filter((d) => d !== along);
  const at = others.map(
    (d) =>
      `${layer.dimensions[d]?.name} ${labelOf(need(layer.dimensions[d]), d === layer.x ? point.x : point.y)}`,
  );
  const caption = `${layer.title} along ${dimension.name}${at.length > 0 ? ` at ${at.join(", ")}` : ""}`;
  try {
    drawProfile(figure, dimension, await read(selectionAt(point, along)), layer.unit, caption);
  } catch (error) {
    showProblems(need(problemPlace), [{ message: wordsOf(error), retry: () => void tellProfile(point) }]);
  }
}

function fresh(change: Partial<State>): void {
  remember({ path: "/", indices: new Map(), axes: undefined, range: undefined, view: undefined, ...change });
}

find("open-form", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  fresh({ url: url.value });
  void opens(async (isLast) => openSource(await openUrl(url.value), "/", isLast));
});
for (const id of ["files", "zip"]) {
  const input = find(id, HTMLInputElement);
  input.addEventListener("change", () => {
    fresh({ url: undefined });
    void opens(async (isLast) => openSource(await openFiles(chosenFiles(input.files ?? [])), "/", isLast));
  });
}
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const { items } = event.dataTransfer ?? {};
  if (!items) return;
  fresh({ url: undefined });
  const files = droppedFiles(items);
  void opens(async (isLast) => openSource(await openFiles(await files), "/", isLast));
});
example.append(
  element("option", { value: "" }, "Examples…"),
  ...EXAMPLES.map(({ title }, i) => element("option", { value: `example:${i}` }, title)),
);
example.addEventListener("change", () => {
  const chosen = exampleOf(example.value);
  if (!chosen) return;
  fresh({ url: example.value, path: chosen.path });
  void opens(async (isLast) => openSource(await chosen.make(), chosen.path, isLast));
});

function exampleOf(name: string | undefined) {
  const match = /^example:(\d+)$/.exec(name ?? "");
  return match ? EXAMPLES[Number(match[1])] : undefined;
}

function start(): void {
  state = parseState(location.hash);
  const { url: given, path = "/" } = state;
  const chosen = exampleOf(given);
  if (chosen) example.value = given ?? "";
  else url.value = given ?? "";
  if (given === undefined && source === undefined) {
    readout.textContent = "Give a URL, drop a folder or a zip, or choose an example";
    return;
  }
  void opens(async (isLast) =>
    openSource(chosen ? await chosen.make() : await openUrl(given ?? ""), path, isLast),
  );
}
addEventListener("hashchange", start);
start();
