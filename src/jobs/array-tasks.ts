/** The tasks that copy the elements of arrays, with intermediate arrays where that is cheaper, and their stages. */
import { readRuns } from "../array/chunk-walk.js";
import type { ArrayPair } from "../array/copy.js";
import { chunksAtOnce } from "../array/copy-chunks.js";
import { chunkRuns, longestChunks } from "../grid/chunk-grid.js";
import type { JsonObject } from "../metadata/json.js";
import { product } from "../shape.js";
import { canList } from "../stores/capabilities.js";
import type { AbsolutePath } from "../stores/store.js";
import { type Boxes, longestBox } from "./boxes.js";
import { chunkBoxes, chunkBytesOf, itemSizeOf } from "./chunk-boxes.js";
import type { Documents } from "./documents.js";
import { intermediateArray } from "./intermediate.js";
import { CHUNK_COPIES, FIXED_MEMORY, memoryFor } from "./memory.js";
import type { PlanEstimate, Stage, TaskGroup } from "./plan.js";
import { planRechunking } from "./rechunk.js";

export type Estimate = Omit<PlanEstimate, "tasks">;

/** The tasks of one array, by stage. */
export interface ArrayTasks {
  readonly copy: TaskGroup;
  /** What follows where `copy` fills an intermediate array. */
  readonly finish?: TaskGroup;
  readonly remove?: TaskGroup;
  readonly documents: Documents;
  readonly estimate: Estimate;
}

/** What tasks are told of both arrays. */
export interface Between {
  readonly source: JsonObject;
  readonly target: JsonObject;
}

/** @throws InvalidArgumentError for a `maxMemory` that one chunk does not fit into */
export async function arrayTasks(
  { source, target, isSame }: ArrayPair,
  between: Between,
  {
    store,
    path,
    maxMemory,
  }: { readonly store: string; readonly path: AbsolutePath; readonly maxMemory: number | undefined },
): Promise<ArrayTasks> {
  const { metadata, shape } = source;
  const itemSize = itemSizeOf(metadata);
  const total = product(shape, itemSize);
  const [sourceChunk, targetChunk] = [chunkBytesOf(metadata), chunkBytesOf(target.metadata)];
  if (isSame) {
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
      estimate: {
        bytesRead: total,
        bytesWritten: total,
        bytesMoved: 0,
        peakMemory: FIXED_MEMORY + atOnce * targetChunk,
      },
    };
  }
  // Reading and writing do not happen at the same time.
  const fixed = FIXED_MEMORY + CHUNK_COPIES * Math.max(sourceChunk, targetChunk);
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
  const estimate = {
    bytesRead: total * readFactor,
    bytesWritten: total,
    bytesMoved: 0,
    peakMemory: fixed + largest(boxes),
  };
  const elementBytes = itemSize;
  if (intermediate === undefined)
    return {
      copy: { kind: "copy-box", parameters: { ...between }, boxes, elementBytes },
      documents: [],
      estimate,
    };
  const { documents, address: middle } = await intermediateArray(
    { store, path },
    { shape, dtype: metadata.dataType, chunkShape: intermediate.chunks },
  );
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
export function stagesOf(
  parts: readonly ArrayTasks[],
  nodes: Omit<Between, "source"> & { readonly documents: Documents; readonly replace: boolean },
): Stage[] {
  const documents = [...nodes.documents, ...parts.flatMap((part) => part.documents)];
  const stage = (name: string, groups: readonly (TaskGroup | undefined)[]): Stage[] => {
    const some = groups.filter((group) => group !== undefined);
    return some.length === 0 ? [] : [{ name, groups: some }];
  };
  const create = {
    kind: "create-nodes",
    parameters: { target: nodes.target, documents, replace: nodes.replace },
  };
  return [
    ...stage("create the nodes", [create]),
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

export function estimateOf(parts: readonly ArrayTasks[]): Estimate {
  const sum = (of: "bytesRead" | "bytesWritten" | "bytesMoved"): number =>
    Math.ceil(parts.reduce((all, { estimate }) => all + estimate[of], 0));
  return {
    bytesRead: sum("bytesRead"),
    bytesWritten: sum("bytesWritten"),
    bytesMoved: sum("bytesMoved"),
    peakMemory: parts.reduce((most, { estimate }) => Math.max(most, estimate.peakMemory), FIXED_MEMORY),
  };
}
