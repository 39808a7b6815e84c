/**
 * Chunk and shard shapes for arrays that are created without them.
 *
 * Chunk: the longest dimension is halved until a chunk has at most the target. Roughly cubic chunks serve selections along every axis
 * alike; 1 MiB amortises a request and stays in the second-level cache; inside a shard a request is a byte range, which
 * costs less, so 128 KiB. (zarr-python lets the target grow with the array, from 128 KiB to 64 MiB, and halves dimensions in turn from the first.)
 *
 * Shard: the chunk shape is doubled along the dimension with most chunks left to cover, up to 32 MiB or the whole array: few
 * enough objects for a store, small enough to be rewritten and held in memory twice.
 * (zarr-python doubles every dimension of more than 8 chunks once, whatever size that gives.)
 */
import { product } from "../shape.js";

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
    const missing = shard.map((length, d) => Math.ceil((shape[d] ?? 0) / length));
    const most = Math.max(1, ...missing);
    if (most === 1 || 2 * byteLength(shard, itemSize) > SHARD_BYTES) return shard;
    const dimension = missing.indexOf(most);
    shard[dimension] = 2 * (shard[dimension] ?? 1);
  }
}

function byteLength(shape: readonly number[], itemSize: number): number {
  return product(shape, Math.max(1, itemSize));
}
