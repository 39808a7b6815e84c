/** Options of plans that write: the memory limit of a task, and whether to replace existing nodes at the target. */
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
  /** Opens stores by name. Default: by directory, .zip, reference document (.json), Icechunk repository or http(s) URL. */
  readonly open?: OpenStore | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Memory limit of one task in bytes, on top of what the process takes without tasks. Default: 256 MiB, more if one chunk needs more. */
  readonly maxMemory?: number | undefined;
  /** Replaces the node at the target and everything below it. Without this, an existing node is an AlreadyExistsError. */
  readonly overwrite?: boolean | undefined;
  /** Accepts an existing target if an interrupted run of the same plan made it, and continues that run. */
  readonly resume?: boolean | undefined;
}

const DEFAULT_MEMORY = 256 << 20;
/** Bytes that a task of any size takes: requests in flight, tables of codecs. */
export const FIXED_MEMORY = 32 << 20;
/** Buffers of a chunk's (shard's) size while it is decoded or encoded: stored bytes, decoded bytes, and working memory of codecs. */
const CHUNK_COPIES = 3;

/** Bytes that a task takes besides the elements of its box. The largest array counts: a task does not read and write at the same time. */
export function memoryBeside(...arrays: readonly ArrayMetadata[]): number {
  return FIXED_MEMORY + CHUNK_COPIES * Math.max(...arrays.map(chunkBytesOf));
}

/** @throws InvalidArgumentError unless `maxMemory` is a positive integer or undefined */
export function checkMemory(maxMemory: number | undefined): void {
  if (maxMemory === undefined || (Number.isSafeInteger(maxMemory) && maxMemory > 0)) return;
  throw new InvalidArgumentError(`maxMemory: expected a number of bytes, got ${maxMemory}`);
}

/** @throws InvalidArgumentError if `maxMemory` is below `least`, the bytes of the smallest task */
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
  /** Id of the plan. */
  readonly id: string;
  /** What the plan makes, for messages: "copy". */
  readonly job: string;
}

/** @throws AlreadyExistsError for an existing node, unless `overwrite` is set, or `resume` is set and a run of this plan is unfinished there */
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
