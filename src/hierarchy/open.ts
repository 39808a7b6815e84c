/** Opening what is there. */
import type { DataTypeName } from "../data-types/names.js";
import { isZarrError, NotFoundError } from "../errors.js";
import type { NodeMetadata } from "../metadata/model.js";
import { keyBelow } from "../metadata/path.js";
import type { Store } from "../stores/store.js";
import { type NodeKind, readV2, readV3 } from "./documents.js";
import { describeStore, type Location, toLocation } from "./location.js";
import { Group, ZarrArray } from "./nodes.js";

export interface OpenOptions {
  /** What the node has to be; whichever is there without it. */
  readonly kind?: NodeKind | undefined;
  /** v2 only: false leaves `.zattrs` alone and saves a request; attributes and dimension names are then empty. */
  readonly attrs?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Overloads of `open`, `open.v2` and `open.v3`. */
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

type Reader = (location: Location, options: OpenOptions) => Promise<NodeMetadata | undefined>;

const fromV3: Reader = (location, { signal }) => readV3(location, { signal });
const fromV2: Reader = (location, { kind, attrs, signal }) =>
  readV2(location, kind, attrs ?? true, { signal });

function makeOpen(formats: readonly { readonly read: Reader; readonly keys: readonly string[] }[]): Open {
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
    for (const { read } of formats) {
      const metadata = await read(location, options);
      if (metadata !== undefined) return toNode(location, metadata, options.kind);
    }
    const keys = formats.flatMap(({ keys }) => keys).map((name) => keyBelow(location.path, name));
    throw new NotFoundError(
      `no Zarr ${options.kind ?? "array or group"} in ${describeStore(location.store)}: looked for ${keys.join(", ")}`,
      { path: location.path },
    );
  }
  return openNode;
}

function toNode(location: Location, metadata: NodeMetadata, kind: NodeKind | undefined): ZarrArray | Group {
  if (kind !== undefined && metadata.nodeType !== kind) {
    const [expected, found] = kind === "array" ? ["an array", "a group"] : ["a group", "an array"];
    throw new NotFoundError(`expected ${expected}, found ${found}`, { path: location.path });
  }
  return metadata.nodeType === "array"
    ? new ZarrArray(location.store, location.path, metadata)
    : new Group(location.store, location.path, metadata);
}

const V3 = { read: fromV3, keys: ["zarr.json"] };
const V2 = { read: fromV2, keys: [".zarray", ".zgroup"] };

/**
 * Opens the array or group at a location: v3 first, then v2. `open.v3` and `open.v2` look for one format only.
 * @throws NotFoundError naming the keys that were looked for, InvalidMetadataError, UnknownDataTypeError, StoreError
 */
export const open: Open & { readonly v2: Open; readonly v3: Open } = Object.assign(makeOpen([V3, V2]), {
  v2: makeOpen([V2]),
  v3: makeOpen([V3]),
});

/** Whether a node is there, and of which kind. */
export async function nodeKind(location: Location, signal?: AbortSignal): Promise<NodeKind | undefined> {
  try {
    return (await open(location, { attrs: false, signal })).kind;
  } catch (error) {
    if (isZarrError(error, "NotFoundError")) return undefined;
    throw error;
  }
}
