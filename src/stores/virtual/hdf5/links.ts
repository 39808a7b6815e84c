/** The links of a group, old or new. Specification IV.A.2.c, g and r. */
import { recordsOf } from "./btree2.js";
import { type Cursor, textOf } from "./cursor.js";
import { FractalHeap } from "./fractal-heap.js";
import type { Hdf5File } from "./hdf5-file.js";
import { MESSAGE } from "./header-blocks.js";
import { messageOf, type ObjectHeader } from "./object-header.js";
import { oldLinks } from "./old-group.js";

export type Link =
  | { readonly name: string; readonly kind: "hard"; readonly address: number }
  | { readonly name: string; readonly kind: "soft"; readonly to: string }
  /** Of another file, or of a kind that an application made up. */
  | { readonly name: string; readonly kind: "foreign"; readonly to: string };

/** All links, in the order in which they were made if the file says, and otherwise by name. */
export async function readLinks(file: Hdf5File, header: ObjectHeader): Promise<Link[]> {
  const old = messageOf(header, MESSAGE.symbolTable);
  if (old !== undefined) return oldLinks(file, old);
  const found: Ordered[] = header
    .filter(({ type }) => type === MESSAGE.link)
    .map(({ bytes }) => readLink(file.cursor(bytes, "link")));
  const info = messageOf(header, MESSAGE.linkInfo);
  if (info !== undefined) {
    const cursor = file.cursor(info, "link info");
    cursor.version(0);
    if (cursor.u8() & 1) cursor.skip(8);
    const heapAddress = cursor.address();
    const names = cursor.address();
    if (heapAddress !== undefined && names !== undefined) {
      const heap = await FractalHeap.open(file, heapAddress);
      for await (const record of recordsOf(file, names)) {
        record.skip(4);
        found.push(readLink(file.cursor(await heap.object(record.take(record.left)), "link")));
      }
    }
  }
  return found
    .sort((a, b) => a.order - b.order || (a.link.name < b.link.name ? -1 : 1))
    .map(({ link }) => link);
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
