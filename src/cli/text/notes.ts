/** The notes of `info` on a node: what a reader should know before trusting it. */

import { CheckedStore, checkConsolidated } from "../../extend.js";
import type { Node } from "../../index.js";
import { isUnfinished } from "../../work/jobs.js";
import { inWordsOfCommands } from "./problems.js";

/** The note on a node for which `isUnfinished` is true, and the command that helps. */
export const UNFINISHED = "a copy to this node is unfinished, or under way";
export const HOW_TO_FINISH = "wazarr copy --resume continues it";

/** Notes of a kind to print. */
const MOST_NOTES = 5;
/** Documents that consolidated metadata are compared with; `wazarr verify` compares any number. */
const MOST_COMPARED = 2000;

export async function notesOn(node: Node): Promise<readonly string[]> {
  const { store, path } = node;
  const notes: string[] = [];
  // Behind a network each document would be a request.
  if (!new CheckedStore(store).canList) return notes;
  if (await isUnfinished(node)) notes.push(`${UNFINISHED}: ${HOW_TO_FINISH}`);
  const { zarrFormat } = node.metadata;
  if (path === "/" && zarrFormat !== "draft") {
    const found = await checkConsolidated(store, zarrFormat, { most: MOST_COMPARED });
    const { documents = 0, stale } = found ?? { stale: [] };
    if (stale === undefined) {
      notes.push(
        `the consolidated metadata list ${documents} documents, more than info compares; wazarr verify compares them`,
      );
      return notes;
    }
    notes.push(...stale.slice(0, MOST_NOTES).map(({ message }) => inWordsOfCommands(message)));
    if (stale.length > MOST_NOTES) notes.push(`and ${stale.length - MOST_NOTES} more like that`);
  }
  return notes;
}
