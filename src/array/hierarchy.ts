/** Nodes of a hierarchy: whether they exist, listing and deleting them. A layout says where a format keeps them. */
import { eachUntilAborted, untilAborted } from "../abort.js";
import { createLimiter } from "../engine/concurrency.js";
import { isZarrError, NotFoundError, UnsupportedError } from "../errors.js";
import { checkDepth, keyBelow } from "../metadata/path.js";
import { canList, deleteKey, deletePrefix, directoryOf, keysBelow, listDir } from "../stores/capabilities.js";
import { checkStore, checkWritable, describeStore, storeFailure } from "../stores/check-store.js";
import type { AbsolutePath, DirectoryListing, Store, StoreOptions, WritableStore } from "../stores/store.js";
import { Group, type Location, type Node, toLocation, ZarrArray } from "./nodes.js";
import { locate, nodeKind, open, openFinal, openIfThere } from "./open.js";

/** Nodes opened at once: as many requests as `get` has under way. */
const CONCURRENCY = 32;

/** Throws what went wrong as a StoreError with the path. */
async function atLocation<Result>(
  location: Location,
  options: StoreOptions,
  action: () => Promise<Result>,
): Promise<Result> {
  try {
    return await action();
  } catch (error) {
    throw storeFailure(error, undefined, options.signal, location.path);
  }
}

/** A location whose format is known: a node's is. */
async function toListable<S extends Store>(
  location: Location<S>,
  options: StoreOptions,
): Promise<Location<S>> {
  checkListable(location);
  return location instanceof Group ? location : locate(location, options);
}

/**
 * What may be nodes directly below a location, by name, each to be opened. None below an array.
 * @throws UnsupportedError for a store without listing, StoreError, also for a location too deep to be listed
 */
export async function openChildren<S extends Store>(
  location: Location<S>,
  options: StoreOptions,
): Promise<OpenNode<S>[]> {
  if (location instanceof ZarrArray) return [];
  const at = await toListable(location, options);
  checkDepth(at.path);
  const layout = await layoutOf(at);
  const found = await atLocation(at, options, () => layout.children(at, options));
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, openNode]) => openNode);
}

/** Opens some nodes at a time, in order. */
async function* inBatches<S extends Store>(
  openNodes: readonly OpenNode<S>[],
): AsyncGenerator<Node<S>, void, undefined> {
  for (let i = 0; i < openNodes.length; i += CONCURRENCY) {
    const nodes = await Promise.all(openNodes.slice(i, i + CONCURRENCY).map((openNode) => openNode()));
    for (const node of nodes) if (node !== undefined) yield node;
  }
}

/**
 * The nodes directly below a group (or any location), by name.
 * @throws UnsupportedError for a store without listing, InvalidMetadataError, UnknownDataTypeError, StoreError
 */
export async function children<S extends Store>(
  where: Location<S> | S,
  options: StoreOptions = {},
): Promise<Node<S>[]> {
  return untilAborted(options.signal, async () => {
    const limiter = createLimiter(CONCURRENCY);
    const found = await openChildren(toLocation(where), options);
    const nodes = await Promise.all(found.map((openNode) => limiter.run(openNode)));
    return nodes.filter((node) => node !== undefined);
  });
}

/**
 * All nodes below a group (or any location), each before those below it. The location's own node is not among them.
 * @throws as `children`
 */
export async function* members<S extends Store>(
  where: Location<S> | S,
  options: StoreOptions = {},
): AsyncGenerator<Node<S>, void, undefined> {
  yield* eachUntilAborted(options.signal, membersBelow(toLocation(where), options));
}

async function* membersBelow<S extends Store>(
  location: Location<S>,
  options: StoreOptions,
): AsyncGenerator<Node<S>, void, undefined> {
  if (location instanceof ZarrArray) return;
  const at = await toListable(location, options);
  const layout = await layoutOf(at);
  if (layout.members === undefined) {
    for (const node of await children(at, options)) {
      yield node;
      if (node.kind === "group") yield* membersBelow(node, options);
    }
    return;
  }
  const found = await atLocation(at, options, async () => (await layout.members?.(at, options)) ?? []);
  yield* inBatches(found);
}

/** Whether there is a node. @throws InvalidMetadataError when there is a document that cannot be read, StoreError */
export async function exists(where: Location | Store, options: StoreOptions = {}): Promise<boolean> {
  return untilAborted(options.signal, async () => (await nodeKind(toLocation(where), options)) !== undefined);
}

/**
 * A hierarchy as text, one node a line: names, and shape and data type of arrays.
 * @throws NotFoundError when there is no node at or below the location; otherwise as `children`
 */
export async function tree(where: Location | Store, options: StoreOptions = {}): Promise<string> {
  return untilAborted(options.signal, async () => {
    const location = toLocation(where);
    const node = await openIfThere(location, options);
    const at = node ?? location;
    const below = new Map<string, Node[]>();
    for await (const member of members(at, options)) {
      const parent = member.path.slice(0, member.path.lastIndexOf("/")) || "/";
      const siblings = below.get(parent);
      if (siblings === undefined) below.set(parent, [member]);
      else siblings.push(member);
    }
    if (node === undefined && below.size === 0) throw nothingIn(location);
    return [title(at, at.path), ...branches(below, at.path, "")].join("\n");
  });
}

