/**
 * `transpose` (array -> array): permutes dimensions. Never moves bytes here: the order folds into the strides of the copy
 * to or from the result.
 * https://zarr-specs.readthedocs.io/en/latest/v3/codecs/transpose/index.html
 * Accepts besides the permutation the spellings "C" and "F" of early writers.
 * `{"name": "transpose", "configuration": {"order": [2, 0, 1]}}`
 */
import { describe, InvalidMetadataError } from "../errors.js";
import type { JsonObject } from "../metadata/json.js";
import type { ArrayToArrayCodec, ChunkSpec, CodecEntry } from "./codec.js";

function readOrder(configuration: JsonObject, rank: number): number[] {
  const order = configuration.order;
  const identity = Array.from({ length: rank }, (_, dimension) => dimension);
  if (order === "C") return identity;
  if (order === "F") return identity.reverse();
  const numbers = Array.isArray(order) ? order.filter((entry) => typeof entry === "number") : [];
  const isPermutation = numbers.length === rank && identity.every((dimension) => numbers.includes(dimension));
  if (!isPermutation || (Array.isArray(order) && order.length !== rank)) {
    throw new InvalidMetadataError(
      `expected a permutation of the ${rank} dimensions [${identity.join(", ")}], got ${describe(order)}`,
      { codec: "transpose", member: "configuration.order" },
    );
  }
  return numbers;
}

const transpose: CodecEntry = {
  kind: "array_to_array",
  load: (kernels) => kernels.loadTransposition(),
  fromConfig(configuration: JsonObject, spec: ChunkSpec): ArrayToArrayCodec {
    const order = readOrder(configuration, spec.shape.length);
    const shape = order.map((dimension) => spec.shape[dimension] ?? 1);
    return { kind: "array_to_array", order, encoded: { ...spec, shape } };
  },
};
export default transpose;
