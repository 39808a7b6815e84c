/** The links of a group, old or new. Specification IV.A.2.c, g and r. */
import { lookup3InJavaScript } from "../../../core/for-stores.js";
import { type Cursor, textOf } from "./cursor.js";
import { FractalHeap } from "./fractal-heap.js";
import type { Hdf5File } from "./hdf5-file.js";
import { MESSAGE } from "./header-blocks.js";
import { findRecord, recordsOf } from "./indexes/btree2.js";
import type { Link } from "./link.js";
import { messageOf, type ObjectHeader } from "./object-header.js";
import { findOldLink, oldLinks } from "./old-group.js";

/** All links, in the order in which they were made if the file says, and otherwise by name. */
export async function readLinks(file: Hdf5File, header: ObjectHeader): Promise<Link[]> {
  const old = messageOf(header, MESSAGE.symbolTable);
  if (old !== undefined) return oldLinks(file, old);
  const found: Ordered[] = header
    .filter(({ type }) => type === MESSAGE.link)
    .map(({ bytes }) => readLink(file.cursor(bytes, "link")));
  const dense = denseLinks(file, header);
  if (dense !== undefined) {
    const heap = await FractalHeap.open(file, dense.heap);
    for await (const record of recordsOf(file, dense.names)) {
      record.skip(4);
      found.push(readLink(file.cursor(await heap.object(record.take(record.left)), "link")));
    }
  }
  return found
    .sort((a, b) => a.order - b.order || (a.link.name < b.link.name ? -1 : 1))
    .map(({ link }) => link);
}

/** The link of this name, without reading all others; undefined if there is none. */
export async function findLink(
  file: Hdf5File,
  header: ObjectHeader,
  name: string,
): Promise<Link | undefined> {
  const old = messageOf(header, MESSAGE.symbolTable);
  if (old !== undefined) return findOldLink(file, old, name);
  for (const { type, bytes } of header) {
    if (type !== MESSAGE.link) continue;
    const { link } = readLink(file.cursor(bytes, "link"));
    if (link.name === name) return link;
  }
  const dense = denseLinks(file, header);
  if (dense === undefined) return undefined;
  const hash = lookup3InJavaScript(new TextEncoder().encode(name));
  const record = await findRecord(file, dense.names, (each) => each.u32() - hash);
  if (record === undefined) return undefined;
  record.skip(4);
  const heap = await FractalHeap.open(file, dense.heap);
  const { link } = readLink(file.cursor(await heap.object(record.take(record.left)), "link"));
  if (link.name === name) return link;
  // Two names have one hash.
  return (await readLinks(file, header)).find((each) => each.name === name);
}

/** The heap of a group with many links, and the index of their names. */
function denseLinks(
  file: Hdf5File,
  header: ObjectHeader,
): { readonly heap: number; readonly names: number } | undefined {
  const info = messageOf(header, MESSAGE.linkInfo);
  if (info === undefined) return undefined;
  const cursor = file.cursor(info, "link info");
  cursor.version(0);
  if (cursor.u8() & 1) cursor.skip(8);
  const [heap, names] = [cursor.address(), cursor.address()];
  return heap === undefined || names === undefined ? undefined : { heap, names };
}

interface Ordered {
  readonly link: Link;
  /** 0 if the file does not say. */
  readonly order: number;
}

function readLink(cursor: Cursor): Ordered {
  cursor.version(1);
  const flags = cursor.u8();
  const kind = flags & 8 ? cursor.u8() : 0;
  const order = flags & 4 ? cursor.u64() : 0;
  if (flags & 16) cursor.skip(1);
  const name = textOf(cursor.take(cursor.uint(1 << (flags & 3))));
  if (kind === 0) return { order, link: { name, kind: "hard", address: cursor.addressOf(name) } };
  const to = cursor.take(cursor.u16());
  if (kind === 1) return { order, link: { name, kind: "soft", to: textOf(to) } };
  // External: a byte of version and flags, the name of the file, the path in it.
  const place = textOf(to.subarray(1)).replace(/\0$/, "").replace("\0", ":");
  return { order, link: { name, kind: "foreign", to: kind === 64 ? place : `a link of kind ${kind}` } };
}
