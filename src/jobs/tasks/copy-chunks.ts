/** Copies stored chunks (shards) as they are, for a box of the grid of chunks that both arrays have. */
import { chunkKeyOf, gridCoordinates } from "../../array/chunk-walk.js";
import { copyChunk } from "../../array/copy-chunks.js";
import { chunkStore, ZarrArray } from "../../array/nodes.js";
import { forEach } from "../../engine/concurrency.js";
import { deleteKey } from "../../stores/capabilities.js";
import { checkWritable } from "../../stores/check-store.js";
import { boxOf, parametersOf, type TaskContext } from "../context.js";
import type { Task } from "../plan.js";
import { openUnchanged } from "../source.js";

/** A chunk that the source does not have is removed from the target, where an array before this one may have left it. */
export async function copyChunks(task: Task, context: TaskContext): Promise<undefined> {
  const parameters = parametersOf(task);
  const source = await openUnchanged(parameters.get("source"), context);
  const found = await openUnchanged(parameters.get("target"), context);
  const store = checkWritable(found.store, found.path);
  const target = new ZarrArray<unknown, typeof store>(store, found.path, found.metadata, found.entryPoint);
  const [atOnce = 1] = parameters
    .get("atOnce")
    .as([parameters.get("atOnce").json ?? 1])
    .integers(1, 1);
  const { start, shape } = boxOf(task, source.shape.length);
  const from = await chunkStore(source);
  const { concurrency = atOnce, signal, onProgress } = context;
  const count = shape.reduce((all, length) => all * length, 1);
  await forEach(within(start, shape), Math.min(concurrency, atOnce), async (chunk) => {
    const isThere = await copyChunk(source, from, target, chunk, { signal });
    if (!isThere && store.delete) await deleteKey(store, chunkKeyOf(target, chunk), { signal });
    onProgress?.(task.bytes / count, task);
  });
}

/** Coordinates of the chunks of a box of the grid. */
export async function* within(
  start: readonly number[],
  shape: readonly number[],
): AsyncGenerator<readonly number[], void, undefined> {
  for (const offset of gridCoordinates(shape)) yield offset.map((index, d) => index + (start[d] ?? 0));
}
