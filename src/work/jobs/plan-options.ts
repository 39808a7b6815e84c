/** The options of every plan that writes. */
import type { NamesOf } from "../../extend.js";
import type { OpenStore } from "./context.js";

/** Options of all plans that write. */
export interface PlanOptions {
  /** Opens stores by name. Default: `openStore` of `wazarr/stores/open-store`. */
  readonly open?: OpenStore | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Memory limit of one task in bytes, on top of what the process takes without tasks. Default: 256 MiB, more
   * if one chunk needs more.
   */
  readonly maxMemory?: number | undefined;
  /**
   * Replaces the node at the target and everything below it. Without this, an existing node is an
   * AlreadyExistsError.
   */
  readonly overwrite?: boolean | undefined;
  /** Accepts an existing target if an interrupted run of the same plan made it, and continues that run. */
  readonly resume?: boolean | undefined;
}

export const PLAN: NamesOf<PlanOptions> = {
  open: "function",
  signal: true,
  maxMemory: true,
  overwrite: true,
  resume: true,
};
