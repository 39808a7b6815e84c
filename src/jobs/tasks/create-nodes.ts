/** Writes the documents of new nodes: the first task of a copy. */
import { parseChunkKey } from "../../array/chunk-walk.js";
import { members } from "../../array/hierarchy.js";
import { Location, type ZarrArray } from "../../array/nodes.js";
import { locate, openIfThere } from "../../array/open.js";
import { AlreadyExistsError } from "../../errors.js";
import { gridShapeOf } from "../../grid/chunk-grid.js";
import type { DraftEntryPoint } from "../../metadata/draft/hierarchy.js";
import type { Member } from "../../metadata/member.js";
import { chunkPrefix, keyBelow } from "../../metadata/path.js";
import { listPrefix } from "../../stores/capabilities.js";
import { deleteKey, tellWritten } from "../../stores/changes.js";
import { storeFailure } from "../../stores/check-store.js";
import type { AbsolutePath, StoreOptions, WritableStore } from "../../stores/store.js";
import { addressOf, parametersOf, type TaskContext, writableAt } from "../context.js";
import { type DocumentStore, storeOf } from "../documents.js";
import { JOBS } from "../ledger-keys.js";
import type { Task } from "../plan.js";

/**
 * Nothing is changed where the documents are there already: the task is repeated, or another process was faster. Chunks of the new arrays
 * stay where they are, also with `replace`: other tasks replace all of them, and may have begun.
 * @throws AlreadyExistsError for a document that says something else, without `replace`
 */
export async function createNodes(task: Task, context: TaskContext): Promise<undefined> {
  const parameters = parametersOf(task);
  const to = await writableAt(addressOf(parameters.get("target")), context);
  const { store } = to;
  const replaces = parameters.get("replace").oneOf(true, false);
  const documents = storeOf(parameters.get("documents").list().map(documentOf));
  if (replaces) await removeOthers(to, documents, context);
  for (const [key, bytes] of documents) {
    try {
      const found = await store.get(key, { signal: context.signal, current: true });
      if (found && isSame(found, bytes)) continue;
      if (found && !replaces) throw notOurs(key);
      await store.set(key, bytes, { signal: context.signal });
      tellWritten(store, key);
    } catch (error) {
      throw storeFailure(error, key, context.signal);
    }
  }
}

function documentOf(member: Member): readonly [AbsolutePath, string] {
  const [key, text] = member.list(2);
  const name = key?.string() ?? "";
  if (!name.startsWith("/")) throw member.invalid("a key that begins with a slash");
  return [`/${name.slice(1)}`, text?.string() ?? ""];
}

function notOurs(key: AbsolutePath): AlreadyExistsError {
  return new AlreadyExistsError(
    "there is another document than the one that the plan makes; overwrite: true of the plan replaces what is there",
    { key },
  );
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/** Removes what is at and below the target and is nothing of the new nodes. */
async function removeOthers(
  to: Location<WritableStore>,
  documents: DocumentStore,
  { signal }: TaskContext,
): Promise<void> {
  const { store, path } = to;
  const { entryPoint } = await locate(to, { signal });
  const arrays = new Map<string, ZarrArray>();
  for (const array of await arraysOf(new Location(documents, path, entryPoint)))
    arrays.set(prefixOf(array), array);
  const isChunk = (key: AbsolutePath): boolean => {
    for (let end = 1; end > 0; end = key.indexOf("/", end) + 1) {
      const array = arrays.get(key.slice(0, end));
      if (array === undefined) continue;
      const { chunkKeyEncoding } = array.metadata;
      if (parseChunkKey(chunkKeyEncoding, gridShapeOf(array.metadata), key.slice(end))) return true;
    }
    return false;
  };
  const jobs = keyBelow(path, `${JOBS}/`);
  for (const key of await keysAt(to, entryPoint, { signal })) {
    if (documents.has(key) || key.startsWith(jobs) || isChunk(key)) continue;
    await deleteKey(store, key, { signal });
  }
}

const prefixOf = ({ path, metadata }: ZarrArray): string => chunkPrefix(path, metadata.zarrFormat);

async function arraysOf(at: Location<DocumentStore>): Promise<readonly ZarrArray[]> {
  const node = await openIfThere(at, {});
  if (node?.kind === "array") return [node];
  const arrays: ZarrArray[] = [];
  for await (const member of members(at)) if (member.kind === "array") arrays.push(member);
  return arrays;
}

/** Keys at and below a node, in all formats. */
async function keysAt(
  { store, path }: Location<WritableStore>,
  entryPoint: DraftEntryPoint | undefined,
  options: StoreOptions,
): Promise<readonly AbsolutePath[]> {
  const below = await listPrefix(store, keyBelow(path, ""), options);
  if (entryPoint === undefined || path === "/") return below;
  const { documentKey } = await import("../../array/draft/open.js");
  const { draftDocumentPrefix } = await import("../../metadata/draft/hierarchy.js");
  const at = new Location(store, path, entryPoint);
  return [
    ...below,
    documentKey(at, "array"),
    documentKey(at, "group"),
    ...(await listPrefix(store, draftDocumentPrefix(path), options)),
    ...(await listPrefix(store, chunkPrefix(path, "draft"), options)),
  ];
}
