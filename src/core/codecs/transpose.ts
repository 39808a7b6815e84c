/**
 * `transpose` (array -> array): permutes dimensions. The order folds into the strides of the copy
 * to or from the result.
 * https://zarr-specs.readthedocs.io/en/latest/v3/codecs/transpose/index.html
 * Also accepts the orders "C" and "F" of early writers.
 * `{"name": "transpose", "configuration": {"order": [2, 0, 1]}}`
 */
import { at } from "../../base/at.js";
import { describe, InvalidMetadataError } from "../../base/errors.js";
import type { JsonObject } from "../../metadata/json.js";
import type { CodecMetadata } from "../../metadata/model.js";
import type { ArrayToArrayCodec, ChunkSpec, CodecEntry } from "./codec.js";

const transpose: CodecEntry = {
  codecKind: "array_to_array",
  forms: { only: "v3" },
  load: (kernels) => kernels.loadTransposition(),
  fromConfig(configuration: JsonObject, spec: ChunkSpec): ArrayToArrayCodec {
    const order = readOrder(configuration, spec.shape.length);
    const shape = order.map((dimension) => at(spec.shape, dimension));
    return { kind: "array_to_array", order, encoded: { ...spec, shape } };
  },
};
export default transpose;

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

/**
 * The order of the stored dimensions after all `transpose` codecs, from slowest to fastest; undefined if that
 * is the array's own order (C). @throws InvalidMetadataError for an order that is none
 */
export function storedOrder(codecs: readonly CodecMetadata[], rank: number): readonly number[] | undefined {
  const order = codecs
    .filter(({ name }) => name === "transpose")
    .reduce<readonly number[]>(
      (before, { configuration }) => {
        const permutation = readOrder(configuration, rank);
        return permutation.map((dimension) => at(before, dimension));
      },
      Array.from({ length: rank }, (_, dimension) => dimension),
    );
  return order.every((dimension, i) => dimension === i) ? undefined : order;
}

/** "F" if the dimensions are stored in reversed order, else "C": v2 and the draft have no other orders. */
export function orderOf(codecs: readonly CodecMetadata[], rank: number): "C" | "F" {
  const order = storedOrder(codecs, rank);
  return order?.every((dimension, i) => dimension === rank - 1 - i) === true ? "F" : "C";
}
