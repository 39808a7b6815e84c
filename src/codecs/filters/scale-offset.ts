/**
 * `scale_offset` (array -> array): (x - offset) * scale on writing, x / scale + offset on reading, in the
 * arithmetic of the data type.
 * https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/scale_offset `offset` (default 0) and
 * `scale` (default 1) are scalars of the data type, in the JSON form of fill values; the configuration may be
 * missing. The fill value is transformed too; if it does not fit, the array can be read but not written.
 * Integers must be exact and in range at every step, also when reading divides. Floats overflow to Infinity
 * if their type has one, as in zarr-python. Supports the integer and float types of zarr-extensions.
 * `{"name": "scale_offset", "configuration": {"offset": 5, "scale": 0.1}}`
 */
import {
  type ArrayToArrayCodec,
  type ChunkSpec,
  type CodecEntry,
  CodecError,
  decodeFloat,
  encodeFloat,
  fillPattern,
  float64At,
  InvalidMetadataError,
  isZarrError,
  type JsonObject,
  type Kernels,
  readConfiguration,
  wrongMember,
} from "../../core/for-codecs.js";
import { loadFilters, runFilter } from "./kernels.js";
import {
  aligned,
  bigintsOf,
  type FloatType,
  forTiles,
  type IntegerType,
  loadTile,
  storeTile,
} from "./numbers.js";
import { numbersOf } from "./numpy-types.js";
import { scaleTile, unscaleTile } from "./tile-arithmetic.js";

const CODEC = "scale_offset";

const entry: CodecEntry = {
  codecKind: "array_to_array",
  forms: { only: "v3" },
  load: loadFilters,
  checkWriting(configuration, _, spec) {
    const unfit = spec && scaledFill(readAffine(configuration, spec), spec).unfit;
    if (unfit !== undefined) throw unfit;
  },
  fromConfig(configuration, spec): ArrayToArrayCodec {
    const affine = readAffine(configuration, spec);
    const { itemSize } = affine.type;
    const fill = scaledFill(affine, spec);
    return {
      kind: "array_to_array",
      encoded: { ...spec, ...fill },
      decode: (elements, { kernels }) => run(kernels, "unscale", affine, aligned(elements, itemSize)),
      encode(elements, { kernels }) {
        // The specification forbids such a fill value. Reading works all the same, for arrays that other
        // implementations wrote.
        if (fill.unfit !== undefined) throw fill.unfit;
        return run(kernels, "scale", affine, aligned(elements, itemSize));
      },
    };
  },
};
export default entry;

function readAffine(configuration: JsonObject, spec: ChunkSpec): Affine {
  readConfiguration(CODEC, configuration, ["offset", "scale"]);
  const type = numbersOf(CODEC, spec.dataType, ["integer", "float"]);
  const offset = readScalar(configuration, "offset", spec) ?? 0;
  const scale = readScalar(configuration, "scale", spec) ?? 1;
  if (Number(scale) === 0) throw wrongMember(CODEC, "scale", "a scale other than 0", 0);
  return { type, offset, scale };
}

/** The fill value as it is stored; `unfit` if the data type cannot hold that. */
function scaledFill(affine: Affine, spec: ChunkSpec): Pick<ChunkSpec, "fillValue" | "unfit"> {
  if (spec.fillValue === undefined) return { fillValue: undefined, unfit: spec.unfit };
  const pattern = fillPattern(spec.dataType, spec.fillValue);
  const scaled = new Uint8Array(pattern.length);
  try {
    scaleElements(scaled, pattern, affine);
  } catch (cause) {
    if (!isZarrError(cause, "CodecError")) throw cause;
    const unfit = new InvalidMetadataError(`expected a fill value that can be scaled: ${cause.message}`, {
      codec: CODEC,
      member: "fill_value",
      cause,
    });
    return { fillValue: undefined, unfit };
  }
  return { fillValue: spec.dataType.readScalar(scaled, true) };
}

/**
 * Undefined for a missing member.
 * @throws InvalidMetadataError for a value that is no scalar of the data type
 */
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
  if (!runKernel(kernels, direction, affine, target, source)) {
    (direction === "scale" ? scaleElements : unscaleElements)(target, source, affine);
  }
  return target;
}

function runKernel(
  kernels: Kernels,
  direction: "scale" | "unscale",
  { type, offset, scale }: Affine,
  target: Uint8Array,
  source: Uint8Array,
): boolean {
  if (type.kind !== "float" || type.bits < 32) return false;
  const count = source.length / type.itemSize;
  const name = `${direction}F${type.bits}`;
  return runFilter(kernels, name, target, source, count, Number(offset), Number(scale)) !== undefined;
}

interface Affine {
  readonly type: IntegerType | FloatType;
  /** Values of the type; bigints for its 64-bit integers. */
  readonly offset: number | bigint;
  readonly scale: number | bigint;
}

