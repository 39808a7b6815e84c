/**
 * Cuts work on large arrays into tasks that any process on any machine can run, without locks.
 *
 * ```ts
 * import { planCopy, runLocal, runTask, tasksOf } from "wazarr/jobs";
 *
 * const plan = await planCopy("slices.zarr", "columns.zarr", { chunkShape: [365, 9, 9], maxMemory: 256e6 });
 * const report = await runLocal(plan); // in this process; or each task in a worker of a queue:
 * for (const task of tasksOf(plan, 0)) await runTask(JSON.parse(JSON.stringify(task)));
 * ```
 *
 * A plan is plain JSON.
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
