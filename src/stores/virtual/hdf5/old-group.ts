/**
 * Links of old groups: symbol tables in a B-tree of version 1, names in a local heap. Specification III.A.1
 * to D.
 */
import { at, StoreError } from "../../../core/for-stores.js";
import { textOf } from "./cursor.js";
import type { Hdf5File } from "./hdf5-file.js";
import type { Link } from "./link.js";

const MOST_NODES = 1 << 16;
const DEEPEST = 32;
const SOFT = 2;

export async function oldLinks(file: Hdf5File, message: Uint8Array): Promise<Link[]> {
  const cursor = file.cursor(message, "symbol table");
  const tree = cursor.addressOf("a B-tree");
  const names = await readLocalHeap(file, cursor.addressOf("a local heap"));
  const tables: number[] = [];
  await walk(file, tree, undefined, tables, { left: MOST_NODES });
  const links: Link[] = [];
  for (const table of tables) links.push(...(await readTable(file, table, names)));
  return links;
}

/** The link of this name, by the names at which the nodes of the tree end. */
export async function findOldLink(
  file: Hdf5File,
  message: Uint8Array,
  name: string,
): Promise<Link | undefined> {
  const cursor = file.cursor(message, "symbol table");
  let address = cursor.addressOf("a B-tree");
  const names = await readLocalHeap(file, cursor.addressOf("a local heap"));
  const target = new TextEncoder().encode(name);
  for (let depth = 0; depth <= DEEPEST; depth++) {
    const { level, count, entries } = await readTreeNode(file, address);
    let child: number | undefined;
    for (let i = 0; i < count && child === undefined; i++) {
      entries.length();
      const found = entries.addressOf("a node");
      const start = entries.at;
      const end = entries.length();
      entries.at = start;
      if (compareNames(target, bytesAt(file, names, end)) <= 0) child = found;
    }
    if (child === undefined) return undefined;
    if (level === 0) return (await readTable(file, child, names)).find((link) => link.name === name);
    address = child;
  }
  throw new StoreError(`HDF5: a group of more than ${DEEPEST} levels of nodes`);
}

/** As C compares strings. */
function compareNames(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = at(a, i) - at(b, i);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** The data segment of a local heap. */
async function readLocalHeap(file: Hdf5File, address: number): Promise<Uint8Array> {
  const { offset, length } = file.sizes;
  const cursor = await file.structure(address, 8 + 2 * length + offset, "local heap");
  cursor.signature("HEAP");
  cursor.version(0);
  cursor.skip(3);
  const size = cursor.length();
  cursor.skip(length);
  return file.bytes(cursor.addressOf("the names"), size);
}

/** Collects the symbol table nodes below a node. */
async function walk(
  file: Hdf5File,
  address: number,
  above: number | undefined,
  tables: number[],
  nodes: { left: number },
): Promise<void> {
  if (nodes.left-- === 0) throw new StoreError(`HDF5: a group of more than ${MOST_NODES} nodes`);
  const { level, count, entries } = await readTreeNode(file, address);
  if (above !== undefined && level !== above - 1)
    throw entries.refusal(`expected a node of level ${above - 1}, got ${level}`);
  for (let i = 0; i < count; i++) {
    entries.length();
    const child = entries.addressOf("a node");
    if (level === 0) tables.push(child);
    else await walk(file, child, level, tables, nodes);
  }
}

/** A node: names and children by turns, a name more than children. */
async function readTreeNode(file: Hdf5File, address: number) {
  const { offset, length } = file.sizes;
  const head = await file.structure(address, 8 + 2 * offset, "B-tree of a group");
  head.signature("TREE");
  if (head.u8() !== 0) throw head.refusal("expected a node of a group");
  const level = head.u8();
  const count = head.u16();
  if (level > DEEPEST) throw head.refusal(`expected at most ${DEEPEST} levels, got ${level}`);
  const size = count * (length + offset) + length;
  const entries = await file.structure(address + 8 + 2 * offset, size, "B-tree of a group");
  return { level, count, entries };
}

async function readTable(file: Hdf5File, address: number, names: Uint8Array): Promise<Link[]> {
  const { offset } = file.sizes;
  const head = await file.structure(address, 8, "symbol table node");
  head.signature("SNOD");
  head.version(1);
  head.skip(1);
  const count = head.u16();
  const cursor = await file.structure(address + 8, count * (24 + 2 * offset), "symbol table node");
  return Array.from({ length: count }, (): Link => {
    const name = textAt(file, names, cursor.uint(offset));
    const target = cursor.address();
    const cache = cursor.u32();
    cursor.skip(4);
    const scratch = cursor.u32();
    cursor.skip(12);
    if (cache === SOFT) return { name, kind: "soft", to: textAt(file, names, scratch) };
    if (target === undefined) throw cursor.refusal(`expected the address of ${JSON.stringify(name)}`);
    return { name, kind: "hard", address: target };
  });
}

function textAt(file: Hdf5File, heap: Uint8Array, offset: number): string {
  return textOf(bytesAt(file, heap, offset));
}

/** The name at an offset of the heap, without its NUL. */
function bytesAt(file: Hdf5File, heap: Uint8Array, offset: number): Uint8Array {
  const end = heap.indexOf(0, offset);
  if (end < 0 || offset >= heap.length)
    throw file.cursor(heap, "local heap").refusal(`expected a name at byte ${offset}`);
  return heap.subarray(offset, end);
}
