/**
 * numcodecs' `astype` (array -> array): stores the elements as another type.
 * https://numcodecs.readthedocs.io/en/stable/filter/astype.html
 * `encode_dtype` is the stored type, `decode_dtype` the type of the array (the chunk's own unless given), as numpy spells them. Also
 * `numcodecs.astype`. Values are cast as numpy casts them: integers modulo the width, floats cut towards zero to integers; NaNs keep sign and payload. Deviations:
 * integers that decoding would not give back are refused on writing (numcodecs stores others), and floats that an integer type does not
 * hold both ways, fill values excepted; complex numbers, dates and strings are not supported.
 * `{"id": "astype", "encode_dtype": "<f4", "decode_dtype": "<f8"}`
 *
 * Also the conversion itself, which the other filters of numcodecs use for their `astype`.
 */

import { CodecError } from "../../errors.js";
import type { Kernels } from "../../kernels/kernels.js";
import type { ArrayToArrayCodec, CodecEntry } from "../codec.js";
import { readNumcodecs } from "../configuration.js";
import { keepNaNs } from "./nan.js";
import {
  aligned,
  forTiles,
  type IntegerType,
  loadTile,
  type NarrowArray,
  type NumberType,
  narrowView,
  storeTile,
} from "./numbers.js";
import { numpyFilter, readDtype, typeOfChunk } from "./numpy-types.js";

const CODEC = "astype";
const KINDS = ["integer", "float", "boolean"] as const;

const entry: CodecEntry = {
  kind: "array_to_array",
  fromConfig(configuration, spec): ArrayToArrayCodec {
    readNumcodecs(CODEC, configuration, ["encode_dtype", "decode_dtype"]);
    const stated = readDtype(CODEC, configuration, "decode_dtype", typeOfChunk(spec));
    const encodedAs = readDtype(CODEC, configuration, "encode_dtype");
    const filter = numpyFilter(CODEC, spec, stated, encodedAs, KINDS);
    const { type, encodedType, fill, enter, leave } = filter;
    const encoded = filter.encoded((target, source) =>
      convertInto(target, encodedType, source, type, refuse(CODEC, encodedType)),
    );
    const restore = (elements: Uint8Array, kernels: Kernels): Uint8Array =>
      convert(kernels, aligned(elements, encodedType.itemSize), encodedType, type, refuse(CODEC, type));
    return {
      kind: "array_to_array",
      encoded,
      decode: (elements, { kernels }) => leave(restore(elements, kernels), kernels),
      encode(elements, { kernels }) {
        const source = enter(elements, kernels);
        const misfit = refuseUnlessFill(CODEC, encodedType, source, fill);
        const stored = convert(kernels, source, type, encodedType, misfit);
        if (stored !== source && type.kind !== "float") {
          checkRestored(CODEC, source, restore(stored, kernels), type, fill);
        }
        return stored;
      },
    };
  },
};
export default entry;

// Elements of one number type as another: integers modulo the width, floats to the nearest, floats to integers cut towards zero. Where C
// leaves the result open (NaN, or a float beyond the integer type) nothing is made up: the caller is asked.

/** Called for a value that the target type does not hold: throws, or has 0 stored for it. */
export type Misfit = (index: number, value: number) => void;

/** @param source aligned to its type @returns elements of `to`, or `source` itself where the types are the same */
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

/** Both aligned to their types. */
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
  // The detour over doubles must not round twice.
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
  for (let i = 0; i < target.length; i++) target[i] = halves[2 * i] ?? 0;
}

/** The first double beyond the greatest value: itself a double, as 2^64 - 1 is not. */
export function limitOf(type: IntegerType): number {
  return Number(type.maximum) + (type.bits === 64 ? 0 : 1);
}

function truncate(tile: Float64Array, first: number, count: number, to: IntegerType, misfit: Misfit): void {
  const minimum = Number(to.minimum);
  const limit = limitOf(to);
  for (let i = 0; i < count; i++) {
    const value = tile[i] ?? 0;
    const integer = Math.trunc(value);
    if (integer >= minimum && integer < limit) tile[i] = integer;
    else {
      misfit(first + i, value);
      tile[i] = 0;
    }
  }
}

/** The misfit that refuses: in stored data, and in data to be stored. */
export function refuse(codec: string, type: NumberType): Misfit {
  return (index, value) => {
    throw new CodecError(`expected values that ${type.name} holds, got ${value} at element ${index}`, {
      codec,
      offset: index,
    });
  };
}

/**
 * The misfit for writing: refuses, unless the element is the array's fill value, which stands for nothing stored and pads the chunks at
 * the edge. numcodecs stores something or other for all of them.
 * @param source the elements before encoding @param fill one of them; undefined when they are not the array's own
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

/** Refuses to write what reading would not give back, `fill` excepted: all are of the same type. */
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
      `expected values that the encoded type can give back as ${type.name}, got another at element ${index}: take a wider encoded type`,
      { codec, offset: index },
    );
  }
}
