/** Which snapshot a branch, a tag or a moment stands for, in both formats. */
import {
  type AbsolutePath,
  canList,
  checkBytes,
  describe,
  describeStore,
  didYouMean,
  InvalidArgumentError,
  isJsonObject,
  listPrefix,
  NotFoundError,
  type Readable,
  type Store,
  StoreError,
  type StoreOptions,
  UnsupportedError,
} from "../../core/for-stores.js";
import type { IcechunkCommit } from "./commit.js";
import { type Repository, readRepository } from "./repository.js";
import { readCommit } from "./snapshots.js";

/** Largest ref.json in bytes. It has only one id. */
const LONGEST_REFERENCE = 1 << 20;
/** Most ancestors of a snapshot in format 1, where each is a request: a store may make up ever more. */
const MOST_ANCESTORS = 100_000;

type Kind = "branch" | "tag";

/** The revision to read: a branch, a tag or a snapshot. Default: the branch "main". */
export interface Revision {
  readonly branch?: string | undefined;
  readonly tag?: string | undefined;
  /** The id of the snapshot, which is its file name: 20 letters and digits. */
  readonly snapshot?: string | undefined;
  /** The newest snapshot of the revision's history that is not younger than this. */
  readonly asOf?: Date | undefined;
}

interface Found {
  readonly snapshot: string;
  /** Undefined if it was not read; null for a repository of format 1. */
  readonly repository: Repository | null | undefined;
}

/**
 * @returns the id of a revision's snapshot
 * @throws NotFoundError when the repository, branch or tag does not exist, or has no snapshot as old as
 * `asOf`
 */
export async function findSnapshot(
  store: Readable,
  revision: Revision,
  options?: StoreOptions,
): Promise<Found> {
  const { asOf } = revision;
  if (asOf !== undefined && !(asOf instanceof Date && Number.isFinite(asOf.getTime())))
    throw new InvalidArgumentError(`asOf: expected a valid Date, got ${describe(asOf)}`);
  const found = await findNewest(store, revision, options);
  if (asOf === undefined) return found;
  let first: IcechunkCommit | undefined;
  for await (const commit of history(store, found, options)) {
    if (commit.time <= asOf) return { ...found, snapshot: commit.snapshot };
    first = commit;
  }
  const oldest = first ? `; its first is of ${first.time.toISOString()}` : "";
  throw new NotFoundError(`no snapshot of ${nameOf(revision)} at or before ${asOf.toISOString()}${oldest}`);
}

function nameOf({ branch = "main", tag, snapshot }: Revision): string {
  if (snapshot !== undefined) return `the history of snapshot ${snapshot}`;
  return tag === undefined ? `branch "${branch}"` : `tag "${tag}"`;
}

async function findNewest(
  store: Readable,
  { branch = "main", tag, snapshot }: Revision,
  options: StoreOptions | undefined,
): Promise<Found> {
  if (snapshot !== undefined) return { snapshot, repository: undefined };
  const name = tag ?? branch;
  const kind = tag === undefined ? "branch" : "tag";
  // Not at the same time: a repository of format 2, as all new ones are, would answer a request for nothing.
  const repository = await readRepository(store, options);
  const known = repository?.refs(kind);
  const id = known ? known.get(name) : await readReference(store, kind, storedName(name), options);
  if (id !== undefined) return { snapshot: id, repository: repository ?? null };
  throw new NotFoundError(
    `no Icechunk repository with the ${kind} "${name}" in ${describeStore(store)}${hintFor(kind, name, repository)}`,
  );
}

/** The names that the repository has, or what was meant. */
function hintFor(kind: Kind, name: string, repository: Repository | undefined): string {
  const known = repository?.refs(kind);
  if (known === undefined) return "";
  const other = kind === "tag" ? "branch" : "tag";
  if (repository?.refs(other).has(name)) return `; there is a ${other} of that name`;
  return didYouMean(name, known.keys()) || `; it has ${[...known.keys()].slice(0, 20).join(", ") || "none"}`;
}

