import type { ArrayMetadata } from "../metadata/model.js";

/**
 * Shape of the inner chunks of an array, by dimension of the array; undefined when it is not sharded. Reads the metadata only, so
 * it answers before any codec is loaded.
 */
export function innerChunkShape({ codecs, shape }: ArrayMetadata): readonly number[] | undefined {
  let order: readonly (number | undefined)[] = shape.map((_, dimension) => dimension);
  for (const { name, configuration } of codecs) {
    if (name === "sharding_indexed") {
      const inner = configuration.chunk_shape;
      if (!Array.isArray(inner)) return undefined;
      const lengths = shape.map((_, dimension) => Number(inner[order.indexOf(dimension)]));
      // What is no shape is told of by the codec.
      return lengths.every((length) => length >= 1) ? lengths : undefined;
    }
    if (name !== "transpose") return undefined;
    const permutation = configuration.order;
    // Early writers say "F" and "C".
    if (permutation === "F") order = order.toReversed();
    if (Array.isArray(permutation)) order = permutation.map((dimension) => order[Number(dimension)]);
  }
  return undefined;
}
