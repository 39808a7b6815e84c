/** Makes one box of a level of an image from the level before it. */
import { set } from "../../array/set.js";
import type { DownsamplingMethod } from "../../ome-zarr/downsample-rows.js";
import { makeBox, readSamples, selectionOf } from "../../ome-zarr/levels.js";
import { asNew } from "../as-new.js";
import { boxOf, parametersOf, type TaskContext } from "../context.js";
import type { Task } from "../plan.js";
import { openUnchanged } from "../source.js";

/** The box begins and ends where chunks (shards) of the level do, or at its end, so that no other task writes them. */
export async function downsampleBox(task: Task, context: TaskContext): Promise<undefined> {
  const parameters = parametersOf(task);
  const source = await openUnchanged(parameters.get("source"), context);
  const target = asNew(await openUnchanged(parameters.get("target"), context));
  const { start, shape } = boxOf(task, target.shape.length);
  const ratio = parameters.get("ratio").integers(1, shape.length);
  const method = parameters.get("method").oneOf<DownsamplingMethod>("mean", "mode", "nearest");
  const { signal, workers, concurrency } = context;
  const options = { signal, workers, concurrency };
  const box = { start, shape };
  const data = await makeBox(box, source.shape, { ratio, method }, (from) =>
    readSamples(source, from, options),
  );
  await set(target, selectionOf(box), { data, shape }, options);
}
