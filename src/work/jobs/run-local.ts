/** Runs a whole plan in this process. A ledger at the target lets an interrupted run resume. */

import { checkNames, forEachAtOnce, type NamesOf, untilAborted } from "../../extend.js";
import {
  AlreadyExistsError,
  InvalidArgumentError,
  isZarrError,
  type JsonObject,
  NotFoundError,
  type Store,
  type ZarrError,
} from "../../index.js";
import { locationAt, type NodeName, storeAt, type TaskContext, toAddress, writableAt } from "./context.js";
import { checkPlan, type NodeAddress, type Plan, type Task, tasksOf } from "./plan.js";
import { createProgress, type RunProgress } from "./progress.js";
import { runNotingSource, runTask } from "./run-task.js";
import { forgetChanged } from "./state/changed.js";
import { type Hold, holdTarget } from "./state/holder.js";
import { type Ledger, openLedger } from "./state/ledger.js";
import { forgetLost, hasNodes, nodeAtTarget } from "./state/lost.js";
import { hasLedger, hasOtherPlan } from "./state/unfinished.js";

/** Options of `runLocal`. */
export interface RunLocalOptions extends Omit<TaskContext, "onProgress" | "concurrency"> {
  /** Tasks that run at once; each takes up to `peakMemory` of the plan. Default: 1. */
  readonly concurrency?: number | undefined;
  /** Maximum chunks in flight in each task. Default: 32, fewer if chunks are large. */
  readonly chunkConcurrency?: number | undefined;
  /**
   * Node below which the ledger of finished tasks is stored. Default: the plan's target, if it has one.
   * False, or a store that cannot delete: no ledger; an interrupted run starts again from the beginning.
   */
  readonly ledger?: NodeName | false | undefined;
  /** False: repeats the tasks that earlier runs of the plan finished. Default: true. */
  readonly resume?: boolean | undefined;
  /**
   * When a task fails: "continue" (default) runs the other tasks of its stage, "stop" starts no more tasks.
   */
  readonly onFailure?: "continue" | "stop" | undefined;
  /** Called while tasks run, and after each. */
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
}

const OPTIONS: NamesOf<RunLocalOptions> = {
  open: "function",
  signal: true,
  workers: true,
  concurrency: true,
  chunkConcurrency: true,
  ledger: true,
  resume: true,
  onFailure: true,
  onProgress: "function",
};

/** A task that failed, and why. */
export interface TaskFailure {
  /** Id of the task, for `taskOf`. */
  readonly task: string;
  /** Why the task failed. */
  readonly error: ZarrError;
}

/** What a run did. */
export interface RunReport {
  /** Whether all tasks are done. If not, the ledger stays and another run does the remaining tasks. */
  readonly isFinished: boolean;
  /** Count of tasks that this run finished. */
  readonly tasksRun: number;
  /** Count of tasks that earlier runs finished. */
  readonly tasksBefore: number;
  /**
   * Count of tasks among `tasksBefore` whose source could not be compared with what they read, because its
   * store tells no versions (ETag, or size and times) of its values. Their elements are those of the source
   * as it was then. All others were compared, and run again if their source had changed.
   */
  readonly tasksUnchecked: number;
  /** Failed tasks. Stages after the stage with failures did not start. */
  readonly failed: readonly TaskFailure[];
  /** Results by task id, for tasks that return one. */
  readonly results: ReadonlyMap<string, JsonObject>;
}

/**
 * Minimum time between two saves of the ledger: `SAVE_MILLISECONDS`, or `SAVE_SHARE` times as long as the
 * last save took if that is longer. After a kill, tasks finished since the last save are repeated.
 */
const SAVE_MILLISECONDS = 200;
const SAVE_SHARE = 20;

/**
 * Runs all tasks of a plan in this process. Running the same plan again resumes a run that was killed,
 * aborted or had failures. Two concurrent runs of one plan are harmless, but each does all the work.
 * @example
 * ```ts
 * const { isFinished, failed } = await runLocal(await planCopy("a.zarr", "b.zarr"));
 * for (const { task, error } of failed) console.error(task, error.message);
 * ```
 * @returns a report, which lists failed tasks: a ZarrError of a task is not thrown
 * @throws the reason of `signal`, StoreError for a ledger that cannot be written, AlreadyExistsError if
 * another plan holds the target, has begun to replace it, or has made its nodes since this plan was made,
 * NotFoundError if the target was removed meanwhile, and errors that are not a ZarrError
 */
