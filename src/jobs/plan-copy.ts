/** Plans that copy an array or a hierarchy, into any format, chunks and codecs, in bounded memory. */
import { readRuns } from "../array/chunk-walk.js";
import type { Conversion } from "../array/convert.js";
import { chunksAtOnce } from "../array/copy-chunks.js";
import { type ArrayPair, planNodes } from "../array/copy-plan.js";
import { open } from "../array/open.js";
import { nodeDocumentKey } from "../array/rewrite.js";
import { chunkRuns, longestChunks } from "../grid/chunk-grid.js";
import type { JsonObject } from "../metadata/json.js";
import { keyBelow } from "../metadata/path.js";
import { product } from "../shape.js";
import { canList } from "../stores/capabilities.js";
import type { AbsolutePath } from "../stores/store.js";
import { type Boxes, longestBox } from "./boxes.js";
import { chunkBoxes, chunkBytesOf, itemSizeOf } from "./chunk-boxes.js";
import { jsonOf, locationAt, type NodeName, type OpenStore, toAddress, writableAt } from "./context.js";
import { copiesOf, type Documents, documentsAlone, documentsOf, storeOf } from "./documents.js";
import { checkFree } from "./free.js";
import { intermediateArray } from "./intermediate.js";
import { JOBS } from "./ledger-keys.js";
import { CHUNK_COPIES, checkMemory, FIXED_MEMORY, memoryFor } from "./memory.js";
import {
  countTasks,
  hashBytes,
  makePlan,
  type Plan,
  type PlanEstimate,
  planId,
  type Stage,
  type TaskGroup,
} from "./plan.js";
import { planRechunking } from "./rechunk.js";
import { describeSource, documentHash } from "./source.js";

export interface PlanCopyOptions extends Conversion {
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
  const { open: _, overwrite = false, resume = false, maxMemory, signal, ...conversion } = options;
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
  if (!overwrite) await checkFree(to, made, { id, job: "copy", resume, signal });
  const documents = await documentsOf(to, copiesOf(nodes), { signal });
  const written = storeOf(documents);
  const parts: ArrayTasks[] = [];
  for (const { arrays } of nodes) {
    if (arrays === undefined) continue;
    const { source: array, target: copied } = arrays;
    const hash = await hashBytes(written.get(await nodeDocumentKey(copied)) ?? new Uint8Array(0));
    const between = {
      source: await describeSource({ ...addresses.from, path: array.path }, array, options),
      target: { ...jsonOf({ ...addresses.to, path: copied.path }), document: hash },
    };
    const path = keyBelow(to.path, `${JOBS}/${id}/${parts.length}`);
    parts.push(await arrayTasks(arrays, between, { store: addresses.to.store, path, maxMemory }));
  }
  const stages = stagesOf(parts, { target: jsonOf(addresses.to), documents, replace: overwrite });
  return makePlan(
    {
      job: "copy",
      target: addresses.to,
      stages,
      estimate: { tasks: countTasks(stages), ...estimateOf(parts) },
      notes: nodes.flatMap(({ note }) => (note ? [`${note.path}: ${note.message}`] : [])),
    },
    asked,
  );
}

type Estimate = Omit<PlanEstimate, "tasks">;

/** The tasks of one array, by stage. */
interface ArrayTasks {
  readonly copy: TaskGroup;
  /** What follows where `copy` fills an intermediate array. */
  readonly finish?: TaskGroup;
  readonly remove?: TaskGroup;
  readonly documents: Documents;
  readonly estimate: Estimate;
}

interface Between {
  readonly source: JsonObject;
  readonly target: JsonObject;
}

async function arrayTasks(
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
function stagesOf(
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

function estimateOf(parts: readonly ArrayTasks[]): Estimate {
  const sum = (of: "bytesRead" | "bytesWritten" | "bytesMoved"): number =>
    Math.ceil(parts.reduce((all, { estimate }) => all + estimate[of], 0));
  return {
    bytesRead: sum("bytesRead"),
    bytesWritten: sum("bytesWritten"),
    bytesMoved: sum("bytesMoved"),
    peakMemory: parts.reduce((most, { estimate }) => Math.max(most, estimate.peakMemory), FIXED_MEMORY),
  };
}
