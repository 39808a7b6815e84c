/**
 * The ledger records which tasks of a plan are done, so that an interrupted run can resume. A missing chunk
 * does not tell: chunks of fill value are not stored. What a task wrote is flushed before the ledger has the
 * task (`runTask`), and the ledger before the run goes on, so that it is true after a crash of the machine.
 * Each run writes its own ledger file, so concurrent runs do not overwrite each other, and reads all files at
 * its start.
 */

import { JOBS, keyBelow } from "../../../core/for-work.js";
import { CheckedStore, isJsonObject, Member, parseJson, stringifyJson } from "../../../extend.js";
import {
  type AbsolutePath,
  isZarrError,
  type JsonObject,
  type Location,
  type Store,
  type StoreOptions,
  type WritableStore,
} from "../../../index.js";
import type { Outcome } from "../context.js";
import { type Plan, type PlanRequest, taskCount } from "../plan.js";

/** Path of a file or node in the `JOBS` directory of one plan. */
export function jobPath(target: AbsolutePath, plan: string, name: string): AbsolutePath {
  return keyBelow(target, `${JOBS}/${plan}/${name}`);
}

export interface Ledger {
  has(task: string): boolean;
  /** Results by task id, including those of earlier runs. */
  readonly results: ReadonlyMap<string, JsonObject>;
  /** What the source of a task was when it was read, by task id, as `SourceState.hash`. */
  readonly sources: ReadonlyMap<string, string>;
  add(task: string, outcome: Outcome): void;
  /**
   * Writes the ledger file of this run.
   * @returns false if the file was deleted since the last save: another run has finished the plan
   */
  save(): Promise<boolean>;
  /** Reads the files of all runs again, which may have finished tasks meanwhile. */
  refresh(): Promise<void>;
  /**
   * Counts tasks as not done.
   * @param groups "0-0" for the first group of the first stage; all unless given
   */
  forget(groups?: readonly string[]): void;
  forgetTask(task: string): void;
  /** Whether all tasks of a group are done. */
  isDone(group: string): boolean;
  /** Deletes the ledger files of all runs. */
  remove(): Promise<void>;
}

/**
 * Maximum length of a ledger file in bytes: its text must fit into a string, and engines have none that are
 * longer.
 */
export const LONGEST_LEDGER = 512 << 20;

const NAME = /^ledger-[0-9a-z-]+\.json$/;

/** Keys of the ledger files of all runs of a plan. Runs share one file if the store cannot be listed. */
export async function ledgerKeys(
  { store, path }: Location,
  plan: string,
  options: StoreOptions,
): Promise<readonly AbsolutePath[]> {
  const values = new CheckedStore(store);
  if (!values.canList) return [jobPath(path, plan, "ledger-only.json")];
  const prefix = jobPath(path, plan, "");
  const keys = await values.listPrefix(prefix, options);
  return keys.filter((key) => NAME.test(key.slice(prefix.length)));
}

/** Whether a file is in the store now: other runs write and delete files, so caches are bypassed. */
export function isStored(store: Store, key: AbsolutePath, { signal }: StoreOptions): Promise<boolean> {
  return new CheckedStore(store).has(key, { signal, current: true });
}

/**
 * @param options with `resume: false`, tasks that earlier runs did are repeated, and the ledger files of
 * those runs are emptied
 */
