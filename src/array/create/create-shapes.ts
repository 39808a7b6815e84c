/** Chunk and shard shapes of arrays that are created without them. */
import { at } from "../../base/at.js";
import { product } from "../../base/shape.js";

const CHUNK_BYTES = 1 << 20;
const INNER_CHUNK_BYTES = 128 << 10;
const SHARD_BYTES = 32 << 20;

export function automaticChunkShape(shape: readonly number[], itemSize: number, inShards = false): number[] {
  const target = inShards ? INNER_CHUNK_BYTES : CHUNK_BYTES;
  const chunkShape = shape.map((length) => Math.max(1, length));
  for (;;) {
    const longest = Math.max(1, ...chunkShape);
    if (byteLength(chunkShape, itemSize) <= target || longest === 1) return chunkShape;
    chunkShape[chunkShape.indexOf(longest)] = Math.ceil(longest / 2);
  }
}

export function automaticShardShape(
  shape: readonly number[],
  chunkShape: readonly number[],
  itemSize: number,
): number[] {
  const shard = [...chunkShape];
  for (;;) {
    const missing = shard.map((length, d) => Math.ceil(at(shape, d) / length));
    const most = Math.max(1, ...missing);
    if (most === 1 || 2 * byteLength(shard, itemSize) > SHARD_BYTES) return shard;
    const dimension = missing.indexOf(most);
    shard[dimension] = 2 * at(shard, dimension);
  }
}

function byteLength(shape: readonly number[], itemSize: number): number {
  return product(shape, Math.max(1, itemSize));
}
