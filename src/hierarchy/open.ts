/** Opening what is there. */
import type { DataTypeName } from "../data-types/names.js";
import { isZarrError, NotFoundError } from "../errors.js";
import { isDraftEntryPoint } from "../metadata/draft-format.js";
import type { NodeMetadata } from "../metadata/model.js";
import { keyBelow } from "../metadata/path.js";
import type { Store, StoreOptions } from "../stores/store.js";
import { readDocument } from "./document.js";
import { type NodeKind, parseV3Document } from "./documents.js";
import { describeStore, type Location, toLocation } from "./location.js";
import { Group, type Node, ZarrArray } from "./nodes.js";

export interface OpenOptions {
  /** What the node has to be; whichever is there without it. */
  readonly kind?: NodeKind | undefined;
  /** v2 only: false leaves `.zattrs` alone and saves a request; attributes and dimension names are then empty. */
  readonly attrs?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Overloads of `open`, `open.v2`, `open.v3` and `open.draft`. */
export interface Open {
  <S extends Store>(
    location: Location<S> | S,
    options: OpenOptions & { kind: "array" },
  ): Promise<ZarrArray<DataTypeName, S>>;
  <S extends Store>(location: Location<S> | S, options: OpenOptions & { kind: "group" }): Promise<Group<S>>;
  <S extends Store>(
    location: Location<S> | S,
    options?: OpenOptions,
  ): Promise<ZarrArray<DataTypeName, S> | Group<S>>;
}

type Reader = (location: Location, options: OpenOptions) => Promise<Node | undefined>;

/** How nodes of a format are found, and under which keys for error messages. */
interface Format {
  readonly read: Reader;
  readonly keys: (location: Location) => readonly string[];
}

const keysBelow =
  (...names: string[]): Format["keys"] =>
  ({ path }) =>
    names.map((name) => keyBelow(path, name));

/** @param isDraftWelcome a `zarr.json` of the draft is followed; an error without it */
const fromZarrJson =
  (isDraftWelcome: boolean): Reader =>
  async (location, options) => {
    const key = keyBelow(location.path, "zarr.json");
    const document = await readDocument(location.store, key, options);
    if (document === undefined) return undefined;
    if (!isDraftEntryPoint(document.json)) return toNode(location, await parseV3Document(document), options);
    const { locateIn, refuseDraft } = await import("./draft/locate.js");
    return isDraftWelcome ? readDraft(locateIn(location, document), options) : refuseDraft(document);
  };

async function readDraft(location: Location, options: OpenOptions): Promise<Node> {
  const { openDraft } = await import("./draft/open.js");
  return openDraft(location, options);
}

const V3: Format = { read: fromZarrJson(false), keys: keysBelow("zarr.json") };
const V3_OR_DRAFT: Format = { ...V3, read: fromZarrJson(true) };
const V2: Format = {
  async read(location, options) {
    const { readV2 } = await import("./v2.js");
    const metadata = await readV2(location, options.kind, options.attrs ?? true, options);
    return metadata && toNode(location, metadata, options);
  },
  keys: keysBelow(".zarray", ".zgroup"),
};
const DRAFT: Format = {
  async read(location, options) {
    const { openIfDraft } = await import("./draft/open.js");
    return openIfDraft(location, options);
  },
  keys: () => ["/zarr.json of the 2020 draft"],
};
/** Nodes of the draft that nothing is known about; at the root, its entry point was looked for as `zarr.json` of v3. */
const DRAFT_BELOW_ROOT: Format = {
  read: async (location, options) => (location.path === "/" ? undefined : DRAFT.read(location, options)),
  keys: ({ path }) => (path === "/" ? [] : ["/zarr.json of the 2020 draft"]),
};

function makeOpen(formatsOf: (location: Location) => readonly Format[]): Open {
  function openNode<S extends Store>(
    location: Location<S> | S,
    options: OpenOptions & { kind: "array" },
  ): Promise<ZarrArray<DataTypeName, S>>;
  function openNode<S extends Store>(
    location: Location<S> | S,
    options: OpenOptions & { kind: "group" },
  ): Promise<Group<S>>;
  function openNode<S extends Store>(
    location: Location<S> | S,
    options?: OpenOptions,
  ): Promise<ZarrArray<DataTypeName, S> | Group<S>>;
  async function openNode(where: Location | Store, options: OpenOptions = {}): Promise<ZarrArray | Group> {
    const location = toLocation(where);
    const formats = formatsOf(location);
    for (const { read } of formats) {
      const node = await read(location, options);
      if (node !== undefined) return node;
    }
    const keys = formats.flatMap(({ keys }) => keys(location));
    throw new NotFoundError(
      `no Zarr ${options.kind ?? "array or group"} in ${describeStore(location.store)}: looked for ${keys.join(", ")}`,
      { path: location.path },
    );
  }
  return openNode;
}

function toNode(location: Location, metadata: NodeMetadata, { kind }: OpenOptions): Node {
  if (kind !== undefined && metadata.nodeType !== kind) {
    const [expected, found] = kind === "array" ? ["an array", "a group"] : ["a group", "an array"];
    throw new NotFoundError(`expected ${expected}, found ${found}`, { path: location.path });
  }
  return metadata.nodeType === "array"
    ? new ZarrArray(location.store, location.path, metadata)
    : new Group(location.store, location.path, metadata);
}

const ANY = [V3_OR_DRAFT, V2, DRAFT_BELOW_ROOT];

/**
 * Opens the array or group at a location: v3 first, then v2, then the 2020 draft, which is recognised by the `zarr.json` at
 * the root of the store; at a location that was resolved from a node of the draft, only that. `open.v3`, `open.v2` and
 * `open.draft` look for one format only.
 * @throws NotFoundError naming the keys that were looked for, InvalidMetadataError, UnknownDataTypeError, StoreError
 */
export const open: Open & { readonly v2: Open; readonly v3: Open; readonly draft: Open } = Object.assign(
  makeOpen(({ entryPoint }) => (entryPoint === undefined ? ANY : [DRAFT])),
  { v2: makeOpen(() => [V2]), v3: makeOpen(() => [V3]), draft: makeOpen(() => [DRAFT]) },
);

/** `open` where the format is known to be v2 or v3. */
export const openFinal: Open = makeOpen(() => [V3, V2]);

/** The node at a location; undefined where there is none. */
export async function openIfThere<S extends Store>(
  location: Location<S>,
  options: OpenOptions,
  openNode: Open = open,
): Promise<Node<S> | undefined> {
  try {
    return await openNode(location, options);
  } catch (error) {
    if (isZarrError(error, "NotFoundError")) return undefined;
    throw error;
  }
}

/** Whether a node is there, and of which kind. */
export async function nodeKind(
  location: Location,
  { signal }: StoreOptions,
  openNode: Open = open,
): Promise<NodeKind | undefined> {
  return (await openIfThere(location, { attrs: false, signal }, openNode))?.kind;
}
