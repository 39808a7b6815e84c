/**
 * numcodecs' `quantize` (array -> array): floats rounded to a number of decimal digits, so that they compress better. Lossy on writing;
 * reading changes nothing.
 * https://numcodecs.readthedocs.io/en/stable/filter/quantize.html
 * `digits` may be negative; `dtype` is the type of the array (the chunk's own unless given), `astype` the stored one (`dtype` unless
 * given), as numpy spells them. Also `numcodecs.quantize`. Rounded to a multiple of the power of two next below the digits' precision,
 * ties to even. Deviation: values so large that scaling them overflows stay as they are, where numcodecs makes them infinite.
 * `{"id": "quantize", "digits": 3, "dtype": "<f8", "astype": "<f4"}`
 */
import { InvalidMetadataError } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { JsonObject } from "../../metadata/json.js";
import type { ArrayToArrayCodec, ChunkSpec, CodecEntry } from "../codec.js";
import { readInteger, readNumcodecs, writeSettings } from "../configuration.js";
import { convert, convertInto, refuse } from "./astype.js";
import { loadFilters, runFilter } from "./kernels.js";
import {
  aligned,
  type FloatType,
  loadTile,
  rounderOf,
  roundToEven,
  storeTile,
  TILE,
  words,
} from "./numbers.js";
import { encodedFill, numbersOf, readDtype, restate, typeOfChunk } from "./numpy-types.js";

const CODEC = "quantize";
/** Beyond, 10 to this power is no double. */
const MAXIMUM_DIGITS = 307;

const entry: CodecEntry = {
  kind: "array_to_array",
  async load(kernels) {
    await loadFilters(kernels);
  },
  checkWriting(configuration) {
    readFactor(configuration);
  },
  fromConfig(configuration, spec): ArrayToArrayCodec {
    readNumcodecs(CODEC, configuration, ["digits", "dtype", "astype"]);
    const stated = readDtype(CODEC, configuration, "dtype", typeOfChunk(spec));
    const encodedAs = readDtype(CODEC, configuration, "astype", stated);
    const type = numbersOf(CODEC, stated.dataType, ["float"]);
    const encodedType = numbersOf(CODEC, encodedAs.dataType, ["float"]);
    const factor = writeSettings(() => readFactor(configuration), Number.NaN);
    const { shape, fill, enter, leave } = restate(CODEC, spec, stated);
    const encodeFill = (target: Uint8Array, source: Uint8Array): void => {
      const quantized = source.slice();
      if (!Number.isNaN(factor.estimate)) quantize(type, quantized, source, factor.estimate);
      convertInto(target, encodedType, quantized, type, refuse(CODEC, encodedType));
    };
    const encoded: ChunkSpec = {
      ...encodedAs,
      shape,
      fillValue: encodedFill(encodedAs.dataType, fill, encodeFill),
    };
    return {
      kind: "array_to_array",
      encoded,
      decode(elements, { kernels }) {
        const source = aligned(elements, encodedType.itemSize);
        return leave(convert(kernels, source, encodedType, type, refuse(CODEC, type)), kernels);
      },
      encode(elements, { kernels }) {
        const quantized = run(kernels, type, enter(elements, kernels), factor.get());
        return convert(kernels, quantized, type, encodedType, refuse(CODEC, encodedType));
      },
    };
  },
};
export default entry;

/** The multiple that elements are rounded to a fraction of. */
function readFactor(configuration: JsonObject): number {
  if (configuration.digits === undefined) {
    throw new InvalidMetadataError("expected a number of decimal digits, got nothing", {
      codec: CODEC,
      member: "configuration.digits",
    });
  }
  const range = { minimum: -MAXIMUM_DIGITS, maximum: MAXIMUM_DIGITS, absent: 0 };
  return 2 ** Math.ceil(Math.log2(10 ** readInteger(CODEC, configuration, "digits", range)));
}

function run(kernels: Kernels, type: FloatType, source: Uint8Array, factor: number): Uint8Array {
  const target = kernels.allocate(source.length);
  const count = source.length / type.itemSize;
  if (runFilter(kernels, `quantizeF${type.bits}`, target, source, count, factor) === undefined) {
    quantize(type, target, source, factor);
  }
  return target;
}

/** Operands are aligned. What the scale makes infinite is a multiple already, and NaN has none: both stay as they are, bit for bit. */
function quantize(type: FloatType, target: Uint8Array, source: Uint8Array, factor: number): void {
  if (type.bits === 64) quantize64(target, source, factor);
  else if (type.format === undefined) quantize32(target, source, Math.fround(factor));
  else quantizeSmall(type, target, source, factor);
}

function quantize32(target: Uint8Array, source: Uint8Array, factor: number): void {
  const from = new Float32Array(source.buffer, source.byteOffset, source.length / 4);
  const to = new Float32Array(target.buffer, target.byteOffset, from.length);
  const [fromWords, toWords] = [words(source), words(target)];
  for (let i = 0; i < from.length; i++) {
    const scaled = Math.fround((from[i] ?? 0) * factor);
    if (Math.abs(scaled) < Number.POSITIVE_INFINITY) to[i] = roundToEven(scaled) / factor;
    else toWords[i] = fromWords[i] ?? 0;
  }
}

function quantize64(target: Uint8Array, source: Uint8Array, factor: number): void {
  const from = new Float64Array(source.buffer, source.byteOffset, source.length / 8);
  const to = new Float64Array(target.buffer, target.byteOffset, from.length);
  const [fromWords, toWords] = [words(source), words(target)];
  for (let i = 0; i < from.length; i++) {
    const scaled = (from[i] ?? 0) * factor;
    if (Math.abs(scaled) < Number.POSITIVE_INFINITY) to[i] = roundToEven(scaled) / factor;
    else {
      toWords[2 * i] = fromWords[2 * i] ?? 0;
      toWords[2 * i + 1] = fromWords[2 * i + 1] ?? 0;
    }
  }
}

function quantizeSmall(type: FloatType, target: Uint8Array, source: Uint8Array, factor: number): void {
  const round = rounderOf(type);
  const rounded = round(factor);
  const elements = source.length / type.itemSize;
  const tile = new Float64Array(Math.min(elements, TILE));
  for (let first = 0; first < elements; first += TILE) {
    const count = Math.min(TILE, elements - first);
    loadTile(type, source, first, count, tile);
    for (let i = 0; i < count; i++) {
      const scaled = round((tile[i] ?? 0) * rounded);
      if (Math.abs(scaled) < Number.POSITIVE_INFINITY) tile[i] = round(roundToEven(scaled) / rounded);
    }
    storeTile(type, target, first, count, tile);
  }
}
