/** Opens arrays and groups of any format, and tells in which format a node is. */

import { untilAborted } from "../abort.js";
import { preloadCodecs } from "../codecs/prepare-pipeline.js";
import type { DataTypeName } from "../data-types/names.js";
import { withAllDataTypes } from "../data-types/registry.js";
import { InvalidArgumentError, isZarrError, NotFoundError } from "../errors.js";
import { loadKernels } from "../kernels/load.js";
import { isDraftEntryPoint } from "../metadata/draft.js";
import type { NodeMetadata } from "../metadata/model.js";
import { keyBelow } from "../metadata/path.js";
import { parseV2Array, parseV2Group } from "../metadata/v2.js";
import { describeStore } from "../stores/check-store.js";
import type { Store, StoreOptions } from "../stores/store.js";
import { type NodeKind, parseV3Document, readDocument } from "./documents.js";
import { type Location, toLocation } from "./location.js";
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

type OpenNode = (location: Location, options: OpenOptions) => Promise<Node>;

/** Looks for `zarr.json`, then for nodes of the other formats. */
const v3Or =
  (...formats: readonly FormatName[]): OpenNode =>
  async (location, options) =>
    (await openZarrJson(location, options, formats.includes("draftBelowRoot"))) ??
    openFirst(location, options, formats, [keyBelow(location.path, "zarr.json")]);

function makeOpen(openLocated: OpenNode): Open {
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
    // WebAssembly is compiled while metadata are fetched. A failure is reported by the first read.
    loadKernels().catch(() => {});
    return untilAborted(options.signal, async () => {
      const node = await openLocated(toLocation(where), options);
      const { arrayExtensions } = node.store;
      return arrayExtensions ? extendOpened(node, arrayExtensions) : node;
    });
  }
  return openNode;
}

const only =
  (...formats: readonly FormatName[]): OpenNode =>
  (location, options) =>
    openFirst(location, options, formats, []);

const any = v3Or("v2", "draftBelowRoot");
const draft = only("draft");

/**
 * Opens the array or group at a location: v3 first, then v2, then the 2020 draft, which is recognised by the `zarr.json` at
 * the root of the store; at a location that was resolved from a node of the draft, only that. `open.v3`, `open.v2` and
 * `open.draft` look for one format only.
 * @throws NotFoundError naming the keys that were looked for, InvalidMetadataError, UnknownDataTypeError, StoreError
 */
export const open: Open & { readonly v2: Open; readonly v3: Open; readonly draft: Open } = Object.assign(
  makeOpen((location, options) => (location.entryPoint === undefined ? any : draft)(location, options)),
  { v2: makeOpen(only("v2")), v3: makeOpen(v3Or()), draft: makeOpen(draft) },
);

/** `open` where the format is known to be v2 or v3. */
export const openFinal: Open = makeOpen(v3Or("v2"));

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

/**
 * The node that a `zarr.json` describes; undefined where there is none.
 * @param isDraftWelcome follow the `zarr.json` of a draft hierarchy; an error otherwise
 */
async function openZarrJson(
  location: Location,
  options: OpenOptions,
  isDraftWelcome: boolean,
): Promise<Node | undefined> {
  const document = await readDocument(location.store, keyBelow(location.path, "zarr.json"), options);
  if (document === undefined) return undefined;
  preloadCodecs(document.json);
  if (!isDraftEntryPoint(document.json)) return toNode(location, await parseV3Document(document), options);
  const { openEntryPoint, refuseDraft } = await import("./draft/open.js");
  return isDraftWelcome ? openEntryPoint(location, document, options) : refuseDraft(document);
}

/** @throws NotFoundError for a node of another kind than was asked for */
function toNode(location: Location, metadata: NodeMetadata, { kind }: OpenOptions): Node {
  if (kind !== undefined && metadata.nodeType !== kind) {
    const found = metadata.nodeType;
    throw new NotFoundError(`expected ${kind}, found ${found}`, {
      path: location.path,
      found,
    });
  }
  return metadata.nodeType === "array"
    ? new ZarrArray(location.store, location.path, metadata)
    : new Group(location.store, location.path, metadata);
}

