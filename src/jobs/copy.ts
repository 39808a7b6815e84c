/** Plans that copy an array or a hierarchy, into any format, chunks and codecs, in bounded memory, and their tasks. */
import { chunkKeyOf } from "../array/chunk-walk.js";
import type { Conversion } from "../array/convert.js";
import { planNodes } from "../array/copy.js";
import { copyChunk, copyBox as copyElements } from "../array/copy-chunks.js";
import { chunkStore, ZarrArray } from "../array/nodes.js";
import { open } from "../array/open.js";
import { nodeDocumentKey } from "../array/rewrite.js";
import { forEach } from "../engine/concurrency.js";
import { product } from "../shape.js";
import { deleteKey } from "../stores/capabilities.js";
import { checkWritable } from "../stores/check-store.js";
import {
  type ArrayTasks,
  arrayTasks,
  checkFree,
  checkMemory,
  estimateOf,
  type PlanOptions,
  stagesOf,
} from "./array-tasks.js";
import {
  checkUnchanged,
  describeNew,
  describeSource,
  documentHash,
  openAsNew,
  openUnchanged,
} from "./arrays.js";
import { chunksOf } from "./boxes.js";
import {
  boxOf,
  integerOf,
  jsonOf,
  locationAt,
  type NodeName,
  parametersOf,
  type TaskContext,
  toAddress,
  writableAt,
} from "./context.js";
import { copiesOf, documentsAlone, documentsOf, storeOf } from "./documents.js";
import { jobPath } from "./ledger.js";
import { makePlan, type Plan, planId, type Task } from "./plan.js";

export interface PlanCopyOptions extends Conversion, PlanOptions {}

/**
 * A plan that copies an array, or a group with everything below it: documents first, then elements, in tasks of whole chunks (shards) of the
 * target. Chunks whose bytes stay valid are copied as they are. Nothing is written before a task runs.
 * @throws AlreadyExistsError without `overwrite` or `resume`, InvalidArgumentError for a `maxMemory` that one chunk does not fit into, and
 *   what `copyNode` throws
 */
export async function planCopy(
  source: NodeName,
  target: NodeName,
  options: PlanCopyOptions = {},
): Promise<Plan> {
  const { open: _, overwrite = false, resume: __, maxMemory, signal, ...conversion } = options;
  checkMemory(maxMemory);
  const addresses = { from: toAddress(source), to: toAddress(target) };
  const from = await open(await locationAt(addresses.from, options), { signal });
  const to = await writableAt(addresses.to, options);
  const nodes = await planNodes(from, to, { ...conversion, signal });
  const asked = {
    source: jsonOf(addresses.from),
    target: jsonOf(addresses.to),
    sources: await Promise.all(nodes.map((node) => documentHash(node.source, options))),
    documents: await documentsAlone(to, copiesOf(nodes)),
    maxMemory: maxMemory ?? null,
  };
  const id = await planId("copy", asked);
  const made = nodes.map(({ location }) => location);
  await checkFree(to, made, { id, job: "copy" }, options);
  const documents = await documentsOf(to, copiesOf(nodes), { signal });
  const written = storeOf(documents);
  const parts: ArrayTasks[] = [];
  for (const { arrays } of nodes) {
    if (arrays === undefined) continue;
    const { source: array, target: copied } = arrays;
    const place = { ...addresses.to, path: copied.path };
    const between = {
      source: await describeSource(addresses.from.store, array, options),
      target: await describeNew(place, await nodeDocumentKey(copied), written),
    };
    const middle = { store: addresses.to.store, path: jobPath(to.path, id, `${parts.length}`) };
    parts.push(await arrayTasks(arrays, between, middle, maxMemory));
  }
  const stages = stagesOf(parts, { target: addresses.to, documents, replace: overwrite });
  return makePlan({
    id,
    job: "copy",
    target: addresses.to,
    stages,
    estimate: estimateOf(parts),
    notes: nodes.flatMap(({ note }) => (note ? [`${note.path}: ${note.message}`] : [])),
  });
}

/**
 * The task that copies the elements of one box of an array into another one, which may be of other chunks, codecs and format. The box begins
 * and ends where chunks (shards) of the target do, or at its end, so that no other task writes them. What is stored there is not looked at:
 * the same bytes are written whatever an earlier attempt, or an array before this one, has left.
 */
export async function copyBox(task: Task, context: TaskContext): Promise<undefined> {
  const parameters = parametersOf(task);
  const source = await openUnchanged(parameters.get("source"), context);
  const target = await openAsNew(parameters.get("target"), context);
  const box = boxOf(task, source.shape.length);
  const memory = takeMemory(context);
  const { concurrency, signal, workers, onProgress } = context;
  let told = 0;
  const part = (read: number, encoded: number): void => {
    const bytes = Math.floor(((read + encoded) / 2) * task.bytes);
    onProgress?.(bytes - told, task);
    told = bytes;
  };
  const check = (): Promise<void> => checkUnchanged(parameters.get("source"), source, context);
  await copyElements(source, target, box, memory, { concurrency, signal, workers }, part, check);
  giveBack(context, memory);
}

/** Memory that tasks of one context use one after the other. */
const spare = new WeakMap<TaskContext, { bytes: Uint8Array }[]>();

function takeMemory(context: TaskContext): { bytes: Uint8Array } {
  return spare.get(context)?.pop() ?? { bytes: new Uint8Array(0) };
}

/** Not after a failure: what was begun may still write into it. */
function giveBack(context: TaskContext, memory: { bytes: Uint8Array }): void {
  const others = spare.get(context);
  if (others === undefined) spare.set(context, [memory]);
  else others.push(memory);
}

/**
 * The task that copies stored chunks (shards) as they are, for a box of the grid of chunks that both arrays have. A chunk that the source does
 * not have is removed from the target, where an array before this one may have left it.
 */
export async function copyChunks(task: Task, context: TaskContext): Promise<undefined> {
  const parameters = parametersOf(task);
  const source = await openUnchanged(parameters.get("source"), context);
  const found = await openUnchanged(parameters.get("target"), context);
  const store = checkWritable(found.store, found.path);
  const target = new ZarrArray<unknown, typeof store>(store, found.path, found.metadata, found.entryPoint);
  const atOnce = parameters.get("atOnce").isNull ? 1 : integerOf(parameters.get("atOnce"), 1);
  const box = boxOf(task, source.shape.length);
  const from = await chunkStore(source);
  const { concurrency = atOnce, signal, onProgress } = context;
  const count = product(box.shape);
  await forEach(chunksOf(box), Math.min(concurrency, atOnce), async (chunk) => {
    const isThere = await copyChunk(source, from, target, chunk, { signal });
    if (!isThere && store.delete) await deleteKey(store, chunkKeyOf(target, chunk), { signal });
    onProgress?.(task.bytes / count, task);
  });
}
