/**
 * A chunk shape for who does not choose one: the longest dimension is halved until a chunk has at most 1 MiB. Roughly cubic
 * chunks serve selections along every axis alike; 1 MiB amortises a request and stays in the second-level cache.
 */
const TARGET_BYTES = 1 << 20;

export function automaticChunkShape(shape: readonly number[], itemSize: number): number[] {
  const chunkShape = shape.map((length) => Math.max(1, length));
  for (;;) {
    const elements = chunkShape.reduce((product, length) => product * length, 1);
    const longest = Math.max(1, ...chunkShape);
    if (elements * Math.max(1, itemSize) <= TARGET_BYTES || longest === 1) return chunkShape;
    chunkShape[chunkShape.indexOf(longest)] = Math.ceil(longest / 2);
  }
}