export function nothingIn({ store, path }: Location): NotFoundError {
  return new NotFoundError(`no Zarr array or group in ${describeStore(store)}`, { path });
}

function* branches(
  below: ReadonlyMap<string, readonly Node[]>,
  path: string,
  indent: string,
): Generator<string> {
  const nodes = below.get(path) ?? [];
  for (const [i, node] of nodes.entries()) {
    const isLast = i === nodes.length - 1;
    const name = node.path.slice(node.path.lastIndexOf("/") + 1);
    yield `${indent}${isLast ? "└── " : "├── "}${title(node, name)}`;
    yield* branches(below, node.path, `${indent}${isLast ? "    " : "│   "}`);
  }
}

function title(node: Location, name: string): string {
  return node instanceof ZarrArray ? `${name} [${node.shape.join(", ")}] ${node.dtype}` : name;
}

/** Opens what was found at a place; undefined when it turns out to be no node. */
export type OpenNode<S extends Store> = () => Promise<Node<S> | undefined>;

export interface HierarchyLayout {
  /** What may be a node directly below a location, by name, in no order. */
  children<S extends Store>(
    location: Location<S>,
    options: StoreOptions,
  ): Promise<ReadonlyMap<string, OpenNode<S>>>;
  /** Everything below a location, each node before those below it, where that takes fewer requests than level by level. */
  members?<S extends Store>(location: Location<S>, options: StoreOptions): Promise<readonly OpenNode<S>[]>;
  /** Removes a node and everything below it; its documents first, so that nobody reads an array whose chunks are gone. */
  erase(location: Location, options: StoreOptions): Promise<void>;
}

/** The final formats: every node has a directory of its own, in which its documents, its chunks and its children stand. */
const directories: HierarchyLayout = {
  async children(location, options) {
    const prefix = toPrefix(location.path);
    const { prefixes } =
      contentsBelow(location.store, prefix) ?? (await listDir(location.store, prefix, options));
    const names = prefixes
      .map((child) => child.slice(prefix.length, -1))
      .filter((name) => !/^\.*$/.test(name));
    return new Map(
      names.map((name) => [name, () => openIfThere(location.resolve(name), options, openFinal)]),
    );
  },
  async erase({ store, path }, options) {
    if (store.delete !== undefined) {
      for (const name of ["zarr.json", ".zarray", ".zgroup"])
        await deleteKey(store, keyBelow(path, name), options);
    }
    await deletePrefix(store, toPrefix(path), options);
  },
};

/** What consolidated metadata know of the nodes directly below a prefix, as a listing tells it. */
function contentsBelow(store: Store, prefix: AbsolutePath): Pick<DirectoryListing, "prefixes"> | undefined {
  const documents = store.contents?.().map(({ path }) => keyBelow(path, "zarr.json"));
  return documents && directoryOf(keysBelow(documents, prefix), prefix);
}

function toPrefix(path: AbsolutePath): AbsolutePath {
  return path === "/" ? "/" : `${path}/`;
}

/** The layout of the hierarchy that a located location is in. */
async function layoutOf({ entryPoint }: Location): Promise<HierarchyLayout> {
  return entryPoint === undefined ? directories : (await import("./draft/hierarchy.js")).draftLayout;
}

/** @throws UnsupportedError for a store without listing, HTTP for one */
function checkListable({ store, path }: Location): void {
  checkStore(store);
  if (canList(store) || store.contents !== undefined) return;
  throw new UnsupportedError(
    `${describeStore(store)} cannot be listed, so what is below a group is not known: open arrays by their path, or the store by withConsolidatedMetadata`,
    { path },
  );
}

/**
 * Deletes an array or a group with everything below it. A node whose metadata cannot be read is deleted all the same.
 * @throws NotFoundError when there is none, UnsupportedError when the store cannot delete, StoreError
 */
export async function deleteNode<S extends WritableStore>(
  where: Location<S> | S,
  options?: StoreOptions,
): Promise<void>;
export async function deleteNode(where: Location | Store, options: StoreOptions = {}): Promise<void> {
  const location = toLocation(where);
  checkWritable(location.store, location.path);
  await untilAborted(options.signal, async () => {
    const found = await find(location, options);
    await atLocation(location, options, async () => (await layoutOf(found)).erase(found, options));
  });
}

async function find(location: Location, options: StoreOptions): Promise<Location> {
  try {
    return await open(location, { attrs: false, signal: options.signal });
  } catch (error) {
    if (!isZarrError(error, "InvalidMetadataError", "UnknownDataTypeError")) throw error;
    // The final formats have a node's documents in its own directory, the draft does not.
    const { path } = location;
    return error.key?.replace(/\/[^/]*$/, "") === (path === "/" ? "" : path)
      ? location
      : locate(location, options);
  }
}
