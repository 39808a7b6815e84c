/**
 * Work on arrays that outgrow one process: plans of tasks that need no locks, as plain JSON for any job queue. An entry of its own
 * (`wazarr/jobs`).
 *
 *     const plan = await planVerify("archive.zarr");
 *     for (const task of tasksOf(plan)) await queue.add(task.id, task);
 *     // in a worker, on any machine:
 *     await runTask(job.data);
 */
export type { Boxes, TaskBox } from "./jobs/boxes.js";
export type { NodeName, OpenStore, TaskContext, TaskResult } from "./jobs/context.js";
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
export { type PlanCopyOptions, planCopy } from "./jobs/plan-copy.js";
export { type PlanMultiscaleOptions, planMultiscale } from "./jobs/plan-multiscale.js";
export { type PlanReduceOptions, planReduce } from "./jobs/plan-reduce.js";
export { type PlanVerifyOptions, planVerify } from "./jobs/plan-verify.js";
export type { Histogram } from "./jobs/reduction.js";
export {
  type RunLocalOptions,
  type RunProgress,
  type RunReport,
  runLocal,
  type TaskFailure,
} from "./jobs/run-local.js";
export { runTask } from "./jobs/run-task.js";
