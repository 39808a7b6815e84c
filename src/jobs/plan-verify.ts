/** Plans that read everything: whether each stored chunk of an array or a hierarchy can be decoded. */
import { members } from "../array/hierarchy.js";
import type { ZarrArray } from "../array/nodes.js";
import { open } from "../array/open.js";
import { gridShapeOf } from "../grid/chunk-grid.js";
import { product } from "../shape.js";
import { chunkBoxes, chunkBytesOf } from "./chunk-boxes.js";
import { locationAt, type NodeName, type OpenStore, type TaskContext, toAddress } from "./context.js";
import { countTasks, makePlan, type NodeAddress, type Plan, type TaskGroup } from "./plan.js";
import { describeSource } from "./source.js";

export interface PlanVerifyOptions {
  /** Opens the stores that are named; directories, .zip and http(s) URLs unless given. */
  readonly open?: OpenStore | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A plan that decodes every stored chunk of an array, or of all arrays of a group. Each task gives `chunks`, how many it found stored, and
 * `problems`, those that could not be decoded.
 * @throws NotFoundError, UnsupportedError for a group in a store that cannot be listed, and what `open` throws
 */
export async function planVerify(source: NodeName, options: PlanVerifyOptions = {}): Promise<Plan> {
  const address = toAddress(source);
  const groups: TaskGroup[] = [];
  const estimate = { tasks: 0, bytesRead: 0, bytesWritten: 0, bytesMoved: 0, peakMemory: 0 };
  for (const array of await arraysAt(address, options)) {
    const boxes = chunkBoxes(array.metadata);
    const chunkBytes = chunkBytesOf(array.metadata);
    estimate.bytesRead += product(gridShapeOf(array.metadata), chunkBytes);
    // Stored and decoded.
    estimate.peakMemory = Math.max(estimate.peakMemory, 2 * chunkBytes);
    const parameters = { source: await describeSource({ ...address, path: array.path }, array, options) };
    groups.push({ kind: "verify-chunks", parameters, boxes, elementBytes: chunkBytes });
  }
  const stages = [{ name: "decode all chunks", groups }];
  estimate.tasks = countTasks(stages);
  const asked = groups.map(({ parameters }) => parameters);
  return makePlan({ job: "verify", stages, estimate, notes: [] }, { asked });
}

/** The array at an address, or all below the group there. */
async function arraysAt(address: NodeAddress, options: TaskContext): Promise<readonly ZarrArray[]> {
  const { signal } = options;
  const node = await open(await locationAt(address, options), { signal });
  if (node.kind === "array") return [node];
  const arrays: ZarrArray[] = [];
  for await (const member of members(node, { signal })) if (member.kind === "array") arrays.push(member);
  return arrays;
}
