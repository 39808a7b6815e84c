/** What tasks are given to run with, and what they open. */

import { members } from "../array/hierarchy.js";
import { Location, ZarrArray } from "../array/nodes.js";
import { open } from "../array/open.js";
import type { ChunkWorkers } from "../engine/prepared.js";
import type { Json, JsonObject } from "../metadata/json.js";
import { Member } from "../metadata/member.js";
import { normalisePath } from "../metadata/path.js";
import { checkWritable } from "../stores/check-store.js";
import type { Store, StoreOptions, WritableStore } from "../stores/store.js";
import type { TaskBox } from "./boxes.js";
import type { NodeAddress, Task } from "./plan.js";

/** Opens what plans name as a store. Called for every task: who wants stores to be kept keeps them. */
export type OpenStore = (store: string) => Store | Promise<Store>;

export interface TaskContext {
  /** Opens the stores that the task names; directories, .zip and http(s) URLs unless given. */
  readonly open?: OpenStore | undefined;
  readonly signal?: AbortSignal | undefined;
  /** A WorkerPool of `wazarr/workers`: chunks are decoded and encoded on other cores. */
  readonly workers?: ChunkWorkers | undefined;
  /** Chunks under way at once in one task; 32 unless given, fewer where they are large. */
  readonly concurrency?: number | undefined;
  /** Told of the bytes of elements that a task has done since the last call, failed attempts included. */
  readonly onProgress?: ((bytes: number, task: Task) => void) | undefined;
}

/** What a task found, for those that find something: plain JSON. */
export type TaskResult = JsonObject | undefined;

export async function storeAt(store: string, { open: openIt }: Pick<TaskContext, "open">): Promise<Store> {
  if (openIt !== undefined) return openIt(store);
  // Modules of Node.
  const { openStore } = await import("./open-store.js");
  return openStore(store);
}

export async function locationAt(address: NodeAddress, context: TaskContext): Promise<Location> {
  return new Location(await storeAt(address.store, context)).resolve(address.path);
}

/** @throws UnsupportedError for a store that cannot be written */
export async function writableAt(
  address: NodeAddress,
  context: TaskContext,
): Promise<Location<WritableStore>> {
  const store = checkWritable(await storeAt(address.store, context), normalisePath(address.path));
  return new Location(store).resolve(address.path);
}

/** @throws NotFoundError, and what `open` throws */
export async function arrayAt(address: NodeAddress, context: TaskContext): Promise<ZarrArray> {
  return open(await locationAt(address, context), { kind: "array", signal: context.signal });
}

/** A node that is an array; otherwise the arrays below it. */
export async function arraysBelow(node: Location, options: StoreOptions = {}): Promise<readonly ZarrArray[]> {
  if (node instanceof ZarrArray) return [node];
  const arrays: ZarrArray[] = [];
  for await (const member of members(node, options)) if (member.kind === "array") arrays.push(member);
  return arrays;
}

/** The parameters of a task, which come from a queue: what is wrong with them is an InvalidMetadataError that names the member. */
export function parametersOf({ parameters }: Task): Member {
  return new Member(parameters, {}, "parameters");
}

export function addressOf(member: Member): NodeAddress {
  return { store: member.get("store").string(), path: normalisePath(member.get("path").string()) };
}

/** @throws InvalidMetadataError for what is no integer of `minimum` or more */
export function integerOf(member: Member, minimum: number): number {
  const [integer = minimum] = member.as([member.json ?? null]).integers(minimum, 1);
  return integer;
}

/** The box of a task. @throws InvalidMetadataError for one of another rank */
export function boxOf({ box }: Task, rank: number): TaskBox {
  const member = new Member(box && { start: box.start, shape: box.shape }, {}, "box");
  return { start: member.get("start").integers(0, rank), shape: member.get("shape").integers(0, rank) };
}

/** How a caller names a node: the root of a store, or a path in it. */
export type NodeName = string | { readonly store: string; readonly path?: string | undefined };

export function toAddress(name: NodeName): NodeAddress {
  const { store, path = "/" } = typeof name === "string" ? { store: name } : name;
  return { store, path: normalisePath(path.startsWith("/") ? path : `/${path}`) };
}

export function jsonOf({ store, path }: NodeAddress): { readonly [name: string]: Json } {
  return { store, path };
}
