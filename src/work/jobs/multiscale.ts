/**
 * Plans that write an OME-Zarr image of several resolutions, each level made from the one before, and the
 * tasks of such plans.
 */

import { chunkRuns } from "../../core/for-work.js";
import {
  checkNames,
  type DownsamplingMethod,
  itemAt,
  type NamesOf,
  product,
  writeCoarserBox,
} from "../../extend.js";
import {
  createLevel,
  MULTISCALE,
  type MultiscaleOptions,
  type MultiscalePlan,
  planLevels,
} from "../../formats/for-work.js";
import {
  create,
  type DataTypeName,
  type JsonObject,
  type Location,
  updateAttributes,
  type WritableStore,
  Array as ZarrArray,
} from "../../index.js";
import { arrayTasks, estimateOf, stagesOf } from "./array-tasks.js";
import { describeNew, describeSource, openAsNew, openUnchanged } from "./arrays.js";
import {
  arrayAt,
  boxOf,
  type NodeName,
  parametersOf,
  type TaskContext,
  toAddress,
  writableAt,
} from "./context.js";
import { documentsAlone, documentsOf, storeOf } from "./documents.js";
import { makePlan, type Plan, planId, type Stage, type Task } from "./plan.js";
import { PLAN, type PlanOptions } from "./plan-options.js";
import { claimTarget } from "./state/claim-target.js";
import { jobPath } from "./state/ledger.js";
import type { Written } from "./state/written.js";
import { checkMemory, fittingBoxes, memoryBeside } from "./task-memory.js";

/** Options of `planMultiscale`. */
export interface PlanMultiscaleOptions extends MultiscaleOptions, PlanOptions {}

const OPTIONS: NamesOf<PlanMultiscaleOptions> = { ...MULTISCALE, ...PLAN };

type Level = ZarrArray<DataTypeName, WritableStore>;

/**
 * Plans the image that `writeMultiscale` of `wazarr/ome-zarr` writes: a copy of an array as level 0, then one
 * stage per smaller level. The first stage writes all documents, so levels that are not written yet read as
 * the fill value.
 * @throws what `writeMultiscale` and `planCopy` throw
 */
export async function planMultiscale(
  source: NodeName,
  target: NodeName,
  options: PlanMultiscaleOptions,
): Promise<Plan> {
  checkNames(options, "planMultiscale", OPTIONS);
  const { open: _, signal, maxMemory, overwrite: __, resume: ___, ...layout } = options;
  checkMemory(maxMemory);
  const addresses = { from: toAddress(source), to: toAddress(target) };
  const array = await arrayAt(addresses.from, options);
  const to = await writableAt(addresses.to, options);
  const image = planLevels(array.shape, array.dataType.name, layout);
  const described = await describeSource(addresses.from.store, array, options);
  const request = {
    source: described,
    target: addresses.to,
    documents: await documentsAlone(to, (at) => makeImage(at, image)),
    maxMemory: maxMemory ?? null,
  };
  const {
    id,
    replace,
    asked: planRequest,
  } = await claimTarget(
    to,
    [to],
    { id: await planId("multiscale", request), job: "image", source: addresses.from },
    options,
  );

  const levels: Level[] = [];
  const make = async (at: Location<WritableStore>): Promise<void> => {
    for (const { path, metadata } of await makeImage(at, image))
      levels.push(new ZarrArray<DataTypeName, WritableStore>(to.store, path, metadata));
  };
  const documents = await documentsOf(to, make, { signal });
  const written = storeOf(documents);
  const known: JsonObject[] = [];
  for (const level of levels) known.push(await describeNew(addresses.to.store, level, written));
  const [first] = levels;
  const [firstKnown] = known;
  if (first === undefined || firstKnown === undefined) throw new TypeError("internal error: no level");
  await Promise.all([array.prepare(), first.prepare()]);
  const copied = await arrayTasks(
    { source: array, target: first, isSame: false },
    { source: described, target: firstKnown },
    { store: addresses.to.store, path: jobPath(to.path, id, "0") },
    maxMemory,
  );
  const estimate = { ...estimateOf([copied]) };
  const stages: Stage[] = stagesOf([copied], {
    target: addresses.to,
    documents,
    replace,
  });
  for (const [i, level] of levels.entries()) {
    const [before, ratio] = [levels[i - 1], image.levels[i]?.ratio ?? []];
    if (before === undefined) continue;
    const { boxes, memory } = levelBoxes(level, before, ratio, maxMemory);
    const parameters = {
      source: itemAt(known, i - 1),
      target: itemAt(known, i),
      ratio,
      method: image.method,
    };
    const elementBytes = level.dataType.itemSize;
    stages.push({
      name: `level ${i}`,
      groups: [{ kind: "downsample-box", parameters, boxes, elementBytes }],
    });
    estimate.bytesWritten += product(level.shape, elementBytes);
    estimate.bytesMoved += product(before.shape, elementBytes);
    estimate.peakMemory = Math.max(estimate.peakMemory, memory);
  }
  return makePlan({ id, job: "multiscale", target: addresses.to, asked: planRequest, stages, estimate });
}

/** Creates the group and the levels of an image, without chunks. */
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

/** Boxes of whole chunks (shards) of a level, as large as `maxMemory` allows. */
function levelBoxes(
  { metadata, shape, dataType }: Level,
  before: Level,
  ratio: readonly number[],
  maxMemory: number | undefined,
) {
  // Bytes per element of the result: the elements of the level before, the result itself, and 16 for sum and
  // count.
  const elementBytes = dataType.itemSize * (1 + product(ratio)) + 16;
  const costOf = (box: readonly number[]): number => product(box, elementBytes);
  const fixed = memoryBeside(before.metadata, metadata);
  return fittingBoxes({ shape, path: before.path }, chunkRuns(metadata.chunkGrid), {
    fixed,
    maxMemory,
    costOf,
  });
}

/**
 * The task "downsample-box": computes one box of a level from the level before. The box consists of whole
 * chunks (shards) of the level, so that no other task writes them.
 */
export async function downsampleBox(task: Task, context: TaskContext, written: Written): Promise<undefined> {
  const parameters = parametersOf(task);
  const source = await openUnchanged(parameters.get("source"), context);
  const target = await openAsNew(parameters.get("target"), context, written);
  const box = boxOf(task, target.shape);
  const ratio = parameters.get("ratio").integers(1, box.shape.length);
  const method = parameters.get("method").oneOf<DownsamplingMethod>("mean", "mode", "nearest");
  const { signal, workers, concurrency } = context;
  await writeCoarserBox(target, source, box, { ratio, method }, { signal, workers, concurrency });
}
