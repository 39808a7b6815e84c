/**
 * Conversion between number types: integers modulo the width, floats to the nearest, floats to integers
 * towards zero. C leaves the integer undefined for NaN and for floats beyond the integer type: for these the
 * caller's Misfit decides.
 */
import { CodecError, float64At, int32At, type Kernels } from "../../core/for-codecs.js";
import { keepNaNs } from "./nan.js";
import {
  forTiles,
  type IntegerType,
  loadTile,
  type NarrowArray,
  type NumberType,
  narrowView,
  storeTile,
} from "./numbers.js";

/** Called for a value that the target type cannot hold. If it returns without throwing, 0 is stored. */
export type Misfit = (index: number, value: number) => void;

/**
 * @param source aligned to its type
 * @returns elements of type `to`, or `source` itself if the types are the same
 */
export function convert(
  kernels: Kernels,
  source: Uint8Array,
  from: NumberType,
  to: NumberType,
  misfit: Misfit,
): Uint8Array {
  if (from.name === to.name) return source;
  const target = kernels.allocate((source.length / from.itemSize) * to.itemSize);
  convertInto(target, to, source, from, misfit);
  return target;
}

/** `target` and `source` are aligned to their types. */
export function convertInto(
  target: Uint8Array,
  to: NumberType,
  source: Uint8Array,
  from: NumberType,
  misfit: Misfit,
): void {
  if (from.kind === "integer" && from.itemSize === 8 && to.kind === "integer") {
    if (to.itemSize === 8) target.set(source);
    else keepLowHalves(narrowView(to, target), source);
    return;
  }
  // 64-bit integers become doubles first: rounding these to odd avoids rounding twice.
  const odd = to.kind === "float" && to.itemSize < 8;
  forTiles(source.length / from.itemSize, (tile, first, count) => {
    loadTile(from, source, first, count, tile, odd);
    if (from.kind === "float" && to.kind === "integer") truncate(tile, first, count, to, misfit);
    storeTile(to, target, first, count, tile);
    if (from.kind === "float" && to.kind === "float")
      keepNaNs(target, to, source, from, first, tile.subarray(0, count));
  });
}
function keepLowHalves(target: NarrowArray, source: Uint8Array): void {
  const halves = new Int32Array(source.buffer, source.byteOffset, source.length / 4);
  for (let i = 0; i < target.length; i++) target[i] = int32At(halves, 2 * i);
}
function truncate(tile: Float64Array, first: number, count: number, to: IntegerType, misfit: Misfit): void {
  const minimum = Number(to.minimum);
  const limit = limitOf(to);
  for (let i = 0; i < count; i++) {
    const value = float64At(tile, i);
    const integer = Math.trunc(value);
    if (integer >= minimum && integer < limit) tile[i] = integer;
    else {
      misfit(first + i, value);
      tile[i] = 0;
    }
  }
}

/** Makes a Misfit that always throws CodecError. */
export function refuse(codec: string, type: NumberType): Misfit {
  return (index, value) => {
    throw new CodecError(`expected values that ${type.name} holds, got ${value} at element ${index}`, {
      codec,
      offset: index,
    });
  };
}

/**
 * Makes a Misfit for writing: throws CodecError unless the element is the array's fill value, which marks
 * missing elements and pads chunks at the edge. numcodecs stores undefined results for all misfits.
 * @param source the elements before encoding @param fill the fill value as such an element; undefined if the
 * element sizes differ
 */
export function refuseUnlessFill(
  codec: string,
  type: NumberType,
  source: Uint8Array,
  fill: Uint8Array | undefined,
): Misfit {
  const refused = refuse(codec, type);
  return (index, value) => {
    if (fill === undefined) return refused(index, value);
    const at = index * fill.length;
    if (!fill.every((byte, i) => byte === source[at + i])) refused(index, value);
  };
}

/**
 * Compares elements with their decoded encoding; all arguments have `type`.
 * @throws CodecError if any other than `fill` differs
 */
export function checkRestored(
  codec: string,
  source: Uint8Array,
  restored: Uint8Array,
  type: NumberType,
  fill?: Uint8Array,
): void {
  for (let i = 0; i < source.length; i++) {
    if (source[i] === restored[i]) continue;
    const index = Math.floor(i / type.itemSize);
    if (fill?.every((byte, k) => byte === source[index * type.itemSize + k])) continue;
    throw new CodecError(
      `the encoded type cannot hold the ${type.name} at element ${index} without loss; use a wider encoded type`,
      { codec, offset: index },
    );
  }
}

/**
 * Exclusive upper limit of an integer type as a double: the maximum plus 1, which is exact, as 2^64 - 1 is
 * not.
 */
export function limitOf(type: IntegerType): number {
  return Number(type.maximum) + (type.bits === 64 ? 0 : 1);
}
