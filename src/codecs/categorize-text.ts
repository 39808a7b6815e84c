/** `categorize` of strings of variable length. */

import { CodecError, describe } from "../errors.js";
import type { ArrayToArrayCodec, VariableElements } from "./codec.js";
import { aligned, type IntegerType } from "./filters/number-type.js";
import { loadTile, storeTile, TILE } from "./filters/tiles.js";
import { columnOf } from "./variable/columns.js";

export const CATEGORIZE = "categorize";

interface TextCategories {
  readonly labels: readonly string[];
  /** Labels to their numbers; the empty string and the fill value to 0. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly type: IntegerType;
  /** Elements of a chunk. */
  readonly count: number;
}

export function categorizeText(categories: TextCategories): NonNullable<ArrayToArrayCodec["variable"]> {
  const encoder = new TextEncoder();
  const texts = ["", ...categories.labels].map((label) => encoder.encode(label));
  return {
    decode: (numbers) => decodeText(numbers, categories, texts),
    encode: (elements) => encodeText(elements, categories),
  };
}

function decodeText(
  bytes: Uint8Array,
  { type, count }: TextCategories,
  texts: readonly Uint8Array[],
): VariableElements {
  const numbers = aligned(bytes, type.itemSize);
  const offsets = new Int32Array(count + 1);
  let end = 0;
  forTiles(count, (tile, first, length) => {
    loadTile(type, numbers, first, length, tile);
    for (let i = 0; i < length; i++) {
      const text = texts[tile[i] ?? -1];
      if (text === undefined) throw unknownNumber(tile[i], texts.length - 1, first + i);
      end += text.length;
      offsets[first + i + 1] = end;
    }
  });
  if (end >= 2 ** 31) throw new CodecError(`expected less than 2 GiB of text in one chunk, got ${end} bytes`);
  const data = new Uint8Array(end);
  forTiles(count, (tile, first, length) => {
    loadTile(type, numbers, first, length, tile);
    for (let i = 0; i < length; i++) data.set(texts[tile[i] ?? 0] ?? data.subarray(0, 0), offsets[first + i]);
  });
  return { offsets, data };
}

function encodeText(elements: VariableElements, { numbers, type, count }: TextCategories): Uint8Array {
  const { offsets, data } = columnOf(elements);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const bytes = new Uint8Array(count * type.itemSize);
  forTiles(count, (tile, first, length) => {
    for (let i = 0; i < length; i++) {
      const [begin, end] = [Number(offsets[first + i]), Number(offsets[first + i + 1])];
      tile[i] = numberOf(numbers, decoder.decode(data.subarray(begin, end)), first + i);
    }
    storeTile(type, bytes, first, length, tile);
  });
  return bytes;
}

export function forTiles(
  count: number,
  run: (tile: Float64Array, first: number, length: number) => void,
): void {
  const tile = new Float64Array(Math.min(count, TILE));
  for (let first = 0; first < count; first += TILE) run(tile, first, Math.min(TILE, count - first));
}

/** @throws CodecError for a string that is no label */
export function numberOf(numbers: ReadonlyMap<string, number>, text: string, index: number): number {
  const number = numbers.get(text);
  if (number !== undefined) return number;
  throw new CodecError(
    `expected one of the labels or an empty string, got ${describe(text)} at element ${index}`,
    { codec: CATEGORIZE, offset: index },
  );
}

export function unknownNumber(number: number | undefined, labels: number, index: number): CodecError {
  return new CodecError(`expected numbers from 0 to ${labels}, got ${number} at element ${index}`, {
    codec: CATEGORIZE,
    offset: index,
  });
}
