/** Lists, finds and deletes nodes of a hierarchy. A layout knows under which keys a format stores nodes. */

import { eachUntilAborted, untilAborted } from "../../base/abort.js";
import { isZarrError, NotFoundError, UnsupportedError, type ZarrError } from "../../base/errors.js";
import { checkNames, type NamesOf } from "../../base/option-names.js";
import { createLimiter } from "../../core/line/shared/concurrency.js";
import { canList, listDir } from "../../core/stores/capabilities.js";
import { checkStore, checkWritable, describeStore, withFailuresAt } from "../../core/stores/check-store.js";
import { SortedKeys } from "../../core/stores/sorted-keys.js";
import type {
  AbsolutePath,
  DirectoryListing,
  Store,
  StoreOptions,
  WritableStore,
} from "../../core/stores/store.js";
import { STORE_OPTIONS, storeOptionsOf } from "../../core/stores/store-option-names.js";
import { checkDepth, keyBelow } from "../../metadata/path.js";
import { Group, type Location, type Node, toLocation, ZarrArray } from "../nodes/nodes.js";
import { adviceFor, locate, nodeKind, open, openFinal, openIfThere } from "../open/open.js";
import { draftHierarchy } from "./draft-hierarchy.js";
import { eraseNode } from "./erase.js";
import type { HierarchyLayout, OpenNode } from "./hierarchy-layout.js";

/** Nodes opened at once: as many requests as `get` has under way. */
const CONCURRENCY = 32;

/** Options of `children`, `members` and `tree`. */
export interface ListOptions extends StoreOptions {
  /**
   * Called for each node whose metadata cannot be read, which is then left out. Without it, the first such
   * node is an error.
   */
  readonly onUnreadable?: ((path: AbsolutePath, error: ZarrError) => void) | undefined;
}

const LIST: NamesOf<ListOptions> = { ...STORE_OPTIONS, onUnreadable: "function" };

/**
 * Functions that open the possible nodes directly below a location, sorted by name. An array has none.
 * @throws UnsupportedError for a store without listing, StoreError, also for a path of too many names
 */
export async function openChildren<S extends Store>(
  location: Location<S>,
  { onUnreadable, ...options }: ListOptions,
): Promise<OpenNode<S>[]> {
  if (location instanceof ZarrArray) return [];
  checkListable(location);
  // A group knows its format.
  const at = location instanceof Group ? location : await locate(location, options);
  checkDepth(at.path);
  const layout = await layoutOf(at);
  const found = await withFailuresAt({ path: at.path }, options.signal, () => layout.children(at, options));
  const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  if (onUnreadable === undefined) return sorted.map(([, openNode]) => openNode);
  return sorted.map(([name, openNode]) => async () => {
    try {
      return await openNode();
    } catch (error) {
      if (!isZarrError(error, "InvalidMetadataError", "UnknownDataTypeError", "UnsupportedError"))
        throw error;
      onUnreadable(at.resolve(name).path, error);
      return undefined;
    }
  });
}

/**
 * Opens the nodes directly below a group (or any location). @returns the nodes, sorted by name
 * @throws UnsupportedError for a store without listing; InvalidMetadataError and UnknownDataTypeError without
 * `onUnreadable`; StoreError
 */
export async function children<S extends Store>(
  where: Location<S> | S,
  options: ListOptions = {},
): Promise<Node<S>[]> {
  checkNames(options, "children", LIST);
  return untilAborted(options.signal, async () => {
    const limiter = createLimiter(CONCURRENCY);
    const found = await openChildren(toLocation(where), options);
    const nodes = await Promise.all(found.map((openNode) => limiter.run(openNode)));
    return nodes.filter((node) => node !== undefined);
  });
}

/**
 * Opens all nodes below a group (or any location). A group comes before its children; the location's own node
 * is not included.
 * @throws as `children`
 */
export async function* members<S extends Store>(
  where: Location<S> | S,
  options: ListOptions = {},
): AsyncGenerator<Node<S>, void, undefined> {
  checkNames(options, "members", LIST);
  yield* eachUntilAborted(options.signal, membersBelow(toLocation(where), options));
}

async function* membersBelow<S extends Store>(
  location: Location<S>,
  options: ListOptions,
): AsyncGenerator<Node<S>, void, undefined> {
  for (const node of await children(location, options)) {
    yield node;
    if (node.kind === "group") yield* membersBelow(node, options);
  }
}

/**
 * Whether a location has a node.
 * @throws InvalidMetadataError if the node's document is invalid, StoreError
 */
export async function exists(where: Location | Store, options: StoreOptions = {}): Promise<boolean> {
  checkNames(options, "exists", STORE_OPTIONS);
  return untilAborted(options.signal, async () => (await nodeKind(toLocation(where), options)) !== undefined);
}

/**
 * Describes a hierarchy in a string of one line per node: its name, and for arrays the shape and data type. A
 * node whose metadata cannot be read has the reason in its line, with and without `onUnreadable`.
 * @throws NotFoundError when there is no node at or below the location; UnsupportedError for a store without
 * listing, StoreError
 */
