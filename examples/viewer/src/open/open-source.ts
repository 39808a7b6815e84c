/** Opens stores and nodes of them, and shows what a person would look at first. */
import {
  type ConsolidatedFormat,
  isZarrError,
  type Location,
  type Node,
  open,
  root,
  type Store,
} from "wazarr";
import { firstNode } from "../data/choose.js";
import { prepareMap } from "../map/load.js";
import { isOfMap } from "../picture/choose-stage.js";
import { act, problems, title } from "../session.js";
import { EXAMPLES } from "../sources/examples.js";
import { type Files, openFiles } from "../sources/files.js";
import { ServedStore } from "../sources/served-store.js";
import { openUrl } from "../sources/urls.js";
import { page, readLink, remember, rememberNode } from "../state-of-page.js";
import { opens } from "./opening.js";
import { showNode } from "./show-node.js";
import { readTree } from "./tree.js";

let isOpen = false;

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
    act.value = { kind: "words", words: "A folder: choose one of its arrays and groups in the list." };
    return readTree(root(store));
  }
  // The tree is for looking around: the picture does not wait for it.
  const top = path === "/" ? node : await openNode(root(store), format).catch(() => node);
  void readTree(top);
  const first = page.value.stage === "cards" ? node : await firstNode(node);
  if (!isLast()) return;
  if (first !== node) remember({ path: first.path });
  await showNode(first, isLast);
}

/** Requests no documents of another format than the given one: the console would log a 404 for each. */
async function openNode(location: Location, format: ConsolidatedFormat | undefined): Promise<Node> {
  if (format === undefined) return open(location);
  return open[format](location).catch((error: unknown) => {
    if (isZarrError(error, "NotFoundError")) return open(location);
    throw error;
  });
}

/** Shows a node of the tree. */
export function choose(node: Node): void {
  rememberNode({ path: node.path });
  void opens((isLast) => showNode(node, isLast));
}

/** Shows another field of a plate as the last one was shown: the same channels, step and place. */
export function chooseField(plate: Node, path: string): void {
  const { channels, labels, indices, view } = page.peek();
  rememberNode({ path, channels, labels, indices, view });
  void opens(async (isLast) => {
    const field = await open(plate.resolve(path), { kind: "group" });
    if (isLast()) await showNode(field, isLast);
  });
}

/** Opens what is not at the URL of the page. */
function openOther(url: string | undefined, path: string, make: () => Promise<Store>): void {
  rememberNode({ url, path, format: undefined });
  void opens(async (isLast) => {
    act.value = { kind: "opening" };
    return openSource(await make(), path, isLast);
  });
}

/** Opens an address. A catalogue may say which node is meant, and how it is drawn; the link counts more. */
async function openPlace(text: string, isLast: () => boolean): Promise<void> {
  act.value = { kind: "opening" };
  const { path, format, range, colours } = page.value;
  const { location, render } = await openUrl(text, format);
  if (!isLast()) return;
  const isNew = range === undefined && colours === undefined;
  remember({ path: path ?? location.path, ...(isNew ? render : {}) });
  return openSource(location.store, path ?? location.path, isLast, format);
}

export function openAddress(text: string): void {
  const url = text.trim();
  if (url === "") return;
  nameAfter(url);
  rememberNode({ url, path: undefined, format: undefined });
  void opens((isLast) => openPlace(url, isLast));
}

export function openOwnFiles(files: Files | Promise<Files>): void {
  title.value = "Files";
  openOther(undefined, "/", async () => openFiles(await files));
}

export function openExample(index: number): void {
  const chosen = EXAMPLES[index];
  if (chosen) openOther(`example:${index}`, chosen.path, chosen.make);
}

function exampleOf(name: string | undefined) {
  const match = /^example:(\d+)$/.exec(name ?? "");
  return match ? EXAMPLES[Number(match[1])] : undefined;
}

function nameAfter(url: string): void {
  const [name] = url
    .replace(/[?#|].*$/, "")
    .split("/")
    .filter(Boolean)
    .slice(-1);
  title.value = name ?? url;
}

/** Shows what the URL of the page names. */
export function openLink(): void {
  const { url: given, path, format } = readLink();
  if (given === undefined) {
    problems.value = [];
    if (!isOpen) act.value = { kind: "start" };
    return;
  }
  if (isOfMap(page.value)) prepareMap();
  const chosen = exampleOf(given);
  if (chosen) title.value = chosen.title;
  else nameAfter(given);
  void opens(async (isLast) => {
    if (!chosen) return openPlace(given, isLast);
    act.value = { kind: "opening" };
    return openSource(await chosen.make(), path ?? "/", isLast, format);
  });
}
