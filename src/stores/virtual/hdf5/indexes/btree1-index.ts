/**
 * The index of chunks before HDF5 1.10, and of files for older libraries: a B-tree of version 1. Spec.
 * III.A.1.
 */
import { at, BoundedCache, StoreError } from "../../../../core/for-stores.js";
import {
  type ChunkFinder,
  compareCoordinates,
  type IndexedChunk,
  type IndexedDataset,
} from "./chunk-index.js";

interface Node {
  readonly level: number;
  readonly entries: readonly Entry[];
}

interface Entry extends IndexedChunk {
  /** Of the chunk, or of the first chunk below. `address` is that of the chunk, or of the node. */
  readonly coordinates: readonly number[];
}

const NODES_KEPT = 8192;
const MOST_NODES = 1 << 20;
const DEEPEST = 32;

export function btree1Index({ file, address, chunk }: IndexedDataset): ChunkFinder {
  const nodes = new BoundedCache<number, Promise<Node>>({ entries: NODES_KEPT });
  const rank = chunk.length;
  const { offset } = file.sizes;
  const keySize = 8 + 8 * (rank + 1);

  function node(at: number): Promise<Node> {
    const known = nodes.get(at);
    if (known !== undefined) return known;
    const read = readNode(at);
    nodes.set(at, read);
    read.catch(() => nodes.delete(at));
    return read;
  }

  async function readNode(start: number): Promise<Node> {
    const head = await file.structure(start, 8 + 2 * offset, "B-tree of chunks");
    head.signature("TREE");
    if (head.u8() !== 1) throw head.refusal("expected a node of chunks");
    const level = head.u8();
    const count = head.u16();
    if (level > DEEPEST) throw head.refusal(`expected at most ${DEEPEST} levels, got ${level}`);
    const length = count * (keySize + offset);
    const cursor = await file.structure(start + 8 + 2 * offset, length, "B-tree of chunks");
    const entries = Array.from({ length: count }, (): Entry => {
      const [size, mask] = [cursor.u32(), cursor.u32()];
      const coordinates = chunk.map((extent) => Math.floor(cursor.u64() / extent));
      cursor.skip(8);
      return { coordinates, length: size, mask, address: cursor.addressOf("a chunk") };
    });
    for (const [i, { coordinates }] of entries.entries())
      if (i > 0) checkOrder(at(entries, i - 1).coordinates, coordinates);
    return { level, entries };
  }

  /** A tree out of order would hide chunks: their elements would be the fill value. */
  function checkOrder(before: readonly number[], coordinates: readonly number[]): void {
    if (compareCoordinates(before, coordinates) < 0) return;
    throw new StoreError(
      `HDF5, B-tree of chunks at address ${address}: expected chunks in order, got [${coordinates.join(", ")}] after [${before.join(", ")}]`,
    );
  }

  async function* below(
    start: number,
    above: number,
    visited: { count: number; last?: readonly number[] },
  ): AsyncGenerator<readonly number[]> {
    if (++visited.count > MOST_NODES)
      throw new StoreError(`HDF5, B-tree of chunks at address ${address}: more than ${MOST_NODES} nodes`);
    const { level, entries } = await node(start);
    checkLevel(level, above);
    for (const entry of entries)
      if (level > 0) yield* below(entry.address, level, visited);
      else {
        if (visited.last !== undefined) checkOrder(visited.last, entry.coordinates);
        visited.last = entry.coordinates;
        yield entry.coordinates;
      }
  }

  function checkLevel(level: number, above: number): void {
    if (above === DEEPEST + 1 || level === above - 1) return;
    throw new StoreError(
      `HDF5, B-tree of chunks at address ${address}: expected a node of level ${above - 1}, got ${level}`,
    );
  }

  return {
    async find(coordinates) {
      let next = address;
      /** The first chunk below the node, as the node above has it, and the first after it. */
      let [first, after]: (readonly number[] | undefined)[] = [];
      for (let above = DEEPEST + 1; ; ) {
        const { level, entries } = await node(next);
        checkLevel(level, above);
        const [lowest, highest] = [entries[0]?.coordinates, entries.at(-1)?.coordinates];
        if (first && lowest && compareCoordinates(first, lowest) > 0) checkOrder(first, lowest);
        if (after && highest) checkOrder(highest, after);
        // The last entry that is not after the chunk.
        let [low, high] = [0, entries.length];
        while (low < high) {
          const middle = (low + high) >>> 1;
          if (compareCoordinates(at(entries, middle).coordinates, coordinates) <= 0) low = middle + 1;
          else high = middle;
        }
        const entry = entries[low - 1];
        if (entry === undefined) return undefined;
        if (level === 0) return compareCoordinates(entry.coordinates, coordinates) === 0 ? entry : undefined;
        next = entry.address;
        above = level;
        first = entry.coordinates;
        after = entries[low]?.coordinates ?? after;
      }
    },
    all: () => below(address, DEEPEST + 1, { count: 0 }),
  };
}
