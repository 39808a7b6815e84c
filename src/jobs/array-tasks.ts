/**
 * Tasks and stages that copy the elements of arrays, through intermediate arrays if that moves fewer bytes.
 */
import type { ArrayPair } from "../array/copy.js";
import { chunksAtOnce } from "../array/copy-chunks.js";
import { canErase } from "../array/erase.js";
import type { Location } from "../array/nodes.js";
import { nodeKind } from "../array/open.js";
import { readRuns } from "../array/read-runs.js";
import { alreadyExists } from "../array/write-documents.js";
import { AlreadyExistsError, InvalidArgumentError, UnsupportedError } from "../errors.js";
import { boxesOf, clipped, type Growth, growBox } from "../grid/box-planning.js";
import { type Boxes, longestBox } from "../grid/boxes.js";
import { type ChunkRuns, chunkRuns, longestChunks, longestOf } from "../grid/chunk-grid.js";
import type { JsonObject } from "../metadata/json.js";
import type { ArrayMetadata } from "../metadata/model.js";
import { product } from "../shape.js";
import { canList } from "../stores/capabilities.js";
import { describeStore } from "../stores/check-store.js";
import type { AbsolutePath } from "../stores/store.js";
import { intermediateArray, type Place } from "./arrays.js";
import type { OpenStore } from "./context.js";
import { createStage, type Documents, type NewNodes } from "./documents.js";
import { newPlanId, unfinishedPlan } from "./ledger.js";
import type { Cost, Stage, TaskGroup } from "./plan.js";
import { planRechunking } from "./rechunk.js";
import { chunkBoxes, chunkBytesOf, itemSizeOf } from "./task-size.js";

/** The tasks that copy one array, by stage. */
export interface ArrayTasks {
  readonly copy: TaskGroup;
  /** Copies from the intermediate array to the target, if `copy` fills an intermediate array. */
  readonly finish?: TaskGroup;
  readonly remove?: TaskGroup;
  readonly documents: Documents;
  readonly estimate: Cost;
}

/** Descriptions of both arrays, for the parameters of tasks. */
interface Between {
  readonly source: JsonObject;
  readonly target: JsonObject;
}

/**
 * Plans the tasks that copy one array.
 * @param place where an intermediate array goes
 * @throws InvalidArgumentError for a `maxMemory` that one chunk does not fit into
 */
export async function arrayTasks(
  { source, target, isSame }: ArrayPair,
  between: Between,
  place: Place,
  maxMemory: number | undefined,
): Promise<ArrayTasks> {
  const { metadata, shape } = source;
  const itemSize = itemSizeOf(metadata);
  const total = product(shape, itemSize);
  const once = { bytesRead: total, bytesWritten: total, bytesMoved: 0 };
  if (isSame) {
    const targetChunk = chunkBytesOf(target.metadata);
    const least = FIXED_MEMORY + targetChunk;
    const memory = memoryFor(least, maxMemory, target);
    const atOnce = Math.min(chunksAtOnce(metadata), 1 + Math.floor((memory - least) / targetChunk));
    return {
      copy: {
        kind: "copy-chunks",
        parameters: { ...between, atOnce },
        boxes: chunkBoxes(metadata),
        elementBytes: targetChunk,
      },
      documents: [],
      estimate: { ...once, peakMemory: FIXED_MEMORY + atOnce * targetChunk },
    };
  }
  const fixed = memoryBeside(metadata, target.metadata);
  const leastBox = product(clipped(longestChunks(target.metadata.chunkGrid), shape), itemSize);
  const boxBytes = memoryFor(fixed + leastBox, maxMemory, target) - fixed;
  const isLater = metadata.dataType.itemSize > 0 && canErase(target.store);
  const { boxes, readFactor, intermediate } = planRechunking({
    shape,
    source: readRuns(metadata),
    target: chunkRuns(target.metadata.chunkGrid),
    itemSize,
    boxBytes,
    canStage: isLater,
  });
  const largest = (of: Boxes): number => product(longestBox(of), itemSize);
  const estimate = { ...once, bytesRead: total * readFactor, peakMemory: fixed + largest(boxes) };
  const elementBytes = itemSize;
  if (intermediate === undefined)
    return {
      copy: { kind: "copy-box", parameters: { ...between }, boxes, elementBytes },
      documents: [],
      estimate,
    };
  const { documents, address: middle } = await intermediateArray(place, {
    shape,
    dtype: metadata.dataType,
    chunkShape: intermediate.chunks,
  });
  return {
    copy: {
      kind: "copy-box",
      parameters: { source: between.source, target: middle },
      boxes: intermediate.boxes,
      elementBytes,
    },
    finish: { kind: "copy-box", parameters: { source: middle, target: between.target }, boxes, elementBytes },
    remove: { kind: "remove-array", parameters: { array: middle } },
    documents,
    estimate: {
      ...estimate,
      bytesMoved: 2 * total,
      peakMemory: fixed + Math.max(largest(boxes), largest(intermediate.boxes)),
    },
  };
}

