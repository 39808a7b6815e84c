/** What `open` makes of arrays of stores with `arrayExtensions`; open.ts loads this for such stores. */
import { InvalidArgumentError } from "../errors.js";
import { type Node, ZarrArray } from "./nodes.js";

/** @throws InvalidArgumentError for what is no function of an array that gives an array */
export async function extendOpened(node: Node, extensions: readonly unknown[]): Promise<Node> {
  if (node.kind === "group") return node;
  let array: ZarrArray = node;
  for (const extension of extensions) {
    const extended: unknown =
      typeof extension === "function" ? await Reflect.apply(extension, undefined, [array]) : extension;
    if (!(extended instanceof ZarrArray)) {
      throw new InvalidArgumentError(
        `arrayExtensions of the store: expected functions that give an array, got ${String(extended)}`,
        { path: node.path },
      );
    }
    array = extended;
  }
  return array;
}
