/**
 * Messages that objects share: in another object header, as named data types are, or in a heap that the
 * superblock's extension names. Specification III.I and IV.A.2.
 */
import { StoreError } from "../../../core/for-stores.js";
import { FractalHeap } from "./fractal-heap.js";
import type { Hdf5File } from "./hdf5-file.js";
import { readMessages, SHARED } from "./header-blocks.js";

const SHARED_TABLE = 0x0f;
const heaps = new WeakMap<Hdf5File, Promise<readonly SharedIndex[]>>();

interface SharedIndex {
  /** A bit for each type of message. */
  readonly types: number;
  readonly heap: number | undefined;
}

/** The message that these bytes stand for. */
export async function readShared(file: Hdf5File, type: number, bytes: Uint8Array): Promise<Uint8Array> {
  const cursor = file.cursor(bytes, "shared message");
  const version = cursor.version(1, 2, 3);
  const kind = cursor.u8();
  if (version === 3 && kind === 1) return sharedInHeap(file, type, cursor.take(8));
  if (version === 1) cursor.skip(6);
  const address = cursor.addressOf("a shared message");
  const raw = await readMessages(file, address);
  const found = raw.find((message) => message.type === type && (message.flags & SHARED) === 0);
  if (found !== undefined) return found.bytes;
  throw cursor.refusal(`expected a message of type ${type} at address ${address}`);
}

/** The message of this type with this ID of the heap. */
async function sharedInHeap(file: Hdf5File, type: number, id: Uint8Array): Promise<Uint8Array> {
  let found = heaps.get(file);
  if (found === undefined) {
    found = readTable(file);
    heaps.set(file, found);
  }
  const heap = (await found).find(({ types }) => types & (1 << type))?.heap;
  if (heap === undefined) throw new StoreError(`HDF5: no heap of shared messages of type ${type}`);
  return (await FractalHeap.open(file, heap)).object(id);
}

async function readTable(file: Hdf5File): Promise<readonly SharedIndex[]> {
  if (file.extension === undefined) return [];
  const header = await readMessages(file, file.extension);
  const message = header.find(({ type }) => type === SHARED_TABLE)?.bytes;
  if (message === undefined) return [];
  const cursor = file.cursor(message, "table of shared messages");
  cursor.version(0);
  const address = cursor.addressOf("the table");
  const count = cursor.u8();
  const length = 4 + count * (14 + 2 * file.sizes.offset);
  const table = await file.structure(address, length, "table of shared messages");
  table.signature("SMTB");
  return Array.from({ length: count }, () => {
    table.skip(2);
    const types = table.u16();
    table.skip(10);
    table.address();
    return { types, heap: table.address() };
  });
}
