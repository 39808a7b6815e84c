/** `wazarr verify`: decodes every chunk, checks every checksum. */
import { verify as verifyNode } from "../../index.js";
import type { CommandLine } from "../arguments.js";
import { print } from "../output.js";
import { reportProblem } from "../problems.js";
import { createProgress } from "../progress.js";
import { openSource } from "../stores.js";

/** @returns whether all is well */
export async function verify({ operands: [store = "", path = "/"] }: CommandLine): Promise<boolean> {
  const progress = createProgress("chunks");
  const report = await verifyNode(await openSource({ store, path }), {
    onProblem(problem) {
      progress.end();
      reportProblem(problem);
    },
    onProgress: ({ chunksDone, chunksTotal }) => progress.update(chunksDone, chunksTotal),
  }).finally(() => progress.end());
  const { groups, arrays, chunks, problems } = report;
  await print(
    `${counted(groups, "group")}, ${counted(arrays, "array")}, ${counted(chunks, "chunk")}, ${counted(problems, "problem")}\n`,
  );
  return problems === 0;
}

const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? "" : "s"}`;
