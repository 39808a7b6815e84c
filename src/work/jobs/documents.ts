/**
 * The metadata documents of the nodes that a plan creates: computed when the plan is made, written by the
 * task of its first stage.
 */

import {
  ancestorsOf,
  asTheyAreNow,
  chunkPrefix,
  documentBytes,
  draftNodes,
  eraseKeys,
  isDocumentKey,
  JOBS,
  keyBelow,
  locate,
  normalisePath,
  parseChunkKey,
  writeNewNodes,
  zarrKeys,
} from "../../core/for-work.js";
import { CheckedStore, layoutOf, Member, openIfThere, parseJson } from "../../extend.js";
import {
  type AbsolutePath,
  AlreadyExistsError,
  Location,
  type StoreOptions,
  type WritableStore,
  type Array as ZarrArray,
} from "../../index.js";
import type { DraftEntryPoint } from "../../main/codecs.js";
import type { NodePlan } from "../copy.js";
import { addressOf, arraysBelow, parametersOf, type TaskContext, writableAt } from "./context.js";
import type { NodeAddress, Stage, Task } from "./plan.js";
import { holderKey, holderOf } from "./state/holder.js";
import type { Written } from "./state/written.js";

/** Keys of documents and the documents as strings, in the order of writing. */
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

/**
 * The documents of the new nodes, independent of what the target's store holds. The id of a plan depends on
 * them.
 */
export function documentsAlone(
  { store, path }: Location<WritableStore>,
  make: MakeNodes,
): Promise<Documents> {
  return documentsBeside(new Map(), new Location(store, path), make);
}

/**
 * Returns a function that creates the nodes of a copy. It throws UnsupportedError for metadata that the
 * format cannot hold.
 */
