/** `wazarr verify`: decodes every chunk and checks every checksum, or compares every element with another hierarchy. */
import { verify as verifyNode } from "../../index.js";
import { type CommandLine, listOf, textOf } from "../arguments.js";
import { counted, createProgress, print, reportProblem } from "../output.js";
import { type NodeName, openDirectory, openHierarchy, openSource, parseNodeName } from "../stores.js";

/** @returns whether no problem was found */
export async function verify({ operands, options }: CommandLine): Promise<boolean> {
  const allow = listOf({ options }, "allow");
  const other = textOf({ options }, "against");
  const against = other === undefined ? undefined : await openHierarchy(parseNodeName(other, allow));
  if (options.has("clean")) await clean(operands[0] ?? "");
  const source = { ...sourceOf(operands, against !== undefined), allow };
  const progress = createProgress(against === undefined ? "chunks" : "boxes");
  const report = await verifyNode(await (against === undefined ? openSource : openHierarchy)(source), {
    against,
    onProblem(problem) {
      progress.end();
      reportProblem(problem);
    },
    onProgress: ({ chunksDone, chunksTotal }) => progress.update(chunksDone, chunksTotal),
  }).finally(() => progress.end());
  const { groups, arrays, chunks, chunksInGrid, problems } = report;
  const counts = [
    counted(groups, "group"),
    counted(arrays, "array"),
    `${chunks} of ${counted(chunksInGrid, "chunk")} stored`,
    counted(problems, "problem"),
  ];
  await print(`${counts.join(", ")}\n`);
  return problems === 0;
}

/** Removes leftovers of writers that died from a directory, and prints how many. */
async function clean(name: string): Promise<void> {
  const { files, bytes } = await openDirectory(parseNodeName(name).store).removeTemporaryFiles();
  await print(`removed ${counted(files, "temporary file")}, ${bytes} bytes\n`);
}

/** The node from STORE [PATH]. With --against, STORE::PATH is allowed too, as in the value of --against. */
function sourceOf([store = "", path]: readonly string[], isCompared: boolean): NodeName {
  return isCompared && path === undefined ? parseNodeName(store) : { store, path: path ?? "/" };
}