/**
 * Ids of snapshots by the names of branches or tags, as they are now.
 * @throws UnsupportedError for a repository of format 1 in a store that cannot be listed
 */
export async function readReferences(
  store: Store,
  kind: Kind,
  options?: StoreOptions,
): Promise<ReadonlyMap<string, string>> {
  const repository = await readRepository(store, { ...options, current: true });
  if (repository !== undefined) return repository.refs(kind);
  if (!canList(store))
    throw new UnsupportedError(
      `format 1 of Icechunk has a file for each ${kind}, and this store cannot be listed; open a ${kind} by its name`,
    );
  const references = new Map<string, string>();
  for (const key of await listPrefix(store, "/refs/", options)) {
    const [, found, stored = ""] = /^\/refs\/(branch|tag)\.([^/]+)\/ref\.json$/.exec(key) ?? [];
    if (found !== kind) continue;
    const id = await readReference(store, kind, stored, { ...options, current: true });
    if (id !== undefined) references.set(decodeName(stored), id);
  }
  return references;
}

/**
 * A snapshot's commit and its ancestors, newest first. Format 2 has them in one file, format 1 takes a
 * request for each.
 * @throws NotFoundError for a snapshot that the repository no longer has
 */
export async function* history(
  store: Readable,
  { snapshot, repository }: Found,
  options?: StoreOptions,
): AsyncGenerator<IcechunkCommit, void, undefined> {
  const known =
    repository === undefined ? await readRepository(store, { ...options, current: true }) : repository;
  if (known) {
    const commits = known.ancestry(snapshot);
    if (commits.length === 0)
      throw new NotFoundError(
        `no snapshot "${snapshot}" in the history of this Icechunk repository: it may have expired`,
      );
    yield* commits;
    return;
  }
  const seen = new Set<string>();
  for (let id: string | undefined = snapshot; id !== undefined; ) {
    if (seen.has(id) || seen.size === MOST_ANCESTORS)
      throw new StoreError(
        seen.has(id) ? "a snapshot of Icechunk is its own ancestor" : `more than ${MOST_ANCESTORS} ancestors`,
        { key: `/snapshots/${id}` },
      );
    seen.add(id);
    const commit: IcechunkCommit = await readCommit(store, id, options);
    yield commit;
    id = commit.parent;
  }
}

/** The id in the file of a branch or tag of format 1; undefined if it does not exist or was deleted. */
async function readReference(
  store: Readable,
  kind: Kind,
  stored: string,
  options: StoreOptions | undefined,
): Promise<string | undefined> {
  const read = async (key: AbsolutePath) =>
    checkBytes(await store.get(key, { ...options, maximumBytes: LONGEST_REFERENCE }), key);
  const key: AbsolutePath = `/refs/${kind}.${stored}/ref.json`;
  const [reference, deleted] = await Promise.all([
    read(key),
    kind === "tag" ? read(`${key}.deleted`) : undefined,
  ]);
  return reference && !deleted ? idInReference(reference, key) : undefined;
}

/** The name in keys of format 1: percent-encoded as by the Rust crate object_store, which keeps spaces. */
function storedName(name: string): string {
  return Array.from(new TextEncoder().encode(name), (byte) => {
    const character = String.fromCharCode(byte);
    const isKept = byte >= 0x20 && byte < 0x7f && !'/\\{^}%`]">[~<#|*?'.includes(character);
    return isKept ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }).join("");
}

function decodeName(stored: string): string {
  try {
    return decodeURIComponent(stored);
  } catch {
    return stored;
  }
}

function idInReference(bytes: Uint8Array, key: AbsolutePath): string {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new StoreError("a damaged reference of an Icechunk repository: expected JSON", { key, cause });
  }
  if (isJsonObject(json) && typeof json.snapshot === "string") return json.snapshot;
  throw new StoreError('a damaged reference of an Icechunk repository: expected {"snapshot": ...}', { key });
}
