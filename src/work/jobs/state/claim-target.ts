/** Whether a plan may write its target, which may have a node or an unfinished plan. */

import { addressOfNode, CheckedStore, describe, openIfThere, withoutSecrets } from "../../../extend.js";
import { AlreadyExistsError, type Location, UnsupportedError } from "../../../index.js";
import type { NodeAddress, PlanRequest } from "../plan.js";
import type { PlanOptions } from "../plan-options.js";
import { newPlanId, otherPlanAsked, unfinishedPlan } from "./unfinished.js";

interface Question {
  readonly id: string;
  readonly source: NodeAddress;
  /** The result of the plan, for messages: "copy". */
  readonly job: string;
}

interface Claim {
  /**
   * Id of the plan: that of an unfinished run with `resume`, a new one with `overwrite`, otherwise that of
   * the question.
   */
  readonly id: string;
  /**
   * Whether the plan replaces what is at the target: also a plan that is resumed and that did so when it was
   * made.
   */
  readonly replace: boolean;
  readonly asked: PlanRequest;
}

/**
 * Checks that a plan may write its target.
 * @param id of the question that the plan answers
 * @throws AlreadyExistsError for an existing node, unless `overwrite` is set, or `resume` is set and a run of
 * this plan is unfinished there; UnsupportedError for `overwrite` of a node in a store that cannot be listed
 * or cannot delete
 */
export async function claimTarget(
  to: Location,
  nodes: readonly Location[],
  { id, job, source }: Question,
  options: PlanOptions,
): Promise<Claim> {
  const { overwrite = false, resume = false, signal } = options;
  const request = askedOf(job, source, options);
  const unfinished = overwrite && !resume ? undefined : await unfinishedPlan(to, id, { signal });
  if (resume && unfinished !== undefined)
    return { id: unfinished, replace: overwrite || unfinished !== id, asked: request };
  const store = new CheckedStore(to.store);
  const isReplaced = store.canList && to.store.delete !== undefined;
  if (overwrite && isReplaced) return { id: newPlanId(id), replace: true, asked: request };
  for (const location of nodes) {
    const found = (await openIfThere(location, { attrs: false, signal }))?.kind;
    if (found === undefined) continue;
    if (overwrite)
      throw new UnsupportedError(
        `${store.name} cannot list or delete what is at the target, so it cannot be replaced; choose another target`,
        { path: location.path },
      );
    const there = `${found === "array" ? "an array" : "a group"} already exists`;
    if (unfinished === undefined && !resume)
      throw new AlreadyExistsError(`${there}; overwrite: true replaces it`, { path: location.path });
    const other = unfinished === undefined ? await otherPlanAsked(to, { signal }) : undefined;
    if (other !== undefined)
      throw new AlreadyExistsError(
        `${there}: an unfinished ${other.job ?? "job"} there was begun ${differences(other, request)}; pass the same options with resume: true to continue it`,
        { path: location.path },
      );
    const what = unfinished
      ? `this ${job} was begun there and is unfinished; resume: true continues it`
      : `no ${job} from this source with these options is unfinished there, so there is nothing to resume`;
    throw new AlreadyExistsError(`${there}: ${what}; overwrite: true replaces it`, { path: location.path });
  }
  return { id: overwrite ? newPlanId(id) : id, replace: overwrite, asked: request };
}

/** Options that do not change what a plan does, or that say how it begins. */
const APART: readonly string[] = ["open", "overwrite", "resume", "signal"];

function askedOf(job: string, { store, path }: NodeAddress, options: PlanOptions): PlanRequest {
  const stated = Object.entries(options).filter(
    ([name, value]) => value !== undefined && !APART.includes(name),
  );
  const source = addressOfNode(withoutSecrets(store), path);
  return { job, source, ...Object.fromEntries(stated.map(([name, value]) => [name, describe(value)])) };
}

/** How an unfinished plan differs from the one that is asked for: "with another ...". */
function differences(there: PlanRequest, here: PlanRequest): string {
  const names = [...new Set([...Object.keys(there), ...Object.keys(here)])];
  const difference = names
    .filter((name) => there[name] !== here[name])
    .map((name) => `${name} (${there[name] ?? "not given"} there, ${here[name] ?? "not given"} here)`);
  if (Object.keys(there).length === 0) return "with other options, which its notes do not list";
  if (difference.length === 0)
    return "before the metadata of the source changed, or by another version of wazarr";
  return `with another ${difference.join(", ")}`;
}
