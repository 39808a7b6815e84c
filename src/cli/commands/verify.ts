/**
 * `wazarr verify`: decodes every chunk and checks every checksum, or compares every element with another
 * hierarchy.
 */
import { verify as verifyNode } from "../../main/copy.js";
import { isUnfinished } from "../../work/jobs.js";
import type { Command, CommandLine } from "../command.js";
import { ALLOW } from "../common-options.js";
import { withAdvice } from "../open-node.js";
import { print } from "../output.js";
import { nodeOfOperands, openDirectory, openHierarchy, openSource, parseNodeName } from "../stores.js";
import { HOW_TO_FINISH, UNFINISHED } from "../text/notes.js";
import { reportProblem } from "../text/problems.js";
import { createProgress } from "../text/progress.js";
import { counted } from "../text/words.js";

export const verify: Command = {
  name: "verify",
  summary:
    "decodes every chunk, checks every checksum, or compares every element with another array or hierarchy",
  operands: ["STORE", "[PATH]"],
  description: [
    "Prints one line per problem, and how many chunks are stored. Missing chunks are valid, so only --against shows whether a copy is complete.",
  ],
  options: {
    against: {
      type: "string",
      value: "DST",
      help: "Compares every element with that of another array or hierarchy, whatever its format, chunks and codecs.",
    },
    clean: {
      type: "flag",
      help: "First removes temporary files that killed writers left in a directory. No program may be writing there.",
    },
    allow: ALLOW,
  },
  examples: ["wazarr verify temperature.zarr", "wazarr verify copy.zarr --against temperature.zarr"],
  run: verifyNodes,
};

/** @returns whether no problem was found */
async function verifyNodes({ operands, flag, text, list }: CommandLine): Promise<boolean> {
  const allow = list("allow");
  const other = text("against");
  const against = other === undefined ? undefined : await openHierarchy(parseNodeName(other, allow));
  const source = nodeOfOperands(operands, allow);
  if (flag("clean")) await clean(source.store);
  const progress = createProgress(against === undefined ? "chunks" : "boxes");
  const location = await (against === undefined ? openSource : openHierarchy)(source);
  const report = await withAdvice(source, () =>
    verifyNode(location, {
      against,
      onProblem(problem) {
        progress.end();
        reportProblem(problem);
      },
      onProgress: ({ chunksDone, chunksTotal }) => progress.update(chunksDone, chunksTotal),
    }),
  ).finally(() => progress.end());
  const { groups, arrays, chunks, chunksInGrid, problems } = report;
  const counts = [
    counted(groups, "group"),
    counted(arrays, "array"),
    `${chunks} of ${counted(chunksInGrid, "chunk")} stored`,
    counted(problems, "problem"),
  ];
  const note = (await isUnfinished(location)) ? `Note: ${UNFINISHED}: ${HOW_TO_FINISH}\n` : "";
  await print(`${counts.join(", ")}\n${note}`);
  return problems === 0;
}

/** Removes leftovers of writers that died from a directory, and prints how many. */
async function clean(name: string): Promise<void> {
  const { files, bytes } = await openDirectory(name).removeTemporaryFiles();
  await print(`removed ${counted(files, "temporary file")}, ${bytes} bytes\n`);
}
