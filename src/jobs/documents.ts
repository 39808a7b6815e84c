/** The documents of nodes that a plan makes: worked out before anything is written, and the task that writes them. */
import { parseChunkKey } from "../array/chunk-walk.js";
import type { NodePlan } from "../array/copy.js";
import { writeNewNode } from "../array/create.js";
import { Location, type ZarrArray } from "../array/nodes.js";
import { locate, openIfThere } from "../array/open.js";
import { AlreadyExistsError } from "../errors.js";
import { gridShapeOf } from "../grid/chunk-grid.js";
import type { DraftEntryPoint } from "../metadata/draft/hierarchy.js";
import type { Member } from "../metadata/member.js";
import { ancestorsOf, chunkPrefix, keyBelow } from "../metadata/path.js";
import { deleteKey, listPrefix, tellWritten } from "../stores/capabilities.js";
import { storeFailure } from "../stores/check-store.js";
import type { AbsolutePath, StoreOptions, WritableStore } from "../stores/store.js";
import { addressOf, arraysBelow, jsonOf, parametersOf, type TaskContext, writableAt } from "./context.js";
import { JOBS } from "./ledger.js";
import type { NodeAddress, Stage, Task } from "./plan.js";

/** Keys and texts, in the order in which they are to be written. */
export type Documents = readonly (readonly [key: AbsolutePath, text: string])[];

/** A store of documents alone. */
export type DocumentStore = Map<AbsolutePath, Uint8Array>;

/** Makes nodes at a location of a store in which there are only the documents above it. */
type MakeNodes = (at: Location<DocumentStore>) => Promise<unknown>;

/**
 * The documents that are going to be written where nodes are made at and below a location, those of groups above that are missing included.
 * @throws InvalidArgumentError below an array, and what `make` throws
 */
export async function documentsOf(
  to: Location<WritableStore>,
  make: MakeNodes,
  options: StoreOptions,
): Promise<Documents> {
  return documentsBeside(await documentsAbove(to, options), to, make);
}

/** The same whatever is in the target's store already: what a plan's id is made of. */
export function documentsAlone(
  { store, path }: Location<WritableStore>,
  make: MakeNodes,
): Promise<Documents> {
  return documentsBeside(new Map(), new Location(store, path), make);
}

/** Makes the nodes of a copy. @throws UnsupportedError for what a format cannot hold */
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
  return [...written].flatMap(([key, bytes]) =>
    above.get(key) === bytes ? [] : [[key, new TextDecoder().decode(bytes)] as const],
  );
}

/** Documents of the groups above a location, and of its hierarchy, as far as they are there. */
async function documentsAbove(to: Location<WritableStore>, options: StoreOptions): Promise<DocumentStore> {
  const found: DocumentStore = new Map();
  // At the root everything is new.
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
    try {
      const bytes = await to.store.get(key, options);
      if (bytes) found.set(key, bytes);
    } catch (error) {
      throw storeFailure(error, key, options.signal);
    }
  }
  return found;
}

/** Documents as a store that nodes can be opened from. */
export function storeOf(documents: Documents): DocumentStore {
  return new Map(documents.map(([key, text]) => [key, new TextEncoder().encode(text)]));
}

export interface NewNodes {
  readonly target: NodeAddress;
  readonly documents: Documents;
  /** Whether what is at the target goes. */
  readonly replace: boolean;
}

/** The first stage of a plan. */
export function createStage({ target, documents, replace }: NewNodes): Stage {
  const parameters = { target: jsonOf(target), documents, replace };
  return { name: "create the nodes", groups: [{ kind: "create-nodes", parameters }] };
}

/**
 * The task of that stage: writes documents. Nothing is changed where they are there already: the task is repeated, or another process was
 * faster. Chunks of the new arrays stay where they are, also with `replace`: other tasks replace all of them, and may have begun.
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

/** Keys at and below a node, in all formats. */
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
