// Puts a plan into the queue: node produce.mjs SOURCE TARGET '{"chunkShape": [365, 9, 9]}'
import { Queue } from "bullmq";
import { planCopy } from "wazarr/jobs";
import { connection, open, QUEUE } from "./queue.mjs";

const [source, target, options = "{}"] = process.argv.slice(2);
const plan = await planCopy(source, target, { ...JSON.parse(options), open });
console.log(plan.id, plan.estimate);

const queue = new Queue(QUEUE, { connection });
// A job for each stage, the first one now. Its id is the plan's: the same plan twice is in the queue once.
await queue.add("stage", { plan, stage: 0 }, { jobId: `${plan.id}_stage_0` });
await queue.close();
