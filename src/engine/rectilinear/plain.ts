/**
 * Chunks that are stored as they are, by the codec `bytes` alone: a pipeline for a shape is one for another with other numbers. Made in
 * a fraction of a microsecond; preparing codecs takes 15 to 20, and there may be a shape for every chunk.
 */
import { checkElements } from "../../codecs/array-stage.js";
import { located } from "../../codecs/byte-stage.js";
import type { Pipeline } from "../../codecs/pipeline.js";
import { cOrderStrides, product } from "../../shape.js";
import type { PreparedArray } from "../prepared.js";

const BYTES = "bytes";

/** What makes pipelines for chunks whose locations have them; undefined where codecs are to be prepared. */
export function plainPipelines({
  metadata,
  pipeline,
}: Pick<PreparedArray, "metadata" | "pipeline">): ((shape: readonly number[]) => Pipeline) | undefined {
  const { codecs, dataType } = metadata;
  const isBytes = codecs.every(({ name }) => name === BYTES) && !pipeline.wrapped;
  if (!isBytes || pipeline.encodedByteLength !== pipeline.byteLength) return undefined;
  const some: Pipeline = {
    ...pipeline,
    decode(bytes, _, at) {
      const { shape, byteLength } = at.pipeline ?? pipeline;
      try {
        checkElements(bytes, byteLength, { shape, dataType, fillValue: undefined });
      } catch (error) {
        throw located(error, BYTES, at);
      }
      return bytes;
    },
  };
  return (shape) => {
    const byteLength = product(shape) * dataType.itemSize;
    const strides = cOrderStrides(shape, dataType.itemSize);
    return { ...some, shape, byteLength, encodedByteLength: byteLength, strides };
  };
}
