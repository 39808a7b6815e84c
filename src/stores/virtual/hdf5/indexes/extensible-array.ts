/** The index of chunks of datasets with one unlimited dimension. Specification VIII.D. */

import { once } from "../../once.js";
import type { ChunkFinder, IndexedDataset } from "./chunk-index.js";
import { checkEntrySize, hasBit, linearIndex, readEntry } from "./linear-index.js";

/** Blocks of one size: those behind one secondary block. */
interface Level {
  readonly blocks: number;
  readonly entries: number;
  /** Numbers of the first entry and of the first block, after those of the levels before. */
  readonly firstEntry: number;
  readonly firstBlock: number;
}

/** Where the data block of an entry is. */
interface Place {
  readonly address: number;
  /** Of the entry in the block. */
  readonly within: number;
  readonly entries: number;
  /**
   * Bits of the pages of all blocks of the level, and the first of this block; undefined if all are written.
   */
  readonly written?: { readonly bits: Uint8Array; readonly first: number };
}

export function extensibleArrayIndex(dataset: IndexedDataset): ChunkFinder {
  const { file, address } = dataset;
  const { offset, length } = file.sizes;

  const opened = once(async () => {
    const cursor = await file.structure(address, 12 + 6 * length + offset, "extensible array");
    cursor.signature("EAHD");
    cursor.version(0);
    cursor.skip(1);
    const entrySize = cursor.u8();
    checkEntrySize(cursor, entrySize, offset, dataset);
    const maximumBits = cursor.u8();
    const inIndex = cursor.u8();
    const smallest = cursor.u8();
    const pointers = cursor.u8();
    const pageBits = cursor.u8();
    for (let i = 0; i < 6; i++) cursor.length();
    const indexBlock = cursor.address();
    const isPower = (value: number) => value > 0 && (value & (value - 1)) === 0;
    if (maximumBits > 64 || !isPower(smallest) || !isPower(pointers) || pageBits > 32)
      throw cursor.refusal("expected blocks whose sizes are powers of two");
    const levels: Level[] = [];
    let [firstEntry, firstBlock] = [0, 0];
    for (let i = 0; i <= maximumBits - Math.log2(smallest); i++) {
      const level = {
        blocks: 2 ** (i >> 1),
        entries: 2 ** ((i + 1) >> 1) * smallest,
        firstEntry,
        firstBlock,
      };
      levels.push(level);
      firstEntry += level.blocks * level.entries;
      firstBlock += level.blocks;
    }
    /** Levels whose blocks the index block itself points to. */
    const direct = 2 * Math.log2(pointers);
    const directBlocks = 2 * (pointers - 1);
    const shape = { entrySize, inIndex, smallest, perPage: 2 ** pageBits, levels, direct, directBlocks };
    return { ...shape, indexBlock, offsetSize: Math.ceil(maximumBits / 8) };
  });

  type Opened = Awaited<ReturnType<typeof opened>>;

  /** The start of the entries in the index block. */
  const block = once(async () => {
    const { indexBlock } = await opened();
    if (indexBlock === undefined) return undefined;
    const cursor = await file.structure(indexBlock, 6 + offset, "index block of an extensible array");
    cursor.signature("EAIB");
    return indexBlock + 6 + offset;
  });

  async function addressAt(start: number): Promise<number | undefined> {
    return (await file.structure(start, offset, "address in an extensible array")).address();
  }

  async function placeOf(array: Opened, entries: number, index: number): Promise<Place | undefined> {
    const { levels, smallest, entrySize, inIndex, direct, directBlocks, perPage, offsetSize } = array;
    const number = Math.floor(Math.log2(Math.floor(index / smallest) + 1));
    const level = levels[number];
    if (level === undefined) return undefined;
    const inLevel = index - level.firstEntry;
    const blockInLevel = Math.floor(inLevel / level.entries);
    const within = inLevel % level.entries;
    const pointers = entries + inIndex * entrySize;
    if (number < direct) {
      const found = await addressAt(pointers + (level.firstBlock + blockInLevel) * offset);
      return found === undefined ? undefined : { address: found, within, entries: level.entries };
    }
    const secondary = await addressAt(pointers + (directBlocks + number - direct) * offset);
    if (secondary === undefined) return undefined;
    const pages = level.entries > perPage ? level.entries / perPage : 0;
    const bitmap = Math.ceil(pages / 8);
    const prefix = 6 + offset + offsetSize;
    const cursor = await file.structure(secondary, prefix, "secondary block of an extensible array");
    cursor.signature("EASB");
    const found = await addressAt(secondary + prefix + level.blocks * bitmap + blockInLevel * offset);
    if (found === undefined) return undefined;
    const place = { address: found, within, entries: level.entries };
    if (pages === 0) return place;
    const bits = await file.bytes(secondary + prefix, level.blocks * bitmap);
    return { ...place, written: { bits, first: blockInLevel * pages } };
  }

  const finder = async (index: number) => {
    const array = await opened();
    const entries = await block();
    if (entries === undefined) return undefined;
    const { entrySize, inIndex, perPage, offsetSize } = array;
    let start: number;
    if (index < inIndex) start = entries + index * entrySize;
    else {
      const place = await placeOf(array, entries, index - inIndex);
      if (place === undefined) return undefined;
      const data = place.address + 6 + offset + offsetSize;
      if (place.entries <= perPage) start = data + place.within * entrySize;
      else {
        const page = Math.floor(place.within / perPage);
        const { written } = place;
        if (written !== undefined && !hasBit(written.bits, written.first + page)) return undefined;
        // The block has a checksum in front of its pages, and each page has one at its end.
        start = data + 4 + page * (perPage * entrySize + 4) + (place.within % perPage) * entrySize;
      }
    }
    const cursor = await file.structure(start, entrySize, "entry of an extensible array");
    return readEntry(cursor, entrySize, offset, dataset);
  };
  return linearIndex(dataset, finder, true);
}
