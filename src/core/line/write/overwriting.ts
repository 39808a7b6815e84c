/**
 * What may be overwritten without reading: a chunk that a write covers as a whole, and one that had no
 * element of the array before. Of all others something is kept, so they are read, changed and replaced.
 *
 * A chunk that crosses the array's edge counts as covered in part, whatever is selected of it: if another
 * handle made the array longer, the chunk has elements there.
 */

import type { ChunkLocation } from "../../codecs/pipeline.js";
import type { ChunkProjection } from "../shared/bands.js";
import type { KnownValue } from "./stored-values.js";

export interface Overwriting {
  /** Whether `known` needs no promise where a store answers at once. */
  readonly isNow: boolean;
  /** Whether chunks of only the fill value are stored, too, although the caller does not want them. */
  readonly storesEmpty: boolean;
  /** Whether a chunk is overwritten without reading it. */
  isFree(chunk: ChunkProjection, at: ChunkLocation): boolean;
  /**
   * What is kept of a chunk, and what storing it depends on.
   * @param isFirst false after a conflict with another writer
   * @param read reads the stored chunk
   */
  known(
    chunk: ChunkProjection,
    at: ChunkLocation,
    isFirst: boolean,
    read: () => Promise<KnownValue>,
  ): Promise<KnownValue>;
}

/** Whether the array had no element in a chunk, by its index in the grid of stored chunks. */
export type IsBeyond = (chunk: readonly number[]) => boolean;

/** For all writes but those of appends. */
export const COVERED: Overwriting = {
  isNow: true,
  storesEmpty: false,
  isFree: ({ whole }) => whole,
  known: async ({ whole }, _at, _isFirst, read) => (whole ? {} : read()),
};

/** For an append: what a failed append has left beyond the array's end is not kept. */
export function beyondEnd(isBeyond: IsBeyond): Overwriting {
  const isFree: Overwriting["isFree"] = ({ whole }, { chunk }) => whole || isBeyond(chunk);
  return {
    isNow: true,
    storesEmpty: false,
    isFree,
    known: async (projection, at, _isFirst, read) => (isFree(projection, at) ? {} : read()),
  };
}

/**
 * For an append to a store with conditional writes, where other processes may append at the same time
 * (array/write/append-claim.ts). A chunk beyond the end is created, if there is none; otherwise, and for a
 * chunk that is kept in part, the claim is looked at after the chunk was read.
 * @param confirm throws if another writer has claimed the end of the array
 */
export function claimed(isBeyond: IsBeyond, confirm: () => Promise<void>): Overwriting {
  return {
    isNow: false,
    // A chunk that another append left there is only noticed by who stores one, too.
    storesEmpty: true,
    isFree: ({ whole }, { chunk }) => whole || isBeyond(chunk),
    async known({ whole }, { chunk }, isFirst, read) {
      const isNew = isBeyond(chunk);
      if (isNew && isFirst) return { ifVersion: null };
      if (whole && !isNew) return {};
      const { bytes, ifVersion } = await read();
      await confirm();
      return isNew ? { ifVersion } : { bytes, ifVersion };
    },
  };
}
