/**
 * `reshape` (array -> array): gives the same elements in C order another shape. Moves no bytes.
 * https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/reshape Every entry of `shape` is a
 * positive size, a list of input dimensions whose lengths are multiplied, or -1 (once) for the remaining
 * size. `{"name": "reshape", "configuration": {"shape": [[0, 1], -1, 3]}}`
 */
import {
  type ArrayToArrayCodec,
  at,
  type CodecEntry,
  type InvalidMetadataError,
  isJsonArray,
  type Json,
  MAXIMUM_RANK,
  product,
  readConfiguration,
  wrongMember,
} from "../../core/for-codecs.js";

const CODEC = "reshape";

/**
 * `zarrs.squeeze` (array -> array, experimental): removes dimensions of length 1 from a chunk; the shape is
 * [1] if no others remain. https://docs.rs/zarrs/latest/zarrs/array/codec/array_to_array/squeeze/index.html
 */
export const squeeze: CodecEntry = {
  codecKind: "array_to_array",
  forms: { only: "v3" },
  fromConfig(configuration, spec): ArrayToArrayCodec {
    readConfiguration("zarrs.squeeze", configuration, []);
    const shape = spec.shape.filter((length) => length > 1);
    return { kind: "array_to_array", encoded: { ...spec, shape: shape.length === 0 ? [1] : shape } };
  },
};

const entry: CodecEntry = {
  codecKind: "array_to_array",
  forms: { only: "v3" },
  fromConfig(configuration, spec): ArrayToArrayCodec {
    readConfiguration(CODEC, configuration, ["shape"]);
    const shape = readShape(configuration.shape, spec.shape);
    // Without `decode` and `encode` the pipeline only puts the elements into C order.
    return { kind: "array_to_array", encoded: { ...spec, shape } };
  },
};
export default entry;

function invalid(expected: string, json: Json | undefined, index?: number): InvalidMetadataError {
  return wrongMember(CODEC, index === undefined ? "shape" : `shape[${index}]`, expected, json);
}

function readShape(json: Json | undefined, input: readonly number[]): readonly number[] {
  if (!isJsonArray(json)) throw invalid("a list of sizes, lists of dimensions or -1", json);
  if (json.length > MAXIMUM_RANK) throw invalid(`at most ${MAXIMUM_RANK} dimensions`, json.length);
  checkDimensions(json, input.length);
  const sizes = json.map((entry, i) => {
    if (isJsonArray(entry)) return product(dimensionsOf(entry).map((dimension) => at(input, dimension)));
    if (entry === -1) return undefined;
    if (typeof entry === "number" && Number.isSafeInteger(entry) && entry > 0) return entry;
    throw invalid("a positive integer, a list of dimensions, or -1", entry, i);
  });
  if (sizes.filter((size) => size === undefined).length > 1) throw invalid("at most one -1", json);
  const known = product(sizes.map((size) => size ?? 1));
  const remaining = known > 0 ? product(input) / known : 0;
  const shape = sizes.map((size) => size ?? remaining);
  if (!shape.every(Number.isSafeInteger) || product(shape) !== product(input)) {
    throw invalid(`a shape of the ${product(input)} elements of [${input.join(", ")}]`, json);
  }
  json.forEach((entry, i) => {
    if (isJsonArray(entry)) checkPlace(dimensionsOf(entry), i, shape, input, json);
  });
  return shape;
}

function dimensionsOf(entry: readonly Json[]): number[] {
  return entry.filter((dimension) => typeof dimension === "number");
}

/** Checks that the input dimensions in `shape` increase: a reshape never transposes. */
function checkDimensions(json: readonly Json[], rank: number): void {
  let last = -1;
  json.forEach((entry, i) => {
    if (!isJsonArray(entry)) return;
    for (const dimension of entry) {
      const isDimension = typeof dimension === "number" && Number.isInteger(dimension) && dimension < rank;
      if (!isDimension || dimension <= last) {
        throw invalid(`dimensions from 0 to ${rank - 1} that increase throughout the shape`, entry, i);
      }
      last = dimension;
    }
  });
}

/**
 * Checks an output dimension made of input dimensions: the products of the lengths before, and of those after
 * it, must be equal.
 */
function checkPlace(
  dimensions: readonly number[],
  index: number,
  shape: readonly number[],
  input: readonly number[],
  json: readonly Json[],
): void {
  const [first] = dimensions;
  const last = dimensions.at(-1);
  if (first === undefined || last === undefined) return;
  const before = product(shape.slice(0, index)) === product(input.slice(0, first));
  const behind = product(shape.slice(index + 1)) === product(input.slice(last + 1));
  if (!before || !behind) {
    throw invalid(`input dimensions at their own place in [${input.join(", ")}]`, json, index);
  }
}
