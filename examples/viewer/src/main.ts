/** The viewer: opens what the URL names, what the form asks for, and what is dropped on the page. */
import {
  type ConsolidatedFormat,
  isZarrError,
  type Location,
  type Node,
  open,
  root,
  type Store,
} from "wazarr";
import { firstNode } from "./data/first-node.js";
import { element } from "./element.js";
import { currentState, readLink, remember, rememberNode } from "./link.js";
import { opens, wordsOf } from "./opening.js";
import { find, page } from "./page.js";
import { showProblems } from "./panel/problems.js";
import { listenToTree, showTree } from "./panel/tree.js";
import { DEFAULT_COLOURS } from "./picture/colour-maps.js";
import { createPicture } from "./picture/picture.js";
import { createRenderer } from "./picture/renderer.js";
import { createScreen } from "./picture/screen.js";
import { tellProfile, tellValue } from "./probe.js";
import { workers } from "./reading.js";
import { showNode } from "./show-node.js";
import { EXAMPLES } from "./sources/examples.js";
import { chosenFiles, droppedFiles, openFiles } from "./sources/files.js";
import { ServedStore } from "./sources/served-store.js";
import { openUrl } from "./sources/urls.js";
import { setStage } from "./stage.js";

const [url, example] = [find("url", HTMLInputElement), find("example", HTMLSelectElement)];
const renderer = makeRenderer();
// Their code comes while documents do.
void workers.start();
let isOpen = false;

const picture = createPicture(page.canvas, page.axes, renderer, {
  onView: (view) => remember({ view }),
  onFrame: () => screen.update(),
  onPoint: (point) => void tellValue(screen.current(), point),
  onPick(point) {
    remember({ point });
    void tellValue(screen.current(), point);
    void tellProfile(screen.current(), point);
  },
  onKey(key) {
    const [first] = screen.current()?.sliders ?? [];
    if (key === ",") first?.step(-1);
    else if (key === ".") first?.step(1);
    else if (key === " ") first?.play();
  },
});
const screen = createScreen(renderer, picture);

/** @throws where there is no WebGL2, after saying so */
function makeRenderer(): ReturnType<typeof createRenderer> {
  try {
    return createRenderer(page.canvas);
  } catch (error) {
    showProblems(page.problems, [{ message: wordsOf(error), retry: () => location.reload() }]);
    throw error;
  }
}

async function openSource(
  store: Store,
  path: string,
  isLast: () => boolean,
  given?: ConsolidatedFormat,
): Promise<void> {
  isOpen = true;
  const format = given ?? (store instanceof ServedStore ? store.format : undefined);
  const node = await openNode(root(store).resolve(path), format).catch((error: unknown) => {
    if (!(store instanceof ServedStore) || path !== "/" || !isZarrError(error, "NotFoundError")) throw error;
    return undefined;
  });
  if (!isLast()) return;
  if (node === undefined) {
    setStage("words", "A folder: choose one of its arrays and groups in the tree.");
    return showTree(page.tree, root(store), () => currentState().path ?? "/", choose);
  }
  // The tree is for looking around: the picture does not wait for it.
  const top = path === "/" ? node : await openNode(root(store), format).catch(() => node);
  void showTree(page.tree, top, () => currentState().path ?? "/", choose);
  const first = await firstNode(node);
  if (!isLast()) return;
  if (first !== node) remember({ path: first.path });
  await showNode(screen, first, isLast);
}

/** Requests no documents of another format than the given one: the console would log a 404 for each. */
async function openNode(location: Location, format: ConsolidatedFormat | undefined): Promise<Node> {
  if (format === undefined) return open(location);
  return open[format](location).catch((error: unknown) => {
    if (isZarrError(error, "NotFoundError")) return open(location);
    throw error;
  });
}

function choose(node: Node): void {
  rememberNode({ path: node.path });
  void opens(async (isLast) => showNode(screen, node, isLast));
}

/** Opens what is not at the URL of the page. */
function openOther(url: string | undefined, path: string, make: () => Promise<Store>): void {
  rememberNode({ url, path, format: undefined });
  void opens(async (isLast) => openSource(await make(), path, isLast));
}

/** Opens an address. A catalogue may say which node is meant, and how it is drawn; the link counts more. */
async function openAddress(text: string, isLast: () => boolean): Promise<void> {
  const { path, format, range, colours } = currentState();
  const { location, render } = await openUrl(text, format);
  if (!isLast()) return;
  const isNew = range === undefined && colours === DEFAULT_COLOURS;
  remember({ path: path ?? location.path, ...(isNew ? render : {}) });
  return openSource(location.store, path ?? location.path, isLast, format);
}

listenToTree(page.tree);
find("open-form", HTMLFormElement).addEventListener("submit", (event) => {
  event.preventDefault();
  rememberNode({ url: url.value, path: undefined, format: undefined });
  void opens(async (isLast) => openAddress(url.value, isLast));
});
for (const id of ["files", "zip"]) {
  const input = find(id, HTMLInputElement);
  input.addEventListener("change", () =>
    openOther(undefined, "/", () => openFiles(chosenFiles(input.files ?? []))),
  );
}
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  const { items } = event.dataTransfer ?? {};
  if (!items) return;
  const files = droppedFiles(items);
  openOther(undefined, "/", async () => openFiles(await files));
});
example.append(
  element("option", { value: "" }, "Examples…"),
  ...EXAMPLES.map(({ title }, i) => element("option", { value: `example:${i}` }, title)),
);
example.addEventListener("change", () => {
  const chosen = exampleOf(example.value);
  if (chosen) openOther(example.value, chosen.path, chosen.make);
});

function exampleOf(name: string | undefined) {
  const match = /^example:(\d+)$/.exec(name ?? "");
  return match ? EXAMPLES[Number(match[1])] : undefined;
}

function start(): void {
  const { url: given, path, format } = readLink();
  const chosen = exampleOf(given);
  if (chosen) example.value = given ?? "";
  else url.value = given ?? "";
  if (given === undefined && !isOpen) {
    setStage("words", "Give a URL, drop a folder or a zip, or choose an example.");
    return;
  }
  void opens(async (isLast) => {
    if (chosen) return openSource(await chosen.make(), path ?? "/", isLast, format);
    return openAddress(given ?? "", isLast);
  });
}
addEventListener("hashchange", start);
start();
