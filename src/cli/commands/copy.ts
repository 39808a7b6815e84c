/** `wazarr copy`: copies an array or a hierarchy, and converts its format, layout and codecs on request. */

import { resolve } from "node:path";
import { addressOfNode, CheckedStore, Member, withoutSecrets } from "../../extend.js";
import { isZarrError, Location } from "../../index.js";
import { type CopyOptions, copyNode } from "../../main/copy.js";
import { addressKind, isZip } from "../../stores/addresses/open-store.js";
import {
  countTasks,
  isUnfinished,
  type Plan,
  type PlanCopyOptions,
  planCopy,
  runLocal,
} from "../../work/jobs.js";
import type { WorkerPool } from "../../workers/pool.js";
import { type Command, type CommandLine, UsageError } from "../command.js";
import { ALLOW, QUIET } from "../common-options.js";
import { byteCount, LAYOUT, oneInteger, parseLayout } from "../layout.js";
import { withAdvice } from "../open-node.js";
import { print } from "../output.js";
import { areNested, type NodeName, openHierarchy, openKnown, parseNodeName, withTarget } from "../stores.js";
import { reportProblem } from "../text/problems.js";
import { createProgress, duration, noProgress } from "../text/progress.js";
import { counted, size } from "../text/words.js";

export const copy: Command = {
  name: "copy",
  summary: "copies an array or a hierarchy; converts format, chunks and codecs",
  operands: ["SRC", "DST"],
  description: [
    "DST is a directory, a bucket or a .zip. Copies to a directory or bucket run in tasks of bounded memory, and can be resumed.",
    "Without layout options, chunks are copied as they are.",
  ],
  options: {
    ...LAYOUT,
    resume: {
      type: "flag",
      help: "Continues an interrupted copy to a directory or bucket; pass the options it was begun with. Exit status 0 if the copy is already finished.",
    },
    "max-memory": {
      type: "string",
      value: "500MB",
      help: "Memory that a copy to a directory or bucket may use beyond the program itself: bytes, or 500MB, 2GiB. Default: 256MiB. --resume needs the same value.",
    },
    "dry-run": {
      type: "flag",
      help: "Prints what a copy to a directory or bucket would do, without doing it.",
    },
    workers: { type: "string", value: "N", help: "Decodes and encodes on N other cores." },
    quiet: QUIET,
    allow: ALLOW,
  },
  examples: [
    "wazarr copy temperature.zarr copy.zarr --zarr-format 2 --chunks 61,103,180",
    "wazarr copy 'temperature.zarr|zarr:t2m' t2m.zip --codecs shuffle,zstd:5",
  ],
  run: copyNodes,
};

interface Copy {
  readonly source: NodeName;
  readonly target: NodeName;
  readonly layout: CopyOptions;
  readonly line: CommandLine;
  readonly isQuiet: boolean;
}

/** @returns whether everything has been copied */
async function copyNodes(line: CommandLine): Promise<boolean> {
  const [source, target] = line.operands.map((name) => parseNodeName(name, line.list("allow")));
  if (source === undefined || target === undefined) throw new UsageError("expected SRC and DST");
  const layout = await parseLayout(line);
  if (await areNested(source, target)) {
    throw new UsageError("SRC and DST: expected two nodes of which neither contains the other");
  }
  const request = { source, target, layout, line, isQuiet: line.flag("quiet") };
  // A .zip is written as a whole, and `copyAtOnce` refuses a URL.
  const { store } = target;
  const kind = addressKind(store);
  if ((kind !== "path" && kind !== "bucket") || (await isZip(store))) return copyAtOnce(request);
  return copyByPlan(request);
}

/**
 * Copies in tasks of bounded memory. The target records finished tasks, so that `--resume` continues an
 * interrupted copy.
 */
async function copyByPlan({ source, target, layout, line, isQuiet }: Copy): Promise<boolean> {
  const { concurrency, overwrite, ...conversion } = layout;
  const resume = line.flag("resume");
  const open = (store: string) => openKnown(store, source.allow);
  const options = {
    ...conversion,
    overwrite,
    resume,
    maxMemory: byteCount(line.text("max-memory"), "max-memory"),
    open,
  };
  const planOf = (also: PlanCopyOptions): Promise<Plan> =>
    withAdvice(source, () => planCopy(absolute(source), absolute(target), { ...options, ...also }));
  const plan = await planOf({}).catch(async (error: unknown) => {
    if (resume && isZarrError(error, "AlreadyExistsError") && (await isFinished(target, planOf)))
      return undefined;
    throw error;
  });
  if (plan === undefined) {
    if (!isQuiet) await print(FINISHED);
    return true;
  }
  if (line.flag("dry-run")) {
    await print(describePlan(plan));
    return true;
  }
  const progress = isQuiet ? noProgress : createProgress("tasks");
  const end = endOf(target, isQuiet);
  const workers = await workersOf(line);
  try {
    const { isFinished, failed, tasksRun, tasksBefore, tasksUnchecked } = await runLocal(plan, {
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
        `${counted(failed.length, "task")} failed; fix the cause, then run the command again with --resume`,
      );
      return false;
    }
    for (const note of isQuiet ? [] : plan.notes) reportProblem(note);
    if (tasksUnchecked > 0 && !isQuiet) reportProblem(unchecked(tasksUnchecked));
    const before = tasksBefore > 0 ? `, ${tasksBefore} of them by an earlier run` : "";
    await end(`${counted(tasksRun + tasksBefore, "task")}${before}, ${size(plan.estimate.bytesWritten)}`);
    return true;
  } finally {
    progress.end();
    await workers?.close();
  }
}

