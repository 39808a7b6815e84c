/**
 * numcodecs' `fixedscaleoffset` (array -> array): stores round((x - offset) * scale), usually as a narrow
 * integer. https://numcodecs.readthedocs.io/en/stable/filter/fixedscaleoffset.html `dtype` is the type of the
 * array (by default the chunk's), `astype` the stored type (by default `dtype`), in numpy's notation. Also
 * `numcodecs.fixedscaleoffset`. Rounds ties to even, and calculates as numpy: floats in their own precision,
 * integers as doubles; reading calculates in the stored type. Deviations: writing values that `astype` cannot
 * hold is an error, except for fill values (numcodecs stores undefined results), and so is reading values
 * that an integer `dtype` cannot hold; 64-bit integers with an integral scale and offset are scaled exactly.
 * `{"id": "fixedscaleoffset", "scale": 10, "offset": 1000, "dtype": "<f8", "astype": "|u1"}`
 */
import {
  type ArrayToArrayCodec,
  type CodecEntry,
  float64At,
  type JsonObject,
  type Kernels,
  readNumcodecs,
  wrongMember,
} from "../../core/for-codecs.js";
import { limitOf, type Misfit, refuse, refuseUnlessFill } from "./convert.js";
import { loadFilters, runFilter } from "./kernels.js";
import {
  aligned,
  bigintsOf,
  forTiles,
  type IntegerType,
  loadTile,
  type NumberType,
  storeTile,
} from "./numbers.js";
import { numpyFilter, readDtype, typeOfChunk } from "./numpy-types.js";
import { rounderOf, roundToEven, scaleTile, unscaleTile } from "./tile-arithmetic.js";

const CODEC = "fixedscaleoffset";

const entry: CodecEntry = {
  codecKind: "array_to_array",
  forms: { only: "numcodecs" },
  load: loadFilters,
  fromConfig(configuration, spec): ArrayToArrayCodec {
    readNumcodecs(CODEC, configuration, ["offset", "scale", "dtype", "astype"]);
    const stated = readDtype(CODEC, configuration, "dtype", typeOfChunk(spec));
    const encodedAs = readDtype(CODEC, configuration, "astype", stated);
    const filter = numpyFilter(CODEC, spec, stated, encodedAs, ["integer", "float"]);
    const { type, encodedType, fill, enter, leave } = filter;
    const offset = readNumber(configuration, "offset");
    const scale = readNumber(configuration, "scale");
    if (Number(scale) === 0) throw wrongMember(CODEC, "scale", "a scale other than 0", 0);
    const encoded = filter.encoded((target, source) =>
      roundScale(target, encodedType, source, type, offset, scale, refuse(CODEC, encodedType)),
    );
    return {
      kind: "array_to_array",
      encoded,
      decode(elements, { kernels }) {
        const source = aligned(elements, encodedType.itemSize);
        const count = source.length / encodedType.itemSize;
        const target = kernels.allocate(count * type.itemSize);
        const name = unscaleKernel(encodedType, type);
        if (!runKernel(kernels, name, target, source, count, offset, scale)) {
          unscale(target, type, source, encodedType, Number(offset), Number(scale), refuse(CODEC, type));
        }
        return leave(target, kernels);
      },
      encode(elements, { kernels }) {
        const source = enter(elements, kernels);
        const count = source.length / type.itemSize;
        const target = kernels.allocate(count * encodedType.itemSize);
        const name = roundScaleKernel(type, encodedType);
        if (!runKernel(kernels, name, target, source, count, offset, scale)) {
          const misfit = refuseUnlessFill(CODEC, encodedType, source, fill);
          roundScale(target, encodedType, source, type, offset, scale, misfit);
        }
        return target;
      },
    };
  },
};
export default entry;

function readNumber(configuration: JsonObject, member: string): number | bigint {
  const json = configuration[member];
  if (typeof json === "bigint" || (typeof json === "number" && Number.isFinite(json))) return json;
  throw wrongMember(CODEC, member, "a number", json);
}

/**
 * Returns false if the caller has to run the JavaScript code: no kernel or no room for it, or a value does
 * not fit.
 */
