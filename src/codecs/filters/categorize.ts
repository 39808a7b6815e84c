/**
 * numcodecs' `categorize` (array -> array): stores strings as the numbers of their labels, from 1; 0 is the empty string.
 * https://numcodecs.readthedocs.io/en/stable/filter/categorize.html
 * `labels` are the strings, `dtype` their type ("<U6", or "|O" for variable length in v2), `astype` the stored integer type (default
 * "|u1"), in numpy's notation. Also `numcodecs.categorize`. Labels too long for the type are cut, as in numpy. Deviations: other strings
 * than labels and the fill value are errors on writing, numbers without a label on reading (numcodecs makes both the empty string).
 * `{"id": "categorize", "labels": ["female", "male"], "dtype": "<U6", "astype": "|u1"}`
 */

import { readText } from "../../data-types/array-view.js";
import type { DataType } from "../../data-types/data-type.js";
import { uint8 } from "../../data-types/integer.js";
import { CodecError, describe, UnsupportedError } from "../../errors.js";
import { isJsonArray, type JsonObject } from "../../metadata/json.js";
import { product } from "../../shape.js";
import type { ArrayToArrayCodec, ChunkSpec, CodecEntry, VariableElements } from "../codec.js";
import { readNumcodecs, wrongMember } from "../configuration.js";
import { columnOf } from "../variable-length/columns.js";
import { aligned, forTiles, type IntegerType, loadTile, storeTile } from "./numbers.js";
import { numbersOf, readDtype } from "./numpy-types.js";

const CODEC = "categorize";

const entry: CodecEntry = {
  kind: "array_to_array",
  fromConfig(configuration, spec): ArrayToArrayCodec {
    readNumcodecs(CODEC, configuration, ["labels", "dtype", "astype"]);
    checkDtype(configuration, spec);
    const encodedAs = readDtype(CODEC, configuration, "astype", { dataType: uint8, endian: undefined });
    const type = numbersOf(CODEC, encodedAs.dataType, ["integer"]);
    const labels = readLabels(configuration, type);
    const fill = typeof spec.fillValue === "string" ? spec.fillValue : "";
    const numbers = new Map([
      [fill, 0],
      ["", 0],
    ]);
    // Of equal labels the last one wins, as in numcodecs.
    labels.forEach((label, i) => {
      numbers.set(label, i + 1);
    });
    const fillNumber = numbers.get(fill) ?? 0;
    return {
      kind: "array_to_array",
      encoded: {
        ...encodedAs,
        shape: spec.shape,
        fillValue: type.bits === 64 ? BigInt(fillNumber) : fillNumber,
      },
      ...(isVariable(spec.dataType)
        ? { variable: categorizeText({ labels, numbers, type, count: product(spec.shape) }) }
        : categorizeFixed(spec, { labels, numbers, type })),
    };
  },
};
export default entry;

interface Categories {
  readonly labels: readonly string[];
  readonly numbers: ReadonlyMap<string, number>;
  readonly type: IntegerType;
}

function categorizeFixed(
  spec: ChunkSpec,
  { labels, numbers, type }: Categories,
): Pick<ArrayToArrayCodec, "decode" | "encode"> {
  const { itemSize } = spec.dataType;
  const patterns = ["", ...labels].map((label) => labelPattern(label, itemSize));
  return {
    decode(elements, { kernels }) {
      const count = elements.length / type.itemSize;
      const target = kernels.allocate(count * itemSize);
      forTiles(count, (tile, first, length) => {
        loadTile(type, aligned(elements, type.itemSize), first, length, tile);
        for (let i = 0; i < length; i++) {
          const pattern = patterns[tile[i] ?? -1];
          if (pattern === undefined) throw unknownNumber(tile[i], labels.length, first + i);
          target.set(pattern, (first + i) * itemSize);
        }
      });
      return target;
    },
    encode(elements, { kernels }) {
      const count = elements.length / itemSize;
      const target = kernels.allocate(count * type.itemSize);
      forTiles(count, (tile, first, length) => {
        for (let i = 0; i < length; i++) {
          const at = (first + i) * itemSize;
          const text = readText(elements.subarray(at, at + itemSize), itemSize / 4);
          tile[i] = numberOf(numbers, text, first + i);
        }
        storeTile(type, target, first, length, tile);
      });
      return target;
    },
  };
}

function isVariable({ variable }: DataType): boolean {
  return variable?.endsWith("text") === true;
}

function checkDtype({ dtype }: JsonObject, { dataType }: ChunkSpec): void {
  if (dataType.name !== "fixed_length_utf32" && !isVariable(dataType)) {
    throw new UnsupportedError(
      `categorize of data type ${dataType.name} is not supported: expected strings`,
      { codec: CODEC },
    );
  }
  if (typeof dtype === "string" && /^([<>|=]?U\d*|\|?O|object)$/.test(dtype)) return;
  throw wrongMember(CODEC, "dtype", 'the dtype of strings such as "<U6"', dtype);
}

function readLabels({ labels: json }: JsonObject, type: IntegerType): readonly string[] {
  const labels = isJsonArray(json) ? json.filter((label) => typeof label === "string") : [];
  if (!isJsonArray(json) || labels.length !== json.length || BigInt(labels.length) > type.maximum) {
    throw wrongMember(CODEC, "labels", `a list of at most ${type.maximum} strings`, json);
  }
  return labels;
}

/** The label in UTF-32, cut or zero-padded to the size of an element. */
function labelPattern(label: string, itemSize: number): Uint8Array {
  const pattern = new Uint8Array(itemSize);
  const view = new DataView(pattern.buffer);
  let at = 0;
  for (const character of label) {
    if (at === itemSize) break;
    const point = character.codePointAt(0) ?? 0;
    if (point >= 0xd800 && point <= 0xdfff) {
      throw wrongMember(CODEC, "labels", "labels of Unicode", label);
    }
    view.setUint32(at, point, true);
    at += 4;
  }
  return pattern;
}

interface TextCategories {
  readonly labels: readonly string[];
  /** The number of each label; the empty string and the fill value have 0 unless they are labels. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly type: IntegerType;
  /** Number of elements in a chunk. */
  readonly count: number;
}

function categorizeText(categories: TextCategories): NonNullable<ArrayToArrayCodec["variable"]> {
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

/** @throws CodecError for a string without a number */
function numberOf(numbers: ReadonlyMap<string, number>, text: string, index: number): number {
  const number = numbers.get(text);
  if (number !== undefined) return number;
  throw new CodecError(
    `expected one of the labels or an empty string, got ${describe(text)} at element ${index}`,
    { codec: CODEC, offset: index },
  );
}

function unknownNumber(number: number | undefined, labels: number, index: number): CodecError {
  return new CodecError(`expected numbers from 0 to ${labels}, got ${number} at element ${index}`, {
    codec: CODEC,
    offset: index,
  });
}
