/** `wazarr tree`: what is in a hierarchy. */
import { children, type JsonObject, type Node, open, tree as treeText } from "../../index.js";
import { stringifyJson } from "../../metadata/json.js";
import type { CommandLine } from "../arguments.js";
import { outline } from "../describe-node.js";
import { print } from "../output.js";
import { openHierarchy } from "../stores.js";

export async function tree({ operands: [store = "", path = "/"], options }: CommandLine): Promise<void> {
  const location = await openHierarchy({ store, path });
  const text = options.has("json")
    ? stringifyJson(await branch(await open(location)), { indent: 2 })
    : await treeText(location);
  await print(`${text}\n`);
}

async function branch(node: Node): Promise<JsonObject> {
  if (node.kind === "array") return outline(node);
  const below: JsonObject[] = [];
  for (const child of await children(node)) below.push(await branch(child));
  return { ...outline(node), children: below };
}