function runKernel(
  kernels: Kernels,
  name: string | undefined,
  target: Uint8Array,
  source: Uint8Array,
  count: number,
  offset: number | bigint,
  scale: number | bigint,
): boolean {
  if (name === undefined) return false;
  return runFilter(kernels, name, target, source, count, Number(offset), Number(scale)) === 0;
}

/** The type in names of kernels: "I16", "U8", "F32". */
function letters(type: NumberType): string {
  return `${type.kind === "float" ? "F" : type.kind === "integer" && type.signed ? "I" : "U"}${type.bits}`;
}
const hasKernel = ({ bits }: NumberType): boolean => bits === 32 || bits === 64;

function roundScaleKernel(type: NumberType, encodedType: NumberType): string | undefined {
  if (type.kind !== "float" || !hasKernel(type)) return undefined;
  const same = type.name === encodedType.name;
  if (!same && (encodedType.kind !== "integer" || encodedType.bits > 32)) return undefined;
  return `roundScale${letters(type)}${letters(encodedType)}`;
}

function unscaleKernel(encodedType: NumberType, type: NumberType): string | undefined {
  if (type.kind !== "float" || !hasKernel(type)) return undefined;
  if (encodedType.name === type.name) return `unscale${letters(type)}`;
  if (encodedType.kind !== "integer" || encodedType.bits > 32) return undefined;
  return `unscale${letters(encodedType)}${letters(type)}`;
}

/** round((x - offset) * scale), calculated in the type of the source. */
function roundScale(
  target: Uint8Array,
  to: NumberType,
  source: Uint8Array,
  from: NumberType,
  offset: number | bigint,
  scale: number | bigint,
  misfit: Misfit,
): void {
  if (from.kind === "integer" && from.bits === 64 && isIntegral(offset) && isIntegral(scale)) {
    scaleExactly(target, to, source, from, BigInt(offset), BigInt(scale), misfit);
    return;
  }
  const round = rounderOf(from);
  forTiles(source.length / from.itemSize, (tile, first, count) => {
    loadTile(from, source, first, count, tile);
    scaleTile(tile, count, Number(offset), Number(scale), round);
    for (let i = 0; i < count; i++) tile[i] = roundToEven(float64At(tile, i));
    if (to.kind === "integer") checkRange(tile, first, count, to, misfit);
    storeTile(to, target, first, count, tile);
  });
}

/**
 * x / scale + offset, calculated in the type of the source; rounded towards zero for an integer target, as
 * numpy casts.
 */
function unscale(
  target: Uint8Array,
  to: NumberType,
  source: Uint8Array,
  from: NumberType,
  offset: number,
  scale: number,
  misfit: Misfit,
): void {
  const round = rounderOf(from);
  forTiles(source.length / from.itemSize, (tile, first, count) => {
    loadTile(from, source, first, count, tile);
    unscaleTile(tile, count, offset, scale, round);
    if (to.kind === "integer") {
      for (let i = 0; i < count; i++) tile[i] = Math.trunc(float64At(tile, i));
      checkRange(tile, first, count, to, misfit);
    }
    storeTile(to, target, first, count, tile);
  });
}

const isIntegral = (value: number | bigint): boolean => typeof value === "bigint" || Number.isInteger(value);

function checkRange(tile: Float64Array, first: number, count: number, to: IntegerType, misfit: Misfit): void {
  const minimum = Number(to.minimum);
  const limit = limitOf(to);
  for (let i = 0; i < count; i++) {
    const value = float64At(tile, i);
    if (value >= minimum && value < limit) continue;
    misfit(first + i, value);
    tile[i] = 0;
  }
}

function scaleExactly(
  target: Uint8Array,
  to: NumberType,
  source: Uint8Array,
  from: IntegerType,
  offset: bigint,
  scale: bigint,
  misfit: Misfit,
): void {
  const tile = new Float64Array(1);
  bigintsOf(from, source).forEach((element, index) => {
    let value = (element - offset) * scale;
    if (to.kind === "integer" && (value < to.minimum || value > to.maximum)) {
      misfit(index, Number(value));
      value = 0n;
    }
    if (to.kind === "integer" && to.itemSize === 8) {
      new DataView(target.buffer, target.byteOffset).setBigUint64(8 * index, BigInt.asUintN(64, value), true);
    } else {
      tile[0] = Number(value);
      storeTile(to, target, index, 1, tile);
    }
  });
}
