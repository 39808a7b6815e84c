/** Where the chunks of a dataset are: one interface for all indexes of HDF5. */
import { at } from "../../../../core/for-stores.js";
import type { Hdf5File } from "../hdf5-file.js";

/** A chunk as the index has it. */
export interface IndexedChunk {
  readonly address: number;
  /** Bytes in the file. */
  readonly length: number;
  /** A bit for each filter that was left out. */
  readonly mask: number;
}

export interface ChunkFinder {
  /** The chunk at these coordinates of the grid; undefined if it is not stored. */
  find(coordinates: readonly number[]): Promise<IndexedChunk | undefined>;
  /**
   * Coordinates of all chunks that are stored. Some may lie outside of the grid, after the dataset shrank.
   */
  all(): AsyncIterable<readonly number[]>;
}

/** What every index needs to know of the dataset. */
export interface IndexedDataset {
  readonly file: Hdf5File;
  /** Of the index. */
  readonly address: number;
  /** Of a chunk, in elements. */
  readonly chunk: readonly number[];
  /** Chunks in each dimension: now, and at most; null if unlimited. */
  readonly grid: readonly number[];
  readonly maximumGrid: readonly (number | null)[];
  /** Bytes of a chunk before the filters. */
  readonly byteLength: number;
  readonly hasFilters: boolean;
}

/** -1, 0 or 1, in C order. */
export function compareCoordinates(a: readonly number[], b: readonly number[]): number {
  for (const [d, value] of a.entries()) {
    const other = at(b, d);
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}
