/**
 * Work on arrays that are too large for one process. A plan is plain JSON; a job queue can run its tasks on
 * any machine without locks. This is the package entry `wazarr/jobs`.
 *
 *     const plan = await planVerify("archive.zarr");
 *     for (const task of tasksOf(plan)) await queue.add(task.id, task);
 *     // in a worker, on any machine:
 *     await runTask(job.data);
 * @module
 */
export type { Box as TaskBox, Boxes } from "../core/for-work.js";
export type { NodeName, OpenStore, TaskContext, TaskResult } from "./jobs/context.js";
export { type PlanCopyOptions, planCopy } from "./jobs/copy.js";
export { type PlanMultiscaleOptions, planMultiscale } from "./jobs/multiscale.js";
export {
  countTasks,
  type NodeAddress,
  type Plan,
  type PlanEstimate,
  type Stage,
  type Task,
  type TaskGroup,
  taskOf,
  tasksOf,
} from "./jobs/plan.js";
export type { RunProgress } from "./jobs/progress.js";
export { type PlanReduceOptions, planReduce } from "./jobs/reduce.js";
export type { Histogram } from "./jobs/reduction.js";
export { type RunLocalOptions, type RunReport, runLocal, type TaskFailure } from "./jobs/run-local.js";
export { runTask } from "./jobs/run-task.js";
export { isUnfinished } from "./jobs/state/unfinished.js";
export { type PlanVerifyOptions, planVerify } from "./jobs/verify.js";
