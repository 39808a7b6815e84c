/** Where a plan keeps what it needs while it runs: below its target, in a directory that is no node of the hierarchy and is gone in the end. */
import { keyBelow } from "../metadata/path.js";
import type { AbsolutePath } from "../stores/store.js";

/** Name of the directory below a target. */
export const JOBS = ".wazarr-jobs";

/** What the keys of one plan below its target begin with. */
export function jobPrefix(path: AbsolutePath, plan: string): AbsolutePath {
  return keyBelow(path, `${JOBS}/${plan}/`);
}
