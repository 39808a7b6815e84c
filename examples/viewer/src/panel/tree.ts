/** The tree of groups and arrays. */
import {
  children,
  Group,
  isZarrError,
  type Location,
  type Node,
  Array as ZarrArray,
  type ZarrError,
} from "wazarr";
import { isImage } from "../data/image-layer.js";
import { element } from "../element.js";
import { wordsOf } from "../opening.js";
import { hasSmallPicture, paintSmall } from "../picture/small-picture.js";
import { createSmallPictures } from "./small-pictures.js";

/** Ends the small pictures of the last tree. */
let close: () => void = () => {};

/**
 * Fills the tree node by node, as they are found, until another one takes its place.
 * @param top a node, or a folder of nodes that is none itself
 */
export async function showTree(
  place: HTMLElement,
  top: Node | Location,
  shown: () => string,
  onChoose: (node: Node) => void,
): Promise<void> {
  const list = element("ul");
  place.replaceChildren(list);
  close();
  const pictures = createSmallPictures(place);
  close = pictures.close;
  /** @param beside nodes of its group; none for what has no picture beside it: the top, levels of an image */
  const add = async (node: Node, into: HTMLElement, beside?: readonly Node[]): Promise<void> => {
    if (!list.isConnected) return;
    const name = node.path === "/" ? "/" : node.path.slice(node.path.lastIndexOf("/") + 1);
    const button = element(
      "button",
      { type: "button", "data-path": node.path },
      element("span", {}, name, " ", element("small", {}, kindOf(node))),
    );
    button.addEventListener("click", () => onChoose(node));
    const item = element("li", {}, button);
    into.append(item);
    if (beside && hasSmallPicture(node)) {
      // The name beside it says what it is of.
      const canvas = element("canvas", { "aria-hidden": "true", width: 0 });
      button.append(canvas);
      pictures.add(canvas, (signal) => paintSmall(canvas, node, beside, signal));
    }
    markInTree(place, shown());
    if (node.kind === "array") return;
    await addBelow(node, item, isImage(node));
  };
  const addBelow = async (at: Location, item: HTMLElement, isImage = false): Promise<void> => {
    const inner = element("ul");
    item.append(inner);
    const unreadable: HTMLElement[] = [];
    const onUnreadable = (path: string, { reason }: ZarrError): void => {
      const name = path.slice(path.lastIndexOf("/") + 1);
      const words = element("small", { class: "unreadable" }, `unreadable: ${reason}`);
      unreadable.push(element("li", { "data-path": path }, name, " ", words));
    };
    const all = await children(at, { onUnreadable });
    inner.append(...unreadable);
    for (const child of all) await add(child, inner, isImage ? undefined : all);
  };
  const isNode = top instanceof Group || top instanceof ZarrArray;
  await (isNode ? add(top, list) : addBelow(top, list)).catch((error: unknown) => {
    const words = isZarrError(error, "UnsupportedError")
      ? "What is below cannot be listed here: open an array by its URL."
      : wordsOf(error);
    list.append(element("li", {}, element("small", {}, words)));
  });
}

/** Marks what is shown; that is the one stop of the tab key in the tree. */
export function markInTree(place: HTMLElement, path: string): void {
  const buttons = [...place.querySelectorAll("button")];
  const current = buttons.find((button) => button.dataset.path === path);
  for (const button of buttons) button.setAttribute("aria-current", String(button === current));
  stopAt(buttons, current ?? buttons[0]);
}

function stopAt(buttons: readonly HTMLElement[], chosen: HTMLElement | undefined): void {
  for (const button of buttons) button.tabIndex = button === chosen ? 0 : -1;
}

/** Arrow keys go from node to node. */
export function listenToTree(place: HTMLElement): void {
  place.addEventListener("keydown", (event) => {
    const buttons = [...place.querySelectorAll("button")];
    const at = buttons.findIndex((button) => button.matches(":focus"));
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    const button = next === undefined || at < 0 ? undefined : buttons[next];
    if (!button) return;
    event.preventDefault();
    stopAt(buttons, button);
    button.focus();
  });
}

function kindOf(node: Node): string {
  if (node.kind === "array") return `${String(node.dtype)} ${node.shape.join(" × ")}`;
  return isImage(node) ? "image" : "group";
}
