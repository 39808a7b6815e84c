/** Decodes the chunks of a box of an array's chunk grid: what is damaged is told, and does not end the task. */
import { chunkKeyOf, gridCoordinates } from "../../array/chunk-walk.js";
import { getStoredChunk } from "../../array/get.js";
import { chunkStore } from "../../array/nodes.js";
import { isZarrError } from "../../errors.js";
import type { JsonObject } from "../../metadata/json.js";
import { exists } from "../../stores/capabilities.js";
import { boxOf, parametersOf, problemOf, type TaskContext, type TaskResult } from "../context.js";
import type { Task } from "../plan.js";
import { openUnchanged } from "../source.js";

/** @returns `chunks` that are stored, and `problems`: the chunks that could not be decoded */
export async function verifyChunks(task: Task, context: TaskContext): Promise<TaskResult> {
  const { signal, workers } = context;
  const array = await openUnchanged(parametersOf(task).get("source"), context);
  await array.prepare();
  const store = await chunkStore(array);
  const { start, shape } = boxOf(task, array.shape.length);
  const problems: JsonObject[] = [];
  let chunks = 0;
  for (const offset of gridCoordinates(shape)) {
    signal?.throwIfAborted();
    const chunk = offset.map((index, d) => index + (start[d] ?? 0));
    try {
      if (!(await exists(store, chunkKeyOf(array, chunk), { signal }))) continue;
      chunks++;
      await getStoredChunk(array, chunk, { signal, workers });
    } catch (error) {
      if (!isZarrError(error)) throw error;
      problems.push(problemOf(error));
    }
  }
  return { chunks, problems };
}
