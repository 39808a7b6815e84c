/** Strings of variable length, which are elsewhere in the file, as the codec `vlen-utf8` has them. */
import { StoreError } from "../../../core/for-stores.js";
import type { GlobalHeap } from "./global-heap.js";

const MOST_BYTES = 2 ** 31;

/** @param elements where the strings are @param itemSize bytes of an element */
export async function textChunk(
  heap: GlobalHeap,
  elements: Uint8Array,
  itemSize: number,
): Promise<Uint8Array> {
  const count = Math.floor(elements.length / itemSize);
  const texts: Uint8Array[] = [];
  let byteLength = 4;
  for (let i = 0; i < count; i++) {
    const bytes = await heap.read(elements.subarray(i * itemSize, (i + 1) * itemSize), 1);
    // Libraries may count the NUL of C at the end.
    const end = bytes.at(-1) === 0 ? bytes.indexOf(0) : bytes.length;
    const text = bytes.subarray(0, end);
    texts.push(text);
    byteLength += 4 + text.length;
    if (byteLength > MOST_BYTES) throw new StoreError("HDF5: the strings of a chunk are longer than 2 GiB");
  }
  const target = new Uint8Array(byteLength);
  const view = new DataView(target.buffer);
  view.setUint32(0, count, true);
  let at = 4;
  for (const text of texts) {
    view.setUint32(at, text.length, true);
    target.set(text, at + 4);
    at += 4 + text.length;
  }
  return target;
}
