/** The tasks that copy the elements of one array, with an intermediate array where that is cheaper. */
import { readRuns } from "../array/chunk-walk.js";
import { chunksAtOnce } from "../array/copy-chunks.js";
import type { ArrayPair } from "../array/copy-plan.js";
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
import type { PlanEstimate, TaskGroup } from "./plan.js";
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
