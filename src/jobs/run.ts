/** Runs one task of a plan, or all of them in this process: no queue, no server, and a ledger beside the target for runs that are interrupted. */
import { untilAborted } from "../abort.js";
import { checkConcurrency } from "../array/get.js";
import { forEach } from "../engine/concurrency.js";
import { describe, isZarrError, UnsupportedError, type ZarrError } from "../errors.js";
import type { JsonObject } from "../metadata/json.js";
import type { Store } from "../stores/store.js";
import { removeArray } from "./arrays.js";
import {
  type NodeName,
  storeAt,
  type TaskContext,
  type TaskResult,
  toAddress,
  writableAt,
} from "./context.js";
import { copyBox, copyChunks } from "./copy.js";
import { createNodes } from "./documents.js";
import { type Ledger, openLedger } from "./ledger.js";
import { downsampleBox } from "./multiscale.js";
import { PLAN_VERSION, type Plan, type Task, tasksOf } from "./plan.js";
import { combineParts, reduceOneBox } from "./reduce-tasks.js";
import { verifyChunks } from "./verify.js";

/** One kind of task. It may be run any number of times, at the same time, too, and leaves the same bytes. */
type RunKind = (task: Task, context: TaskContext) => Promise<TaskResult>;

const KINDS: Readonly<Record<string, RunKind>> = {
  "create-nodes": createNodes,
  "copy-box": copyBox,
  "copy-chunks": copyChunks,
  "downsample-box": downsampleBox,
  "reduce-box": reduceOneBox,
  "combine-parts": combineParts,
  "remove-array": removeArray,
  "verify-chunks": verifyChunks,
};

/**
 * Runs one task, which may come from a queue: nothing but it and the stores is needed. Repeating a task, also one that was killed half-way or
 * runs elsewhere at the same time, leaves the same bytes.
 * @returns what it found, for tasks that find something
 * @throws UnsupportedError for a task of another version or kind, InvalidMetadataError for parameters that do not fit it, and what reading
 *   and writing arrays throws
 */
export async function runTask(task: Task, context: TaskContext = {}): Promise<TaskResult> {
  const run = Object.hasOwn(KINDS, task.kind) ? KINDS[task.kind] : undefined;
  if (run === undefined || task.version !== PLAN_VERSION) {
    const known = Object.keys(KINDS).join(", ");
    throw new UnsupportedError(
      `expected a task of version ${PLAN_VERSION} of the kinds ${known}, got version ${describe(task.version)}, ${describe(task.kind)}: ` +
        "plans are run by the version of wazarr that made them, or a later one",
    );
  }
  return untilAborted(context.signal, () => run(task, context));
}

export interface RunLocalOptions extends Omit<TaskContext, "onProgress" | "concurrency"> {
  /** Tasks under way at once, each of which takes the memory that the plan says; 1 unless given. */
  readonly concurrency?: number | undefined;
  /** Chunks under way at once in each of them; 32 unless given, fewer where they are large. */
  readonly chunkConcurrency?: number | undefined;
  /**
   * Where finished tasks are noted: at the plan's target unless given, for plans that have one. False: nowhere, and a run that is interrupted
   * begins anew.
   */
  readonly ledger?: NodeName | false | undefined;
  /** False: what earlier runs of the plan have done does not count. */
  readonly resume?: boolean | undefined;
  /** What follows when a task fails: "continue" (unless given) with the other tasks of its stage, or "stop". */
  readonly onFailure?: "continue" | "stop" | undefined;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
}

export interface RunProgress {
  readonly tasksDone: number;
  readonly tasksTotal: number;
  /** Bytes of elements. */
  readonly bytesDone: number;
  readonly bytesTotal: number;
  /** Of these, what earlier runs have done: for rates. */
  readonly bytesBefore: number;
}

export interface TaskFailure {
  /** The task, which `taskOf` finds. */
  readonly task: string;
  readonly error: ZarrError;
}

export interface RunReport {
  /** All tasks are done. Otherwise the ledger stays, and another run goes on with the tasks that are not. */
  readonly isFinished: boolean;
  /** Tasks that this run has done, and those that earlier ones had. */
  readonly tasksRun: number;
  readonly tasksBefore: number;
  /** Stages that follow one with failures have not begun. */
  readonly failed: readonly TaskFailure[];
  /** What tasks found, by task. */
  readonly results: ReadonlyMap<string, JsonObject>;
}

/**
 * Between two writes of the ledger, or as many times as long as the last one took: what a run that is killed has done since is done again.
 */
const SAVE_MILLISECONDS = 200;
const SAVE_SHARE = 20;

/**
 * Runs a plan to its end. A run that was killed, aborted, or had failures is resumed by another one of the same plan. Two at once do no harm,
 * and twice the work.
 * @throws what is no error of wazarr, the reason of `signal`, and StoreError for a ledger that cannot be written; tasks that fail are in the
 *   report
 */
