/**
 * Plans that check whether every stored chunk of an array or a hierarchy can be decoded, and the tasks of
 * such plans.
 */

import { coordinatesIn } from "../../core/for-work.js";
import { checkNames, layoutOf, product } from "../../extend.js";
import { isZarrError, type JsonObject, open } from "../../index.js";
import { describeSource, openUnchanged } from "./arrays.js";
import {
  arraysBelow,
  boxOf,
  locationAt,
  type NodeName,
  parametersOf,
  type TaskContext,
  type TaskResult,
  toAddress,
} from "./context.js";
import { makePlan, type Plan, planId, type Task, type TaskGroup } from "./plan.js";
import type { PlanOptions } from "./plan-options.js";
import { chunkBoxes, chunkBytesOf } from "./task-size.js";

/** Options of `planVerify`. */
export interface PlanVerifyOptions extends Pick<PlanOptions, "open" | "signal"> {}

/**
 * Plans to decode every stored chunk of an array, or of all arrays of a group. Each task returns `chunks`,
 * the number of stored chunks, and `problems`, the errors of chunks that could not be decoded.
 * @throws NotFoundError, UnsupportedError for a group in a store that cannot be listed, and what `open`
 * throws
 */
export async function planVerify(source: NodeName, options: PlanVerifyOptions = {}): Promise<Plan> {
  checkNames(options, "planVerify", { open: "function", signal: true });
  const address = toAddress(source);
  const groups: TaskGroup[] = [];
  const estimate = { bytesRead: 0, bytesWritten: 0, bytesMoved: 0, peakMemory: 0 };
  const { signal } = options;
  const node = await open(await locationAt(address, options), { signal });
  for (const array of await arraysBelow(node, { signal })) {
    const boxes = chunkBoxes(array.metadata);
    const chunkBytes = chunkBytesOf(array.metadata);
    estimate.bytesRead += product(layoutOf(array).grid, chunkBytes);
    // Two buffers: the stored and the decoded chunk.
    estimate.peakMemory = Math.max(estimate.peakMemory, 2 * chunkBytes);
    const parameters = { source: await describeSource(address.store, array, options) };
    groups.push({ kind: "verify-chunks", parameters, boxes, elementBytes: chunkBytes });
  }
  const id = await planId("verify", { asked: groups.map(({ parameters }) => parameters) });
  return makePlan({ id, job: "verify", stages: [{ name: "decode all chunks", groups }], estimate });
}

/**
 * The task "verify-chunks": decodes the chunks of a box of the chunk grid. A damaged chunk does not end the
 * task.
 * @returns `chunks`, the number of stored chunks, and `problems`, the errors of chunks that could not be
 * decoded
 */
export async function verifyChunks(task: Task, context: TaskContext): Promise<TaskResult> {
  const { signal, workers } = context;
  const array = await openUnchanged(parametersOf(task).get("source"), context);
  await array.prepare();
  const layout = layoutOf(array);
  const problems: JsonObject[] = [];
  let chunks = 0;
  for (const chunk of coordinatesIn(boxOf(task, layout.grid))) {
    signal?.throwIfAborted();
    try {
      if (!(await layout.isStored(chunk, { signal }))) continue;
      chunks++;
      await layout.checkChunk(chunk, { signal, workers });
    } catch (error) {
      if (!isZarrError(error)) throw error;
      const { tag, message, key, path } = error;
      problems.push({
        error: tag,
        message,
        ...(key !== undefined && { key }),
        ...(path !== undefined && { path }),
      });
    }
  }
  return { chunks, problems };
}