/** `.zarray` or `.zgroup`, with `.zattrs` requested beside it; undefined when there is neither. Two or three requests. */
async function readV2(
  location: Location,
  kind: NodeKind | undefined,
  attrs: boolean,
  options: StoreOptions,
): Promise<NodeMetadata | undefined> {
  const read = (name: string) => readDocument(location.store, keyBelow(location.path, name), options);
  const attributes = attrs ? read(".zattrs") : Promise.resolve(undefined);
  const document = read(kind === "group" ? ".zgroup" : ".zarray");
  const [zattrs, first] = await Promise.all([attributes, document]);
  if (first !== undefined && kind !== "group") {
    preloadCodecs(first.json);
    return withAllDataTypes(() => parseV2Array(first.json, zattrs?.json, first.context));
  }
  const zgroup = kind === "group" ? first : kind === undefined ? await read(".zgroup") : undefined;
  return zgroup && parseV2Group(zgroup.json, zattrs?.json, zgroup.context);
}

/** How nodes of another format than v3 are found, and under which keys, for error messages. */
interface Format {
  read(location: Location, options: OpenOptions): Promise<Node | undefined>;
  keys(location: Location): readonly string[];
}

const DRAFT: Format = {
  async read(location, options) {
    const { openIfDraft } = await import("./draft/open.js");
    return openIfDraft(location, options);
  },
  keys: () => ["/zarr.json of the 2020 draft"],
};

const FORMATS = {
  v2: {
    async read(location, options) {
      const metadata = await readV2(location, options.kind, options.attrs ?? true, options);
      return metadata && toNode(location, metadata, options);
    },
    keys: ({ path }) => [".zarray", ".zgroup"].map((name) => keyBelow(path, name)),
  },
  draft: DRAFT,
  /** The draft where no entry point is known; at the root, `zarr.json` was read already. */
  draftBelowRoot: {
    read: async (location, options) => (location.path === "/" ? undefined : DRAFT.read(location, options)),
    keys: (location) => (location.path === "/" ? [] : DRAFT.keys(location)),
  },
} as const satisfies Record<string, Format>;
type FormatName = keyof typeof FORMATS;

/**
 * The node in the first of the formats that has it.
 * @param sought keys that were looked for already
 * @throws NotFoundError naming the keys
 */
async function openFirst(
  location: Location,
  options: OpenOptions,
  names: readonly FormatName[],
  sought: readonly string[],
): Promise<Node> {
  const formats: readonly Format[] = names.map((name) => FORMATS[name]);
  for (const format of formats) {
    const node = await format.read(location, options);
    if (node !== undefined) return node;
  }
  const keys = [...sought, ...formats.flatMap((format) => format.keys(location))];
  throw new NotFoundError(
    `no Zarr ${options.kind ?? "array or group"} in ${describeStore(location.store)}: looked for ${keys.join(", ")}`,
    { path: location.path },
  );
}

/** Applies the `arrayExtensions` of a store to an array. @throws InvalidArgumentError unless each is a function that returns an array */
async function extendOpened(node: Node, extensions: readonly unknown[]): Promise<Node> {
  if (node.kind === "group") return node;
  let array: ZarrArray = node;
  for (const extension of extensions) {
    const extended: unknown =
      typeof extension === "function" ? await Reflect.apply(extension, undefined, [array]) : extension;
    if (!(extended instanceof ZarrArray)) {
      throw new InvalidArgumentError(
        `arrayExtensions of the store: expected functions that give an array, got ${String(extended)}`,
        { path: node.path },
      );
    }
    array = extended;
  }
  return array;
}

/**
 * The location with the entry point of its hierarchy, when that is one of the 2020 draft: only `/zarr.json` tells. One request, none
 * where the entry point is known.
 * @throws InvalidMetadataError for an entry point that cannot be understood, StoreError
 */
export async function locate<S extends Store>(
  location: Location<S>,
  options: StoreOptions,
): Promise<Location<S>> {
  if (location.entryPoint !== undefined) return location;
  const document = await readDocument(location.store, "/zarr.json", options);
  if (document === undefined || !isDraftEntryPoint(document.json)) return location;
  return (await import("./draft/open.js")).locateIn(location, document);
}
