// Runs tasks until it is stopped; any number of these, on any number of machines that reach Redis and the
// stores: node worker.mjs
import { Queue, WaitingChildrenError, Worker } from "bullmq";
import { runTask, tasksOf } from "wazarr/jobs";
import { connection, open, QUEUE, taskOptions } from "./queue.mjs";

const PAGE = 500;
const queue = new Queue(QUEUE, { connection });

const kinds = { stage: runStage, task: runOne };
const worker = new Worker(QUEUE, (job, token) => kinds[job.name](job, token), {
  connection,
  concurrency: Number(process.env.CONCURRENCY ?? 1),
  // A worker that is killed loses its job to another one after this time; a task may be run any number of
  // times.
  lockDuration: Number(process.env.LOCK_MILLISECONDS ?? 30_000),
  stalledInterval: Number(process.env.LOCK_MILLISECONDS ?? 30_000),
  maxStalledCount: 1000,
});

async function runOne(job) {
  try {
    return await runTask(job.data, { open });
  } catch (error) {
    // For whoever reads the dead letters: which chunk of which array.
    const { tag, key, path, chunk } = error;
    await job.updateData({ ...job.data, problem: { tag, key, path, chunk } });
    throw error;
  }
}

/** Adds the tasks of a stage as its children, waits until all of them are done, and adds the next stage. */
async function runStage(job, token) {
  const { plan, stage, isAdded } = job.data;
  const parent = { id: job.id, queue: job.queueQualifiedName };
  const add = (tasks) =>
    queue.addBulk(
      tasks.map((task) => ({
        name: "task",
        data: task,
        opts: { ...taskOptions, jobId: `${plan.id}_${task.id}`, parent },
      })),
    );
  if (!isAdded) {
    const page = [];
    for (const task of tasksOf(plan, stage)) {
      page.push(task);
      if (page.length === PAGE) await add(page.splice(0));
    }
    await add(page);
    await job.updateData({ ...job.data, isAdded: true });
  }
  if (await job.moveToWaitingChildren(token)) throw new WaitingChildrenError();
  const next = stage + 1;
  if (next < plan.stages.length)
    await queue.add("stage", { plan, stage: next }, { jobId: `${plan.id}_stage_${next}` });
}

worker.on("error", (error) => console.error(error.message));
worker.on("failed", (job, error) => console.error(`${job?.id}: ${error.message}`));

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, async () => {
    await worker.close();
    await queue.close();
  });
}
