/**
 * numcodecs' `categorize` (array -> array): stores strings as the numbers of their labels, from 1; 0 is the
 * empty string. https://numcodecs.readthedocs.io/en/stable/filter/categorize.html `labels` are the strings,
 * `dtype` their type ("<U6", or "|O" for variable length in v2), `astype` the stored integer type (default
 * "|u1"), in numpy's notation. Also `numcodecs.categorize`. Labels too long for the type are cut, as in
 * numpy. Deviations: other strings than labels and the fill value are errors on writing, numbers without a
 * label on reading (numcodecs makes both the empty string). `{"id": "categorize", "labels": ["female",
 * "male"], "dtype": "<U6", "astype": "|u1"}`
 */
import {
  type ArrayToArrayCodec,
  type ChunkSpec,
  type CodecEntry,
  CodecError,
  checkReach,
  codePoints,
  columnOf,
  type DataType,
  describe,
  float64At,
  isJsonArray,
  type JsonObject,
  product,
  readNumcodecs,
  readText,
  UnsupportedError,
  uint8,
  writeText,
  wrongMember,
} from "../../core/for-codecs.js";
import { aligned, forTiles, type IntegerType, loadTile, storeTile } from "./numbers.js";
import { numbersOf, readDtype } from "./numpy-types.js";

const CODEC = "categorize";

const entry: CodecEntry = {
  codecKind: "array_to_array",
  forms: { objects: "strings" },
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
        ? { variable: variableText({ labels, numbers, type, count: product(spec.shape) }) }
        : fixedText({ labels, numbers, type, count: product(spec.shape) }, spec.dataType.itemSize)),
    };
  },
};
export default entry;

interface Categories {
  readonly labels: readonly string[];
  /** The number of each label; the empty string and the fill value have 0 unless they are labels. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly type: IntegerType;
  /** Number of elements in a chunk. */
  readonly count: number;
}

/** Elements of a fixed number of code points. */
function fixedText(categories: Categories, itemSize: number): Pick<ArrayToArrayCodec, "decode" | "encode"> {
  const { labels, type, count } = categories;
  const patterns = ["", ...labels].map((label) => labelPattern(label, itemSize));
  return {
    decode(numbers, { kernels }) {
      const target = kernels.allocate(count * itemSize);
      decodeNumbers(numbers, categories, patterns, (pattern, i) => target.set(pattern, i * itemSize));
      return target;
    },
    encode(elements, { kernels }) {
      const target = kernels.allocate(count * type.itemSize);
      const textAt = (i: number): string =>
        readText(elements.subarray(i * itemSize, (i + 1) * itemSize), itemSize / 4);
      return encodeNumbers(target, categories, textAt);
    },
  };
}

/** Elements of variable length. */
function variableText(categories: Categories): NonNullable<ArrayToArrayCodec["variable"]> {
  const { labels, type, count } = categories;
  const encoder = new TextEncoder();
  const texts = ["", ...labels].map((label) => encoder.encode(label));
  return {
    decode(numbers) {
      const offsets = new Int32Array(count + 1);
      let end = 0;
      decodeNumbers(numbers, categories, texts, (text, i) => {
        end += text.length;
        offsets[i + 1] = end;
      });
      checkReach(end);
      const data = new Uint8Array(end);
      decodeNumbers(numbers, categories, texts, (text, i) => data.set(text, offsets[i]));
      return { offsets, data };
    },
    encode(elements) {
      const { offsets, data } = columnOf(elements);
      const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
      const textAt = (i: number): string =>
        decoder.decode(data.subarray(Number(offsets[i]), Number(offsets[i + 1])));
      return encodeNumbers(new Uint8Array(count * type.itemSize), categories, textAt);
    },
  };
}

/**
 * Calls `visit` with the pattern of each number, and the number's index.
 * @throws CodecError for a number without a label
 */
function decodeNumbers(
  bytes: Uint8Array,
  { labels, type, count }: Categories,
  patterns: readonly Uint8Array[],
  visit: (pattern: Uint8Array, index: number) => void,
): void {
  const numbers = aligned(bytes, type.itemSize);
  forTiles(count, (tile, first, length) => {
    loadTile(type, numbers, first, length, tile);
    for (let i = 0; i < length; i++) {
      const pattern = patterns[float64At(tile, i)];
      if (pattern !== undefined) visit(pattern, first + i);
      else {
        throw new CodecError(
          `expected numbers from 0 to ${labels.length}, got ${tile[i]} at element ${first + i}`,
          { codec: CODEC, offset: first + i },
        );
      }
    }
  });
}

/** Writes the number of each text to `target`. @throws CodecError for a text without a number */
function encodeNumbers(
  target: Uint8Array,
  { numbers, type, count }: Categories,
  textAt: (index: number) => string,
): Uint8Array {
  forTiles(count, (tile, first, length) => {
    for (let i = 0; i < length; i++) {
      const text = textAt(first + i);
      const number = numbers.get(text);
      if (number === undefined) {
        throw new CodecError(
          `expected one of the labels or an empty string, got ${describe(text)} at element ${first + i}`,
          { codec: CODEC, offset: first + i },
        );
      }
      tile[i] = number;
    }
    storeTile(type, target, first, length, tile);
  });
  return target;
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
  const points = codePoints(label);
  if (points === undefined) throw wrongMember(CODEC, "labels", "well-formed Unicode", label);
  writeText(points, pattern, itemSize / 4);
  return pattern;
}
