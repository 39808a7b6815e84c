/**
 * Keeps the sign and payload of NaNs, as far as the target type has room, as numpy and numcodecs do.
 * JavaScript engines guarantee neither, so these functions set the bits of NaNs after the arithmetic.
 */
import { byteAt, uint16At, uint32At } from "../../core/for-codecs.js";
import type { FloatType } from "./numbers.js";

/**
 * A NaN as the two words of a float64: `high` is sign, exponent and upper 20 bits of the payload, `low` the
 * lower 32 bits.
 */
type NaNWords = readonly [high: number, low: number];

const QUIET = 0x80000;
const PAYLOAD = 0xfffff;

/**
 * @param bytes aligned to the type
 * @returns undefined for a number, and for types without Infinity, which have a single NaN at most
 */
function readNaN(type: FloatType, bytes: Uint8Array, index: number): NaNWords | undefined {
  const at = bytes.byteOffset + index * type.itemSize;
  const view = new DataView(bytes.buffer, at, type.itemSize);
  if (type.itemSize === 8) {
    const [high, low] = [view.getUint32(4, true), view.getUint32(0, true)];
    return (high & 0x7ff00000) >>> 0 === 0x7ff00000 && ((high & PAYLOAD) | low) !== 0
      ? [high, low]
      : undefined;
  }
  const { mantissaBits, infinity } = type.format ?? { mantissaBits: 23, infinity: 0x7f800000 };
  const pattern =
    type.itemSize === 4
      ? view.getUint32(0, true)
      : type.itemSize === 2
        ? view.getUint16(0, true)
        : byteAt(bytes, index);
  const sign = pattern >>> (type.bits - 1);
  const magnitude = pattern - sign * 2 ** (type.bits - 1);
  if (infinity === undefined || magnitude <= infinity) return undefined;
  const payload = magnitude - infinity;
  const shift = 20 - mantissaBits;
  const high = 0x7ff00000 | (shift >= 0 ? payload << shift : payload >>> -shift);
  return [(sign * 0x80000000 + high) >>> 0, shift >= 0 ? 0 : (payload << (32 + shift)) >>> 0];
}

function writeNaN(type: FloatType, bytes: Uint8Array, index: number, [high, low]: NaNWords): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset + index * type.itemSize, type.itemSize);
  if (type.itemSize === 8) {
    view.setUint32(4, high, true);
    view.setUint32(0, low, true);
    return;
  }
  const { mantissaBits, infinity } = type.format ?? { mantissaBits: 23, infinity: 0x7f800000 };
  if (infinity === undefined) return;
  const shift = 20 - mantissaBits;
  const payload =
    shift >= 0 ? (high & PAYLOAD) >>> shift : ((high & PAYLOAD) << -shift) | (low >>> (32 + shift));
  // A payload of 0 is the pattern of Infinity.
  const pattern = (high >>> 31) * 2 ** (type.bits - 1) + infinity + (payload || 1);
  if (type.itemSize === 4) view.setUint32(0, pattern, true);
  else if (type.itemSize === 2) view.setUint16(0, pattern, true);
  else bytes[index] = pattern;
}

const quiet = ([high, low]: NaNWords): NaNWords => [(high | QUIET) >>> 0, low];

/**
 * numpy converts half floats by their bits, so signalling NaNs stay; the processor converts wider floats, and
 * makes them quiet NaNs.
 */
function quiets(from: FloatType, to: FloatType): boolean {
  return from.itemSize > 2 && to.itemSize > 2;
}

/**
 * After a conversion: copies NaNs from `source` to `target`, both aligned.
 * @param values the elements from index `first` as doubles
 * @param isQuiet whether signalling NaNs become quiet ones; default: as in numpy
 */
export function keepNaNs(
  target: Uint8Array,
  to: FloatType,
  source: Uint8Array,
  from: FloatType,
  first: number,
  values: Float64Array,
  isQuiet = quiets(from, to),
): void {
  for (let i = 0; i < values.length; i++) {
    if (!Number.isNaN(values[i])) continue;
    const found = readNaN(from, source, first + i);
    if (found !== undefined) writeNaN(to, target, first + i, isQuiet ? quiet(found) : found);
  }
}

/**
 * Index of the next NaN from index `from` on, or the number of elements if none follows. For float16, float32
 * and float64.
 */
function nextNaN(type: FloatType, bytes: Uint8Array, from: number): number {
  const { buffer, byteOffset } = bytes;
  const count = bytes.length / type.itemSize;
  let i = from;
  if (type.itemSize === 8) {
    const words = new Uint32Array(buffer, byteOffset, 2 * count);
    for (; i < count; i++) {
      const high = uint32At(words, 2 * i + 1) & 0x7fffffff;
      if (high >= 0x7ff00000 && (high > 0x7ff00000 || words[2 * i] !== 0)) return i;
    }
  } else if (type.itemSize === 4) {
    const words = new Uint32Array(buffer, byteOffset, count);
    while (i < count && (uint32At(words, i) & 0x7fffffff) <= 0x7f800000) i++;
  } else {
    const halves = new Uint16Array(buffer, byteOffset, count);
    while (i < count && (uint16At(halves, i) & 0x7fff) <= 0x7c00) i++;
  }
  return i;
}

/** The NaN of Infinity - Infinity on x86-64, where numpy runs most. Engines give any NaN. */
const INDEFINITE: NaNWords = [0xfff80000, 0];

/**
 * After `target` was set to the differences of `source`: the NaN of a difference is that of the later
 * element, else of the earlier one.
 */
export function keepNaNsOfDifferences(target: Uint8Array, source: Uint8Array, type: FloatType): void {
  const count = source.length / type.itemSize;
  for (let i = nextNaN(type, target, 0); i < count; i = nextNaN(type, target, i + 1)) {
    const before = i === 0 ? undefined : readNaN(type, source, i - 1);
    const element = readNaN(type, source, i) ?? before ?? INDEFINITE;
    writeNaN(type, target, i, i === 0 ? element : quiet(element));
  }
}

/**
 * After `target` was set to the sums of `source`: all sums from the first NaN on are that NaN. Sums of half
 * floats take over later NaNs, because numpy adds these in the other order.
 */
export function keepNaNsOfSums(target: Uint8Array, source: Uint8Array, type: FloatType): void {
  const count = source.length / type.itemSize;
  if (count === 0 || readNaN(type, target, count - 1) === undefined) return;
  const first = nextNaN(type, target, 0);
  let element = readNaN(type, source, first) ?? INDEFINITE;
  for (let i = first; i < count; i++) {
    if (type.itemSize === 2) element = readNaN(type, source, i) ?? element;
    writeNaN(type, target, i, i === 0 ? element : quiet(element));
  }
}