export async function runLocal(plan: Plan, options: RunLocalOptions = {}): Promise<RunReport> {
  checkNames(options, "runLocal", OPTIONS);
  checkPlan(plan);
  return untilAborted(options.signal, () => run(plan, options));
}

async function run(plan: Plan, options: RunLocalOptions): Promise<RunReport> {
  const { signal, concurrency = 1, onFailure = "continue" } = options;
  if (!Number.isInteger(concurrency) || concurrency < 1)
    throw new InvalidArgumentError(`concurrency: expected an integer of 1 or more, got ${concurrency}`);
  const stores = new Map<string, Store | Promise<Store>>();
  const progress = createProgress(plan, options.onProgress);
  const context: TaskContext = {
    open(name) {
      const store = stores.get(name) ?? storeAt(name, options);
      stores.set(name, store);
      return store;
    },
    signal,
    workers: options.workers,
    concurrency: options.chunkConcurrency,
    onProgress: progress.part,
  };
  const hold = await holdOf(plan, options, context);
  const ledger = await ledgerOf(plan, options, context);
  const tasksUnchecked = ledger === undefined ? 0 : await forgetChanged(plan, ledger, context);
  if (ledger !== undefined) await forgetLost(plan, ledger, context);
  const begin = (): void => progress.begin((task) => ledger?.has(task) ?? false);
  begin();
  const saver = createSaver(ledger, hold);
  const failed: TaskFailure[] = [];
  const results = new Map(ledger?.results);
  const runOne = async (task: Task): Promise<void> => {
    if (saver.isTaken() || (failed.length > 0 && onFailure === "stop")) return;
    try {
      const outcome = await runNotingSource(task, context);
      ledger?.add(task.id, outcome);
      if (outcome.result !== undefined) results.set(task.id, outcome.result);
      progress.done(task);
    } catch (error) {
      if (signal?.aborted || !isZarrError(error)) throw error;
      failed.push({ task: task.id, error });
      progress.failed(task);
    }
    await saver.saveSometimes();
  };
  const runStages = async (): Promise<void> => {
    for (const stage of plan.stages.keys()) {
      // Save first: this stage may remove arrays that tasks of the stage before need, so those tasks must not
      // be repeated.
      await saver.save();
      if (failed.length > 0 || saver.isTaken()) break;
      await forEachAtOnce(remaining(plan, stage, ledger), concurrency, runOne);
    }
  };
  try {
    await runStages();
    for (let again = 0; ledger !== undefined && failed.length > 0 && again < MOST_REPEATS; again++) {
      await saver.save();
      if (saver.isTaken()) break;
      // Another run of the plan may have done the tasks that failed here, and removed the intermediate array
      // that they read.
      await ledger.refresh();
      const isLost = await forgetLost(plan, ledger, context);
      if (!isLost && failed.some(({ task }) => !ledger.has(task))) break;
      failed.length = 0;
      for (const [task, result] of ledger.results) results.set(task, result);
      begin();
      await runStages();
    }
  } finally {
    await saver.save();
  }
  if (saver.isTaken()) {
    failed.length = 0;
    await checkFinished(plan, options, context, hold);
    await cleanUp(plan, context);
    for (const [task, result] of ledger?.results ?? []) results.set(task, result);
  }
  const isFinished = failed.length === 0;
  if (isFinished) {
    // The hold first: a run that is killed here is resumed, and lets go of it then.
    await hold?.release();
    await ledger?.remove();
  }
  return { isFinished, ...progress.counts(), tasksUnchecked, failed, results };
}

/**
 * How often a run begins stages again because another run has removed what it needs: each time, one other run
 * has ended.
 */
const MOST_REPEATS = 8;

