/** Runs one task of a plan. */
import { untilAborted } from "../abort.js";
import { describe, UnsupportedError } from "../errors.js";
import type { RunKind, TaskContext, TaskResult } from "./context.js";
import { PLAN_VERSION, type Task } from "./plan.js";
import { combineParts } from "./tasks/combine-parts.js";
import { copyBox } from "./tasks/copy-box.js";
import { copyChunks } from "./tasks/copy-chunks.js";
import { createNodes } from "./tasks/create-nodes.js";
import { downsampleBox } from "./tasks/downsample-box.js";
import { reduceOneBox } from "./tasks/reduce-box.js";
import { removeArray } from "./tasks/remove-array.js";
import { verifyChunks } from "./tasks/verify-chunks.js";

/** The kinds of tasks, each a file of tasks/. */
const KINDS: Readonly<Record<string, RunKind>> = {
  "create-nodes": createNodes,
  "copy-box": copyBox,
  "copy-chunks": copyChunks,
  "downsample-box": downsampleBox,
  "reduce-box": reduceOneBox,
  "combine-parts": combineParts,
  "remove-array": removeArray,
  "verify-chunks": verifyChunks,
};

/**
 * Runs one task, which may come from a queue: nothing but it and the stores is needed. Repeating a task, also one that was killed half-way or
 * runs elsewhere at the same time, leaves the same bytes.
 * @returns what it found, for tasks that find something
 * @throws UnsupportedError for a task of another version or kind, InvalidMetadataError for parameters that do not fit it, and what reading
 *   and writing arrays throws
 */
export async function runTask(task: Task, context: TaskContext = {}): Promise<TaskResult> {
  const run = Object.hasOwn(KINDS, task.kind) ? KINDS[task.kind] : undefined;
  if (run === undefined || task.version !== PLAN_VERSION) {
    const known = Object.keys(KINDS).join(", ");
    throw new UnsupportedError(
      `expected a task of version ${PLAN_VERSION} of the kinds ${known}, got version ${describe(task.version)}, ${describe(task.kind)}: ` +
        "plans are run by the version of wazarr that made them, or a later one",
    );
  }
  return untilAborted(context.signal, () => run(task, context));
}
