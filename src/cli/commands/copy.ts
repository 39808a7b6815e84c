/** `wazarr copy`: an array or a hierarchy to another place, in another format, layout or codecs. */
import { copyNode } from "../../index.js";
import type { CommandLine } from "../arguments.js";
import { parseLayout } from "../layout.js";
import { createProgress } from "../progress.js";
import { areNested, openHierarchy, parseNodeName, withTarget } from "../stores.js";
import { UsageError } from "../usage.js";

export async function copy(line: CommandLine): Promise<void> {
  const [source, target] = line.operands.map(parseNodeName);
  if (source === undefined || target === undefined)
    throw new UsageError("expected SRC[::PATH] and DST[::PATH]");
  const layout = parseLayout(line);
  if (await areNested(source, target)) {
    throw new UsageError("expected a target that neither is the source nor contains it nor lies within it");
  }
  const progress = createProgress("chunks");
  try {
    const from = await openHierarchy(source);
    await withTarget(target, (to) =>
      copyNode(from, to, {
        ...layout,
        onProgress: ({ chunksDone, chunksTotal }) => progress.update(chunksDone, chunksTotal),
      }),
    );
  } finally {
    progress.end();
  }
}
