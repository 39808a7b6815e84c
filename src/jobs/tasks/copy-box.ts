/** Copies the elements of one box of an array into another array, which may be of other chunks, codecs and format. */
import { copyBox as copyElements } from "../../array/copy-chunks.js";
import { asNew } from "../as-new.js";
import { boxOf, parametersOf, type TaskContext } from "../context.js";
import type { Task } from "../plan.js";
import { checkUnchanged, openUnchanged } from "../source.js";

/**
 * The box begins and ends where chunks (shards) of the target do, or at its end, so that no other task writes them. What is stored there is
 * not looked at: the same bytes are written whatever an earlier attempt, or an array before this one, has left.
 */
export async function copyBox(task: Task, context: TaskContext): Promise<undefined> {
  const parameters = parametersOf(task);
  const source = await openUnchanged(parameters.get("source"), context);
  const target = asNew(await openUnchanged(parameters.get("target"), context));
  const box = boxOf(task, source.shape.length);
  const memory = takeMemory(context);
  const { concurrency, signal, workers, onProgress } = context;
  let told = 0;
  const part = (read: number, encoded: number): void => {
    const bytes = Math.floor(((read + encoded) / 2) * task.bytes);
    onProgress?.(bytes - told, task);
    told = bytes;
  };
  const check = (): Promise<void> => checkUnchanged(parameters.get("source"), source, context);
  await copyElements(source, target, box, memory, { concurrency, signal, workers }, part, check);
  giveBack(context, memory);
}

/** Memory that tasks of one context use one after the other. */
const spare = new WeakMap<TaskContext, { bytes: Uint8Array }[]>();

function takeMemory(context: TaskContext): { bytes: Uint8Array } {
  return spare.get(context)?.pop() ?? { bytes: new Uint8Array(0) };
}

/** Not after a failure: what was begun may still write into it. */
function giveBack(context: TaskContext, memory: { bytes: Uint8Array }): void {
  const others = spare.get(context);
  if (others === undefined) spare.set(context, [memory]);
  else others.push(memory);
}
