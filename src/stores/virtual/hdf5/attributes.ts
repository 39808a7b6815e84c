/** Attributes of groups and datasets. Specification IV.A.2.m and v. */
import type { Json } from "../../../core/for-stores.js";
import { type Cursor, textOf } from "./cursor.js";
import { type Hdf5Type, readDataType } from "./data-type.js";
import { elementsAsJson, nested } from "./elements.js";
import { FractalHeap } from "./fractal-heap.js";
import type { GlobalHeap } from "./global-heap.js";
import type { Hdf5File } from "./hdf5-file.js";
import { MESSAGE } from "./header-blocks.js";
import { recordsOf } from "./indexes/btree2.js";
import { readDataspace } from "./messages.js";
import { messageOf, type ObjectHeader } from "./object-header.js";
import { readShared } from "./shared-messages.js";

/** An attribute as it is stored. */
export interface RawAttribute {
  readonly name: string;
  readonly type: Hdf5Type;
  /** Undefined: no elements at all. */
  readonly shape: readonly number[] | undefined;
  readonly bytes: Uint8Array;
}

const MOST_ELEMENTS = 1 << 24;

/** All attributes, in the header or in a heap. */
export async function readAttributes(file: Hdf5File, header: ObjectHeader): Promise<RawAttribute[]> {
  const found = header.filter(({ type }) => type === MESSAGE.attribute).map(({ bytes }) => bytes);
  const info = messageOf(header, MESSAGE.attributeInfo);
  if (info !== undefined) {
    const cursor = file.cursor(info, "attribute info");
    cursor.version(0);
    if (cursor.u8() & 1) cursor.skip(2);
    const heapAddress = cursor.address();
    const names = cursor.address();
    if (heapAddress !== undefined && names !== undefined)
      found.push(...(await dense(file, heapAddress, names)));
  }
  // Not before all are found: nobody would wait for what is read when the next one cannot be found.
  return Promise.all(found.map((bytes) => readAttribute(file, bytes)));
}

/** The messages of attributes in a heap, in the order in which they were made. */
async function dense(file: Hdf5File, heapAddress: number, names: number): Promise<Uint8Array[]> {
  const heap = await FractalHeap.open(file, heapAddress);
  const found: { readonly order: number; readonly bytes: Uint8Array }[] = [];
  for await (const record of recordsOf(file, names)) {
    const id = record.take(8);
    const isShared = (record.u8() & 2) !== 0;
    const order = record.u32();
    const object = await heap.object(id);
    const bytes = isShared ? await readShared(file, MESSAGE.attribute, object) : object;
    found.push({ order, bytes });
  }
  return found.sort((a, b) => a.order - b.order).map(({ bytes }) => bytes);
}

async function readAttribute(file: Hdf5File, bytes: Uint8Array): Promise<RawAttribute> {
  const cursor = file.cursor(bytes, "attribute");
  const version = cursor.version(1, 2, 3);
  const flags = cursor.u8();
  const [nameLength, typeLength, spaceLength] = [cursor.u16(), cursor.u16(), cursor.u16()];
  if (version === 3) cursor.skip(1);
  const part = (length: number) => {
    const slice = cursor.take(length);
    if (version === 1) cursor.skip((8 - (length % 8)) % 8);
    return slice;
  };
  const name = textOf(part(nameLength)).replace(/\0.*$/s, "");
  const typeBytes = await shared(file, MESSAGE.dataType, part(typeLength), version > 1 && (flags & 1) !== 0);
  const spaceBytes = await shared(
    file,
    MESSAGE.dataspace,
    part(spaceLength),
    version > 1 && (flags & 2) !== 0,
  );
  const what = `attribute ${JSON.stringify(name)}`;
  const type = readDataType(file.cursor(typeBytes, what));
  const { shape } = readDataspace(file.cursor(spaceBytes, what));
  const count = countOf(cursor, shape);
  return { name, type, shape, bytes: cursor.take(count * type.size) };
}

async function shared(
  file: Hdf5File,
  type: number,
  bytes: Uint8Array,
  isShared: boolean,
): Promise<Uint8Array> {
  return isShared ? readShared(file, type, bytes) : bytes;
}

function countOf(cursor: Cursor, shape: readonly number[] | undefined): number {
  const count = shape?.reduce((product, extent) => product * extent, 1) ?? 0;
  if (count <= MOST_ELEMENTS) return count;
  throw cursor.refusal(`expected at most ${MOST_ELEMENTS} elements, got ${count}`);
}

/**
 * The value as JSON, with the forms that netCDF gives it: one element alone, or a list. Undefined for what
 * JSON cannot represent.
 */
export async function attributeValue(heap: GlobalHeap, attribute: RawAttribute): Promise<Json | undefined> {
  const { type, shape, bytes } = attribute;
  if (shape === undefined) return type.class === "string" || type.class === "variable" ? "" : [];
  const count = shape.reduce((product, extent) => product * extent, 1);
  const values = await elementsAsJson(heap, type, bytes, count);
  if (values === undefined) return undefined;
  const isOne = shape.length === 0 || (shape.length === 1 && shape[0] === 1);
  return isOne ? values[0] : nested(values, shape);
}