export async function openLedger(
  plan: Plan,
  target: Location<WritableStore>,
  { resume, signal }: StoreOptions & { readonly resume: boolean },
): Promise<Ledger> {
  const store = new CheckedStore(target.store);
  const done = new Map<string, Uint8Array>();
  for (const [s, { groups }] of plan.stages.entries())
    for (const [g, group] of groups.entries()) done.set(`${s}-${g}`, new Uint8Array(taskCount(group)));
  const results = new Map<string, JsonObject>();
  const sources = new Map<string, string>();
  const name = store.canList ? crypto.randomUUID() : "only";
  const key = jobPath(target.path, plan.id, `ledger-${name}.json`);
  const write = async (file: AbsolutePath, notes: Uint8Array): Promise<void> => {
    await store.set(file, notes);
    await store.flush([file]);
  };
  const found = await ledgerKeys(target, plan.id, { signal });
  for (const each of found) {
    if (resume) await readInto({ done, results, sources }, store, each, { signal });
    // Emptied, not deleted: the run of that file may still be in progress and takes a deleted file as "the
    // plan is done".
    else
      await write(each, encodeNotes({ done: new Map(), results: new Map(), sources: new Map() }, plan.asked));
  }
  let isSaved = false;
  const save = async (): Promise<boolean> => {
    if (isSaved && !(await isStored(target.store, key, {}))) return false;
    await write(key, encodeNotes({ done, results, sources }, plan.asked));
    isSaved = true;
    return true;
  };
  return {
    results,
    sources,
    has: (task) => {
      const [group, n] = placeOf(task);
      return done.get(group)?.[n] === 1;
    },
    add(task, { result, source }) {
      const [group, n] = placeOf(task);
      done.get(group)?.fill(1, n, n + 1);
      if (result !== undefined) results.set(task, result);
      if (source === undefined) sources.delete(task);
      else sources.set(task, source);
    },
    save,
    async refresh() {
      for (const each of await ledgerKeys(target, plan.id, { signal }))
        await readInto({ done, results, sources }, store, each, { signal });
    },
    forget(groups = [...done.keys()]) {
      for (const group of groups) done.get(group)?.fill(0);
      for (const notes of [results, sources])
        for (const task of [...notes.keys()]) if (groups.includes(placeOf(task)[0])) notes.delete(task);
    },
    forgetTask(task) {
      const [group, n] = placeOf(task);
      done.get(group)?.fill(0, n, n + 1);
      results.delete(task);
      sources.delete(task);
    },
    isDone: (group) => done.get(group)?.includes(0) === false,
    async remove() {
      const all = await ledgerKeys(target, plan.id, {});
      // Own file last. If the run is killed here, an earlier run's file alone would make a later run read
      // removed intermediate arrays.
      for (const each of [...all.filter((other) => other !== key), key]) await store.delete(each);
      await store.flush([...all, key]);
    },
  };
}

/** Splits the id of a task into its stage and group, "1-0", and its number in the group. */
function placeOf(task: string): readonly [group: string, n: number] {
  const end = task.lastIndexOf("-");
  return [task.slice(0, end), Number(task.slice(end + 1))];
}

/** Per group, the contiguous ranges of done tasks as [first, end), end exclusive. */
function rangesOf(done: ReadonlyMap<string, Uint8Array>): JsonObject {
  const ranges = [...done].flatMap(([group, bits]) => {
    const found: [first: number, end: number][] = [];
    for (let first = bits.indexOf(1); first >= 0; ) {
      const end = bits.indexOf(0, first);
      found.push([first, end < 0 ? bits.length : end]);
      first = end < 0 ? -1 : bits.indexOf(1, end);
    }
    return found.length === 0 ? [] : [[group, found] as const];
  });
  return Object.fromEntries(ranges);
}

interface Notes {
  readonly done: ReadonlyMap<string, Uint8Array>;
  readonly results: Map<string, JsonObject>;
  readonly sources: Map<string, string>;
}

function encodeNotes({ done, results, sources }: Notes, request: PlanRequest = {}): Uint8Array {
  const notes = {
    asked: request,
    done: rangesOf(done),
    results: Object.fromEntries(results),
    sources: Object.fromEntries(sources),
  };
  return new TextEncoder().encode(stringifyJson(notes, { indent: 2 }));
}

/**
 * Adds the content of a ledger file. A file that cannot be parsed is ignored: its tasks are repeated, which
 * writes the same bytes.
 */
async function readInto(
  { done, results, sources }: Notes,
  store: CheckedStore,
  key: AbsolutePath,
  { signal }: StoreOptions,
): Promise<void> {
  const bytes = await store.get(key, { signal, maximumBytes: LONGEST_LEDGER, current: true });
  if (!bytes) return;
  try {
    const ledger = new Member(parseJson(bytes, { key }), { key });
    for (const [group, bits] of done) {
      const ranges = ledger.get("done").get(group);
      for (const range of ranges.isNull ? [] : ranges.list()) {
        const [first = 0, end = 0] = range.integers(0, 2);
        bits.fill(1, first, end);
      }
    }
    for (const [task, result] of Object.entries(ledger.get("results").object()))
      if (isJsonObject(result)) results.set(task, result);
    const states = ledger.get("sources");
    // Two runs that found different versions: which of them wrote last is not known, so no version matches.
    for (const [task, state] of Object.entries(states.isNull ? {} : states.object()))
      if (typeof state === "string") sources.set(task, (sources.get(task) ?? state) === state ? state : "");
  } catch (error) {
    if (!isZarrError(error)) throw error;
  }
}
