// Shows how far a plan is, and its dead letters: node watch.mjs PLAN. With --retry dead letters are tried
// again first.
import { setTimeout } from "node:timers/promises";
import { Queue } from "bullmq";
import { connection, QUEUE } from "./queue.mjs";

const [id, flag] = process.argv.slice(2);
const queue = new Queue(QUEUE, { connection });

/** Tasks whose last try failed. */
async function deadLetters() {
  const failed = await queue.getFailed();
  return failed.filter((job) => job.data.plan === id);
}

async function stages() {
  const found = [];
  for (let stage = 0; ; stage++) {
    const job = await queue.getJob(`${id}_stage_${stage}`);
    if (job === undefined) return found;
    const state = await job.getState();
    const { processed = 0, unprocessed = 0 } = await job.getDependenciesCount();
    found.push({ job, state, processed, total: processed + unprocessed });
  }
}

if (flag === "--retry") for (const job of await deadLetters()) await job.retry();
for (;;) {
  const all = await stages();
  const last = all.at(-1);
  if (last === undefined) throw new Error(`no plan ${id} in the queue ${QUEUE}`);
  const { plan, stage } = last.job.data;
  const failed = await deadLetters();
  const isDone = last.state === "completed" && stage === plan.stages.length - 1;
  // Tasks that are not dead letters are done, and the next stage must not begin.
  const isStuck =
    last.state === "waiting-children" && failed.length > 0 && last.total - last.processed === failed.length;
  console.log(
    `${plan.stages[stage].name}: ${last.processed} of ${last.total} tasks, ${failed.length} failed`,
  );
  if (!isDone && !isStuck) {
    await setTimeout(Number(process.env.WATCH_MILLISECONDS ?? 1000));
    continue;
  }
  const began = all[0].job.timestamp;
  const ended = last.job.finishedOn ?? Date.now();
  const tasks = all.reduce((sum, { processed }) => sum + processed, 0);
  console.log(`${isDone ? "done" : "stopped"}: ${tasks} tasks in ${((ended - began) / 1000).toFixed(1)} s`);
  for (const { id: task, data, failedReason } of failed)
    console.log(`dead letter ${task}: ${data.problem?.key ?? ""} ${failedReason}`);
  process.exitCode = isDone ? 0 : 1;
  break;
}
await queue.close();
