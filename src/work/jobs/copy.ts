/**
 * Plans that copy an array or a hierarchy to any format, chunk grid and codecs in bounded memory, and the
 * tasks of such plans.
 */

import { coordinatesIn, copyChunk, copyBox as copyElements } from "../../core/for-work.js";
import { CheckedStore, checkNames, forEachAtOnce, layoutOf, type NamesOf, product } from "../../extend.js";
import { consolidateMetadata, open, Array as ZarrArray } from "../../index.js";
import type { Conversion } from "../../main/copy.js";
import { isCopyConsolidated } from "../consolidated-copy.js";
import { CONVERSION, planNodes } from "../copy.js";
import { type ArrayTasks, arrayTasks, estimateOf, stagesOf } from "./array-tasks.js";
import {
  checkUnchanged,
  describeNew,
  describeSource,
  documentHash,
  openAsNew,
  openSource,
  openUnchanged,
  removeChunk,
} from "./arrays.js";
import {
  boxOf,
  locationAt,
  type NodeName,
  parametersOf,
  type TaskContext,
  toAddress,
  writableAt,
} from "./context.js";
import { copiesOf, documentsAlone, documentsOf, type MakeNodes, storeOf } from "./documents.js";
import { makePlan, type Plan, planId, type Task } from "./plan.js";
import { PLAN, type PlanOptions } from "./plan-options.js";
import { claimTarget } from "./state/claim-target.js";
import { jobPath } from "./state/ledger.js";
import { chunksMeeting, type SourceState } from "./state/source-state.js";
import type { Written } from "./state/written.js";
import { checkMemory } from "./task-memory.js";

/** Options of `planCopy`. */
export interface PlanCopyOptions extends Conversion, PlanOptions {}

const OPTIONS: NamesOf<PlanCopyOptions> = { ...CONVERSION, ...PLAN };

/**
 * Plans a copy of an array, or of a group with everything below it: documents first, then elements in tasks
 * of whole chunks (shards) of the target. Stored chunks are copied without decoding if their bytes are valid
 * in the target. Only tasks write; planning does not.
 * @example
 * ```ts
 * const plan = await planCopy("slices.zarr", "columns.zarr", { chunkShape: [365, 9, 9] });
 * await runLocal(plan);
 * ```
 * @throws AlreadyExistsError without `overwrite` or `resume`, InvalidArgumentError for a `maxMemory` that one
 * chunk does not fit into, and what `copyNode` throws
 */
export async function planCopy(
  source: NodeName,
  target: NodeName,
  options: PlanCopyOptions = {},
): Promise<Plan> {
  checkNames(options, "planCopy", OPTIONS);
  const { open: _, overwrite: __, resume: ___, maxMemory, signal, ...conversion } = options;
  checkMemory(maxMemory);
  const addresses = { from: toAddress(source), to: toAddress(target) };
  const from = await open(await locationAt(addresses.from, options), { signal });
  const to = await writableAt(addresses.to, options);
  const nodes = await planNodes(from, to, { ...conversion, signal });
  const isConsolidated =
    nodes[0]?.metadata.zarrFormat !== "draft" && (await isCopyConsolidated(from, to, { signal }));
  const make: MakeNodes = async (at) => {
    await copiesOf(nodes)(at);
    if (isConsolidated) await consolidateMetadata(at.store);
  };
  const request = {
    source: addresses.from,
    target: addresses.to,
    sources: await Promise.all(nodes.map((node) => documentHash(node.source, options))),
    documents: await documentsAlone(to, make),
    maxMemory: maxMemory ?? null,
  };
  const made = nodes.map(({ location }) => location);
  const {
    id,
    replace,
    asked: planRequest,
  } = await claimTarget(
    to,
    made,
    { id: await planId("copy", request), job: "copy", source: addresses.from },
    options,
  );
  const documents = await documentsOf(to, make, { signal });
  const written = storeOf(documents);
  const parts: ArrayTasks[] = [];
  for (const { arrays } of nodes) {
    if (arrays === undefined) continue;
    const { source: array, target: copied } = arrays;
    const between = {
      source: await describeSource(addresses.from.store, array, options),
      target: await describeNew(addresses.to.store, copied, written),
    };
    const middle = { store: addresses.to.store, path: jobPath(to.path, id, `${parts.length}`) };
    parts.push(await arrayTasks(arrays, between, middle, maxMemory));
  }
  const stages = stagesOf(parts, { target: addresses.to, documents, replace });
  return makePlan({
    id,
    job: "copy",
    target: addresses.to,
    asked: planRequest,
    stages,
    estimate: estimateOf(parts),
    notes: nodes.flatMap(({ note }) => (note ? [`${note.path}: ${note.message}`] : [])),
  });
}