/** The notes of this run were deleted. @throws unless another run has finished the plan */
async function checkFinished(
  plan: Plan,
  options: RunLocalOptions,
  context: TaskContext,
  hold: Hold | undefined,
): Promise<void> {
  const address = ledgerAddress(plan, options);
  const at = address && (await writableAt(address, context));
  const isReplaced =
    (await hold?.isLost()) || (at && (await hasOtherPlan(at, plan.id, { signal: options.signal })));
  if (isReplaced)
    throw new AlreadyExistsError(
      "another plan has begun to replace what is at the target, so this run has ended; run one plan at a time there",
      { path: plan.target?.path },
    );
  if (!(await hasNodes(plan, context)))
    throw new NotFoundError("the target was removed while the plan ran; run the plan again", {
      path: plan.target?.path,
    });
}

function* remaining(plan: Plan, stage: number, ledger: Ledger | undefined): Generator<Task, void, undefined> {
  for (const task of tasksOf(plan, stage)) if (!ledger?.has(task.id)) yield task;
}

function ledgerAddress(
  { target }: Plan,
  { ledger: name }: Pick<RunLocalOptions, "ledger">,
): NodeAddress | undefined {
  return name === undefined ? target : name === false ? undefined : toAddress(name);
}

async function ledgerOf(
  plan: Plan,
  options: RunLocalOptions,
  context: TaskContext,
): Promise<Ledger | undefined> {
  const { resume = true, signal } = options;
  const address = ledgerAddress(plan, options);
  if (address === undefined) return undefined;
  const at = await writableAt(address, context);
  // Notes that cannot be deleted would outlive the plan.
  return at.store.delete === undefined ? undefined : openLedger(plan, at, { resume, signal });
}

/**
 * Takes the target for the plan. Without a ledger nothing is noted there, so the target is not taken either.
 * @throws AlreadyExistsError if another plan holds the target, or has made its nodes since this one was made
 */
async function holdOf(
  plan: Plan,
  { ledger, signal }: RunLocalOptions,
  context: TaskContext,
): Promise<Hold | undefined> {
  const { id, target } = plan;
  if (target === undefined || ledger === false) return undefined;
  const at = await writableAt(target, context);
  // As notes, it could not be removed.
  if (at.store.delete === undefined) return undefined;
  const replaces = plan.stages[0]?.groups[0]?.parameters.replace === true;
  const hold = await holdTarget(at, id, replaces, { signal });
  if (!hold.isFirst || replaces || (await hasNotes(plan, ledger, context, signal))) return hold;
  const made = await nodeAtTarget(plan, context);
  if (made === undefined) return hold;
  await hold.release();
  throw new AlreadyExistsError(
    "a node was made here after this plan was; plan with overwrite: true to replace it",
    { key: made, path: target.path },
  );
}

/** Whether an earlier run of the plan has left notes, so that nodes at the target are the plan's. */
async function hasNotes(
  plan: Plan,
  ledger: RunLocalOptions["ledger"],
  context: TaskContext,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const address = ledgerAddress(plan, { ledger });
  return address !== undefined && hasLedger(await locationAt(address, context), plan.id, { signal });
}

/** Saves the ledger at intervals. */
function createSaver(ledger: Ledger | undefined, hold: Hold | undefined) {
  let isTaken = false;
  let saving: Promise<void> | undefined;
  let next = 0;
  const saveUnlessLost = async (): Promise<boolean> =>
    ledger === undefined || (!(await hold?.isLost()) && (await ledger.save()));
  const save = async (): Promise<void> => {
    await saving;
    const start = performance.now();
    saving = saveUnlessLost().then((isThere) => {
      isTaken ||= !isThere;
      const now = performance.now();
      next = now + Math.max(SAVE_MILLISECONDS, SAVE_SHARE * (now - start));
    });
    await saving;
    saving = undefined;
  };
  return {
    save,
    saveSometimes: async () => {
      if (saving === undefined && performance.now() >= next) await save();
    },
    /** Whether another run has finished the plan. */
    isTaken: () => isTaken,
  };
}

/**
 * Removes intermediate arrays again: this run may have written to them after another run had removed them.
 */
async function cleanUp(plan: Plan, context: TaskContext): Promise<void> {
  for (const task of tasksOf(plan)) if (task.kind === "remove-array") await runTask(task, context);
}
