/** The index of chunks of datasets without unlimited dimensions. Specification VIII.C. */

import { once } from "../../once.js";
import type { ChunkFinder, IndexedDataset } from "./chunk-index.js";
import { checkEntrySize, hasBit, linearIndex, readEntry } from "./linear-index.js";

export function fixedArrayIndex(dataset: IndexedDataset): ChunkFinder {
  const { file, address } = dataset;
  const { offset, length } = file.sizes;

  const opened = once(async () => {
    const cursor = await file.structure(address, 8 + length + offset, "fixed array");
    cursor.signature("FAHD");
    cursor.version(0);
    cursor.skip(1);
    const entrySize = cursor.u8();
    checkEntrySize(cursor, entrySize, offset, dataset);
    const pageBits = cursor.u8();
    const count = cursor.length();
    const block = cursor.address();
    if (pageBits > 32) throw cursor.refusal(`expected pages of at most 2^32 entries, got 2^${pageBits}`);
    if (block === undefined) return undefined;
    const perPage = 2 ** pageBits;
    const pages = count > perPage ? Math.ceil(count / perPage) : 0;
    const bitmapLength = Math.ceil(pages / 8);
    const prefix = await file.structure(block, 6 + offset + bitmapLength, "data block of a fixed array");
    prefix.signature("FADB");
    prefix.version(0);
    prefix.skip(1 + offset);
    const entries = block + 6 + offset + bitmapLength;
    return { entrySize, count, perPage, pages, entries, written: prefix.take(bitmapLength) };
  });

  return linearIndex(dataset, async (index) => {
    const array = await opened();
    if (array === undefined || index >= array.count) return undefined;
    const { entrySize, perPage, pages, entries, written } = array;
    const page = pages === 0 ? 0 : Math.floor(index / perPage);
    if (pages > 0 && !hasBit(written, page)) return undefined;
    // The block has a checksum in front of its pages, and each page has one at its end.
    const start = pages === 0 ? 0 : 4 + page * (perPage * entrySize + 4);
    const within = pages === 0 ? index : index % perPage;
    const place = entries + start + within * entrySize;
    const cursor = await file.structure(place, entrySize, "entry of a fixed array");
    return readEntry(cursor, entrySize, offset, dataset);
  });
}
