/** Plans: work on arrays as plain JSON, cut into tasks that need no locks. Who runs them (this process, a queue, functions) is not their concern. */
import { InvalidArgumentError } from "../errors.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../metadata/json.js";
import { stringifyJson } from "../metadata/json-text.js";
import { product } from "../shape.js";
import { type Boxes, boxAt, countBoxes, type TaskBox } from "./boxes.js";

/** Of the form of plans and tasks, and of how they cut work: a task of another version is refused. */
export const PLAN_VERSION = 1;

/** A node as plans name it. */
export interface NodeAddress {
  /** A directory, a .zip or an http(s) URL for the `openStore` of this package; whatever your own `open` understands otherwise. */
  readonly store: string;
  /** Path of the node in the store; "/" for the root. */
  readonly path: string;
}

/** What a plan is going to cost. Bytes are those of decoded elements: stored ones are fewer by what codecs save. */
export interface PlanEstimate {
  readonly tasks: number;
  /** Of sources: a chunk that several tasks need counts as often. */
  readonly bytesRead: number;
  /** To targets. */
  readonly bytesWritten: number;
  /** Written to intermediate arrays and read from them again, and read from levels of an image for the next ones. */
  readonly bytesMoved: number;
  /** What one task holds at most, beyond what the process takes anyway. */
  readonly peakMemory: number;
}

/** Tasks that differ in their boxes alone. */
export interface TaskGroup {
  readonly kind: string;
  /** What all of them are told: plain JSON that the kind understands. */
  readonly parameters: JsonObject;
  /** One task for each box; one task without a box unless given. */
  readonly boxes?: Boxes | undefined;
  /** Bytes of an element of a box, of which a task's `bytes` is made; 0 unless given. */
  readonly elementBytes?: number | undefined;
}

/** Tasks that may run in any order and at the same time, once all of the stage before are done. */
export interface Stage {
  /** For people who watch it. */
  readonly name: string;
  readonly groups: readonly TaskGroup[];
}

/** Plain JSON, as short for a million tasks as for one. */
export interface Plan {
  readonly version: typeof PLAN_VERSION;
  /** The same for the same question: what is asked, and what was found at the source. */
  readonly id: string;
  /** What the plan does: "copy", "verify", "reduce", "multiscale". */
  readonly job: string;
  /** Where its result goes, for plans that write: the ledger of `runLocal` stands there. */
  readonly target?: NodeAddress | undefined;
  readonly stages: readonly Stage[];
  readonly estimate: PlanEstimate;
  /** What the caller should know, for people: differences that nobody asked for. */
  readonly notes: readonly string[];
}

/** One task: plain JSON that `runTask` runs alone, on any machine, in any process, any number of times. */
export interface Task {
  readonly version: typeof PLAN_VERSION;
  /** The id of its plan. */
  readonly plan: string;
  /** Unique in its plan: stage, group and number, "1-0-17". */
  readonly id: string;
  readonly kind: string;
  readonly parameters: JsonObject;
  readonly box?: TaskBox | undefined;
  /** Bytes of elements that it works on, for progress. */
  readonly bytes: number;
}

/** Without the number of tasks, which a plan's stages tell. */
export type Cost = Omit<PlanEstimate, "tasks">;

interface PlanContent extends Pick<Plan, "id" | "job" | "target" | "stages"> {
  readonly estimate: Cost;
  readonly notes?: readonly string[];
}

/** @throws InvalidArgumentError for what is no plain JSON */
export function makePlan({ estimate, notes = [], ...plan }: PlanContent): Plan {
  checkPlain(plan.stages, "stages");
  const tasks = countTasks(plan.stages);
  return { version: PLAN_VERSION, ...plan, estimate: { tasks, ...estimate }, notes };
}

/**
 * The same whatever the order of members.
 * @param asked everything that the tasks depend on: what is wanted, and what was found at the source
 */
export function planId(job: string, asked: JsonObject): Promise<string> {
  const json = canonical({ version: PLAN_VERSION, job, asked });
  return hashBytes(new TextEncoder().encode(stringifyJson(json)));
}

/** 16 hexadecimal digits that equal bytes share. */
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

/** What `JSON.stringify` would refuse or change without a word. */
function checkPlain(value: unknown, member: string): void {
  const isPlain =
    value === null ||
    ["string", "boolean", "undefined"].includes(typeof value) ||
    (typeof value === "number" && Number.isFinite(value));
  if (isPlain) return;
  if (typeof value !== "object" || value === null) {
    throw new InvalidArgumentError(`expected plain JSON in a plan, got ${String(value)}`, { member });
  }
  for (const [name, item] of Object.entries(value)) checkPlain(item, `${member}.${name}`);
}

/** How many tasks a group has. */
export function taskCount({ boxes }: TaskGroup): number {
  return boxes === undefined ? 1 : countBoxes(boxes);
}

/** How many tasks a stage has, or a whole plan. */
export function countTasks(stages: readonly Stage[]): number {
  return stages.reduce((sum, { groups }) => sum + groups.reduce((n, group) => n + taskCount(group), 0), 0);
}

/**
 * The tasks of a plan, or of one of its stages, in order, made as they are asked for.
 * @param stage index of a stage; all of them unless given: tasks of a stage must not begin before all of the stage before are done
 */
export function* tasksOf(plan: Plan, stage?: number): Generator<Task, void, undefined> {
  for (const [s, { groups }] of plan.stages.entries()) {
    if (stage !== undefined && s !== stage) continue;
    for (const [g, group] of groups.entries()) {
      const count = taskCount(group);
      for (let n = 0; n < count; n++) yield makeTask(plan, group, [s, g, n]);
    }
  }
}

/**
 * One task by its id.
 * @throws InvalidArgumentError for an id that the plan does not have
 */
export function taskOf(plan: Plan, id: string): Task {
  const at = /^\d+-\d+-\d+$/.test(id) ? id.split("-").map(Number) : [];
  const [s = -1, g = -1, n = -1] = at;
  const group = plan.stages[s]?.groups[g];
  if (group === undefined || n < 0 || n >= taskCount(group)) {
    throw new InvalidArgumentError(`expected the id of a task of plan ${plan.id}, got ${JSON.stringify(id)}`);
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
