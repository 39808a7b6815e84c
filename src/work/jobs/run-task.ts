/** Runs one task of a plan, of whatever kind. */

import { checkNames, checkObject, describe, untilAborted } from "../../extend.js";
import { UnsupportedError } from "../../index.js";
import { removeArray } from "./arrays.js";
import { CONTEXT, type Outcome, type TaskContext, type TaskResult } from "./context.js";
import { copyBox, copyChunks } from "./copy.js";
import { createNodes } from "./documents.js";
import { downsampleBox } from "./multiscale.js";
import { PLAN_VERSION, type Task } from "./plan.js";
import { combineParts, reduceOneBox } from "./reduce-tasks.js";
import { SourceState } from "./state/source-state.js";
import { Written } from "./state/written.js";
import { verifyChunks } from "./verify.js";

/**
 * Runs one kind of task. Must be idempotent: repeated or concurrent runs of the same task leave the same
 * bytes.
 */
type RunKind = (
  task: Task,
  context: TaskContext,
  written: Written,
  state: SourceState,
) => Promise<TaskResult>;

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
 * Runs one task, for example from a queue. It needs only the task and the stores. A task may be repeated
 * after it was killed, or run elsewhere at the same time: it leaves the same bytes. It is done when what it
 * wrote is flushed, so that a crash of the machine loses nothing of it.
 * @returns the result as plain JSON, for kinds that have one
 * @throws UnsupportedError for a task of another version or an unknown kind, InvalidMetadataError for invalid
 * parameters or a changed array, and what reading and writing arrays throws
 */
export async function runTask(task: Task, context: TaskContext = {}): Promise<TaskResult> {
  return (await runNotingSource(task, context)).result;
}

/** `runTask`, and what the source was that the task read. */
export async function runNotingSource(task: Task, context: TaskContext): Promise<Outcome> {
  checkObject(task, "task", "a task of tasksOf");
  checkNames(context, "runTask", CONTEXT);
  const run = Object.hasOwn(KINDS, task.kind) ? KINDS[task.kind] : undefined;
  if (run === undefined || task.version !== PLAN_VERSION) {
    const known = Object.keys(KINDS).join(", ");
    throw new UnsupportedError(
      `expected a task of version ${PLAN_VERSION} and of a kind of ${known}, got version ${describe(task.version)}, ${describe(task.kind)}; ` +
        "run plans with the version of wazarr that made them, or a later one",
    );
  }
  return untilAborted(context.signal, async () => {
    const written = new Written();
    const state = new SourceState();
    const result = await run(task, context, written, state);
    await written.flush(context);
    return { result, source: await state.hash() };
  });
}