/**
 * (x - offset) * scale. `target` and `source` are aligned.
 * @throws CodecError for a step that leaves the type's range
 */
function scaleElements(target: Uint8Array, source: Uint8Array, affine: Affine): void {
  const { type, offset, scale } = affine;
  if (type.kind === "integer" && type.bits === 64) {
    scale64(target, source, type, (value) => {
      const difference = check(value - BigInt(offset), type);
      return difference * BigInt(scale);
    });
    return;
  }
  const [o, s] = [Number(offset), Number(scale)];
  eachTile(target, source, type, (tile, first, count) => {
    if (type.kind === "float") {
      scaleTile(tile, count, o, s, checkedRounder(type));
      return;
    }
    const isWithin = within(type);
    for (let i = 0; i < count; i++) {
      const difference = float64At(tile, i) - o;
      const value = difference * s;
      // A product that a double rounds is beyond 2^53 and so far out of a 32-bit range: the comparison is
      // exact.
      if (!isWithin(difference) || !isWithin(value)) {
        throw outside(isWithin(difference) ? value : difference, type, first + i);
      }
      tile[i] = value;
    }
  });
}

/**
 * x / scale + offset. `target` and `source` are aligned.
 * @throws CodecError as scaleElements, and for quotients that are no integers
 */
function unscaleElements(target: Uint8Array, source: Uint8Array, affine: Affine): void {
  const { type, offset, scale } = affine;
  if (type.kind === "integer" && type.bits === 64) {
    scale64(target, source, type, (value, index) => {
      if (value % BigInt(scale) !== 0n) throw inexact(value, affine, index);
      return check(value / BigInt(scale), type) + BigInt(offset);
    });
    return;
  }
  const [o, s] = [Number(offset), Number(scale)];
  eachTile(target, source, type, (tile, first, count) => {
    if (type.kind === "float") {
      unscaleTile(tile, count, o, s, checkedRounder(type));
      return;
    }
    const isWithin = within(type);
    for (let i = 0; i < count; i++) {
      const stored = float64At(tile, i);
      const quotient = stored / s;
      if (!Number.isInteger(quotient)) throw inexact(stored, affine, first + i);
      const value = quotient + o;
      if (!isWithin(quotient) || !isWithin(value)) {
        throw outside(isWithin(quotient) ? value : quotient, type, first + i);
      }
      tile[i] = value;
    }
  });
}

/** Loads the elements tile by tile, lets `run` change each tile, and stores it. */
function eachTile(
  target: Uint8Array,
  source: Uint8Array,
  type: IntegerType | FloatType,
  run: (tile: Float64Array, first: number, count: number) => void,
): void {
  forTiles(source.length / type.itemSize, (tile, first, count) => {
    loadTile(type, source, first, count, tile);
    run(tile, first, count);
    storeTile(type, target, first, count, tile);
  });
}

/** For an integer type of at most 32 bits. */
function within(type: IntegerType): (value: number) => boolean {
  const [minimum, maximum] = [Number(type.minimum), Number(type.maximum)];
  return (value) => value >= minimum && value <= maximum;
}

function check(value: bigint, type: IntegerType, index?: number): bigint {
  if (value >= type.minimum && value <= type.maximum) return value;
  throw outside(value, type, index);
}

function outside(value: number | bigint, type: IntegerType | FloatType, index?: number): CodecError {
  const at = index === undefined ? "" : ` at element ${index}`;
  return new CodecError(`expected scaling to stay within ${type.name}, got ${value}${at}`, {
    codec: CODEC,
    offset: index,
  });
}

function inexact(value: number | bigint, { type, scale }: Affine, index: number): CodecError {
  return new CodecError(
    `expected a multiple of the scale ${scale}, since ${type.name} has no fractions, got ${value} at element ${index}`,
    { codec: CODEC, offset: index },
  );
}

function scale64(
  target: Uint8Array,
  source: Uint8Array,
  type: IntegerType,
  step: (value: bigint, index: number) => bigint,
): void {
  const results = new BigUint64Array(target.buffer, target.byteOffset, source.length / 8);
  bigintsOf(type, source).forEach((element, index) => {
    results[index] = BigInt.asUintN(64, check(step(element, index), type, index));
  });
}

/** Rounding to a float type. The function throws CodecError beyond the range of a format without Infinity. */
function checkedRounder(type: FloatType): (value: number) => number {
  if (type.bits === 64) return (value) => value;
  const { format } = type;
  if (format === undefined) return Math.fround;
  return (value) => {
    const pattern = encodeFloat(format, value);
    if (pattern !== undefined) return decodeFloat(format, pattern);
    if (format.infinity === undefined) throw outside(value, type);
    return value < 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  };
}
