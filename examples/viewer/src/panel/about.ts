/** The metadata of a node, as JSON; for a group what is below it, too. */
import { type Node, tree } from "wazarr";

export async function showAbout(place: HTMLDetailsElement, node: Node): Promise<void> {
  const content = node.kind === "array" ? node.metadata : node.metadata.attributes;
  const json = JSON.stringify(
    content,
    (_, value: unknown) => (typeof value === "bigint" ? String(value) : value),
    2,
  );
  const below = node.kind === "array" ? "" : `${await tree(node).catch(() => node.path)}\n\n`;
  place.querySelector("pre")?.replaceChildren(below + json);
  place.open = node.kind === "group";
}
