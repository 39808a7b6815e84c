/** Filters that round elements so that they compress better. Writing is lossy; reading changes no values. */
import {
  type ArrayToArrayCodec,
  type CodecEntry,
  fillPattern,
  float64At,
  type JsonObject,
  type Kernels,
  noItem,
  readInteger,
  readNumcodecs,
  UnsupportedError,
  uint32At,
  uint64At,
  writeSettings,
  wrongMember,
} from "../../core/for-codecs.js";
import { convert, convertInto, refuse } from "./convert.js";
import { loadFilters, runFilter } from "./kernels.js";
import { aligned, type FloatType, forTiles, loadTile, partTypeOf, storeTile, words } from "./numbers.js";
import { numpyFilter, readDtype, typeOfChunk } from "./numpy-types.js";
import { rounderOf, roundToEven } from "./tile-arithmetic.js";

const BITROUND = "bitround";
const MAXIMUM_KEEPBITS = 2 ** 31 - 1;

/** Makes the entry of `bitround` or `numcodecs.bitround`. @param minimum least valid `keepbits` */
function bitroundEntry(minimum: number): CodecEntry {
  return {
    codecKind: "array_to_array",
    load: loadFilters,
    checkWriting(configuration) {
      readKeepbits(configuration, minimum);
    },
    fromConfig(configuration, spec): ArrayToArrayCodec {
      readNumcodecs(BITROUND, configuration, ["keepbits"]);
      const keepbits = writeSettings(() => readKeepbits(configuration, minimum), MAXIMUM_KEEPBITS);
      const parts = roundedParts(spec.dataType.name);
      const pattern = fillPattern(spec.dataType, spec.fillValue);
      const rounded = new Uint8Array(pattern.length);
      bitroundFallback(rounded, pattern, parts, keepbits.estimate);
      const fillValue = spec.fillValue === undefined ? undefined : spec.dataType.readScalar(rounded, true);
      return {
        kind: "array_to_array",
        encoded: { ...spec, fillValue },
        encode: (elements, { kernels }) => runBitround(kernels, elements, parts, keepbits.get()),
      };
    },
  };
}

/**
 * `bitround` (array -> array): rounds away trailing bits, so that elements compress better. Writing is lossy;
 * reading changes no values. https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/bitround
 * Floats keep `keepbits` bits of the mantissa, integers `keepbits` bits from their most significant set bit;
 * ties round to even. Complex numbers round both parts, dates are integers. Also `numcodecs.bitround` (in
 * numcodecs for floats only, and with `keepbits: 0`) and `https://codec.zarrs.dev/array_to_bytes/bitround`.
 * Integers that would round out of their type keep all leading bits, as in zarrs. Deviation: NaNs stay
 * unchanged; numcodecs rounds their payload too, which turns some into -0 or Infinity. `{"name": "bitround",
 * "configuration": {"keepbits": 10}}`
 */
export const bitround: CodecEntry = bitroundEntry(1);
/**
 * `numcodecs.bitround` and v2's `bitround`, whose `keepbits` may be 0. `{"id": "bitround", "keepbits": 10}`
 */
export const numcodecsBitround: CodecEntry = bitroundEntry(0);

function readKeepbits(configuration: JsonObject, minimum: number): number {
  if (configuration.keepbits !== undefined)
    return readInteger(BITROUND, configuration, "keepbits", {
      minimum,
      maximum: MAXIMUM_KEEPBITS,
      absent: 0,
    });
  throw wrongMember(BITROUND, "keepbits", "a number of bits", undefined);
}

function roundedParts(name: string): RoundedParts {
  const type = partTypeOf(name);
  if (type?.kind === "integer" && type.bits >= 8)
    return { width: type.itemSize, mantissaBits: undefined, infinity: 0 };
  if (type?.kind === "float" && type.bits >= 16) {
    const { mantissaBits = type.bits === 32 ? 23 : 52, infinity = 0 } = type.format ?? {};
    return { width: type.itemSize, mantissaBits, infinity };
  }
  throw new UnsupportedError(
    `bitround of data type ${name} is not supported: expected integers of 8 to 64 bits, floats of 16 to 64, or complex numbers of those`,
    { codec: BITROUND },
  );
}

