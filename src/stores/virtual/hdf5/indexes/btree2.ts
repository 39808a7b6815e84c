/** B-trees of version 2: records in order. Specification III.A.2. */
import { at, StoreError } from "../../../../core/for-stores.js";
import { bytesFor, type Cursor } from "../cursor.js";
import type { Hdf5File } from "../hdf5-file.js";

export interface Tree {
  readonly address: number;
  /** What the records are. */
  readonly type: number;
  readonly recordSize: number;
  readonly nodeSize: number;
  readonly depth: number;
  readonly root: Child | undefined;
  /** Sizes of the fields of pointers: records of a node, and of all below a node at a depth. */
  readonly countSize: number;
  readonly totalSizes: readonly number[];
}

interface Child {
  readonly address: number;
  readonly records: number;
}

/** What is before the records of a node: signature, version, type; and the checksum after them. */
const AROUND = 10;
const DEEPEST = 32;
const MOST_NODES = 1 << 20;

export async function openTree(file: Hdf5File, address: number): Promise<Tree> {
  const { offset, length } = file.sizes;
  const cursor = await file.structure(address, 22 + offset + length, "B-tree");
  cursor.signature("BTHD");
  cursor.version(0);
  const type = cursor.u8();
  const nodeSize = cursor.u32();
  const recordSize = cursor.u16();
  const depth = cursor.u16();
  cursor.skip(2);
  const root = cursor.address();
  const records = cursor.u16();
  if (depth > DEEPEST || recordSize === 0 || nodeSize < AROUND + recordSize)
    throw cursor.refusal(`expected at most ${DEEPEST} levels of nodes that hold records`);
  const inLeaf = Math.floor((nodeSize - AROUND) / recordSize);
  const countSize = bytesFor(inLeaf);
  const totalSizes = [0];
  for (let level = 1, total = inLeaf; level <= depth; level++) {
    const pointer = offset + countSize + (totalSizes[level - 1] ?? noSize(address));
    const inNode = Math.floor((nodeSize - AROUND - pointer) / (recordSize + pointer));
    total = Math.min(Number.MAX_SAFE_INTEGER, (inNode + 1) * total + inNode);
    totalSizes.push(bytesFor(total));
  }
  return {
    ...{ address, type, recordSize, nodeSize, depth, countSize, totalSizes },
    root: root === undefined || records === 0 ? undefined : { address: root, records },
  };
}

interface Node {
  readonly records: readonly Cursor[];
  /** One more than records; none in leaves. */
  readonly children: readonly Child[];
}

async function readNode(
  file: Hdf5File,
  tree: Tree,
  { address, records }: Child,
  depth: number,
): Promise<Node> {
  const { recordSize, nodeSize, countSize, totalSizes } = tree;
  const cursor = await file.structure(address, nodeSize, "node of a B-tree");
  cursor.signature(depth === 0 ? "BTLF" : "BTIN");
  cursor.version(0);
  if (cursor.u8() !== tree.type) throw cursor.refusal(`expected records of type ${tree.type}`);
  if (records * recordSize > nodeSize - AROUND) throw cursor.refusal(`${records} records do not fit`);
  const found = Array.from({ length: records }, () =>
    file.cursor(cursor.take(recordSize), `record of the B-tree at address ${tree.address}`),
  );
  if (depth === 0) return { records: found, children: [] };
  const totalSize = totalSizes[depth - 1] ?? noSize(address);
  const children = Array.from({ length: records + 1 }, () => {
    const child = { address: cursor.addressOf("a node"), records: cursor.uint(countSize) };
    cursor.skip(totalSize);
    return child;
  });
  return { records: found, children };
}

/** All records, in order. */
export async function* recordsOf(file: Hdf5File, address: number): AsyncGenerator<Cursor> {
  const tree = await openTree(file, address);
  const visited = { count: 0 };
  if (tree.root !== undefined) yield* below(file, tree, tree.root, tree.depth, visited);
}

async function* below(
  file: Hdf5File,
  tree: Tree,
  child: Child,
  depth: number,
  visited: { count: number },
): AsyncGenerator<Cursor> {
  if (++visited.count > MOST_NODES)
    throw new StoreError(`HDF5, B-tree at address ${tree.address}: more than ${MOST_NODES} nodes`);
  const { records, children } = await readNode(file, tree, child, depth);
  for (const [i, record] of records.entries()) {
    const before = children[i];
    if (before !== undefined) yield* below(file, tree, before, depth - 1, visited);
    yield record;
  }
  const last = children[records.length];
  if (last !== undefined) yield* below(file, tree, last, depth - 1, visited);
}

/**
 * The record that `compare` gives 0 for, rewound; undefined if there is none. It is less than 0 for records
 * before that one.
 */
export async function findRecord(
  file: Hdf5File,
  address: number,
  compare: (record: Cursor) => number,
): Promise<Cursor | undefined> {
  return searchTree(file, await openTree(file, address), compare);
}

/** As `findRecord`, in a tree that is open. */
export async function searchTree(
  file: Hdf5File,
  tree: Tree,
  compare: (record: Cursor) => number,
): Promise<Cursor | undefined> {
  let child = tree.root;
  for (let depth = tree.depth; child !== undefined && depth >= 0; depth--) {
    const { records, children }: Node = await readNode(file, tree, child, depth);
    let [low, high] = [0, records.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const record = at(records, middle);
      record.at = 0;
      const order = compare(record);
      record.at = 0;
      if (order === 0) return record;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    child = children[low];
  }
  return undefined;
}

function noSize(address: number): never {
  throw new StoreError(`internal error: no size of a pointer in the B-tree at address ${address}`);
}