/** Merges the tasks of all arrays into stages. Tasks of one stage do not depend on each other. */
export function stagesOf(parts: readonly ArrayTasks[], { target, documents, replace }: NewNodes): Stage[] {
  const stage = (name: string, groups: readonly (TaskGroup | undefined)[]): Stage[] => {
    const some = groups.filter((group) => group !== undefined);
    return some.length === 0 ? [] : [{ name, groups: some }];
  };
  return [
    createStage({ target, documents: [...documents, ...parts.flatMap((part) => part.documents)], replace }),
    ...stage(
      parts.some(({ finish }) => finish) ? "copy, or into intermediate arrays" : "copy",
      parts.map(({ copy }) => copy),
    ),
    ...stage(
      "copy from intermediate arrays",
      parts.map(({ finish }) => finish),
    ),
    ...stage(
      "remove intermediate arrays",
      parts.map(({ remove }) => remove),
    ),
  ];
}

export function estimateOf(parts: readonly ArrayTasks[]): Cost {
  const sum = (of: "bytesRead" | "bytesWritten" | "bytesMoved"): number =>
    Math.ceil(parts.reduce((all, { estimate }) => all + estimate[of], 0));
  return {
    bytesRead: sum("bytesRead"),
    bytesWritten: sum("bytesWritten"),
    bytesMoved: sum("bytesMoved"),
    peakMemory: parts.reduce((most, { estimate }) => Math.max(most, estimate.peakMemory), FIXED_MEMORY),
  };
}

// The options of every plan: memory, and what stands at the target

/** Options of all plans that write. */
export interface PlanOptions {
  /**
   * Opens stores by name. Default: by directory, .zip, reference document (.json), Icechunk repository or
   * http(s) URL.
   */
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

const DEFAULT_MEMORY = 256 << 20;
/** Bytes that a task of any size takes: requests in flight, tables of codecs. */
export const FIXED_MEMORY = 32 << 20;
/**
 * Buffers of a chunk's (shard's) size while it is decoded or encoded: stored bytes, decoded bytes, and
 * working memory of codecs.
 */
const CHUNK_COPIES = 3;

/**
 * Bytes that a task takes besides the elements of its box. The largest array counts: a task does not read and
 * write at the same time.
 */
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

/**
 * Boxes of whole chunks, as large as the memory of a task allows.
 * @param fixed bytes that a task takes besides its box
 * @returns the boxes, and the memory of a task
 * @throws InvalidArgumentError for a `maxMemory` that a box of one chunk does not fit into
 */
export function fittingBoxes(
  { shape, path }: { readonly shape: readonly number[]; readonly path: AbsolutePath },
  runs: readonly ChunkRuns[],
  {
    fixed,
    maxMemory,
    costOf,
    order,
  }: Pick<Growth, "costOf" | "order"> & { readonly fixed: number; readonly maxMemory: number | undefined },
): { readonly boxes: Boxes; readonly memory: number } {
  const unit = runs.map(longestOf);
  const memory = memoryFor(fixed + costOf(clipped(unit, shape)), maxMemory, { path });
  const box = growBox(unit, { shape, order, costOf, bytes: memory - fixed });
  return { boxes: boxesOf(shape, runs, box), memory: fixed + costOf(clipped(box, shape)) };
}

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
 * this plan is unfinished there;
 *   UnsupportedError for `overwrite` of a node in a store that cannot be listed or cannot delete
 */
export async function claimTarget(
  to: Location,
  nodes: readonly Location[],
  { id, job }: Asked,
  { overwrite = false, resume = false, signal }: PlanOptions,
): Promise<Claim> {
  const begun = overwrite && !resume ? undefined : await unfinishedPlan(to, id, { signal });
  if (resume && begun !== undefined) return { id: begun, replace: overwrite || begun !== id };
  const isReplaced = canList(to.store) && to.store.delete !== undefined;
  if (overwrite && isReplaced) return { id: newPlanId(id), replace: true };
  for (const location of nodes) {
    const found = await nodeKind(location, { signal });
    if (found === undefined) continue;
    if (overwrite)
      throw new UnsupportedError(
        `${describeStore(to.store)} cannot be listed or cannot delete, so what is there cannot be replaced: choose another target`,
        { path: location.path },
      );
    if (begun === undefined && !resume) throw alreadyExists(found, location.path);
    const what = begun
      ? `this very ${job} has been begun and not finished; resume: true goes on with it`
      : `no ${job} from this source with these options is unfinished there, so that there is nothing to resume`;
    throw new AlreadyExistsError(
      `there is ${found === "array" ? "an array" : "a group"} already: ${what}; overwrite: true replaces it`,
      { path: location.path },
    );
  }
  return { id: overwrite ? newPlanId(id) : id, replace: overwrite };
}
