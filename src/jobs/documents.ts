/** The documents that a copy is going to write, worked out before anything is written: what makes nodes, those of groups above included. */
import type { NodePlan } from "../array/copy.js";
import { writeNewNode } from "../array/create.js";
import { Location } from "../array/nodes.js";
import { locate } from "../array/open.js";
import { ancestorsOf, keyBelow } from "../metadata/path.js";
import { storeFailure } from "../stores/check-store.js";
import type { AbsolutePath, StoreOptions, WritableStore } from "../stores/store.js";

/** Keys and texts, in the order in which they are to be written. */
export type Documents = readonly (readonly [key: AbsolutePath, text: string])[];

/** A store of documents alone. */
export type DocumentStore = Map<AbsolutePath, Uint8Array>;

/** Makes nodes at a location of a store in which there are only the documents above it. */
type MakeNodes = (at: Location<DocumentStore>) => Promise<unknown>;

/**
 * The documents that are going to be written where nodes are made at and below a location, those of groups above that are missing included.
 * @throws InvalidArgumentError below an array, and what `make` throws
 */
export async function documentsOf(
  to: Location<WritableStore>,
  make: MakeNodes,
  options: StoreOptions,
): Promise<Documents> {
  return documentsBeside(await documentsAbove(to, options), to, make);
}

/** The same whatever is in the target's store already: what a plan's id is made of. */
export function documentsAlone(
  { store, path }: Location<WritableStore>,
  make: MakeNodes,
): Promise<Documents> {
  return documentsBeside(new Map(), new Location(store, path), make);
}

/** Makes the nodes of a copy. @throws UnsupportedError for what a format cannot hold */
export function copiesOf(nodes: readonly NodePlan<WritableStore>[]): MakeNodes {
  return async ({ store, entryPoint: found }) => {
    let entryPoint = found;
    for (const { location, metadata, spellings } of nodes)
      entryPoint = await writeNewNode(new Location(store, location.path, entryPoint), metadata, {
        spellings,
      });
  };
}

async function documentsBeside(
  above: DocumentStore,
  { path, entryPoint }: Location<WritableStore>,
  make: MakeNodes,
): Promise<Documents> {
  const written: DocumentStore = new Map(above);
  await make(new Location(written, path, entryPoint));
  return [...written].flatMap(([key, bytes]) =>
    above.get(key) === bytes ? [] : [[key, new TextDecoder().decode(bytes)] as const],
  );
}

/** Documents of the groups above a location, and of its hierarchy, as far as they are there. */
async function documentsAbove(to: Location<WritableStore>, options: StoreOptions): Promise<DocumentStore> {
  const found: DocumentStore = new Map();
  // At the root everything is new.
  if (to.path === "/") return found;
  const { entryPoint } = await locate(to, options);
  const keys = new Set<AbsolutePath>();
  for (const above of ancestorsOf(to.path)) {
    for (const name of ["zarr.json", ".zarray", ".zgroup", ".zattrs"]) keys.add(keyBelow(above, name));
    if (entryPoint === undefined) continue;
    const { documentKey } = await import("../array/draft/open.js");
    const at = new Location(to.store, above, entryPoint);
    for (const kind of ["array", "group"] as const) keys.add(documentKey(at, kind));
  }
  for (const key of keys) {
    try {
      const bytes = await to.store.get(key, options);
      if (bytes) found.set(key, bytes);
    } catch (error) {
      throw storeFailure(error, key, options.signal);
    }
  }
  return found;
}

/** Documents as a store that nodes can be opened from. */
export function storeOf(documents: Documents): DocumentStore {
  return new Map(documents.map(([key, text]) => [key, new TextEncoder().encode(text)]));
}
