/**
 * Plans: work on arrays as plain JSON, cut into tasks that need no locks. Any runner can execute them: this
 * process, a job queue, functions.
 */

import { type Boxes, boxAt, countBoxes } from "../../core/for-work.js";
import {
  type Box,
  checkObject,
  describe,
  isJsonArray,
  isJsonObject,
  product,
  stringifyJson,
} from "../../extend.js";
import { InvalidArgumentError, type Json, type JsonObject } from "../../index.js";

/**
 * Version of the JSON of plans and tasks, and of how plans cut work. `runTask` refuses a task of another
 * version.
 */
export const PLAN_VERSION = 1;

/** Address of a node in a plan. */
export type NodeAddress = {
  /**
   * By default a directory, .zip, reference document (.json), Icechunk repository or http(s) URL; with your
   * own `open` any name.
   */
  readonly store: string;
  /** Path of the node in the store, "/" for the root. */
  readonly path: string;
};

/** Estimated cost of a plan. Bytes are those of decoded elements; compressed chunks take fewer. */
export interface PlanEstimate {
  /** Number of tasks. */
  readonly tasks: number;
  /** Bytes read from sources. A chunk counts once per task that reads it. */
  readonly bytesRead: number;
  /** Bytes written to targets. */
  readonly bytesWritten: number;
  /**
   * Bytes written to intermediate arrays and read back, and read from a level of an image to make the next.
   */
  readonly bytesMoved: number;
  /** Maximum memory of one task in bytes, on top of what the process takes without tasks. */
  readonly peakMemory: number;
}

/** Tasks of one kind that differ only in their boxes. */
export interface TaskGroup {
  readonly kind: string;
  /** Parameters of all tasks of the group, as plain JSON; the kind defines the members. */
  readonly parameters: JsonObject;
  /** One task per box. Default: one task without a box. */
  readonly boxes?: Boxes | undefined;
  /** Bytes per element of a box, to compute `bytes` of a task. Default: 0. */
  readonly elementBytes?: number | undefined;
}

/** Tasks that may run in any order and concurrently, once all tasks of the stage before are done. */
export interface Stage {
  /** A label to display. */
  readonly name: string;
  /** The tasks, in groups of one kind. */
  readonly groups: readonly TaskGroup[];
}

/** A plan as plain JSON. Its length does not grow with the number of tasks. */
export interface Plan {
  /** Version of the form of plans. */
  readonly version: typeof PLAN_VERSION;
  /**
   * Hash of the request and of the source's documents: the same request for an unchanged source has the same
   * id.
   */
  readonly id: string;
  /** Kind of plan: "copy", "verify", "reduce" or "multiscale". */
  readonly job: string;
  /** The target of a plan that writes. `runLocal` keeps its ledger there by default. */
  readonly target?: NodeAddress | undefined;
  /**
   * The stages, which run one after the other. The tasks of one stage may run at the same time, in any order.
   */
  readonly stages: readonly Stage[];
  /** Size of the work, to choose workers by. */
  readonly estimate: PlanEstimate;
  /** Messages for people about differences from the source that the caller did not ask for. */
  readonly notes: readonly string[];
  /** Source and options of a plan that writes, for messages. Kept with the notes of what is done. */
  readonly asked?: PlanRequest | undefined;
}

/** Source and options of a plan by name, as messages show them. */
export type PlanRequest = Readonly<Record<string, string>>;

/** One task as plain JSON. `runTask` needs nothing else to run it, on any machine, any number of times. */
export interface Task {
  /** Version of the form of tasks: that of their plan. */
  readonly version: typeof PLAN_VERSION;
  /** Id of the plan. */
  readonly plan: string;
  /** Unique in the plan: stage, group and number, "1-0-17". */
  readonly id: string;
  /** What the task does, such as "copy". */
  readonly kind: string;
  /** What `runTask` needs to know; plain JSON. */
  readonly parameters: JsonObject;
  /** The part of the array that the task is for, if it is for one. */
  readonly box?: Box | undefined;
  /** Bytes of elements that the task processes, for progress. */
  readonly bytes: number;
}

/** An estimate without the number of tasks, which `makePlan` counts. */
export type Cost = Omit<PlanEstimate, "tasks">;

interface PlanContent extends Pick<Plan, "id" | "job" | "target" | "stages" | "asked"> {
  readonly estimate: Cost;
  readonly notes?: readonly string[];
}

