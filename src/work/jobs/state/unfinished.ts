/** Plans that are unfinished, or in progress, at a target: those with a ledger there. */

import { JOBS, keyBelow } from "../../../core/for-work.js";
import { CheckedStore, checkNames, Member, parseJson, STORE_OPTIONS, toLocation } from "../../../extend.js";
import { type AbsolutePath, isZarrError, Location, type Store, type StoreOptions } from "../../../index.js";
import type { PlanRequest } from "../plan.js";
import { isStored, LONGEST_LEDGER, ledgerKeys } from "./ledger.js";

/** Whether a run of the plan is unfinished or in progress at the target. */
export async function hasLedger(target: Location, plan: string, options: StoreOptions): Promise<boolean> {
  for (const key of await ledgerKeys(target, plan, options))
    if (await isStored(target.store, key, options)) return true;
  return false;
}

/**
 * The id of a plan that is unfinished or in progress at the target and asks the same question: the id of the
 * question, or, of a plan that replaces what is there, one of `newPlanId`.
 */
export async function unfinishedPlan(
  target: Location,
  question: string,
  options: StoreOptions,
): Promise<string | undefined> {
  const isSame = (plan: string): boolean => plan === question || plan.startsWith(`${question}-`);
  const plans = new CheckedStore(target.store).canList
    ? (await plansAt(target, options)).filter(isSame)
    : [question];
  for (const plan of plans) if (await hasLedger(target, plan, options)) return plan;
  return undefined;
}

/**
 * The id of a plan that replaces what is at its target: no earlier run of the same question is a part of it.
 */
export function newPlanId(question: string): string {
  return `${question}-${crypto.randomUUID().slice(0, 8)}`;
}

/** The ids of the plans that have a directory at the target, which must have a store that can be listed. */
async function plansAt({ store, path }: Location, options: StoreOptions): Promise<readonly string[]> {
  const prefix = keyBelow(path, `${JOBS}/`);
  const { prefixes } = await new CheckedStore(store).listDir(prefix, options);
  return prefixes.map((plan) => plan.slice(prefix.length, -1));
}

/** Whether another plan is unfinished or in progress at the target; false if the store cannot be listed. */
export async function hasOtherPlan(target: Location, plan: string, options: StoreOptions): Promise<boolean> {
  if (!new CheckedStore(target.store).canList) return false;
  for (const other of await plansAt(target, options))
    if (other !== plan && (await hasLedger(target, other, options))) return true;
  return false;
}

/**
 * Finds a plan that is unfinished or in progress at the target, and returns what it was asked: an empty
 * object if its notes do not tell; undefined if there is no plan, or the store cannot be listed.
 */
export async function otherPlanAsked(
  target: Location,
  options: StoreOptions,
): Promise<PlanRequest | undefined> {
  const store = new CheckedStore(target.store);
  if (!store.canList) return undefined;
  for (const plan of await plansAt(target, options))
    for (const key of await ledgerKeys(target, plan, options)) {
      const bytes = await store.get(key, { ...options, maximumBytes: LONGEST_LEDGER, current: true });
      if (bytes !== undefined) return askedIn(bytes, key);
    }
  return undefined;
}

/** @returns empty for a file that is torn, or of an earlier version */
function askedIn(bytes: Uint8Array, key: AbsolutePath): PlanRequest {
  try {
    const request = new Member(parseJson(bytes, { key }), { key }).get("asked");
    const entries = request.isNull
      ? []
      : Object.keys(request.object()).map((name) => [name, request.get(name).string()]);
    return Object.fromEntries(entries);
  } catch (error) {
    if (!isZarrError(error)) throw error;
    return {};
  }
}

/**
 * Whether a copy or another plan was begun at a node, or above it, and is not finished: the node may have
 * less than its source. False for a store that cannot be listed.
 * @throws what the store throws
 */
export async function isUnfinished(where: Location | Store, options: StoreOptions = {}): Promise<boolean> {
  checkNames(options, "isUnfinished", STORE_OPTIONS);
  const { signal } = options;
  const { store, path } = toLocation(where);
  if (!new CheckedStore(store).canList) return false;
  const names = path.split("/").filter(Boolean);
  for (let length = names.length; length >= 0; length--) {
    const target = new Location(store).resolve(`/${names.slice(0, length).join("/")}`);
    for (const plan of await plansAt(target, { signal }))
      if (await hasLedger(target, plan, { signal })) return true;
  }
  return false;
}
