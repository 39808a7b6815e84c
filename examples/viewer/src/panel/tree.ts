/** The tree of groups and arrays. */
import { children, isZarrError, type Node } from "wazarr";
import { isImage } from "../data/image-layer.js";
import { element } from "../element.js";
import { wordsOf } from "../opening.js";

/** Fills the tree node by node, as they are found. @param isLast false: something else was opened */
export async function showTree(
  place: HTMLElement,
  top: Node,
  shown: () => string,
  isLast: () => boolean,
  onChoose: (node: Node) => void,
): Promise<void> {
  const list = element("ul");
  place.replaceChildren(list);
  const add = async (node: Node, list: HTMLElement): Promise<void> => {
    if (!isLast()) return;
    const name = node.path === "/" ? "/" : node.path.slice(node.path.lastIndexOf("/") + 1);
    const button = element(
      "button",
      { type: "button", "data-path": node.path },
      name,
      " ",
      element("small", {}, kindOf(node)),
    );
    button.addEventListener("click", () => onChoose(node));
    const item = element("li", {}, button);
    list.append(item);
    markInTree(place, shown());
    if (node.kind === "array") return;
    const inner = element("ul");
    item.append(inner);
    for (const child of await children(node)) await add(child, inner);
  };
  await add(top, list).catch((error: unknown) => {
    const words = isZarrError(error, "UnsupportedError")
      ? "What is below cannot be listed here: open an array by its URL."
      : wordsOf(error);
    list.append(element("li", {}, element("small", {}, words)));
  });
}

/** Marks what is shown. */
export function markInTree(place: HTMLElement, path: string): void {
  for (const button of place.querySelectorAll("button"))
    button.setAttribute("aria-current", String(button.dataset.path === path));
}

function kindOf(node: Node): string {
  if (node.kind === "array") return `${String(node.dtype)} ${node.shape.join(" × ")}`;
  return isImage(node) ? "image" : "group";
}
