/** Plans that write an image of several resolutions (OME-Zarr), each level made from the one before. */

import { create } from "../array/create.js";
import { type Location, ZarrArray } from "../array/nodes.js";
import { nodeDocumentKey, updateAttributes } from "../array/rewrite.js";
import type { DataTypeName } from "../data-types/names.js";
import { chunkRuns, longestChunks } from "../grid/chunk-grid.js";
import type { JsonObject } from "../metadata/json.js";
import { keyBelow } from "../metadata/path.js";
import { createLevel, type MultiscaleOptions, type MultiscalePlan, planLevels } from "../ome-zarr/levels.js";
import { product } from "../shape.js";
import type { WritableStore } from "../stores/store.js";
import { arrayTasks, estimateOf, stagesOf } from "./array-tasks.js";
import { growBox } from "./boxes.js";
import { chunkBytesOf } from "./chunk-boxes.js";
import { arrayAt, jsonOf, type NodeName, toAddress, writableAt } from "./context.js";
import { documentsAlone, documentsOf, storeOf } from "./documents.js";
import { checkFree } from "./free.js";
import { JOBS } from "./ledger-keys.js";
import { CHUNK_COPIES, checkMemory, FIXED_MEMORY, memoryFor } from "./memory.js";
import { countTasks, hashBytes, makePlan, type Plan, planId, type Stage } from "./plan.js";
import type { PlanOptions } from "./plan-options.js";
import { boxesOf } from "./rechunk.js";
import { describeSource } from "./source.js";

export interface PlanMultiscaleOptions extends MultiscaleOptions, PlanOptions {}

type Level = ZarrArray<DataTypeName, WritableStore>;

/**
 * A plan that writes what `writeMultiscale` of `wazarr/ome-zarr` does: a copy of an array as level 0, and smaller levels, a stage for each. The
 * documents are written first: levels that are not there yet read as the fill value.
 * @throws as `writeMultiscale` and `planCopy`
 */
export async function planMultiscale(
  source: NodeName,
  target: NodeName,
  options: PlanMultiscaleOptions,
): Promise<Plan> {
  const { open: _, signal, maxMemory, overwrite = false, resume = false, ...layout } = options;
  checkMemory(maxMemory);
  const addresses = { from: toAddress(source), to: toAddress(target) };
  const array = await arrayAt(addresses.from, options);
  const to = await writableAt(addresses.to, options);
  const image = planLevels(array.shape, array.dtype, layout);
  const described = await describeSource({ ...addresses.from, path: array.path }, array, options);
  const asked = {
    source: described,
    target: jsonOf(addresses.to),
    documents: await documentsAlone(to, (at) => makeImage(at, image)),
    maxMemory: maxMemory ?? null,
  };
  const id = await planId("multiscale", asked);
  if (!overwrite) await checkFree(to, [to], { id, job: "image", resume, signal });

  const levels: Level[] = [];
  const make = async (at: Location<WritableStore>): Promise<void> => {
    for (const { path, metadata } of await makeImage(at, image))
      levels.push(new ZarrArray<DataTypeName, WritableStore>(to.store, path, metadata));
  };
  const documents = await documentsOf(to, make, { signal });
  const written = storeOf(documents);
  const known: JsonObject[] = [];
  for (const level of levels) {
    const hash = await hashBytes(written.get(await nodeDocumentKey(level)) ?? new Uint8Array(0));
    known.push({ ...jsonOf({ ...addresses.to, path: level.path }), document: hash });
  }
  const [first] = levels;
  const [firstKnown] = known;
  if (first === undefined || firstKnown === undefined) throw new TypeError("expected a level");
  await Promise.all([array.prepare(), first.prepare()]);
  const copied = await arrayTasks(
    { source: array, target: first, isSame: false },
    { source: described, target: firstKnown },
    { store: addresses.to.store, path: keyBelow(to.path, `${JOBS}/${id}/0`), maxMemory },
  );
  const estimate = { ...estimateOf([copied]) };
  const stages: Stage[] = stagesOf([copied], {
    target: jsonOf(addresses.to),
    documents,
    replace: overwrite,
  });
  for (const [i, level] of levels.entries()) {
    const [before, ratio] = [levels[i - 1], image.levels[i]?.ratio ?? []];
    if (before === undefined) continue;
    const { boxes, memory } = levelBoxes(level, before, ratio, maxMemory);
    const parameters = { source: known[i - 1] ?? {}, target: known[i] ?? {}, ratio, method: image.method };
    const elementBytes = level.dataType.itemSize;
    stages.push({
      name: `level ${i}`,
      groups: [{ kind: "downsample-box", parameters, boxes, elementBytes }],
    });
    estimate.bytesWritten += product(level.shape, elementBytes);
    estimate.bytesMoved += product(before.shape, elementBytes);
    estimate.peakMemory = Math.max(estimate.peakMemory, memory);
  }
  return makePlan(
    {
      job: "multiscale",
      target: addresses.to,
      stages,
      estimate: { tasks: countTasks(stages), ...estimate },
      notes: [],
    },
    asked,
  );
}

/** The nodes of an image, of which none has elements yet. */
async function makeImage(
  at: Location<WritableStore>,
  image: MultiscalePlan,
): Promise<readonly ZarrArray<DataTypeName, WritableStore>[]> {
  const group = await create(at, { zarrFormat: image.zarrFormat });
  const levels: ZarrArray<DataTypeName, WritableStore>[] = [];
  for (const i of image.levels.keys()) levels.push(await createLevel(group, i, image));
  await updateAttributes(group, image.attributes);
  return levels;
}

/** Boxes of whole chunks (shards) of a level, as large as memory allows. */
function levelBoxes(
  { metadata, shape, dataType }: Level,
  before: Level,
  ratio: readonly number[],
  maxMemory: number | undefined,
) {
  const unit = longestChunks(metadata.chunkGrid);
  // Elements of the level before, one that is made of them, and the sum and count on the way.
  const costOf = (box: readonly number[]): number =>
    product(
      box.map((length, d) => Math.min(length, shape[d] ?? 1)),
      dataType.itemSize * (1 + product(ratio)) + 16,
    );
  const fixed = FIXED_MEMORY + CHUNK_COPIES * Math.max(chunkBytesOf(before.metadata), chunkBytesOf(metadata));
  const memory = memoryFor(fixed + costOf(unit), maxMemory, before);
  const order = shape.map((_, d) => shape.length - 1 - d);
  const lengths = growBox(unit, { shape, order, costOf, bytes: memory - fixed });
  return { boxes: boxesOf(shape, chunkRuns(metadata.chunkGrid), lengths), memory: fixed + costOf(lengths) };
}
