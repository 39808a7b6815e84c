/** Whether a plan may write its target, where a node or an unfinished plan may stand. */

import { CheckedStore, openIfThere } from "../extend.js";
import { AlreadyExistsError, type Location, UnsupportedError } from "../index.js";
import { newPlanId, unfinishedPlan } from "./ledger.js";
import type { PlanOptions } from "./plan-options.js";

interface Asked {
  readonly id: string;
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
  { id, job }: Asked,
  { overwrite = false, resume = false, signal }: PlanOptions,
): Promise<Claim> {
  const begun = overwrite && !resume ? undefined : await unfinishedPlan(to, id, { signal });
  if (resume && begun !== undefined) return { id: begun, replace: overwrite || begun !== id };
  const store = new CheckedStore(to.store);
  const isReplaced = store.canList && to.store.delete !== undefined;
  if (overwrite && isReplaced) return { id: newPlanId(id), replace: true };
  for (const location of nodes) {
    const found = (await openIfThere(location, { attrs: false, signal }))?.kind;
    if (found === undefined) continue;
    if (overwrite)
      throw new UnsupportedError(
        `${store.name} cannot be listed or cannot delete, so what is there cannot be replaced: choose another target`,
        { path: location.path },
      );
    const there = `there is ${found === "array" ? "an array" : "a group"} already`;
    if (begun === undefined && !resume)
      throw new AlreadyExistsError(`${there}; overwrite: true replaces it`, { path: location.path });
    const what = begun
      ? `this very ${job} has been begun and not finished; resume: true goes on with it`
      : `no ${job} from this source with these options is unfinished there, so that there is nothing to resume`;
    throw new AlreadyExistsError(`${there}: ${what}; overwrite: true replaces it`, { path: location.path });
  }
  return { id: overwrite ? newPlanId(id) : id, replace: overwrite };
}