export async function tree(where: Location | Store, options: ListOptions = {}): Promise<string> {
  checkNames(options, "tree", LIST);
  return untilAborted(options.signal, async () => {
    const location = toLocation(where);
    const node = await openIfThere(location, storeOptionsOf(options));
    const lines = [title(node ?? location, location.path)];
    for await (const line of branches(node ?? location, options, "")) lines.push(line);
    if (node === undefined && lines.length === 1) throw nothingIn(location);
    return lines.join("\n");
  });
}

export function nothingIn({ store, path }: Location): NotFoundError {
  return new NotFoundError(`no Zarr array or group in ${describeStore(store)}${adviceFor(store)}`, {
    path,
  });
}

async function* branches(at: Location, options: ListOptions, indent: string): AsyncGenerator<string> {
  const entries = await childrenAndErrors(at, options);
  for (const [i, { path, node, error }] of entries.entries()) {
    const isLast = i === entries.length - 1;
    const name = path.slice(path.lastIndexOf("/") + 1);
    yield `${indent}${isLast ? "└── " : "├── "}${node ? title(node, name) : `${name} (unreadable: ${error?.reason})`}`;
    if (node !== undefined) yield* branches(node, options, `${indent}${isLast ? "    " : "│   "}`);
  }
}

/** The nodes below a location and those that cannot be read, sorted by name. */
async function childrenAndErrors(
  at: Location,
  options: ListOptions,
): Promise<{ path: AbsolutePath; node?: Node; error?: ZarrError }[]> {
  const unreadable: { path: AbsolutePath; error: ZarrError }[] = [];
  const onUnreadable = (path: AbsolutePath, error: ZarrError): void => {
    unreadable.push({ path, error });
    options.onUnreadable?.(path, error);
  };
  const nodes = await children(at, { ...options, onUnreadable });
  const all = [...nodes.map((node) => ({ path: node.path, node })), ...unreadable];
  return all.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function title(node: Location, name: string): string {
  return node instanceof ZarrArray ? `${name} [${node.shape.join(", ")}] ${node.dataType.name}` : name;
}

/** The layout of v2 and v3: every node has its own directory with its documents, chunks and children. */
const directories: HierarchyLayout = {
  async children(location, options) {
    const storeOptions = storeOptionsOf(options);
    const prefix = toPrefix(location.path);
    const { prefixes } =
      contentsBelow(location.store, prefix) ?? (await listDir(location.store, prefix, options));
    const names = prefixes
      .map((child) => child.slice(prefix.length, -1))
      .filter((name) => !/^\.*$/.test(name));
    return new Map(
      names.map((name) => [name, () => openIfThere(location.resolve(name), storeOptions, openFinal)]),
    );
  },
  erase: eraseNode,
};

/**
 * The documents of contents that were listed before. A store returns the same list until its nodes change.
 */
const indexes = new WeakMap<ReturnType<NonNullable<Store["contents"]>>, SortedKeys>();

/** The listing of a prefix from consolidated metadata; undefined if the store has none. */
function contentsBelow(store: Store, prefix: AbsolutePath): Pick<DirectoryListing, "prefixes"> | undefined {
  const contents = store.contents?.();
  if (contents === undefined) return undefined;
  const known = indexes.get(contents);
  if (known !== undefined) return known.directory(prefix);
  const index = new SortedKeys(contents.map(({ path }) => keyBelow(path, "zarr.json")));
  indexes.set(contents, index);
  return index.directory(prefix);
}

function toPrefix(path: AbsolutePath): AbsolutePath {
  return path === "/" ? "/" : `${path}/`;
}

/** The layout of a location's hierarchy. @param location a group, or from `locate` */
async function layoutOf({ entryPoint }: Location): Promise<HierarchyLayout> {
  return entryPoint === undefined ? directories : (await draftHierarchy.load()).draftLayout;
}

/** @throws UnsupportedError for a store without listing, such as HTTP */
function checkListable({ store, path }: Location): void {
  checkStore(store);
  if (canList(store) || store.contents !== undefined) return;
  throw new UnsupportedError(
    `${describeStore(store)} cannot be listed, so the nodes below a group are unknown; open arrays by their path, or pass the store to withConsolidatedMetadata first`,
    { path },
  );
}

/**
 * Deletes an array, or a group with everything below it. It also deletes a node whose metadata are invalid.
 * @throws NotFoundError when there is no node, UnsupportedError when the store cannot delete, StoreError
 */
export async function deleteNode<S extends WritableStore>(
  where: Location<S> | S,
  options: StoreOptions = {},
): Promise<void> {
  checkNames(options, "deleteNode", STORE_OPTIONS);
  const location = toLocation(where);
  checkWritable(location.store, location.path);
  await untilAborted(options.signal, async () => {
    const found = await find(location, options);
    const layout = await layoutOf(found);
    await withFailuresAt({ path: location.path }, options.signal, () => layout.erase(found, options));
  });
}

async function find(location: Location, options: StoreOptions): Promise<Location> {
  try {
    return await open(location, { attrs: false, signal: options.signal });
  } catch (error) {
    if (!isZarrError(error, "InvalidMetadataError", "UnknownDataTypeError")) throw error;
    // v2 and v3 store a node's documents in its own directory, the draft does not.
    const { path } = location;
    return error.key?.replace(/\/[^/]*$/, "") === (path === "/" ? "" : path)
      ? location
      : locate(location, options);
  }
}
