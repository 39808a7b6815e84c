/** `wazarr consolidate`: writes the consolidated metadata of a hierarchy. */
import { consolidateMetadata } from "../../index.js";
import type { CommandLine } from "../arguments.js";
import { counted, print } from "../output.js";
import { withTarget } from "../stores.js";

export async function consolidate({ operands: [store = ""] }: CommandLine): Promise<void> {
  await withTarget({ store, path: "/" }, async (location) => {
    await print(`${counted(await consolidateMetadata(location.store), "node")}\n`);
  });
}
