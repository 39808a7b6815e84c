/** What is in a hierarchy: children, members, a picture of the tree, existence. For stores that can be listed. */
import type { DataTypeName } from "../data-types/names.js";
import { createLimiter } from "../engine/limiter.js";
import { storeFailure } from "../engine/prepared.js";
import { isZarrError, NotFoundError } from "../errors.js";
import type { Store, StoreOptions } from "../stores/store.js";
import { checkListable, layoutOf } from "./layout.js";
import { describeStore, type Location, toLocation } from "./location.js";
import { Group, ZarrArray } from "./nodes.js";
import { nodeKind, open } from "./open.js";

export type Node<S extends Store = Store> = Group<S> | ZarrArray<DataTypeName, S>;

/** Nodes opened at once: as many requests as `get` has under way. */
const CONCURRENCY = 32;

/**
 * The places directly below a location at which there may be nodes, by name. None below an array.
 * @throws UnsupportedError for a store without listing, StoreError
 */
export async function childLocations<S extends Store>(
  location: Location<S>,
  options: StoreOptions = {},
): Promise<Location<S>[]> {
  if (location instanceof ZarrArray) return [];
  checkListable(location);
  const { zarrFormat } = location instanceof Group ? location.metadata : {};
  try {
    const names = await layoutOf(zarrFormat).childNames(location, options);
    return names
      .filter((name) => !/^\.*$/.test(name))
      .sort()
      .map((name) => location.resolve(name));
  } catch (error) {
    throw storeFailure(error, location.path, options.signal);
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
  const limiter = createLimiter(CONCURRENCY);
  const locations = await childLocations(toLocation(where), options);
  const nodes = await Promise.all(
    locations.map((location) => limiter.run(() => openIfThere(location, options))),
  );
  return nodes.filter((node) => node !== undefined);
}

/** The node at a location; undefined where there is none. */
export async function openIfThere<S extends Store>(
  location: Location<S>,
  options: StoreOptions,
): Promise<Node<S> | undefined> {
  try {
    return await open(location, options);
  } catch (error) {
    if (isZarrError(error, "NotFoundError")) return undefined;
    throw error;
  }
}

/**
 * All nodes below a group (or any location), each before those below it. The location's own node is not among them.
 * @throws as `children`
 */
export async function* members<S extends Store>(
  where: Location<S> | S,
  options: StoreOptions = {},
): AsyncGenerator<Node<S>, void, undefined> {
  for (const node of await children(where, options)) {
    yield node;
    if (node.kind === "group") yield* members(node, options);
  }
}

/** Whether there is a node. @throws InvalidMetadataError when there is a document that cannot be read, StoreError */
export async function exists(where: Location | Store, options: StoreOptions = {}): Promise<boolean> {
  return (await nodeKind(toLocation(where), options.signal)) !== undefined;
}

/**
 * A hierarchy as text, one node a line: names, and shape and data type of arrays.
 * @throws NotFoundError when there is no node at or below the location; otherwise as `children`
 */
export async function tree(where: Location | Store, options: StoreOptions = {}): Promise<string> {
  const location = toLocation(where);
  const node = await openIfThere(location, options);
  const lines = [title(node ?? location, location.path)];
  for await (const line of branches(node ?? location, "", options)) lines.push(line);
  if (node === undefined && lines.length === 1) {
    throw new NotFoundError(`no Zarr array or group in ${describeStore(location.store)}`, {
      path: location.path,
    });
  }
  return lines.join("\n");
}

async function* branches(location: Location, indent: string, options: StoreOptions): AsyncGenerator<string> {
  const nodes = await children(location, options);
  for (const [i, node] of nodes.entries()) {
    const isLast = i === nodes.length - 1;
    const name = node.path.slice(node.path.lastIndexOf("/") + 1);
    yield `${indent}${isLast ? "└── " : "├── "}${title(node, name)}`;
    if (node.kind === "group") yield* branches(node, `${indent}${isLast ? "    " : "│   "}`, options);
  }
}

function title(node: Location, name: string): string {
  return node instanceof ZarrArray ? `${name} [${node.shape.join(", ")}] ${node.dtype}` : name;
}