export function copiesOf(nodes: readonly NodePlan<WritableStore>[]): MakeNodes {
  return async ({ store, entryPoint: found }) => {
    let entryPoint = found;
    for (const { location, metadata, spelledLike } of nodes)
      entryPoint = await writeNewNodes(
        [{ location: new Location(store, location.path, entryPoint), metadata, spelledLike }],
        {},
      );
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
    const { documentKey } = await draftNodes.load();
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
 * The task "create-nodes": writes documents. It leaves a document that is already there with the same bytes:
 * the task may be repeated, or another process was faster. Chunks of the new arrays stay, even with
 * `replace`: other tasks overwrite all of them and may already run.
 * @throws AlreadyExistsError for a document with other bytes, without `replace`; InvalidMetadataError for a
 * document that is not of a node at, above or below the target: tasks come from a queue, and none may write
 * other files
 */
export async function createNodes(task: Task, context: TaskContext, written: Written): Promise<undefined> {
  const parameters = parametersOf(task);
  const { store: targetStore, path } = await writableAt(addressOf(parameters.get("target")), context);
  const store = written.over(targetStore);
  const to = new Location(store, path);
  const replaces = parameters.get("replace").oneOf(true, false);
  const documentList = parameters.get("documents").list();
  const documents = storeOf(documentList.map((member) => documentOf(member, path)));
  if (replaces) await removeOthers(to, documents, task.plan, context);
  for (const [key, bytes] of documents) {
    // An existing document is flushed too: an earlier attempt may have been killed before it did so.
    written.add(targetStore, key);
    const found = await documentBytes(asTheyAreNow(store), key, { signal: context.signal });
    // A group above the target that somebody else has created meanwhile serves as well.
    if (found && (isSame(found, bytes) || isAbove(directoryOfDocument(key), path))) continue;
    if (found && !isTorn(found, bytes) && !replaces) throw notOurs(key);
    await new CheckedStore(store).set(key, bytes, { signal: context.signal });
  }
}

/** The path of the node that a document belongs to; undefined for a key that is not a document's. */
export function directoryOfDocument(key: AbsolutePath): AbsolutePath | undefined {
  const draft = /^\/meta\/root(\/.+)?\.(?:array|group)[\w.-]*$/.exec(key);
  if (draft !== null) return normalisePath(draft[1] ?? "/");
  return isDocumentKey(key) ? normalisePath(key.slice(0, key.lastIndexOf("/"))) : undefined;
}

function isAbove(path: string | undefined, target: AbsolutePath): boolean {
  return path !== undefined && path !== target && isWithin(target, path);
}

/** Whether a path is that of the node `outer`, or below it; false for no path. */
export function isWithin(path: string | undefined, outer: string): boolean {
  if (path === undefined) return false;
  return outer === "/" || path === outer || path.startsWith(`${outer}/`);
}

function documentOf(member: Member, target: AbsolutePath): readonly [AbsolutePath, string] {
  const [name, text] = member.list(2);
  const key = name?.string() ?? "";
  const node = key.startsWith("/") ? directoryOfDocument(`/${key.slice(1)}`) : undefined;
  if (node === undefined || !(isWithin(node, target) || isAbove(node, target)))
    throw member.invalid(`the document of a node at, above or below ${target}`);
  const document = text?.string() ?? "";
  new Member(parseJson(new TextEncoder().encode(document), { key }), { key }).object();
  return [`/${key.slice(1)}`, document];
}

function notOurs(key: AbsolutePath): AlreadyExistsError {
  return new AlreadyExistsError(
    "a document that differs from the plan's already exists; plan with overwrite: true to replace it",
    { key },
  );
}

/** Whether a machine that crashed may have left this of a document: its beginning, with or without zeros. */
function isTorn(found: Uint8Array, document: Uint8Array): boolean {
  return found.length <= document.length && found.every((byte, i) => byte === 0 || byte === document[i]);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

/**
 * Removes what is at and below the target, except for documents and chunks of the new nodes, and what the
 * plan itself has in `JOBS`. If there is no node, or only those that this task has written, files that are
 * not Zarr's stay.
 */
async function removeOthers(
  to: Location<WritableStore>,
  documents: DocumentStore,
  plan: string,
  { signal }: TaskContext,
): Promise<void> {
  const { store, path } = to;
  // `planCopy` refuses a target with a node in such a store.
  if (!new CheckedStore(store).canList) return;
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
      if (parseChunkKey(chunkKeyEncoding, layoutOf(array).grid, key.slice(end))) return true;
    }
    return false;
  };
  const jobsPrefix = keyBelow(path, `${JOBS}/${plan}/`);
  const isHeld = (await holderOf(to, { signal })) === plan;
  const isOwn = (key: AbsolutePath): boolean =>
    key.startsWith(jobsPrefix) || (isHeld && key === holderKey(path));
  const there = await keysAt(to, entryPoint, { signal });
  const isOurs = async (key: AbsolutePath): Promise<boolean> => {
    const [mine, stored] = [documents.get(key), await documentBytes(asTheyAreNow(store), key, { signal })];
    return stored === undefined || (mine !== undefined && isSame(mine, stored));
  };
  const nodeDocuments = ["zarr.json", ".zarray", ".zgroup"].map((name) => keyBelow(path, name));
  const isNew = (await Promise.all(nodeDocuments.map(isOurs))).every(Boolean);
  const others = (isNew && entryPoint === undefined ? foreign(path, there, documents) : there).filter(
    (key) => !documents.has(key) && !isOwn(key) && !isChunk(key),
  );
  // Ledgers go first: a ledger that outlives what it records would be believed.
  const isNote = (key: string): boolean => key.includes(`/${JOBS}/`);
  await eraseKeys(store, others.filter(isNote), { signal });
  await eraseKeys(
    store,
    others.filter((key) => !isNote(key)),
    { signal },
  );
}

/** The keys below the target that belong to other nodes than the new ones. */
function foreign(
  path: AbsolutePath,
  keys: readonly AbsolutePath[],
  documents: DocumentStore,
): readonly AbsolutePath[] {
  return zarrKeys(
    path,
    keys.filter((key) => !documents.has(key)),
  );
}

/** Keys of documents and chunks at and below a node, in all formats. */
async function keysAt(
  { store, path }: Location<WritableStore>,
  entryPoint: DraftEntryPoint | undefined,
  options: StoreOptions,
): Promise<readonly AbsolutePath[]> {
  const values = new CheckedStore(store);
  const below = await values.listPrefix(keyBelow(path, ""), options);
  if (entryPoint === undefined || path === "/") return below;
  const { documentKey, draftDocumentPrefix } = await draftNodes.load();
  const at = new Location(store, path, entryPoint);
  return [
    ...below,
    documentKey(at, "array"),
    documentKey(at, "group"),
    ...(await values.listPrefix(draftDocumentPrefix(path), options)),
    ...(await values.listPrefix(chunkPrefix(path, "draft"), options)),
  ];
}
