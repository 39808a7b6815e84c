/** Tells a caller how far a read has come, in values of the store: chunks, or shards. */

import { noItem } from "../../base/at.js";
import { product } from "../../base/shape.js";
import type { OnProgress } from "../../engine/progress.js";
import type { Batch, Coordinates, CoreArray, Cut } from "./ports.js";

/** Returns a function that counts what a batch finishes, and reports it. */
export function countProgress(
  onProgress: OnProgress | undefined,
  { stored, fill }: CoreArray,
  { along }: Cut,
): (batch: Batch) => void {
  if (onProgress === undefined) return () => {};
  /** How many chunks of a shard are met along each dimension, by the shard's index. */
  const counts = along.map(({ length, at }, d) => {
    const inShard = new Map<number, number>();
    for (let i = 0; i < length; i++) {
      const shard = Math.floor(at(i).chunk / (stored[d] ?? noItem(stored, d)));
      inShard.set(shard, (inShard.get(shard) ?? 0) + 1);
    }
    return inShard;
  });
  const chunksTotal = product(counts.map(({ size }) => size));
  const left = new Map<string, number>();
  let chunksDone = 0;
  let bytes = 0;
  const finish = (chunk: Coordinates): void => {
    const shard = chunk.map((index, d) => Math.floor(index / (stored[d] ?? noItem(stored, d))));
    const name = shard.join();
    const all = () => product(shard.map((index, d) => counts[d]?.get(index) ?? 0));
    const rest = (left.get(name) ?? all()) - 1;
    left.set(name, rest);
    if (rest > 0) return;
    left.delete(name);
    chunksDone++;
  };
  return ({ chunks, blocks }) => {
    chunks.forEach(finish);
    for (const { pieces } of blocks)
      for (const { copy } of pieces) bytes += product(copy[0]?.plan.request.shape ?? [], fill.length);
    onProgress({ chunksDone, chunksTotal, bytes });
  };
}
