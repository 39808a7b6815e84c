/** The hierarchy of what is open, node by node as they are found. */
import { type Signal, signal } from "@preact/signals";
import { children, Group, isZarrError, type Location, type Node, Array as ZarrArray } from "wazarr";
import { inOrder } from "../data/choose.js";
import { isImage } from "../data/image-layer.js";
import { tree } from "../session.js";
import { wordsOf } from "./opening.js";

export type TreeItem = NodeItem | { readonly path: string; readonly unreadable: string };

export interface NodeItem {
  readonly path: string;
  readonly node: Node;
  /** Members of its group; undefined for what has no small picture: the top, levels of an image. */
  readonly beside: readonly Node[] | undefined;
  readonly below: Signal<readonly TreeItem[]>;
}

let reading = 0;

/** @param top a node, or a folder of nodes that is none itself */
export async function readTree(top: Node | Location): Promise<void> {
  const turn = ++reading;
  const isLast = (): boolean => turn === reading;

  async function add(node: Node, into: Signal<readonly TreeItem[]>, beside?: readonly Node[]): Promise<void> {
    const item: NodeItem = { path: node.path, node, beside, below: signal([]) };
    into.value = [...into.value, item];
    if (node.kind === "group") await addBelow(node, item.below, isImage(node));
  }

  async function addBelow(at: Location, into: Signal<readonly TreeItem[]>, isOfImage = false): Promise<void> {
    const unreadable: TreeItem[] = [];
    const all = await children(at, {
      onUnreadable: (path, { reason }) => unreadable.push({ path, unreadable: `unreadable: ${reason}` }),
    });
    into.value = unreadable;
    for (const child of inOrder(all)) {
      if (!isLast()) return;
      await add(child, into, isOfImage ? undefined : all);
    }
  }

  tree.value = [];
  const isNode = top instanceof Group || top instanceof ZarrArray;
  await (isNode ? add(top, tree) : addBelow(top, tree)).catch((error: unknown) => {
    if (!isLast()) return;
    const unreadable = isZarrError(error, "UnsupportedError")
      ? "What is below cannot be listed here: open an array by its URL."
      : wordsOf(error);
    tree.value = [...tree.value, { path: "", unreadable }];
  });
}

/** All nodes that are found, in the order of the tree. */
export function nodesOf(items: readonly TreeItem[]): readonly NodeItem[] {
  return items.flatMap((item) => ("node" in item ? [item, ...nodesOf(item.below.value)] : []));
}
