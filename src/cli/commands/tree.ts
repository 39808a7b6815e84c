/** `wazarr tree`: the nodes of a hierarchy. */

import { stringifyJson } from "../../extend.js";
import {
  children,
  type JsonObject,
  type ListOptions,
  type Node,
  tree as treeText,
  type ZarrError,
} from "../../index.js";
import type { Command } from "../command.js";
import { ALLOW, JSON_OPTION } from "../common-options.js";
import { outline } from "../describe-node.js";
import { openNode } from "../open-node.js";
import { print } from "../output.js";
import { nodeOfOperands } from "../stores.js";
import { reportProblem } from "../text/problems.js";

type OnUnreadable = NonNullable<ListOptions["onUnreadable"]>;

export const tree: Command = {
  name: "tree",
  summary: "prints the nodes of a hierarchy",
  operands: ["STORE", "[PATH]"],
  description: [
    "Prints the groups and arrays at and below a node, with shapes and data types. An HTTP store that cannot be listed needs consolidated metadata.",
    "A node whose metadata cannot be read has the reason in its line; the exit status is then 1.",
  ],
  options: { json: JSON_OPTION, allow: ALLOW },
  examples: ["wazarr tree temperature.zarr"],
  async run({ operands, flag, list }) {
    const node = await openNode(nodeOfOperands(operands, list("allow")), { isHierarchy: true });
    const problems: ZarrError[] = [];
    const onUnreadable = (_: string, error: ZarrError) => void problems.push(error);
    const text = flag("json")
      ? stringifyJson(await branch(node, onUnreadable), { indent: 2 })
      : await treeText(node, { onUnreadable });
    await print(`${text}\n`);
    for (const problem of problems) reportProblem(problem);
    return problems.length === 0;
  },
};

async function branch(node: Node, onUnreadable: OnUnreadable): Promise<JsonObject> {
  if (node.kind === "array") return outline(node);
  const unreadable: JsonObject[] = [];
  const nodes = await children(node, {
    onUnreadable(path, error) {
      unreadable.push({ path, error: error.reason });
      onUnreadable(path, error);
    },
  });
  const below: JsonObject[] = [];
  for (const child of nodes) below.push(await branch(child, onUnreadable));
  return { ...outline(node), children: [...below, ...unreadable] };
}
