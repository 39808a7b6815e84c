import type { OpenStore } from "./context.js";

/** Options of all plans that write. */
export interface PlanOptions {
  /** Opens the stores that are named; directories, .zip and http(s) URLs unless given. */
  readonly open?: OpenStore | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Bytes that one task may take beyond what the process takes anyway; 256 MiB unless given, more where one chunk takes more. */
  readonly maxMemory?: number | undefined;
  /** Replace what is at the target, with everything below it; an error without it. */
  readonly overwrite?: boolean | undefined;
  /** Go on where a run of the same plan was interrupted: its target may be there. */
  readonly resume?: boolean | undefined;
}