/** @throws InvalidArgumentError if the stages are not plain JSON */
export function makePlan({ estimate, notes = [], ...plan }: PlanContent): Plan {
  checkPlain(plan.stages, "stages");
  const tasks = countTasks(plan.stages);
  return { version: PLAN_VERSION, ...plan, estimate: { tasks, ...estimate }, notes };
}

/**
 * The id of a plan. It does not depend on the order of members.
 * @param request everything that the tasks depend on: the request, and the hashes of the source's documents
 */
export function planId(job: string, request: JsonObject): Promise<string> {
  const json = canonical({ version: PLAN_VERSION, job, asked: request });
  return hashBytes(new TextEncoder().encode(stringifyJson(json)));
}

/** The first 64 bits of the SHA-256 hash, as 16 hexadecimal digits. */
export async function hashBytes(bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes)));
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function canonical(json: Json): Json {
  if (isJsonArray(json)) return json.map(canonical);
  if (!isJsonObject(json)) return json;
  const members = Object.entries<Json>(json).map(([name, value]) => [name, canonical(value)] as const);
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Rejects values that `JSON.stringify` refuses or silently changes: NaN, infinities, bigints, functions. */
function checkPlain(value: unknown, member: string): void {
  const isPlain =
    value === null ||
    ["string", "boolean", "undefined"].includes(typeof value) ||
    (typeof value === "number" && Number.isFinite(value));
  if (isPlain) return;
  if (typeof value !== "object" || value === null) {
    throw new InvalidArgumentError(`expected a value that JSON can hold in a plan, got ${describe(value)}`, {
      member,
    });
  }
  for (const [name, item] of Object.entries(value)) checkPlain(item, `${member}.${name}`);
}

/** Number of tasks of a group. */
export function taskCount({ boxes }: TaskGroup): number {
  return boxes === undefined ? 1 : countBoxes(boxes);
}

/** @throws InvalidArgumentError for something that is not a plan */
export function checkPlan(plan: Plan): void {
  checkObject(plan, "plan", "a plan, as planCopy makes it");
  checkStages(plan.stages);
}

function checkStages(stages: readonly Stage[]): void {
  if (!Array.isArray(stages))
    throw new InvalidArgumentError(
      `stages: expected the stages of a plan (plan.stages), got ${describe(stages)}`,
    );
}

/** Number of tasks of stages: `countTasks(plan.stages)` for a whole plan. */
export function countTasks(stages: readonly Stage[]): number {
  checkStages(stages);
  return stages.reduce((sum, { groups }) => sum + groups.reduce((n, group) => n + taskCount(group), 0), 0);
}

/**
 * Generates the tasks of a plan, or of one stage, lazily and in order.
 * @param stage index of a stage, default all stages. Start a stage only when all tasks of the stage before
 * are done.
 */
export function* tasksOf(plan: Plan, stage?: number): Generator<Task, void, undefined> {
  checkPlan(plan);
  for (const [s, { groups }] of plan.stages.entries()) {
    if (stage !== undefined && s !== stage) continue;
    for (const [g, group] of groups.entries()) {
      const count = taskCount(group);
      for (let n = 0; n < count; n++) yield makeTask(plan, group, [s, g, n]);
    }
  }
}

/**
 * Finds one task by its id.
 * @throws InvalidArgumentError for an id that is not in the plan
 */
export function taskOf(plan: Plan, id: string): Task {
  checkPlan(plan);
  const at = /^\d+-\d+-\d+$/.test(id) ? id.split("-").map(Number) : [];
  const [s = -1, g = -1, n = -1] = at;
  const group = plan.stages[s]?.groups[g];
  if (group === undefined || n < 0 || n >= taskCount(group)) {
    throw new InvalidArgumentError(`no task ${JSON.stringify(id)} in plan ${plan.id}`);
  }
  return makeTask(plan, group, [s, g, n]);
}

function makeTask(
  plan: Plan,
  group: TaskGroup,
  [stage, index, n]: readonly [stage: number, group: number, n: number],
): Task {
  const { kind, parameters, boxes, elementBytes = 0 } = group;
  const box = boxes && boxAt(boxes, n);
  const bytes = box === undefined ? 0 : product(box.shape, elementBytes);
  const id = `${stage}-${index}-${n}`;
  const task: Task = { version: PLAN_VERSION, plan: plan.id, id, kind, parameters, bytes };
  return box === undefined ? task : { ...task, box };
}
