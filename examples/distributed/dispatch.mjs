// Sends a plan's tasks to functions, stage by stage: node dispatch.mjs URL SOURCE TARGET '{"chunkShape":
// [365, 9, 9]}'
import { planCopy, tasksOf } from "wazarr/jobs";
import { open } from "./queue.mjs";

const [url, source, target, options = "{}"] = process.argv.slice(2);
const AT_ONCE = 100;
const ATTEMPTS = 4;
const failed = [];

async function send(task) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, { method: "POST", body: JSON.stringify(task) }).catch(() => undefined);
    if (response?.ok) return;
    const problem = await response?.json().catch(() => undefined);
    if (attempt === ATTEMPTS) return failed.push({ task: task.id, ...problem });
    await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** attempt * Math.random()));
  }
}

const plan = await planCopy(source, target, { ...JSON.parse(options), open });
for (const stage of plan.stages.keys()) {
  const tasks = tasksOf(plan, stage);
  const sender = async () => {
    for (const task of tasks) await send(task);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
  if (failed.length > 0) break;
}
console.log(plan.id, failed.length === 0 ? "done" : failed);
process.exitCode = failed.length === 0 ? 0 : 1;
