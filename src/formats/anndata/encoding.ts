/**
 * What a node of AnnData is: its attribute `encoding-type`.
 * https://anndata.readthedocs.io/en/stable/fileformat-prose.html
 */
import { Member, openIfThere, toLocation } from "../../extend.js";
import {
  children,
  type DataTypeName,
  type Group,
  InvalidMetadataError,
  isZarrError,
  Location,
  type Node,
  NotFoundError,
  type Store,
  type StoreOptions,
  withMaybeConsolidatedMetadata,
  type Array as ZarrArray,
} from "../../index.js";

/** The attributes of a node, for checks that name node and member. */
export function attributesOf({ metadata, path }: Node): Member {
  return new Member(metadata.attributes, { path }, "attributes");
}

/** "dataframe", "csr_matrix", ...; "" for a node without it, as plain arrays may be. */
export function encodingOf(node: Node): string {
  const encoding = attributesOf(node).get("encoding-type");
  return encoding.isNull ? "" : encoding.string();
}

/** @throws NotFoundError */
export async function nodeAt(location: Location, signal: AbortSignal | undefined): Promise<Node> {
  const node = await openIfThere(location, { signal });
  if (node !== undefined) return node;
  throw new NotFoundError("no node of AnnData at this path", { path: location.path });
}

/** @throws NotFoundError; InvalidMetadataError for a group */
export async function arrayAt(
  location: Location,
  signal: AbortSignal | undefined,
): Promise<ZarrArray<DataTypeName>> {
  const node = await nodeAt(location, signal);
  if (node.kind === "array") return node;
  throw new InvalidMetadataError("expected an array, found a group", { path: node.path });
}

/** @throws InvalidMetadataError for an array */
export function asGroup(node: Node): Group {
  if (node.kind === "group") return node;
  throw new InvalidMetadataError("expected a group, found an array", { path: node.path });
}

/** The length of a list. @throws InvalidMetadataError for an array of other than one dimension */
export function lengthOf({ shape, path }: ZarrArray<DataTypeName>): number {
  const [length, ...others] = shape;
  if (length !== undefined && others.length === 0) return length;
  throw new InvalidMetadataError(`expected one dimension, got shape [${shape.join(", ")}]`, { path });
}

/** The same place in a store that knows its consolidated metadata, if there are any. */
export async function startOf(where: Location | Store, { signal }: StoreOptions): Promise<Location> {
  const { store, path } = toLocation(where);
  return new Location(await withMaybeConsolidatedMetadata(store, { signal }), path);
}

/** The names of the nodes in a group, none if it is missing. @throws what `children` throws */
export async function namesIn(group: Location, { signal }: StoreOptions): Promise<string[]> {
  // What cannot be read has a name, too.
  const unreadable: string[] = [];
  const nodes = await children(group, { signal, onUnreadable: (path) => unreadable.push(path) }).catch(
    (error: unknown) => {
      if (isZarrError(error, "NotFoundError")) return [];
      throw error;
    },
  );
  const paths = [...nodes.map(({ path }) => path), ...unreadable].sort();
  return paths.map((path) => path.slice(path.lastIndexOf("/") + 1));
}
