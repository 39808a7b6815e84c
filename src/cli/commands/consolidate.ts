/** `wazarr consolidate`: writes the consolidated metadata of a hierarchy. */
import { consolidateMetadata } from "../../index.js";
import type { Command } from "../command.js";
import { withAdvice } from "../open-node.js";
import { print } from "../output.js";
import { withTarget } from "../stores.js";
import { counted } from "../text/words.js";

export const consolidate: Command = {
  name: "consolidate",
  summary: "writes the consolidated metadata of a hierarchy",
  operands: ["STORE"],
  description: [
    "Stores that cannot be listed (HTTP) need consolidated metadata. Run it again after nodes are created or deleted.",
  ],
  options: {},
  examples: ["wazarr consolidate temperature.zarr"],
  async run({ operands: [store = ""] }) {
    const name = { store, path: "/" };
    await withTarget(name, async ({ store: opened }) => {
      const count = await withAdvice(name, () => consolidateMetadata(opened));
      await print(`${counted(count, "node")}\n`);
    });
  },
};
