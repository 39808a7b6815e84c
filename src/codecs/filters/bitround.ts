/**
 * `bitround` (array -> array): rounds away trailing bits, so that elements compress better. Lossy on writing; reading changes nothing.
 * https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/bitround
 * Floats keep `keepbits` bits of the mantissa, integers that many from the most significant bit that is set, ties to even; complex
 * numbers round both parts, dates are integers. Also `numcodecs.bitround` (which knows floats only and writes `keepbits: 0` as well),
 * `https://codec.zarrs.dev/array_to_bytes/bitround`. Integers that would round out of their type keep all leading bits, as in zarrs.
 * Deviation: NaNs stay as they are, where numcodecs rounds their payload as well, some to -0 or Infinity.
 * `{"name": "bitround", "configuration": {"keepbits": 10}}`
 */
import { type DataType, fillPattern } from "../../data-types/data-type.js";
import { InvalidMetadataError, UnsupportedError } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { JsonObject } from "../../metadata/json.js";
import type { ArrayToArrayCodec, CodecEntry } from "../codec.js";
import { readInteger, readNumcodecs, writeSettings } from "../configuration.js";
import { loadFilters, runFilter } from "./kernels.js";
import { aligned, words } from "./numbers.js";

const CODEC = "bitround";
const MAXIMUM_KEEPBITS = 2 ** 31 - 1;

const FLOATS: Readonly<Record<string, RoundedParts>> = {
  float16: { width: 2, mantissaBits: 10, infinity: 0x7c00 },
  bfloat16: { width: 2, mantissaBits: 7, infinity: 0x7f80 },
  float32: { width: 4, mantissaBits: 23, infinity: 0 },
  float64: { width: 8, mantissaBits: 52, infinity: 0 },
};

/** The entry of one of the two names. @param minimum the least `keepbits` */
function bitroundEntry(minimum: number): CodecEntry {
  return {
    kind: "array_to_array",
    async load(kernels) {
      await loadFilters(kernels);
    },
    checkWriting(configuration) {
      readKeepbits(configuration, minimum);
    },
    fromConfig(configuration, spec): ArrayToArrayCodec {
      readNumcodecs(CODEC, configuration, ["keepbits"]);
      const keepbits = writeSettings(() => readKeepbits(configuration, minimum), MAXIMUM_KEEPBITS);
      const parts = roundedParts(spec.dataType);
      const pattern = fillPattern(spec.dataType, spec.fillValue);
      const rounded = new Uint8Array(pattern.length);
      bitroundTwin(rounded, pattern, parts, keepbits.estimate);
      const fillValue = spec.fillValue === undefined ? undefined : spec.dataType.readScalar(rounded, true);
      return {
        kind: "array_to_array",
        encoded: { ...spec, fillValue },
        encode: (elements, { kernels }) => run(kernels, elements, parts, keepbits.get()),
      };
    },
  };
}

export default bitroundEntry(1);
/** `numcodecs.bitround` and v2's `bitround`, whose `keepbits` may be 0. `{"id": "bitround", "keepbits": 10}` */
export const numcodecsBitround: CodecEntry = bitroundEntry(0);

function readKeepbits(configuration: JsonObject, minimum: number): number {
  if (configuration.keepbits !== undefined)
    return readInteger(CODEC, configuration, "keepbits", { minimum, maximum: MAXIMUM_KEEPBITS, absent: 0 });
  throw new InvalidMetadataError("expected a number of bits, got nothing", {
    codec: CODEC,
    member: "configuration.keepbits",
  });
}

function roundedParts({ name, itemSize }: DataType): RoundedParts {
  const part =
    name === "complex64" ? "float32" : name === "complex128" ? "float64" : name.replace(/^complex_/, "");
  const float = FLOATS[part];
  if (float !== undefined) return float;
  const isInteger = /^(u?int(8|16|32|64)|numpy\.(datetime|timedelta)64)$/.test(name);
  if (isInteger && (itemSize === 1 || itemSize === 2 || itemSize === 4 || itemSize === 8)) {
    return { width: itemSize, mantissaBits: undefined, infinity: 0 };
  }
  throw new UnsupportedError(
    `bitround of data type ${name} is not supported: expected integers of 8 to 64 bits, floats of 16 to 64, or complex numbers of those`,
    { codec: CODEC },
  );
}

function run(kernels: Kernels, elements: Uint8Array, parts: RoundedParts, keepbits: number): Uint8Array {
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
    bitroundTwin(target, source, parts, keepbits);
  }
  return target;
}

/** What of an element is rounded: numbers of a width, with a mantissa or, for integers, without. */
interface RoundedParts {
  readonly width: 1 | 2 | 4 | 8;
  readonly mantissaBits: number | undefined;
  /** Pattern of Infinity, for 16 bits. */
  readonly infinity: number;
}

/** Operands are aligned to the width. */
function bitroundTwin(
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
  const kept = ~(2 ** drop - 1);
  const halfLess = 2 ** (drop - 1) - 1;
  for (let i = 0; i < source.length; i++) {
    const x = source[i] ?? 0;
    target[i] = (x & magnitudes) > infinity ? x : (x + ((x >>> drop) & 1) + halfLess) & kept;
  }
}

function roundIntegers(target: Words, source: Words, width: number, keep: number): void {
  const greatest = 2 ** (8 * width) - 1;
  for (let i = 0; i < source.length; i++) {
    const x = source[i] ?? 0;
    const drop = 32 - Math.clz32(x) - keep;
    if (drop <= 0) target[i] = x;
    else {
      const sum = Math.min(x + ((x >>> drop) & 1) + 2 ** (drop - 1) - 1, greatest);
      target[i] = sum - (sum % 2 ** drop);
    }
  }
}

/** In halves of 32 bits: bigints take thirty times as long. */
function roundDoubles(target: Uint8Array, source: Uint8Array, drop: number): void {
  const [to, from] = [words(target), words(source)];
  const lowAddend = drop > 32 ? 0xffffffff : 2 ** (drop - 1) - 1;
  const highAddend = drop > 33 ? 2 ** (drop - 33) - 1 : 0;
  const lowKept = drop < 32 ? ~(2 ** drop - 1) : 0;
  const highKept = drop > 32 ? ~(2 ** (drop - 32) - 1) : -1;
  for (let i = 0; i < from.length; i += 2) {
    const low = from[i] ?? 0;
    const high = from[i + 1] ?? 0;
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
    const x = from[i] ?? 0n;
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
