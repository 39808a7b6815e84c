/** Tells a caller how far a read has come, in values of the store: chunks, or shards. */
import { noItem, numberAt } from "../../base/at.js";
import { product } from "../../base/shape.js";
import type { Cut } from "./plan.js";
import type { Batch, Coordinates, CoreArray } from "./ports.js";
import type { OnProgress } from "./shared/on-progress.js";

/** Returns a function that counts what a batch finishes, and reports it. */
export function countProgress(
  onProgress: OnProgress,
  { stored, fill }: CoreArray,
  cut: Cut,
): (batch: Batch) => void {
  /** How many chunks of a shard are met along each dimension, by the shard's index. */
  const counts = cut.map(({ length, at }, d) => {
    const inShard = new Map<number, number>();
    for (let i = 0; i < length; i++) {
      const shard = Math.floor(at(i).chunk / numberAt(stored, d));
      inShard.set(shard, (inShard.get(shard) ?? 0) + 1);
    }
    return inShard;
  });
  const chunksTotal = product(counts.map(({ size }) => size));
  const left = new Map<string, number>();
  let chunksDone = 0;
  let bytes = 0;
  const finish = (chunk: Coordinates): void => {
    const shard = chunk.map((index, d) => Math.floor(index / numberAt(stored, d)));
    const name = shard.join();
    const all = () => product(shard.map((index, d) => counts[d]?.get(index) ?? noItem(counts, d)));
    const rest = (left.get(name) ?? all()) - 1;
    left.set(name, rest);
    if (rest > 0) return;
    left.delete(name);
    chunksDone++;
  };
  return ({ pieces }) => {
    for (const { chunk, parts } of pieces) {
      finish(chunk);
      bytes += parts.reduce((size, { count }) => size * count, fill.length);
    }
    onProgress({ chunksDone: Math.min(chunksDone, chunksTotal), chunksTotal, bytes });
  };
}

/** As `countProgress`, for pieces of elements in any order: each value of the store is met once. */
export function countPieces(
  onProgress: OnProgress | undefined,
  chunksTotal: number,
  itemSize: number,
): ((batch: Batch) => void) | undefined {
  if (onProgress === undefined) return undefined;
  let count = 0;
  let bytes = 0;
  return ({ pieces }) => {
    for (const { picked } of pieces) bytes += (picked?.count ?? 0) * itemSize;
    count++;
    onProgress({ chunksDone: Math.min(count, chunksTotal), chunksTotal, bytes });
  };
}
