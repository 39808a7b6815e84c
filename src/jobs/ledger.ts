/**
 * Which tasks of a plan are done, for runs that are interrupted: a missing chunk says nothing, as chunks of fill value are not stored. Each
 * run writes a value of its own, so that two at once never take each other's notes away, and reads those of all when it begins.
 */
import type { Location } from "../array/nodes.js";
import { isZarrError } from "../errors.js";
import { isJsonObject, type JsonObject, parseJson } from "../metadata/json.js";
import { encodeJson } from "../metadata/json-text.js";
import { Member } from "../metadata/member.js";
import { keyBelow } from "../metadata/path.js";
import { canList, deleteKey, listPrefix } from "../stores/capabilities.js";
import { storeFailure } from "../stores/check-store.js";
import type { AbsolutePath, StoreOptions, WritableStore } from "../stores/store.js";
import type { TaskResult } from "./context.js";
import { type Plan, taskCount } from "./plan.js";

/** Name of the directory below a target that has what its plans need while they run: it is no node of the hierarchy, and gone in the end. */
export const JOBS = ".wazarr-jobs";

/** A path in the directory of one plan below its target. */
export function jobPath(target: AbsolutePath, plan: string, name: string): AbsolutePath {
  return keyBelow(target, `${JOBS}/${plan}/${name}`);
}

export interface Ledger {
  has(task: string): boolean;
  /** Results of the tasks that gave one, those of earlier runs included. */
  readonly results: ReadonlyMap<string, JsonObject>;
  add(task: string, result: TaskResult): void;
  /**
   * Writes down what has been added.
   * @returns false where what this run wrote before is gone: another run has finished the plan
   */
  save(): Promise<boolean>;
  /** Removes the notes of all runs. */
  remove(): Promise<void>;
}

const NAME = /^ledger-[0-9a-z-]+\.json$/;

/** Keys of the notes of all runs of a plan, one where the store cannot be listed. */
async function ledgerKeys(
  { store, path }: Location,
  plan: string,
  options: StoreOptions,
): Promise<readonly AbsolutePath[]> {
  if (!canList(store)) return [jobPath(path, plan, "ledger-only.json")];
  const prefix = jobPath(path, plan, "");
  const keys = await listPrefix(store, prefix, options);
  return keys.filter((key) => NAME.test(key.slice(prefix.length)));
}

/** Whether a run of a plan is unfinished at its target, or under way. */
export async function hasLedger(target: Location, plan: string, options: StoreOptions): Promise<boolean> {
  for (const key of await ledgerKeys(target, plan, options))
    if (await target.store.get(key, options)) return true;
  return false;
}

/**
 * @param resume false: what earlier runs have done does not count, and their notes are emptied
 */
export async function openLedger(
  plan: Plan,
  target: Location<WritableStore>,
  { resume, signal }: StoreOptions & { readonly resume: boolean },
): Promise<Ledger> {
  const { store } = target;
  const done = new Map<string, Uint8Array>();
  for (const [s, { groups }] of plan.stages.entries())
    for (const [g, group] of groups.entries()) done.set(`${s}-${g}`, new Uint8Array(taskCount(group)));
  const results = new Map<string, JsonObject>();
  const name = canList(store) ? crypto.randomUUID() : "only";
  const key = jobPath(target.path, plan.id, `ledger-${name}.json`);
  const found = await ledgerKeys(target, plan.id, { signal });
  for (const each of found) {
    if (resume) await readInto({ done, results }, store, each, { signal });
    // A note that is gone would tell its run, which may still be going on, that the plan is done.
    else await store.set(each, encodeNotes({ done: new Map(), results: new Map() }), { signal });
  }
  let isSaved = false;
  const save = async (): Promise<boolean> => {
    if (isSaved && !(await store.get(key))) return false;
    try {
      await store.set(key, encodeNotes({ done, results }));
    } catch (error) {
      throw storeFailure(error, key, undefined);
    }
    isSaved = true;
    return true;
  };
  return {
    results,
    has: (task) => {
      const [group, n] = placeOf(task);
      return done.get(group)?.[n] === 1;
    },
    add(task, result) {
      const [group, n] = placeOf(task);
      done.get(group)?.fill(1, n, n + 1);
      if (result !== undefined) results.set(task, result);
    },
    save,
    async remove() {
      const all = await ledgerKeys(target, plan.id, {});
      // Its own last: were a run killed here, the notes of an earlier one would name tasks whose intermediate arrays are gone.
      for (const each of [...all.filter((other) => other !== key), key]) await deleteKey(store, each);
    },
  };
}

/** The group of a task, "1-0", and its number in it. */
function placeOf(task: string): readonly [group: string, n: number] {
  const end = task.lastIndexOf("-");
  return [task.slice(0, end), Number(task.slice(end + 1))];
}

/** By group, [first, end] of tasks that are done without a gap. */
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
}

function encodeNotes({ done, results }: Notes): Uint8Array {
  return encodeJson({ done: rangesOf(done), results: Object.fromEntries(results) });
}

/** Notes that cannot be understood count as none: their tasks are repeated, which changes nothing. */
async function readInto(
  { done, results }: Notes,
  store: WritableStore,
  key: AbsolutePath,
  options: StoreOptions,
): Promise<void> {
  let bytes: Uint8Array | undefined;
  try {
    bytes = await store.get(key, options);
  } catch (error) {
    throw storeFailure(error, key, options.signal);
  }
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
  } catch (error) {
    if (!isZarrError(error)) throw error;
  }
}
