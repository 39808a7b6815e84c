/** `wazarr copy`: copies an array or a hierarchy, and converts its format, layout and codecs on request. */
import { resolve } from "node:path";
import { type CopyOptions, copyNode } from "../../index.js";
import { isUrl, isZip } from "../../jobs/open-store.js";
import { countTasks, type Plan, planCopy, runLocal } from "../../jobs.js";
import type { WorkerPool } from "../../workers/pool.js";
import { type CommandLine, listOf, textOf, UsageError } from "../arguments.js";
import { byteCount, oneInteger, parseLayout } from "../layout.js";
import { counted, createProgress, noProgress, print, reportProblem, size } from "../output.js";
import { areNested, type NodeName, openHierarchy, openKnown, parseNodeName, withTarget } from "../stores.js";

interface Copy {
  readonly source: NodeName;
  readonly target: NodeName;
  readonly layout: CopyOptions;
  readonly line: CommandLine;
  readonly isQuiet: boolean;
}

/** @returns whether everything has been copied */
export async function copy(line: CommandLine): Promise<boolean> {
  const [source, target] = line.operands.map((name) => parseNodeName(name, listOf(line, "allow")));
  if (source === undefined || target === undefined)
    throw new UsageError("expected SRC[::PATH] and DST[::PATH]");
  const layout = await parseLayout(line);
  if (await areNested(source, target)) {
    throw new UsageError("expected a target that neither is the source nor contains it nor lies within it");
  }
  const asked = { source, target, layout, line, isQuiet: line.options.has("quiet") };
  // A .zip is written as a whole, and `copyAtOnce` refuses a URL.
  if (isUrl(target.store) || (await isZip(target.store))) return copyAtOnce(asked);
  return copyByPlan(asked);
}

/** Copies in tasks of bounded memory. The target records finished tasks, so that `--resume` continues an interrupted copy. */
async function copyByPlan({ source, target, layout, line, isQuiet }: Copy): Promise<boolean> {
  const { concurrency, overwrite, ...conversion } = layout;
  const resume = line.options.has("resume");
  const open = (store: string) => openKnown(store, source.allow);
  const plan = await planCopy(absolute(source), absolute(target), {
    ...conversion,
    overwrite,
    resume,
    maxMemory: byteCount(textOf(line, "max-memory"), "max-memory"),
    open,
  });
  if (line.options.has("dry-run")) {
    await print(describePlan(plan));
    return true;
  }
  const progress = isQuiet ? noProgress : createProgress("tasks");
  const workers = await workersOf(line);
  try {
    const { isFinished, failed } = await runLocal(plan, {
      open,
      workers,
      chunkConcurrency: concurrency,
      resume,
      onProgress: ({ tasksDone, tasksTotal, bytesDone, bytesTotal, bytesBefore }) =>
        progress.update(tasksDone, tasksTotal, { done: bytesDone, total: bytesTotal, before: bytesBefore }),
    });
    progress.end();
    for (const { error } of failed.slice(0, MOST_PROBLEMS)) reportProblem(error);
    if (!isFinished) {
      reportProblem(
        `${counted(failed.length, "task")} failed: once that is mended, resume: true does what is left`,
      );
    } else for (const note of isQuiet ? [] : plan.notes) reportProblem(note);
    return isFinished;
  } finally {
    progress.end();
    await workers?.close();
  }
}

/** Largest number of failures to print: a full disk, for example, fails every task. */
const MOST_PROBLEMS = 20;

async function copyAtOnce({ source, target, layout, line, isQuiet }: Copy): Promise<true> {
  for (const option of ["resume", "max-memory", "dry-run"]) {
    if (line.options.has(option))
      throw new UsageError(`--${option}: expected a directory to copy to, got ${target.store}`);
  }
  const progress = isQuiet ? noProgress : createProgress("chunks");
  const workers = await workersOf(line);
  try {
    const from = await openHierarchy(source);
    await withTarget(target, async (to) => {
      const { notes } = await copyNode(from, to, {
        ...layout,
        workers,
        onProgress: ({ chunksDone, chunksTotal, bytes }) =>
          progress.update(chunksDone, chunksTotal, { done: bytes }),
      });
      progress.end();
      for (const { path, message } of isQuiet ? [] : notes) reportProblem(`${path}: ${message}`);
    });
    return true;
  } finally {
    progress.end();
    await workers?.close();
  }
}

/** Makes the store's path absolute, so that the plan is the same when resumed from another directory. */
function absolute({ store, path }: NodeName): NodeName {
  return { store: /^[a-z][a-z0-9+.-]+:\/\//i.test(store) ? store : resolve(store), path };
}

async function workersOf(line: CommandLine): Promise<WorkerPool | undefined> {
  const count = oneInteger(textOf(line, "workers"), "workers");
  // Load the pool only when `--workers` is given.
  return count === undefined
    ? undefined
    : new (await import("../../workers/pool.js")).WorkerPool({ size: count });
}

function describePlan({ id, stages, estimate, notes }: Plan): string {
  const { tasks, bytesRead, bytesWritten, bytesMoved, peakMemory } = estimate;
  const rows = [
    ["plan", id],
    ...stages.map((stage, i) => [`stage ${i}`, `${stage.name}: ${counted(countTasks([stage]), "task")}`]),
    ["tasks", String(tasks)],
    ["reads", `${size(bytesRead)} from the source, decoded`],
    ["writes", `${size(bytesWritten)} to the target, before its codecs`],
    ["moves", `${size(bytesMoved)} through intermediate arrays`],
    ["memory", `${size(peakMemory)} at most, beyond the program itself`],
    ...notes.map((note) => ["note", note]),
  ];
  return rows.map(([name = "", text]) => `${name.padEnd(9)}${text}\n`).join("");
}
