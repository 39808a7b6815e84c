/**
 * Finds what a ledger claims and the target no longer has. Another run of the plan that finishes removes
 * intermediate arrays, and a target may be removed while notes about it stay.
 */
import { CheckedStore, isJsonArray, isJsonObject } from "../../../extend.js";
import type { AbsolutePath, Json, Store } from "../../../index.js";
import { storeAt, type TaskContext } from "../context.js";
import { directoryOfDocument, isWithin } from "../documents.js";
import type { Plan } from "../plan.js";
import { jobPath, type Ledger } from "./ledger.js";

/** The group of the task "create-nodes" in every plan that writes. */
const CREATION = "0-0";

/**
 * The keys of the documents that a plan creates: those of its nodes, and those of its intermediate arrays.
 */
function documentKeys({ id, stages, target }: Plan): {
  readonly nodes: readonly AbsolutePath[];
  readonly intermediate: readonly AbsolutePath[];
} {
  const documents = stages[0]?.groups[0]?.parameters.documents;
  const keys = isJsonArray(documents) ? documents.map(keyOf) : [];
  const jobs = jobPath(target === undefined ? "/" : `/${target.path.replace(/^\//, "")}`, id, "");
  return {
    nodes: keys.filter((key) => !key.startsWith(jobs)),
    intermediate: keys.filter((key) => key.startsWith(jobs)),
  };
}

function keyOf(document: Json): AbsolutePath {
  const [key] = isJsonArray(document) ? document : [];
  return typeof key === "string" ? `/${key.replace(/^\//, "")}` : "/";
}

function isThere(store: Store, key: AbsolutePath, { signal }: TaskContext): Promise<boolean> {
  return new CheckedStore(store).has(key, { signal, current: true });
}

/** Whether the documents of all nodes that the plan creates are at its target. */
export async function hasNodes(plan: Plan, context: TaskContext): Promise<boolean> {
  if (plan.target === undefined) return true;
  const store = await storeAt(plan.target.store, context);
  for (const key of documentKeys(plan).nodes) if (!(await isThere(store, key, context))) return false;
  return true;
}

/**
 * The key of a document at or below the target that the plan creates and that is there; undefined for none.
 */
export async function nodeAtTarget(plan: Plan, context: TaskContext): Promise<AbsolutePath | undefined> {
  const { target } = plan;
  if (target === undefined) return undefined;
  const store = await storeAt(target.store, context);
  const nodes = documentKeys(plan).nodes.filter((key) => isWithin(directoryOfDocument(key), target.path));
  for (const key of nodes) if (await isThere(store, key, context)) return key;
  return undefined;
}

/**
 * Takes those tasks as not done whose results are gone: all, if a document of the target is gone; those that
 * fill an intermediate array, if it is gone and still needed.
 * @returns whether there are any
 */
export async function forgetLost(plan: Plan, ledger: Ledger, context: TaskContext): Promise<boolean> {
  if (plan.target === undefined || !ledger.isDone(CREATION)) return false;
  if (!(await hasNodes(plan, context))) {
    ledger.forget();
    return true;
  }
  const store = await storeAt(plan.target.store, context);
  let isAny = false;
  for (const key of documentKeys(plan).intermediate) {
    const users = usersOf(plan, key.slice(0, key.lastIndexOf("/")));
    if (users.every(ledger.isDone) || (await isThere(store, key, context))) continue;
    // The first stage that uses the array fills it.
    ledger.forget([CREATION, ...users.filter((group) => group.startsWith("1-"))]);
    isAny = true;
  }
  return isAny;
}

/** The groups whose tasks read or write an intermediate array. */
function usersOf({ stages }: Plan, path: string): readonly string[] {
  return stages.flatMap(({ groups }, s) =>
    groups.flatMap(({ kind, parameters }, g) => {
      const arrays = [parameters.source, parameters.target, parameters.parts];
      const isUser = arrays.some((array) => isJsonObject(array) && array.path === path);
      return isUser && kind !== "remove-array" ? [`${s}-${g}`] : [];
    }),
  );
}
