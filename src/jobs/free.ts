/** Whether a plan may write to its target. */
import type { Location } from "../array/nodes.js";
import { nodeKind } from "../array/open.js";
import { alreadyExists } from "../array/write-documents.js";
import { AlreadyExistsError } from "../errors.js";
import type { StoreOptions } from "../stores/store.js";
import { hasLedger } from "./ledger.js";

export interface Asked extends StoreOptions {
  /** Of the plan. */
  readonly id: string;
  /** What the plan does: "copy". */
  readonly job: string;
  readonly resume: boolean;
}

/** @throws AlreadyExistsError where there is a node, unless it was made by a run of the plan that is to be resumed */
export async function checkFree(
  to: Location,
  nodes: readonly Location[],
  { id, job, resume, signal }: Asked,
): Promise<void> {
  const isBegun = await hasLedger(to, id, { signal });
  if (isBegun && resume) return;
  for (const location of nodes) {
    const found = await nodeKind(location, { signal });
    if (found === undefined) continue;
    if (!isBegun && !resume) throw alreadyExists(found, location.path);
    const what = isBegun
      ? `this very ${job} has been begun and not finished; resume: true goes on with it`
      : `no ${job} from this source with these options is unfinished there, so that there is nothing to resume`;
    throw new AlreadyExistsError(
      `there is ${found === "array" ? "an array" : "a group"} already: ${what}; overwrite: true replaces it`,
      { path: location.path },
    );
  }
}
