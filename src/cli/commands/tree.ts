/** `wazarr tree`: the nodes of a hierarchy. */

import { stringifyJson } from "../../extend.js";
import { children, type JsonObject, type Node, tree as treeText } from "../../index.js";
import type { Command } from "../command.js";
import { ALLOW, JSON_OPTION } from "../common-options.js";
import { outline } from "../describe-node.js";
import { openNode } from "../open-node.js";
import { print } from "../output.js";
import { nodeOfOperands } from "../stores.js";

export const tree: Command = {
  name: "tree",
  summary: "prints the nodes of a hierarchy",
  operands: ["STORE", "[PATH]"],
  description: [
    "Prints the groups and arrays at and below a node, with shapes and data types. An HTTP store that cannot be listed needs consolidated metadata.",
  ],
  options: { json: JSON_OPTION, allow: ALLOW },
  examples: ["wazarr tree temperature.zarr"],
  async run({ operands, flag, list }) {
    const node = await openNode(nodeOfOperands(operands, list("allow")), { isHierarchy: true });
    await print(
      `${flag("json") ? stringifyJson(await branch(node), { indent: 2 }) : await treeText(node)}\n`,
    );
  },
};

async function branch(node: Node): Promise<JsonObject> {
  if (node.kind === "array") return outline(node);
  const below: JsonObject[] = [];
  for (const child of await children(node)) below.push(await branch(child));
  return { ...outline(node), children: below };
}
