/** Opening what is there. */
import type { DataTypeName } from "../data-types/names.js";
import { isZarrError } from "../errors.js";
import { loadKernels } from "../kernels/load.js";
import { keyBelow } from "../metadata/path.js";
import type { Store, StoreOptions } from "../stores/store.js";
import type { NodeKind } from "./documents.js";
import { extendOpened } from "./extend-opened.js";
import { type FormatName, openFirst } from "./formats.js";
import { type Location, toLocation } from "./location.js";
import type { Group, Node, ZarrArray } from "./nodes.js";
import { openZarrJson } from "./zarr-json.js";

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

/** v3, then the other formats. */
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
    // WebAssembly is compiled while the metadata are on their way. Who reads hears of a failure.
    loadKernels().catch(() => {});
    const node = await openLocated(toLocation(where), options);
    const { arrayExtensions } = node.store;
    return arrayExtensions ? extendOpened(node, arrayExtensions) : node;
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
