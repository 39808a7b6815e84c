/** `wazarr info`: the metadata of a node, or a data set. */
import { describe, stringifyJson } from "../../extend.js";
import type { Node } from "../../index.js";
import { unsupportedCodecs } from "../../main/codecs.js";
import type { Command } from "../command.js";
import { ALLOW, JSON_OPTION } from "../common-options.js";
import { countStored, describeNode } from "../describe-node.js";
import { openNode } from "../open-node.js";
import { print } from "../output.js";
import { nodeOfOperands } from "../stores.js";
import type { Paint } from "../text/colours.js";
import { datasetText } from "../text/dataset-text.js";
import { headOf, nodeText } from "../text/node-text.js";
import { notesOn } from "../text/notes.js";
import { reportProblem } from "../text/problems.js";

export const info: Command = {
  name: "info",
  summary: "prints the metadata of an array, a group or a data set",
  operands: ["STORE", "[PATH]"],
  description: [
    "Prints shape, data type, chunks, codecs and attributes of an array, and how many of its chunks are stored. Exit status 1 for an array with a codec that wazarr does not have. Notes report an unfinished copy, and consolidated metadata that differ from the documents. A group of arrays with named dimensions is shown as a data set, as xarray shows it: decoded by the CF conventions.",
  ],
  options: { json: JSON_OPTION, allow: ALLOW },
  examples: ["wazarr info temperature.zarr", "wazarr info temperature.zarr t2m --json"],
  async run({ operands, flag, list }) {
    const node = await openNode(nodeOfOperands(operands, list("allow")));
    if (flag("json")) {
      const counts = node.kind === "array" ? { stored: await countStored(node) } : {};
      const found = await notesOn(node);
      const notes = found.length === 0 ? {} : { notes: found };
      await print(`${stringifyJson({ ...describeNode(node), ...counts, ...notes }, { indent: 2 })}\n`);
      return isReadable(node);
    }
    const dataset = node.kind === "group" ? await datasetText(node) : undefined;
    const notes = (await notesOn(node)).map((note) => `Note: ${note}\n`).join("");
    const stored = node.kind === "array" ? await countStored(node) : undefined;
    await print(
      `${dataset === undefined ? nodeText(node, stored) : `${headOf(node)}\n${dataset}`}${notes}`,
      inColour,
    );
    return isReadable(node);
  },
};

/** Reports the codecs of an array that wazarr does not have. */
function isReadable(node: Node): boolean {
  const unknown = node.kind === "array" ? unsupportedCodecs(node) : [];
  for (const name of unknown)
    reportProblem(`no codec ${describe(name)}, so elements cannot be read; convert the array with Python`);
  return unknown.length === 0;
}

/** The first line, and the words at the beginning of others. */
function inColour(text: string, paint: Paint): string {
  return text
    .replace(/^.*/, (head) => paint("bold", head))
    .replace(/^(?:[a-z]+(?: [a-z]+)?(?= {2})|attributes$|[A-Z][a-z]+(?: [a-z]+)?:)/gm, (name) =>
      paint("cyan", name),
    );
}