/**
 * The task "copy-box": copies the elements of one box to an array that may have other chunks, codecs and
 * format. The box consists of whole chunks (shards) of the target, so that no other task writes them. Chunks
 * already stored there are never read, so the task writes the same bytes after an earlier attempt, or over an
 * earlier array.
 */
export async function copyBox(
  task: Task,
  context: TaskContext,
  written: Written,
  state: SourceState,
): Promise<undefined> {
  const parameters = parametersOf(task);
  const source = await openSource(parameters.get("source"), context, state);
  const target = await openAsNew(parameters.get("target"), context, written);
  const box = boxOf(task, source.shape);
  const memory = takeMemory(context);
  const { concurrency, signal, workers, onProgress } = context;
  await state.begin(source, chunksMeeting(source, box), { signal });
  let reportedBytes = 0;
  const part = (read: number, encoded: number): void => {
    const bytes = Math.floor(((read + encoded) / 2) * task.bytes);
    onProgress?.(bytes - reportedBytes, task);
    reportedBytes = bytes;
  };
  const check = (): Promise<void> => checkUnchanged(parameters.get("source"), source, context);
  await copyElements(source, target, box, memory, { concurrency, signal, workers }, part, check);
  giveBack(context, memory);
}

/** Buffers that consecutive tasks of one context reuse. */
const spare = new WeakMap<TaskContext, { bytes: Uint8Array }[]>();

function takeMemory(context: TaskContext): { bytes: Uint8Array } {
  return spare.get(context)?.pop() ?? { bytes: new Uint8Array(0) };
}

/**
 * Returns a buffer for reuse. Not called after a failure: a pending operation may still write into the
 * buffer.
 */
function giveBack(context: TaskContext, memory: { bytes: Uint8Array }): void {
  const others = spare.get(context);
  if (others === undefined) spare.set(context, [memory]);
  else others.push(memory);
}

/**
 * The task "copy-chunks": copies stored chunks (shards) without decoding, for a box of the chunk grid that
 * both arrays share. It deletes chunks that the source does not have: an earlier array at the target may have
 * left them.
 */
export async function copyChunks(
  task: Task,
  context: TaskContext,
  written: Written,
  state: SourceState,
): Promise<undefined> {
  const parameters = parametersOf(task);
  const source = await openSource(parameters.get("source"), context, state);
  const found = await openUnchanged(parameters.get("target"), context);
  const store = written.over(new CheckedStore(found.store).writable(found.path));
  const target = new ZarrArray<unknown, typeof store>(store, found.path, found.metadata, found.entryPoint);
  const atOnce = parameters.get("atOnce").isNull ? 1 : parameters.get("atOnce").integer(1);
  const { keyOf, grid } = layoutOf(target);
  const box = boxOf(task, grid);
  const { concurrency = atOnce, signal, onProgress } = context;
  const count = product(box.shape);
  await state.begin(source, box, { signal });
  await forEachAtOnce(coordinatesIn(box), Math.min(concurrency, atOnce), async (chunk) => {
    const isThere = await copyChunk(source, target, chunk, { signal });
    if (!isThere) await removeChunk(store, keyOf(chunk), { signal });
    onProgress?.(task.bytes / count, task);
  });
}