export async function runLocal(plan: Plan, options: RunLocalOptions = {}): Promise<RunReport> {
  return untilAborted(options.signal, () => run(plan, options));
}

async function run(plan: Plan, options: RunLocalOptions): Promise<RunReport> {
  const { signal, concurrency = 1, onFailure = "continue" } = options;
  checkConcurrency(concurrency);
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
  const ledger = await ledgerOf(plan, options, context);
  progress.begin((task) => ledger?.has(task) ?? false);
  const saver = createSaver(ledger);
  const failed: TaskFailure[] = [];
  const results = new Map(ledger?.results);
  const runOne = async (task: Task): Promise<void> => {
    if (saver.isTaken() || (failed.length > 0 && onFailure === "stop")) return;
    try {
      const result = await runTask(task, context);
      ledger?.add(task.id, result);
      if (result !== undefined) results.set(task.id, result);
      progress.done(task);
    } catch (error) {
      if (signal?.aborted || !isZarrError(error)) throw error;
      failed.push({ task: task.id, error });
      progress.failed(task);
    }
    await saver.saveSometimes();
  };
  try {
    for (const stage of plan.stages.keys()) {
      // A stage may remove what tasks of the one before it need.
      await saver.save();
      if (failed.length > 0 || saver.isTaken()) break;
      await forEach(remaining(plan, stage, ledger), concurrency, runOne);
    }
  } finally {
    await saver.save();
  }
  if (saver.isTaken()) {
    failed.length = 0;
    await cleanUp(plan, context);
  }
  const isFinished = failed.length === 0;
  if (isFinished) await ledger?.remove();
  return { isFinished, ...progress.counts(), failed, results };
}

async function* remaining(
  plan: Plan,
  stage: number,
  ledger: Ledger | undefined,
): AsyncGenerator<Task, void, undefined> {
  for (const task of tasksOf(plan, stage)) if (!ledger?.has(task.id)) yield task;
}

async function ledgerOf(
  plan: Plan,
  { ledger: name, resume = true, signal }: RunLocalOptions,
  context: TaskContext,
): Promise<Ledger | undefined> {
  const address = name === undefined ? plan.target : name === false ? undefined : toAddress(name);
  return address && openLedger(plan, await writableAt(address, context), { resume, signal });
}

/** Writes a ledger now and then. */
function createSaver(ledger: Ledger | undefined) {
  let isTaken = false;
  let saving: Promise<void> | undefined;
  let next = 0;
  const save = async (): Promise<void> => {
    await saving;
    const began = performance.now();
    saving = ledger?.save().then((isThere) => {
      isTaken ||= !isThere;
      const now = performance.now();
      next = now + Math.max(SAVE_MILLISECONDS, SAVE_SHARE * (now - began));
    });
    await saving;
    saving = undefined;
  };
  return {
    save,
    saveSometimes: async () => {
      if (saving === undefined && performance.now() >= next) await save();
    },
    /** Another run has finished the plan. */
    isTaken: () => isTaken,
  };
}

/** What this run has written to intermediate arrays after another one had removed them. */
async function cleanUp(plan: Plan, context: TaskContext): Promise<void> {
  for (const task of tasksOf(plan)) if (task.kind === "remove-array") await runTask(task, context);
}

/** Counts tasks and the bytes of those that are under way. */
function createProgress(plan: Plan, onProgress: RunLocalOptions["onProgress"]) {
  const counted = { run: 0, before: 0, bytes: 0, bytesBefore: 0, tasksTotal: 0, bytesTotal: 0 };
  const parts = new Map<string, number>();
  const tell = (): void => {
    const underWay = [...parts.values()].reduce((sum, bytes) => sum + bytes, 0);
    onProgress?.({
      tasksDone: counted.before + counted.run,
      tasksTotal: counted.tasksTotal,
      bytesDone: Math.round(counted.bytesBefore + counted.bytes + underWay),
      bytesTotal: counted.bytesTotal,
      bytesBefore: counted.bytesBefore,
    });
  };
  return {
    begin(isDone: (task: string) => boolean): void {
      for (const task of tasksOf(plan)) {
        counted.tasksTotal++;
        counted.bytesTotal += task.bytes;
        if (!isDone(task.id)) continue;
        counted.before++;
        counted.bytesBefore += task.bytes;
      }
    },
    part(bytes: number, task: Task): void {
      parts.set(task.id, Math.min(task.bytes, (parts.get(task.id) ?? 0) + bytes));
      tell();
    },
    done(task: Task): void {
      parts.delete(task.id);
      counted.run++;
      counted.bytes += task.bytes;
      tell();
    },
    failed(task: Task): void {
      parts.delete(task.id);
      tell();
    },
    counts: () => ({ tasksRun: counted.run, tasksBefore: counted.before }),
  };
}
