/** Options of plans that write: what their tasks may take, and whether they may replace what is at the target. */
import type { Location } from "../array/nodes.js";
import { nodeKind } from "../array/open.js";
import { alreadyExists } from "../array/write-documents.js";
import { AlreadyExistsError, InvalidArgumentError } from "../errors.js";
import type { ArrayMetadata } from "../metadata/model.js";
import type { AbsolutePath } from "../stores/store.js";
import { chunkBytesOf } from "./boxes.js";
import type { OpenStore } from "./context.js";
import { hasLedger } from "./ledger.js";

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

const DEFAULT_MEMORY = 256 << 20;
/** What a task takes whatever its size: requests under way, tables of codecs. */
export const FIXED_MEMORY = 32 << 20;
/** Of a chunk (shard) that is decoded or encoded: stored, decoded, and what its codecs work in. */
const CHUNK_COPIES = 3;

/** What a task takes beside the elements of its box: reading and writing do not happen at the same time. */
export function memoryBeside(...arrays: readonly ArrayMetadata[]): number {
  return FIXED_MEMORY + CHUNK_COPIES * Math.max(...arrays.map(chunkBytesOf));
}

/** @throws InvalidArgumentError for what is no number of bytes */
export function checkMemory(maxMemory: number | undefined): void {
  if (maxMemory === undefined || (Number.isSafeInteger(maxMemory) && maxMemory > 0)) return;
  throw new InvalidArgumentError(`maxMemory: expected a number of bytes, got ${maxMemory}`);
}

/** @throws InvalidArgumentError where what is allowed is less than what the smallest task takes */
export function memoryFor(
  least: number,
  maxMemory: number | undefined,
  { path }: { readonly path: AbsolutePath },
): number {
  if (maxMemory === undefined) return Math.max(least, DEFAULT_MEMORY);
  if (maxMemory >= least) return maxMemory;
  throw new InvalidArgumentError(
    `maxMemory: expected ${least} bytes or more, which a task of one chunk (shard) takes, got ${maxMemory}`,
    { path },
  );
}

interface Asked {
  /** Of the plan. */
  readonly id: string;
  /** What the plan does: "copy". */
  readonly job: string;
}

/** @throws AlreadyExistsError where there is a node, unless it may be replaced, or was made by a run of the plan that is to be resumed */
export async function checkFree(
  to: Location,
  nodes: readonly Location[],
  { id, job }: Asked,
  { overwrite = false, resume = false, signal }: PlanOptions,
): Promise<void> {
  if (overwrite) return;
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
