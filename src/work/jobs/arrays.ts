/**
 * Descriptions of arrays in the parameters of tasks: the address, and the hash of the document when the plan
 * was made (or that the plan will write). A task that finds another document throws.
 */

import {
  asTheyAreNow,
  documentBytes,
  eraseNode,
  JOBS,
  keyBelow,
  nodeDocumentKey,
} from "../../core/for-work.js";
import { CheckedStore, type ChunkLengths, type Member } from "../../extend.js";
import {
  type AbsolutePath,
  create,
  defineStoreExtension,
  type Group,
  InvalidMetadataError,
  type JsonObject,
  Location,
  type StoreOptions,
  UnsupportedError,
  type WritableStore,
  Array as ZarrArray,
} from "../../index.js";
import type { DataTypeDefinition as DataType } from "../../main/data-types.js";
import { addressOf, arrayAt, parametersOf, storeAt, type TaskContext, writableAt } from "./context.js";
import { type DocumentStore, type Documents, documentsIn } from "./documents.js";
import { hashBytes, type Task } from "./plan.js";
import { isOfPlan, type SourceState } from "./state/source-state.js";
import type { Written } from "./state/written.js";

/**
 * Describes an array that tasks read. `document` is the hash of its document, "" if the array is only in
 * consolidated metadata.
 */
export async function describeSource(
  store: string,
  array: ZarrArray<unknown>,
  context: TaskContext,
): Promise<JsonObject> {
  return { store, path: array.path, document: await documentHash(array, context) };
}

/** Describes an array that the first task of the plan creates. @param documents the documents of that task */
export async function describeNew(
  store: string,
  array: ZarrArray<unknown>,
  documents: DocumentStore,
): Promise<JsonObject> {
  const document = documents.get(await nodeDocumentKey(array)) ?? new Uint8Array(0);
  return { store, path: array.path, document: await hashBytes(document) };
}

/**
 * Opens an array that a plan reads or made. Elements that are written to it while the plan runs are detected
 * only if its document changes (shape, attributes of v3), or a shard while that shard is read; and, when a
 * run resumes, by the versions of chunks (source-state.ts).
 * @throws InvalidMetadataError if the document has changed
 */
export async function openUnchanged(source: Member, context: TaskContext): Promise<ZarrArray> {
  const array = await arrayAt(addressOf(source), context);
  await checkUnchanged(source, array, context);
  return array;
}

/**
 * Opens the array that a plan reads, so that `state` learns the versions of what is read. The arrays that the
 * plan makes for itself are opened as `openUnchanged` does: nobody else changes them.
 */
export async function openSource(
  source: Member,
  context: TaskContext,
  state: SourceState,
): Promise<ZarrArray> {
  const open = async (name: string) => state.over(await storeAt(name, context));
  return openUnchanged(source, isOfPlan(source.get("path").string()) ? context : { ...context, open });
}

/** @throws InvalidMetadataError if the document of the array has changed since the plan was made */
export async function checkUnchanged(source: Member, array: ZarrArray, context: TaskContext): Promise<void> {
  const before = source.get("document").string();
  if (before === "" || (await documentHash(array, context)) === before) return;
  throw new InvalidMetadataError(
    "the array has changed since the plan was made; make a new plan, which starts again",
    { key: await nodeDocumentKey(array) },
  );
}

export async function documentHash(
  node: Group | ZarrArray<unknown>,
  { signal }: TaskContext,
): Promise<string> {
  const bytes = await documentBytes(asTheyAreNow(node.store), await nodeDocumentKey(node), { signal });
  return bytes ? hashBytes(bytes) : "";
}

/**
 * Opens an array that the plan made for writing. Reads of chunks find none, so chunks from an earlier attempt
 * or an earlier array do not affect the result.
 * @throws what `openUnchanged` throws
 */
export async function openAsNew(
  target: Member,
  context: TaskContext,
  written: Written,
): Promise<ZarrArray<unknown, WritableStore>> {
  const { store, path, metadata, entryPoint } = await openUnchanged(target, context);
  const nothing = () => undefined;
  const overlay = written.over(new CheckedStore(store).writable(path));
  const asNew = defineStoreExtension(() => ({
    get: nothing,
    getRange: nothing,
    getParts: async () => undefined,
    openNow: nothing,
    // The identity of the wrapped store, so that writes invalidate caches over that store.
    place: new CheckedStore(store).place,
    // Without this, chunks of fill values would leave those of an earlier array.
    ...(overlay.delete === undefined && {
      delete: (key: AbsolutePath, options: StoreOptions = {}) => removeChunk(overlay, key, options),
    }),
  }));
  return new ZarrArray<unknown, WritableStore>(asNew(overlay), path, metadata, entryPoint);
}

/** Fast codecs for intermediate arrays. */
const QUICK = [{ name: "zstd", configuration: { level: 1, checksum: false } }] as const;

/** Store and path of an intermediate array. */
export interface Place {
  readonly store: string;
  readonly path: AbsolutePath;
}

interface Intermediate {
  readonly documents: Documents;
  /** The description for the parameters of tasks. */
  readonly address: JsonObject;
}

/**
 * Plans an array between two stages, below the target of the plan. The first stage writes its document, the
 * last stage removes the array.
 */
export async function intermediateArray(
  { store: name, path }: Place,
  options: {
    readonly shape: readonly number[];
    readonly dtype: DataType | "float64";
    readonly chunkShape: readonly ChunkLengths[];
  },
): Promise<Intermediate> {
  const store: DocumentStore = new Map();
  const array = await create(new Location(store, path), { ...options, codecs: QUICK });
  // Without the groups above, which `create` makes too.
  const documents = documentsIn(store).filter(([key]) => key.startsWith(keyBelow(path, "")));
  return { documents, address: await describeNew(name, array, store) };
}

/**
 * The task "remove-array": removes an intermediate array of the task's plan, the document before the chunks:
 * a reader in another process then fails with a changed document and does not read fill values.
 * @throws InvalidMetadataError for an array elsewhere: tasks come from a queue, and none may empty another
 * directory
 */
export async function removeArray(task: Task, context: TaskContext, written: Written): Promise<undefined> {
  const array = parametersOf(task).get("array");
  const { path } = addressOf(array);
  const [plan, name, ...deeper] = path.slice(path.lastIndexOf(`/${JOBS}/`) + JOBS.length + 2).split("/");
  if (!path.includes(`/${JOBS}/`) || plan !== task.plan || !name || deeper.length > 0)
    throw array.get("path").invalid(`an intermediate array of the plan, below ${JOBS}/${task.plan}`);
  const { signal } = context;
  const at = await writableAt(addressOf(array), context);
  const location = new Location(written.over(at.store), at.path);
  await eraseNode(location, { signal });
}

/**
 * Deletes a chunk that an earlier array may have left at the target.
 * @throws UnsupportedError if the store cannot delete, and the chunk is there
 */
export async function removeChunk(
  store: WritableStore,
  key: AbsolutePath,
  { signal }: StoreOptions,
): Promise<void> {
  const values = new CheckedStore(store);
  if (store.delete !== undefined) return values.delete(key, { signal });
  if (!(await values.has(key, { signal, current: true }))) return;
  throw new UnsupportedError(
    "an earlier array left a chunk here, and the store cannot delete it; choose another target",
    { key },
  );
}
