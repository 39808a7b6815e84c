/** `wazarr consolidate`: writes the consolidated metadata of a hierarchy. */
import { consolidateMetadata } from "../../index.js";
import type { Command } from "../command.js";
import { print } from "../output.js";
import { withTarget } from "../stores.js";
import { counted } from "../words.js";

export const consolidate: Command = {
  name: "consolidate",
  summary: "writes the consolidated metadata of a hierarchy",
  operands: ["STORE"],
  description: [
    "Stores that cannot be listed (HTTP) need consolidated metadata. Write them again after nodes were created or deleted.",
  ],
  options: {},
  examples: ["wazarr consolidate temperature.zarr"],
  async run({ operands: [store = ""] }) {
    await withTarget({ store, path: "/" }, async (location) => {
      await print(`${counted(await consolidateMetadata(location.store), "node")}\n`);
    });
  },
};