function unchecked(tasks: number): string {
  return `the source does not tell whether its elements have changed since an earlier run copied those of ${counted(tasks, "task")}; to compare them, run wazarr verify DST --against SRC`;
}

/** Prints the last line of a copy: what was copied, where and how long it took. */
function endOf({ store, path }: NodeName, isQuiet: boolean): (what: string) => Promise<void> {
  const start = performance.now();
  const to = addressOfNode(withoutSecrets(store), path);
  return async (what) => {
    if (!isQuiet)
      await print(`copied to ${to}: ${what}, in ${duration((performance.now() - start) / 1000)}\n`);
  };
}

const FINISHED =
  "already finished: all documents are those of this copy, and no copy is unfinished there; to compare the elements, run wazarr verify DST --against SRC\n";

/**
 * Whether the target looks as this copy leaves it. Notes of what is done are removed at the end, so documents
 * must tell: all are those that the copy writes, and no notes are there.
 */
async function isFinished(
  target: NodeName,
  planOf: (also: PlanCopyOptions) => Promise<Plan>,
): Promise<boolean> {
  const { store, path } = await openHierarchy(target);
  if (await isUnfinished(new Location(store, path))) return false;
  // A plan that may replace what is there: it is not run.
  const { stages } = await planOf({ overwrite: true, resume: false });
  const groups = stages.flatMap((stage) => stage.groups);
  const made = groups.find(({ kind }) => kind === "create-nodes");
  // Arrays between two stages are gone at the end.
  const removed = groups
    .filter(({ kind }) => kind === "remove-array")
    .map(({ parameters }) => `${new Member(parameters, {}).get("array").get("path").string()}/`);
  const values = new CheckedStore(store);
  for (const member of new Member(made?.parameters ?? {}, {}).get("documents").list()) {
    const [name, text] = member.list(2);
    const key = `/${name?.string().slice(1) ?? ""}` as const;
    if (removed.some((prefix) => key.startsWith(prefix))) continue;
    const found = await values.get(key);
    if (found === undefined || new TextDecoder().decode(found) !== text?.string()) return false;
  }
  return true;
}

/** Largest number of failures to print: a full disk, for example, fails every task. */
const MOST_PROBLEMS = 20;

async function copyAtOnce({ source, target, layout, line, isQuiet }: Copy): Promise<true> {
  const ofPlans = {
    resume: line.flag("resume"),
    "max-memory": line.text("max-memory") !== undefined,
    "dry-run": line.flag("dry-run"),
  };
  for (const [option, isGiven] of Object.entries(ofPlans))
    if (isGiven) throw new UsageError(`--${option}: expected a directory to copy to, got ${target.store}`);
  const progress = isQuiet ? noProgress : createProgress("chunks");
  const end = endOf(target, isQuiet);
  let copied = "";
  const workers = await workersOf(line);
  try {
    const from = await openHierarchy(source);
    await withTarget(target, async (to) => {
      const options: CopyOptions = {
        ...layout,
        workers,
        onProgress({ chunksDone, chunksTotal, bytes }) {
          progress.update(chunksDone, chunksTotal, { done: bytes });
          copied = `${counted(chunksDone, "chunk")}, ${size(bytes)}`;
        },
      };
      const { notes } = await withAdvice(source, () => copyNode(from, to, options));
      progress.end();
      for (const { path, message } of isQuiet ? [] : notes) reportProblem(`${path}: ${message}`);
    });
    await end(copied || "no chunks");
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
  const count = oneInteger(line.text("workers"), "workers");
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
    ["writes", `${size(bytesWritten)} to the target, before encoding`],
    ["moves", `${size(bytesMoved)} through intermediate arrays`],
    ["memory", `${size(peakMemory)} at most, beyond the program itself`],
    ...notes.map((note) => ["note", note]),
  ];
  return rows.map(([name = "", text]) => `${name.padEnd(9)}${text}\n`).join("");
}
