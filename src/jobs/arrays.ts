/**
 * Arrays as tasks are told of them: where they are, and what their documents said when the plan was made, or are going to say, so that a task
 * that finds another array there says so.
 */
import { create } from "../array/create.js";
import { type Group, Location, ZarrArray } from "../array/nodes.js";
import { openIfThere } from "../array/open.js";
import { asTheyAreNow, nodeDocumentKey } from "../array/rewrite.js";
import type { DataType } from "../data-types/data-type.js";
import { InvalidMetadataError } from "../errors.js";
import type { JsonObject } from "../metadata/json.js";
import type { Member } from "../metadata/member.js";
import type { ChunkLengths } from "../metadata/model.js";
import { keyBelow } from "../metadata/path.js";
import { deleteKey, deletePrefix } from "../stores/capabilities.js";
import { checkWritable, storeFailure } from "../stores/check-store.js";
import { putInFrontOfStore } from "../stores/in-front.js";
import { placeOf } from "../stores/storage-identity.js";
import type { AbsolutePath, WritableStore } from "../stores/store.js";
import { addressOf, arrayAt, jsonOf, parametersOf, type TaskContext, writableAt } from "./context.js";
import type { DocumentStore, Documents } from "./documents.js";
import { hashBytes, type NodeAddress, type Task } from "./plan.js";

/** What tasks are told of an array that they read. `document` is the hash of its document, "" where only consolidated metadata have it. */
export async function describeSource(
  store: string,
  array: ZarrArray<unknown>,
  context: TaskContext,
): Promise<JsonObject> {
  return { store, path: array.path, document: await documentHash(array, context) };
}

/** What tasks are told of an array that the first of them makes. @param key that of its document */
export async function describeNew(
  address: NodeAddress,
  key: AbsolutePath,
  documents: DocumentStore,
): Promise<JsonObject> {
  return { ...jsonOf(address), document: await hashBytes(documents.get(key) ?? new Uint8Array(0)) };
}

/**
 * Opens the array that a plan was made for, or that it made. Chunks have no version that a plan could hold: an array that is written to in
 * place while it is read is noticed where its document changes (its shape, attributes of v3), or a shard while it is being read.
 * @throws InvalidMetadataError where its document is another now
 */
export async function openUnchanged(source: Member, context: TaskContext): Promise<ZarrArray> {
  const array = await arrayAt(addressOf(source), context);
  await checkUnchanged(source, array, context);
  return array;
}

/** @throws InvalidMetadataError where the document of an array is no longer what it was when the plan was made */
export async function checkUnchanged(source: Member, array: ZarrArray, context: TaskContext): Promise<void> {
  const before = source.get("document").string();
  if (before === "" || (await documentHash(array, context)) === before) return;
  throw new InvalidMetadataError(
    "the array has changed since the plan was made: make a new plan, which begins anew",
    { key: await nodeDocumentKey(array) },
  );
}

export async function documentHash(
  node: Group | ZarrArray<unknown>,
  { signal }: TaskContext,
): Promise<string> {
  const key = await nodeDocumentKey(node);
  try {
    const bytes = await asTheyAreNow(node.store).get(key, { signal });
    return bytes ? await hashBytes(bytes) : "";
  } catch (error) {
    throw storeFailure(error, key, signal);
  }
}

/**
 * Opens an array that the plan made, as one that nothing has been written to yet: what an earlier attempt, or another array before it, has
 * left is not looked at.
 * @throws as `openUnchanged`
 */
export async function openAsNew(
  target: Member,
  context: TaskContext,
): Promise<ZarrArray<unknown, WritableStore>> {
  const { store, path, metadata, entryPoint } = await openUnchanged(target, context);
  const nothing = () => undefined;
  const front = putInFrontOfStore(checkWritable(store, path), {
    get: nothing,
    getRange: nothing,
    getRanges: nothing,
    // Readers of the same store are told of what is written.
    place: placeOf(store),
  });
  return new ZarrArray<unknown, WritableStore>(front, path, metadata, entryPoint);
}

/** Codecs that cost little. */
const QUICK = [{ name: "zstd", configuration: { level: 1, checksum: false } }] as const;

/** Where an intermediate array is. */
export interface Place {
  readonly store: string;
  readonly path: AbsolutePath;
}

interface Intermediate {
  readonly documents: Documents;
  /** As tasks are told of it. */
  readonly address: JsonObject;
}

/** An array between two stages of a plan, below its target: the documents are made with the plan, and the last stage removes them. */
export async function intermediateArray(
  { store: name, path }: Place,
  options: {
    readonly shape: readonly number[];
    readonly dtype: DataType | "float64";
    readonly chunkShape: readonly ChunkLengths[];
  },
): Promise<Intermediate> {
  const store: DocumentStore = new Map();
  await create(new Location(store, path), { ...options, codecs: QUICK });
  const key = keyBelow(path, "zarr.json");
  return {
    documents: [[key, new TextDecoder().decode(store.get(key))]],
    address: await describeNew({ store: name, path }, key, store),
  };
}

/**
 * The task that removes an intermediate array. The document goes first: whoever still reads from the array in another process finds it
 * changed, and not full of fill values.
 */
export async function removeArray(task: Task, context: TaskContext): Promise<undefined> {
  const { signal } = context;
  const location = await writableAt(addressOf(parametersOf(task).get("array")), context);
  const array = await openIfThere(location, { kind: "array", signal });
  if (array !== undefined) await deleteKey(location.store, await nodeDocumentKey(array), { signal });
  await deletePrefix(location.store, keyBelow(location.path, ""), { signal });
}
