/** The tasks that copy the elements of arrays, with intermediate arrays where that is cheaper, and their stages. */
import { readRuns } from "../array/chunk-walk.js";
import type { ArrayPair } from "../array/copy.js";
import { chunksAtOnce } from "../array/copy-chunks.js";
import type { Location } from "../array/nodes.js";
import { nodeKind } from "../array/open.js";
import { alreadyExists } from "../array/write-documents.js";
import { AlreadyExistsError, InvalidArgumentError } from "../errors.js";
import { chunkRuns, longestChunks } from "../grid/chunk-grid.js";
import type { JsonObject } from "../metadata/json.js";
import type { ArrayMetadata } from "../metadata/model.js";
import { product } from "../shape.js";
import { canList } from "../stores/capabilities.js";
import type { AbsolutePath } from "../stores/store.js";
import { intermediateArray, type Place } from "./arrays.js";
import { type Boxes, chunkBoxes, chunkBytesOf, itemSizeOf, longestBox } from "./boxes.js";
import type { OpenStore } from "./context.js";
import { createStage, type Documents, type NewNodes } from "./documents.js";
import { hasLedger } from "./ledger.js";
import type { Cost, Stage, TaskGroup } from "./plan.js";
import { planRechunking } from "./rechunk.js";

/** The tasks of one array, by stage. */
export interface ArrayTasks {
  readonly copy: TaskGroup;
  /** What follows where `copy` fills an intermediate array. */
  readonly finish?: TaskGroup;
  readonly remove?: TaskGroup;
  readonly documents: Documents;
  readonly estimate: Cost;
}

/** What tasks are told of both arrays. */
interface Between {
  readonly source: JsonObject;
  readonly target: JsonObject;
}

/**
 * @param place of the intermediate array
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
  const leastBox = product(
    longestChunks(target.metadata.chunkGrid).map((length, d) => Math.min(length, shape[d] ?? 1)),
    itemSize,
  );
  const boxBytes = memoryFor(fixed + leastBox, maxMemory, target) - fixed;
  const isLater =
    metadata.dataType.itemSize > 0 && (canList(target.store) || target.store.deletePrefix !== undefined);
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

/** Stages in which no task needs what another one of them makes. */
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
