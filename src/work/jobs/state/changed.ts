/** Finds tasks of earlier runs whose source has changed since they read it. */
import { forEachAtOnce, layoutOf } from "../../../extend.js";
import type { Array as ZarrArray } from "../../../index.js";
import { addressOf, arrayAt, boxOf, parametersOf, type TaskContext } from "../context.js";
import { type Plan, type Task, tasksOf } from "../plan.js";
import type { Ledger } from "./ledger.js";
import { chunksMeeting, isOfPlan, SourceState } from "./source-state.js";

/** Tasks that are compared at once. */
const AT_ONCE = 8;

/** The kinds of tasks that read a source, and whether their box is one of chunks. */
const READERS: ReadonlyMap<string, "chunks" | "elements"> = new Map([
  ["copy-box", "elements"],
  ["copy-chunks", "chunks"],
  ["reduce-box", "elements"],
]);

/**
 * Counts tasks as not done whose source has other versions now, and all tasks of later stages with them,
 * which may depend on them.
 * @returns how many tasks count as done although their source cannot be compared, because the store tells no
 * versions of its values, or earlier notes have none
 */
export async function forgetChanged(plan: Plan, ledger: Ledger, context: TaskContext): Promise<number> {
  const sources = new Map<string, Promise<ZarrArray>>();
  let unknown = 0;
  for (const s of plan.stages.keys()) {
    let isChanged = false;
    const done = Array.from(tasksOf(plan, s)).filter((task) => ledger.has(task.id) && readsSource(task));
    await forEachAtOnce(done, AT_ONCE, async (task) => {
      const before = ledger.sources.get(task.id);
      const now = before === undefined ? undefined : await stateNow(task, context, sources);
      if (before === undefined || now === undefined) unknown++;
      else if (now !== before) {
        ledger.forgetTask(task.id);
        isChanged = true;
      }
    });
    if (!isChanged) continue;
    const later = plan.stages
      .slice(s + 1)
      .flatMap((stage, i) => stage.groups.map((_, g) => `${s + 1 + i}-${g}`));
    ledger.forget(later);
  }
  return unknown;
}

function readsSource(task: Task): boolean {
  return READERS.has(task.kind) && !isOfPlan(addressOf(parametersOf(task).get("source")).path);
}

/** The state of what a task would read now. @param opened arrays that other tasks have opened */
async function stateNow(
  task: Task,
  context: TaskContext,
  opened: Map<string, Promise<ZarrArray>>,
): Promise<string | undefined> {
  const address = addressOf(parametersOf(task).get("source"));
  const name = JSON.stringify(address);
  const opening = opened.get(name) ?? arrayAt(address, context);
  opened.set(name, opening);
  const source = await opening;
  const isOfChunks = READERS.get(task.kind) === "chunks";
  const chunks = isOfChunks
    ? boxOf(task, layoutOf(source).grid)
    : chunksMeeting(source, boxOf(task, source.shape));
  const state = new SourceState();
  await state.ask(source, chunks, context);
  return state.hash();
}
