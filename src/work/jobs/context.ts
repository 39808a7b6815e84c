/** The context that a task runs in, and how a task opens stores and arrays. */

import { type Box, CheckedStore, checkObject, describe, itemAt, Member, type NamesOf } from "../../extend.js";
import {
  type AbsolutePath,
  InvalidArgumentError,
  type JsonObject,
  Location,
  members,
  open,
  root,
  type Store,
  type StoreOptions,
  type WritableStore,
  Array as ZarrArray,
} from "../../index.js";
import type { ChunkWorkers } from "../../main/reading.js";
import type { NodeAddress, Task } from "./plan.js";

/**
 * Opens a store by the name in a plan. Called again for every task: cache stores in this function to reuse
 * them.
 */
export type OpenStore = (store: string) => Store | Promise<Store>;

/** What a process needs to run a task. */
export interface TaskContext {
  /** Opens the stores that the task names. Default: `openStore` of `wazarr/stores/open-store`. */
  readonly open?: OpenStore | undefined;
  /** Aborts the task, which can be run again. */
  readonly signal?: AbortSignal | undefined;
  /** A WorkerPool of `wazarr/workers`, which decodes and encodes chunks on other cores. */
  readonly workers?: ChunkWorkers | undefined;
  /** Maximum chunks in flight in one task. Default: 32, fewer if chunks are large. */
  readonly concurrency?: number | undefined;
  /**
   * Called with the bytes of elements that a task has processed since the last call. Failed attempts count
   * too.
   */
  readonly onProgress?: ((bytes: number, task: Task) => void) | undefined;
}

export const CONTEXT: NamesOf<TaskContext> = {
  open: "function",
  signal: true,
  workers: true,
  concurrency: true,
  onProgress: "function",
};

/** Plain JSON that a task returns; `undefined` for kinds without a result. */
export type TaskResult = JsonObject | undefined;

/** What a task leaves to be noted. */
export interface Outcome {
  readonly result: TaskResult;
  /** What the source was, as `SourceState.hash`. */
  readonly source: string | undefined;
}

export async function storeAt(store: string, { open: openIt }: Pick<TaskContext, "open">): Promise<Store> {
  if (openIt !== undefined) return openIt(store);
  // Loaded late because it imports Node modules.
  const { openStore } = await import("../../stores/addresses/open-store.js");
  return openStore(store);
}

export async function locationAt(address: NodeAddress, context: TaskContext): Promise<Location> {
  return new Location(await storeAt(address.store, context)).resolve(address.path);
}

/** @throws UnsupportedError for a read-only store */
export async function writableAt(
  address: NodeAddress,
  context: TaskContext,
): Promise<Location<WritableStore>> {
  const store = new CheckedStore(await storeAt(address.store, context)).writable(pathOf(address.path));
  return new Location(store).resolve(address.path);
}

/** @throws NotFoundError, and what `open` throws */
export async function arrayAt(address: NodeAddress, context: TaskContext): Promise<ZarrArray> {
  return open(await locationAt(address, context), { kind: "array", signal: context.signal });
}

/** The node itself if it is an array, otherwise all arrays below it. */
export async function arraysBelow(node: Location, options: StoreOptions = {}): Promise<readonly ZarrArray[]> {
  if (node instanceof ZarrArray) return [node];
  const arrays: ZarrArray[] = [];
  for await (const member of members(node, options)) if (member.kind === "array") arrays.push(member);
  return arrays;
}

/**
 * Parameters of a task. They come from a queue, so reads are checked: InvalidMetadataError names the member
 * that is wrong.
 */
export function parametersOf({ parameters }: Task): Member {
  return new Member(parameters, {}, "parameters");
}

export function addressOf(member: Member): NodeAddress {
  return { store: member.get("store").string(), path: pathOf(member.get("path").string()) };
}

/** A path as nodes have it. @throws InvalidArgumentError as `Location.resolve` does */
function pathOf(path: string): AbsolutePath {
  return root().resolve(path).path;
}

/**
 * The box of a task.
 * @param within the shape of what it is a part of: of an array in elements, or of a grid in chunks
 * @throws InvalidMetadataError for a box of another rank, and for one that is not inside: work on it could be
 * without end
 */
export function boxOf({ box }: Task, within: readonly number[]): Box {
  const member = new Member(box && { start: box.start, shape: box.shape }, {}, "box");
  const start = member.get("start").integers(0, within.length);
  const shape = member.get("shape").integers(0, within.length);
  if (within.some((extent, d) => itemAt(start, d) + itemAt(shape, d) > extent))
    throw member.invalid(`a box inside the shape [${within}]`);
  return { start, shape };
}

/** Name of a node: the name of a store for its root, or a store and a path in it. */
export type NodeName = string | { readonly store: string; readonly path?: string | undefined };

export function toAddress(name: NodeName): NodeAddress {
  const address = typeof name === "string" ? { store: name } : name;
  checkObject(address, "node", "the name of a store, or { store, path }");
  const { store, path = "/" } = address;
  if (typeof store !== "string" || typeof path !== "string")
    throw new InvalidArgumentError(
      `node: expected strings in { store, path }, got ${describe(store)} and ${describe(path)}`,
    );
  return { store, path: pathOf(path.startsWith("/") ? path : `/${path}`) };
}
