/** Indexes in which a chunk is found by its number: one chunk, implicit, fixed array, extensible array. */
import { at, gridCoordinates, StoreError } from "../../../../core/for-stores.js";
import type { Cursor } from "../cursor.js";
import { MOST_ENTRIES } from "../hdf5-file.js";
import type { ChunkFinder, IndexedChunk, IndexedDataset } from "./chunk-index.js";

/** A finder that lists the chunks of the grid one by one. */
export function finderBy({ grid }: Pick<IndexedDataset, "grid">, find: ChunkFinder["find"]): ChunkFinder {
  return {
    find,
    async *all() {
      const count = grid.reduce((product, extent) => product * extent, 1);
      if (count > MOST_ENTRIES)
        throw new StoreError(`HDF5: expected a grid of at most ${MOST_ENTRIES} chunks to list, got ${count}`);
      for (const coordinates of gridCoordinates(grid))
        if ((await find(coordinates)) !== undefined) yield [...coordinates];
    },
  };
}

/**
 * Makes a finder of a function from the number of a chunk. The dimension that varies slowest may be
 * unlimited.
 * @param isSwizzled whether the unlimited dimension varies slowest, whichever it is
 */
export function linearIndex(
  dataset: Pick<IndexedDataset, "grid" | "maximumGrid">,
  lookUp: (index: number) => Promise<IndexedChunk | undefined>,
  isSwizzled = false,
): ChunkFinder {
  const { maximumGrid } = dataset;
  const unlimited = isSwizzled ? maximumGrid.indexOf(null) : -1;
  const order = maximumGrid.map((_, d) => d);
  if (unlimited > 0) order.unshift(...order.splice(unlimited, 1));
  const [slowest, ...others] = order;
  return finderBy(dataset, async (coordinates) => {
    let index = slowest === undefined ? 0 : at(coordinates, slowest);
    for (const d of others) {
      const extent = at(maximumGrid, d);
      if (extent === null)
        throw new StoreError(
          `HDF5: expected a limit of dimension ${d}, by which its index numbers chunks, got none`,
        );
      index = index * extent + at(coordinates, d);
    }
    return Number.isSafeInteger(index) ? lookUp(index) : undefined;
  });
}

/** Chunks one after the other, all of them allocated and without filters. Specification IV.A.2.i. */
export function implicitIndex(dataset: IndexedDataset): ChunkFinder {
  const { address, byteLength } = dataset;
  return linearIndex(dataset, async (index) => ({
    address: address + index * byteLength,
    length: byteLength,
    mask: 0,
  }));
}

/** The length of an entry of an array, in bytes, and how it is read. */
export function readEntry(
  cursor: Cursor,
  entrySize: number,
  offsetSize: number,
  { hasFilters, byteLength }: IndexedDataset,
): IndexedChunk | undefined {
  const address = cursor.address();
  if (address === undefined) return undefined;
  if (!hasFilters) return { address, length: byteLength, mask: 0 };
  const length = cursor.uint(entrySize - offsetSize - 4);
  return { address, length, mask: cursor.u32() };
}

/** @throws StoreError for an entry that cannot hold a chunk */
export function checkEntrySize(
  cursor: Cursor,
  entrySize: number,
  offsetSize: number,
  { hasFilters }: IndexedDataset,
): void {
  const isValid = hasFilters
    ? entrySize > offsetSize + 4 && entrySize <= offsetSize + 12
    : entrySize === offsetSize;
  if (!isValid) throw cursor.refusal(`expected an entry of a chunk, got one of ${entrySize} bytes`);
}

/** Whether bit `index` is set; the highest bit of a byte is the first. */
export function hasBit(bytes: Uint8Array, index: number): boolean {
  return (at(bytes, Math.floor(index / 8)) & (0x80 >> (index % 8))) !== 0;
}
