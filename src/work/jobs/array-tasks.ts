/**
 * Tasks and stages that copy the elements of arrays, through intermediate arrays if that moves fewer bytes.
 */

import {
  type Boxes,
  chunkRuns,
  chunksAtOnce,
  clipped,
  longestBox,
  longestChunks,
  readRuns,
} from "../../core/for-work.js";
import { CheckedStore, product } from "../../extend.js";
import type { JsonObject } from "../../index.js";
import type { ArrayPair } from "../copy.js";
import { intermediateArray, type Place } from "./arrays.js";
import { createStage, type Documents, type NewNodes } from "./documents.js";
import type { Cost, Stage, TaskGroup } from "./plan.js";
import { planRechunking } from "./rechunk.js";
import { FIXED_MEMORY, memoryBeside, memoryFor } from "./task-memory.js";
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
  const isLater = metadata.dataType.itemSize > 0 && new CheckedStore(target.store).canClear;
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
