/** Icechunk's snapshots: all nodes of the hierarchy at one commit. */
import {
  type AbsolutePath,
  describe,
  NotFoundError,
  type Readable,
  type StoreOptions,
} from "../../core/for-stores.js";
import { type IcechunkCommit, timeOf } from "./commit.js";
import { checked, ID_LENGTH, nameOfId, readTable } from "./files.js";
import { type List, OutOfBounds, required, type Table } from "./flatbuffer.js";

const NODE_ID_LENGTH = 8;
/** Type tag of an array in the union of a node's data. */
const ARRAY = 1;
/**
 * Largest number of nodes of a snapshot, and of manifests of one array: zstd could make a file of some
 * kilobytes that lists more.
 */
const MOST_NODES = 1_000_000;
const MOST_MANIFESTS = 1_000_000;

/**
 * A node of a snapshot. All but its path is read from the snapshot's flatbuffer when it is needed: there may
 * be many nodes.
 */
export class Node {
  readonly path: AbsolutePath;
  readonly kind: "array" | "group";
  readonly #key: AbsolutePath;
  readonly #table: Table;
  #array: NodeArray | undefined;

  /** @param key key of the snapshot's file, for errors @throws OutOfBounds for a damaged node */
  constructor(key: AbsolutePath, table: Table) {
    const path = required(table.text(1));
    if (!isPath(path)) throw new OutOfBounds(`a path ${describe(path)}`);
    this.path = path;
    this.kind = table.uint8(3) === ARRAY ? "array" : "group";
    this.#key = key;
    this.#table = table;
    for (const member of [table.table(4), table.struct(0, NODE_ID_LENGTH), table.bytes(2)]) required(member);
  }

  get id(): Uint8Array {
    return required(this.#table.struct(0, NODE_ID_LENGTH));
  }

  /** Bytes of the node's zarr.json. */
  get document(): Uint8Array {
    return required(this.#table.bytes(2));
  }

  /** Undefined for a group. @throws StoreError for damaged lists of manifests */
  get array(): NodeArray | undefined {
    if (this.kind === "group") return undefined;
    this.#array ??= checked(this.#key, "snapshot", () => {
      this.#table.begin();
      return arrayOf(required(this.#table.table(4)));
    });
    return this.#array;
  }
}

export interface NodeArray {
  readonly rank: number;
  readonly manifests: readonly ManifestRef[];
}

/**
 * A manifest and the range of the array's chunk indices that it covers, per dimension: `from` inclusive, `to`
 * exclusive.
 */
interface ManifestRef {
  readonly id: string;
  readonly extents: readonly (readonly [from: number, to: number])[];
}

/**
 * Reads all nodes of a snapshot.
 * @throws NotFoundError for a missing snapshot, StoreError for a damaged one
 */
export async function readSnapshot(
  store: Readable,
  id: string,
  options?: StoreOptions,
): Promise<readonly Node[]> {
  const key: AbsolutePath = `/snapshots/${id}`;
  const nodes = await readTable(store, key, "snapshot", options, (table) =>
    atMost(MOST_NODES, table.tables(2), "nodes").map((node) => new Node(key, node)),
  );
  if (nodes !== undefined) return nodes;
  throw new NotFoundError(`the Icechunk repository has no snapshot "${id}"`);
}

/** What a snapshot says of its commit. @throws as `readSnapshot` */
export async function readCommit(
  store: Readable,
  id: string,
  options?: StoreOptions,
): Promise<IcechunkCommit> {
  const commit = await readTable(store, `/snapshots/${id}`, "snapshot", options, (table) => {
    const parent = table.struct(1, ID_LENGTH);
    return {
      snapshot: id,
      parent: parent && nameOfId(parent),
      message: table.text(4) ?? "",
      time: timeOf(table.uint64(3)),
    };
  });
  if (commit !== undefined) return commit;
  throw new NotFoundError(`the Icechunk repository has no snapshot "${id}"`);
}

function arrayOf(data: Table): NodeArray {
  return {
    // Version 1 lists dimensions in field 0. Version 2 lists them in field 3 and leaves field 0 empty.
    rank: Math.max(data.structs(0, 16).length, data.tables(3).length),
    manifests: atMost(MOST_MANIFESTS, data.tables(2), "manifests of an array").map((manifest) => ({
      id: nameOfId(required(manifest.struct(0, ID_LENGTH))),
      extents: manifest.structs(1, 8).map((extent) => {
        const view = new DataView(extent.slice().buffer);
        return [view.getUint32(0, true), view.getUint32(4, true)] as const;
      }),
    })),
  };
}

function atMost(most: number, list: List<Table>, what: string): List<Table> {
  if (list.length > most) throw new OutOfBounds(`expected at most ${most} ${what}, got ${list.length}`);
  return list;
}

const isPath = (path: string): path is AbsolutePath => path.startsWith("/");