function runBitround(
  kernels: Kernels,
  elements: Uint8Array,
  parts: RoundedParts,
  keepbits: number,
): Uint8Array {
  const { width, mantissaBits, infinity } = parts;
  if (keepbits >= (mantissaBits ?? 8 * width)) return elements;
  const source = aligned(elements, width);
  const target = kernels.allocate(source.length);
  const count = source.length / width;
  const [name, bits] =
    mantissaBits === undefined
      ? [`bitroundInteger${8 * width}`, keepbits]
      : [`bitroundFloat${8 * width}`, mantissaBits - keepbits];
  if (runFilter(kernels, name, target, source, count, bits, infinity) === undefined) {
    bitroundFallback(target, source, parts, keepbits);
  }
  return target;
}

/**
 * The numbers that elements consist of: their width in bytes, and the bits of their mantissa, undefined for
 * integers.
 */
interface RoundedParts {
  readonly width: 1 | 2 | 4 | 8;
  readonly mantissaBits: number | undefined;
  /** Bit pattern of Infinity for floats of 16 bits, else 0. */
  readonly infinity: number;
}

/** `bitround` in JavaScript. `target` and `source` are aligned to the width. */
function bitroundFallback(
  target: Uint8Array,
  source: Uint8Array,
  { width, mantissaBits, infinity }: RoundedParts,
  keepbits: number,
): void {
  if (keepbits >= (mantissaBits ?? 8 * width)) target.set(source);
  else if (width === 8 && mantissaBits === undefined) roundIntegers64(target, source, keepbits);
  else if (width === 8) roundDoubles(target, source, (mantissaBits ?? 0) - keepbits);
  else if (mantissaBits === undefined)
    roundIntegers(view(target, width), view(source, width), width, keepbits);
  else {
    const limit = width === 4 ? 0x7f800000 : infinity;
    roundFloats(view(target, width), view(source, width), width, mantissaBits - keepbits, limit);
  }
}

function view(bytes: Uint8Array, width: 1 | 2 | 4): Uint8Array | Uint16Array | Uint32Array {
  if (width === 1) return bytes;
  if (width === 4) return words(bytes);
  return new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2);
}
type Words = Uint8Array | Uint16Array | Uint32Array;

function roundFloats(target: Words, source: Words, width: number, drop: number, infinity: number): void {
  const magnitudes = 2 ** (8 * width - 1) - 1;
  const mask = ~(2 ** drop - 1);
  const halfLess = 2 ** (drop - 1) - 1;
  for (let i = 0; i < source.length; i++) {
    const x = source[i] ?? noItem(source, i);
    target[i] = (x & magnitudes) > infinity ? x : (x + ((x >>> drop) & 1) + halfLess) & mask;
  }
}

function roundIntegers(target: Words, source: Words, width: number, keep: number): void {
  const greatest = 2 ** (8 * width) - 1;
  for (let i = 0; i < source.length; i++) {
    const x = source[i] ?? noItem(source, i);
    const drop = 32 - Math.clz32(x) - keep;
    if (drop <= 0) target[i] = x;
    else {
      const sum = Math.min(x + ((x >>> drop) & 1) + 2 ** (drop - 1) - 1, greatest);
      target[i] = sum - (sum % 2 ** drop);
    }
  }
}

/** Works on halves of 32 bits: bigints take thirty times as long. */
function roundDoubles(target: Uint8Array, source: Uint8Array, drop: number): void {
  const [to, from] = [words(target), words(source)];
  const lowAddend = drop > 32 ? 0xffffffff : 2 ** (drop - 1) - 1;
  const highAddend = drop > 33 ? 2 ** (drop - 33) - 1 : 0;
  const lowKept = drop < 32 ? ~(2 ** drop - 1) : 0;
  const highKept = drop > 32 ? ~(2 ** (drop - 32) - 1) : -1;
  for (let i = 0; i < from.length; i += 2) {
    const low = uint32At(from, i);
    const high = uint32At(from, i + 1);
    const magnitude = high & 0x7fffffff;
    if (magnitude > 0x7ff00000 || (magnitude === 0x7ff00000 && low !== 0)) {
      to[i] = low;
      to[i + 1] = high;
      continue;
    }
    const odd = ((drop < 32 ? low >>> drop : high >>> (drop - 32)) & 1) + lowAddend;
    const sum = low + odd;
    to[i] = sum & lowKept;
    to[i + 1] = (high + highAddend + (sum > 0xffffffff ? 1 : 0)) & highKept;
  }
}

const GREATEST_64 = 2n ** 64n - 1n;

function roundIntegers64(target: Uint8Array, source: Uint8Array, keepbits: number): void {
  const from = new BigUint64Array(source.buffer, source.byteOffset, source.length / 8);
  const to = new BigUint64Array(target.buffer, target.byteOffset, from.length);
  for (let i = 0; i < from.length; i++) {
    const x = uint64At(from, i);
    const bits = x.toString(2).length;
    if (bits <= keepbits) {
      to[i] = x;
      continue;
    }
    const drop = BigInt(bits - keepbits);
    const sum = x + ((x >> drop) & 1n) + (1n << (drop - 1n)) - 1n;
    to[i] = ((sum > GREATEST_64 ? GREATEST_64 : sum) >> drop) << drop;
  }
}

