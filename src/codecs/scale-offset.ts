/**
 * `scale_offset` (array -> array): (x - offset) * scale on writing, x / scale + offset on reading, in the arithmetic of the data type.
 * https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/scale_offset
 * `offset` (0) and `scale` (1) are scalars of the data type, as fill values are written; the whole configuration may be missing. The
 * fill value is transformed along. Integers must come out exact, in range at every step, also when reading divides; floats overflow to
 * Infinity where their type has one, as in zarr-python. Integer and float types of zarr-extensions; others are refused.
 * `{"name": "scale_offset", "configuration": {"offset": 5, "scale": 0.1}}`
 */
import { InvalidMetadataError, isZarrError } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import type { JsonObject } from "../metadata/json.js";
import type { ArrayToArrayCodec, ChunkSpec, CodecEntry } from "./codec.js";
import { readConfiguration } from "./configuration.js";
import { fillPattern } from "./fill-pattern.js";
import { loadFilters, runFilter } from "./filters/kernels.js";
import { aligned, type FloatType, type IntegerType } from "./filters/number-type.js";
import { numbersOf } from "./filters/numcodecs-configuration.js";
import { type Affine, scaleElements, unscaleElements } from "./filters/twins/scale-offset.js";

const CODEC = "scale_offset";

const entry: CodecEntry = {
  kind: "array_to_array",
  async load(kernels) {
    await loadFilters(kernels);
  },
  fromConfig(configuration, spec): ArrayToArrayCodec {
    readConfiguration(CODEC, configuration, ["offset", "scale"]);
    const type = numbersOf(CODEC, spec.dataType, ["integer", "float"]);
    const affine: Affine = {
      codec: CODEC,
      type,
      offset: readScalar(configuration, "offset", spec) ?? 0,
      scale: readScalar(configuration, "scale", spec) ?? 1,
    };
    if (Number(affine.scale) === 0) {
      throw new InvalidMetadataError("expected a scale that can be divided by, got 0", {
        codec: CODEC,
        member: "configuration.scale",
      });
    }
    return {
      kind: "array_to_array",
      encoded: { ...spec, fillValue: scaledFill(affine, spec) },
      decode: (elements, { kernels }) => run(kernels, "unscale", affine, aligned(elements, type.itemSize)),
      encode: (elements, { kernels }) => run(kernels, "scale", affine, aligned(elements, type.itemSize)),
    };
  },
};
export default entry;

/** @throws InvalidMetadataError when the fill value has no place among the scaled ones */
function scaledFill(affine: Affine, spec: ChunkSpec): unknown {
  if (spec.fillValue === undefined) return undefined;
  const pattern = fillPattern(spec.dataType, spec.fillValue);
  const scaled = new Uint8Array(pattern.length);
  try {
    scaleElements(scaled, pattern, affine);
  } catch (cause) {
    if (!isZarrError(cause, "CodecError")) throw cause;
    throw new InvalidMetadataError(`expected a fill value that can be scaled: ${cause.message}`, {
      codec: CODEC,
      member: "fill_value",
      cause,
    });
  }
  return spec.dataType.readScalar(scaled, true);
}

/** @throws InvalidMetadataError for what is not a scalar of the data type */
function readScalar(
  configuration: JsonObject,
  member: "offset" | "scale",
  { dataType }: ChunkSpec,
): number | bigint | undefined {
  const json = configuration[member];
  if (json === undefined) return undefined;
  const pattern = new Uint8Array(dataType.itemSize);
  dataType.writeScalar(dataType.scalarFromJson(json, 3), pattern);
  const scalar = dataType.readScalar(pattern);
  return typeof scalar === "bigint" ? scalar : Number(scalar);
}

function run(
  kernels: Kernels,
  direction: "scale" | "unscale",
  affine: Affine,
  source: Uint8Array,
): Uint8Array {
  const target = kernels.allocate(source.length);
  if (!runKernel(kernels, direction, affine, affine.type, target, source)) {
    (direction === "scale" ? scaleElements : unscaleElements)(target, source, affine);
  }
  return target;
}

function runKernel(
  kernels: Kernels,
  direction: "scale" | "unscale",
  { offset, scale }: Affine,
  type: IntegerType | FloatType,
  target: Uint8Array,
  source: Uint8Array,
): boolean {
  if (type.kind !== "float" || type.bits < 32) return false;
  const count = source.length / type.itemSize;
  const name = `${direction}F${type.bits}`;
  return runFilter(kernels, name, target, source, count, Number(offset), Number(scale)) !== undefined;
}
