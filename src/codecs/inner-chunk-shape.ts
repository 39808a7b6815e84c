import type { ArrayMetadata } from "../metadata/model.js";

/**
 * Shape of the inner chunks of an array, by dimension of the array; undefined when it is not sharded. Reads the metadata only, so
 * it answers before any codec is loaded.
 */
export function innerChunkShape({ codecs, shape }: ArrayMetadata): readonly number[] | undefined {
  let order = shape.map((_, dimension) => dimension);
  for (const { name, configuration } of codecs) {
    if (name === "sharding_indexed") {
      const inner = configuration.chunk_shape;
      if (!Array.isArray(inner)) return undefined;
      const lengths = shape.map((_, dimension) => Number(inner[order.indexOf(dimension)]));
      // What is no shape is told of by the codec.
      return lengths.every((length) => length >= 1) ? lengths : undefined;
    }
    if (name !== "transpose") return undefined;
    // Early writers say "F" and "C".
    if (configuration.order === "F") order = order.toReversed();
    else if (Array.isArray(configuration.order))
      order = configuration.order.map((dimension) => order[Number(dimension)] ?? Number(dimension));
    else if (configuration.order !== "C") return undefined;
  }
  return undefined;
}