const QUANTIZE = "quantize";
/** Most digits: for 308 the power of two above 10^308 is 2^1024, which is no finite double. */
const MAXIMUM_DIGITS = 307;

/**
 * numcodecs' `quantize` (array -> array): rounds floats to a number of decimal digits, so that they compress
 * better. Writing is lossy; reading changes no values.
 * https://numcodecs.readthedocs.io/en/stable/filter/quantize.html `digits` may be negative; `dtype` is the
 * type of the array (by default the chunk's), `astype` the stored type (by default `dtype`), in numpy's
 * notation. Also `numcodecs.quantize`. Values round to a multiple of the greatest power of two up to
 * 10^-digits, ties to even. Deviation: values so large that scaling them overflows stay unchanged; numcodecs
 * makes them infinite. `{"id": "quantize", "digits": 3, "dtype": "<f8", "astype": "<f4"}`
 */
export const quantize: CodecEntry = {
  codecKind: "array_to_array",
  forms: { only: "numcodecs" },
  load: loadFilters,
  checkWriting(configuration) {
    readFactor(configuration);
  },
  fromConfig(configuration, spec): ArrayToArrayCodec {
    readNumcodecs(QUANTIZE, configuration, ["digits", "dtype", "astype"]);
    const stated = readDtype(QUANTIZE, configuration, "dtype", typeOfChunk(spec));
    const encodedAs = readDtype(QUANTIZE, configuration, "astype", stated);
    const filter = numpyFilter(QUANTIZE, spec, stated, encodedAs, ["float"]);
    const { type, encodedType, enter, leave } = filter;
    const factor = writeSettings(() => readFactor(configuration), Number.NaN);
    const encoded = filter.encoded((target, source) => {
      const quantized = source.slice();
      if (!Number.isNaN(factor.estimate)) quantizeElements(type, quantized, source, factor.estimate);
      convertInto(target, encodedType, quantized, type, refuse(QUANTIZE, encodedType));
    });
    return {
      kind: "array_to_array",
      encoded,
      decode(elements, { kernels }) {
        const source = aligned(elements, encodedType.itemSize);
        return leave(convert(kernels, source, encodedType, type, refuse(QUANTIZE, type)), kernels);
      },
      encode(elements, { kernels }) {
        const quantized = runQuantize(kernels, type, enter(elements, kernels), factor.get());
        return convert(kernels, quantized, type, encodedType, refuse(QUANTIZE, encodedType));
      },
    };
  },
};

/** The power of two whose reciprocal elements are rounded to multiples of. */
function readFactor(configuration: JsonObject): number {
  if (configuration.digits === undefined)
    throw wrongMember(QUANTIZE, "digits", "a number of decimal digits", undefined);
  const range = { minimum: -MAXIMUM_DIGITS, maximum: MAXIMUM_DIGITS, absent: 0 };
  return 2 ** Math.ceil(Math.log2(10 ** readInteger(QUANTIZE, configuration, "digits", range)));
}

function runQuantize(kernels: Kernels, type: FloatType, source: Uint8Array, factor: number): Uint8Array {
  const target = kernels.allocate(source.length);
  const count = source.length / type.itemSize;
  if (runFilter(kernels, `quantizeF${type.bits}`, target, source, count, factor) === undefined) {
    quantizeElements(type, target, source, factor);
  }
  return target;
}

/**
 * Both are aligned. Elements that overflow when scaled are multiples already: they and NaNs are copied bit by
 * bit.
 */
function quantizeElements(type: FloatType, target: Uint8Array, source: Uint8Array, factor: number): void {
  const { itemSize } = type;
  const round = rounderOf(type);
  const rounded = round(factor);
  forTiles(source.length / itemSize, (tile, first, count) => {
    loadTile(type, source, first, count, tile);
    const untouched: number[] = [];
    for (let i = 0; i < count; i++) {
      const scaled = round(float64At(tile, i) * rounded);
      if (Math.abs(scaled) < Number.POSITIVE_INFINITY) tile[i] = round(roundToEven(scaled) / rounded);
      else untouched.push((first + i) * itemSize);
    }
    storeTile(type, target, first, count, tile);
    for (const at of untouched) target.set(source.subarray(at, at + itemSize), at);
  });
}
