/** The index of chunks of datasets with several unlimited dimensions: a B-tree of version 2. Spec. VIII.E. */

import type { Cursor } from "../cursor.js";
import { openTree, recordsOf, searchTree, type Tree } from "./btree2.js";
import { type ChunkFinder, compareCoordinates, type IndexedDataset } from "./chunk-index.js";

const FILTERED = 11;

export function btree2Index({ file, address, chunk, byteLength }: IndexedDataset): ChunkFinder {
  const rank = chunk.length;
  let opened: Promise<Tree> | undefined;

  function tree(): Promise<Tree> {
    opened ??= openTree(file, address).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  }

  /** Puts the cursor after the coordinates. */
  function coordinatesOf(record: Cursor, { type, recordSize }: Tree): number[] {
    record.at = type === FILTERED ? recordSize - 8 * rank : file.sizes.offset;
    return Array.from({ length: rank }, () => record.u64());
  }

  return {
    async find(coordinates) {
      const known = await tree();
      const record = await searchTree(file, known, (each) =>
        compareCoordinates(coordinatesOf(each, known), coordinates),
      );
      const start = record?.address();
      if (record === undefined || start === undefined) return undefined;
      if (known.type !== FILTERED) return { address: start, length: byteLength, mask: 0 };
      const length = record.uint(known.recordSize - file.sizes.offset - 4 - 8 * rank);
      return { address: start, length, mask: record.u32() };
    },
    async *all() {
      const known = await tree();
      for await (const record of recordsOf(file, address)) yield coordinatesOf(record, known);
    },
  };
}
