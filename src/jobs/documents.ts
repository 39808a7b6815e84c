/** The metadata documents of the nodes that a plan creates: computed when the plan is made, written by the task of its first stage. */
import { parseChunkKey } from "../array/chunk-walk.js";
import type { NodePlan } from "../array/copy.js";
import { writeNewNode } from "../array/create.js";
import { Location, type ZarrArray } from "../array/nodes.js";
import { documentBytes, locate, openIfThere } from "../array/open.js";
import { asTheyAreNow } from "../array/rewrite.js";
import { AlreadyExistsError } from "../errors.js";
import { gridShapeOf } from "../grid/chunk-grid.js";
import type { DraftEntryPoint } from "../metadata/draft/hierarchy.js";
import type { Member } from "../metadata/member.js";
import { ancestorsOf, chunkPrefix, keyBelow } from "../metadata/path.js";
import { deleteKey, listPrefix, tellWritten } from "../stores/capabilities.js";
import { storeFailure } from "../stores/check-store.js";
import type { AbsolutePath, StoreOptions, WritableStore } from "../stores/store.js";
import { addressOf, arraysBelow, parametersOf, type TaskContext, writableAt } from "./context.js";
import { JOBS } from "./ledger.js";
import type { NodeAddress, Stage, Task } from "./plan.js";

/** Keys and texts of documents, in the order of writing. */
export type Documents = readonly (readonly [key: AbsolutePath, text: string])[];

/** A store in memory that holds documents only. */
export type DocumentStore = Map<AbsolutePath, Uint8Array>;

/** Creates nodes at a location. The store holds only the documents of the groups above. */
export type MakeNodes = (at: Location<DocumentStore>) => Promise<unknown>;

/**
 * The documents that creating nodes at and below a location writes, including those of missing groups above.
 * @throws InvalidArgumentError for a location below an array, and what `make` throws
 */
export async function documentsOf(
  to: Location<WritableStore>,
  make: MakeNodes,
  options: StoreOptions,
): Promise<Documents> {
  return documentsBeside(await documentsAbove(to, options), to, make);
}

/** The documents of the new nodes, independent of what the target's store holds. The id of a plan depends on them. */
export function documentsAlone(
  { store, path }: Location<WritableStore>,
  make: MakeNodes,
): Promise<Documents> {
  return documentsBeside(new Map(), new Location(store, path), make);
}

/** Returns a function that creates the nodes of a copy. It throws UnsupportedError for metadata that the format cannot hold. */
export function copiesOf(nodes: readonly NodePlan<WritableStore>[]): MakeNodes {
  return async ({ store, entryPoint: found }) => {
    let entryPoint = found;
    for (const { location, metadata, spellings } of nodes)
      entryPoint = await writeNewNode(new Location(store, location.path, entryPoint), metadata, {
        spellings,
      });
  };
}

async function documentsBeside(
  above: DocumentStore,
  { path, entryPoint }: Location<WritableStore>,
  make: MakeNodes,
): Promise<Documents> {
  const written: DocumentStore = new Map(above);
  await make(new Location(written, path, entryPoint));
  return documentsIn(written).filter(([key]) => above.get(key) !== written.get(key));
}

export function documentsIn(store: DocumentStore): Documents {
  return Array.from(store, ([key, bytes]) => [key, new TextDecoder().decode(bytes)]);
}

/** The existing documents of the groups above a location, in all formats. */
async function documentsAbove(to: Location<WritableStore>, options: StoreOptions): Promise<DocumentStore> {
  const found: DocumentStore = new Map();
  // Nothing is above the root.
  if (to.path === "/") return found;
  const { entryPoint } = await locate(to, options);
  const keys = new Set<AbsolutePath>();
  for (const above of ancestorsOf(to.path)) {
    for (const name of ["zarr.json", ".zarray", ".zgroup", ".zattrs"]) keys.add(keyBelow(above, name));
    if (entryPoint === undefined) continue;
    const { documentKey } = await import("../array/draft/open.js");
    const at = new Location(to.store, above, entryPoint);
    for (const kind of ["array", "group"] as const) keys.add(documentKey(at, kind));
  }
  for (const key of keys) {
    const bytes = await documentBytes(asTheyAreNow(to.store), key, options);
    if (bytes) found.set(key, bytes);
  }
  return found;
}

/** A store that holds the documents, so that nodes can be opened from them. */
export function storeOf(documents: Documents): DocumentStore {
  return new Map(documents.map(([key, text]) => [key, new TextEncoder().encode(text)]));
}

export interface NewNodes {
  readonly target: NodeAddress;
  readonly documents: Documents;
  /** Whether to remove everything else at and below the target. */
  readonly replace: boolean;
}

/** The first stage of a plan: one task that writes the documents. */
export function createStage({ target, documents, replace }: NewNodes): Stage {
  const parameters = { target, documents, replace };
  return { name: "create the nodes", groups: [{ kind: "create-nodes", parameters }] };
}

/**
 * The task "create-nodes": writes documents. It leaves a document that is already there with the same bytes: the task may be repeated, or
 * another process was faster. Chunks of the new arrays stay, even with `replace`: other tasks overwrite all of them and may already run.
 * @throws AlreadyExistsError for a document with other bytes, without `replace`
 */
export async function createNodes(task: Task, context: TaskContext): Promise<undefined> {
  const parameters = parametersOf(task);
  const to = await writableAt(addressOf(parameters.get("target")), context);
  const { store } = to;
  const replaces = parameters.get("replace").oneOf(true, false);
  const documents = storeOf(parameters.get("documents").list().map(documentOf));
  if (replaces) await removeOthers(to, documents, context);
  for (const [key, bytes] of documents) {
    const found = await documentBytes(asTheyAreNow(store), key, { signal: context.signal });
    if (found && isSame(found, bytes)) continue;
    if (found && !replaces) throw notOurs(key);
    try {
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

/** Deletes all keys at and below the target, except for documents and chunks of the new nodes and for `JOBS`. */
async function removeOthers(
  to: Location<WritableStore>,
  documents: DocumentStore,
  { signal }: TaskContext,
): Promise<void> {
  const { store, path } = to;
  const { entryPoint } = await locate(to, { signal });
  const made = new Location(documents, path, entryPoint);
  const arrays = new Map<string, ZarrArray>();
  for (const array of await arraysBelow((await openIfThere(made, {})) ?? made))
    arrays.set(chunkPrefix(array.path, array.metadata.zarrFormat), array);
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

/** Keys of documents and chunks at and below a node, in all formats. */
async function keysAt(
  { store, path }: Location<WritableStore>,
  entryPoint: DraftEntryPoint | undefined,
  options: StoreOptions,
): Promise<readonly AbsolutePath[]> {
  const below = await listPrefix(store, keyBelow(path, ""), options);
  if (entryPoint === undefined || path === "/") return below;
  const { documentKey } = await import("../array/draft/open.js");
  const { draftDocumentPrefix } = await import("../metadata/draft/hierarchy.js");
  const at = new Location(store, path, entryPoint);
  return [
    ...below,
    documentKey(at, "array"),
    documentKey(at, "group"),
    ...(await listPrefix(store, draftDocumentPrefix(path), options)),
    ...(await listPrefix(store, chunkPrefix(path, "draft"), options)),
  ];
}
