/**
 * numcodecs' `categorize` (array -> array): strings as the numbers of their labels, from 1; 0 is the empty string.
 * https://numcodecs.readthedocs.io/en/stable/filter/categorize.html
 * `labels` are the strings, `dtype` the strings' own type ("<U6"), `astype` the stored integer type ("|u1" unless given), as numpy spells
 * it. Also `numcodecs.categorize`. Labels that are too long for the type are cut, as numpy does. Deviations: strings that are no label
 * are refused on writing unless they are the fill value, and numbers without a label on reading (numcodecs makes both the empty string).
 * `{"id": "categorize", "labels": ["female", "male"], "dtype": "<U6", "astype": "|u1"}`
 */
import { describe } from "../data-types/describe.js";
import { uint8 } from "../data-types/integer.js";
import { CodecError, InvalidMetadataError, UnsupportedError } from "../errors.js";
import { isJsonArray, type JsonObject } from "../metadata/json.js";
import type { ArrayToArrayCodec, ChunkSpec, CodecEntry } from "./codec.js";
import { aligned, type IntegerType } from "./filters/number-type.js";
import { numbersOf, readDtype, readNumcodecs } from "./filters/numcodecs-configuration.js";
import { loadTile, storeTile, TILE } from "./filters/tiles.js";

const CODEC = "categorize";

const entry: CodecEntry = {
  kind: "array_to_array",
  fromConfig(configuration, spec): ArrayToArrayCodec {
    readNumcodecs(CODEC, configuration, ["labels", "dtype", "astype"]);
    checkDtype(configuration, spec);
    const encodedAs = readDtype(CODEC, configuration, "astype", { dataType: uint8, endian: undefined });
    const type = numbersOf(CODEC, encodedAs.dataType, ["integer"]);
    const labels = readLabels(configuration, type);
    const { itemSize } = spec.dataType;
    const patterns = ["", ...labels].map((label) => labelPattern(label, itemSize));
    const fill = spec.fillValue ?? "";
    const numbers = new Map<unknown, number>([
      [fill, 0],
      ["", 0],
    ]);
    // The last of equal labels counts, as in numcodecs.
    labels.forEach((label, i) => {
      numbers.set(label, i + 1);
    });
    return {
      kind: "array_to_array",
      encoded: {
        ...encodedAs,
        shape: spec.shape,
        fillValue: type.dataType.cast(asScalar(numbers.get(fill), type)),
      },
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
            const text = spec.dataType.readScalar(elements.subarray(at, at + itemSize));
            const number = numbers.get(text);
            if (number === undefined) throw unknownLabel(text, first + i);
            tile[i] = number;
          }
          storeTile(type, target, first, length, tile);
        });
        return target;
      },
    };
  },
};
export default entry;

function asScalar(number: number | undefined, { bits }: IntegerType): number | bigint {
  return bits === 64 ? BigInt(number ?? 0) : (number ?? 0);
}

function forTiles(count: number, run: (tile: Float64Array, first: number, length: number) => void): void {
  const tile = new Float64Array(Math.min(count, TILE));
  for (let first = 0; first < count; first += TILE) run(tile, first, Math.min(TILE, count - first));
}

function unknownNumber(number: number | undefined, labels: number, index: number): CodecError {
  return new CodecError(`expected numbers from 0 to ${labels}, got ${number} at element ${index}`, {
    codec: CODEC,
    offset: index,
  });
}
function unknownLabel(text: unknown, index: number): CodecError {
  return new CodecError(
    `expected one of the labels or an empty string, got ${describe(text)} at element ${index}`,
    { codec: CODEC, offset: index },
  );
}

function checkDtype({ dtype }: JsonObject, { dataType }: ChunkSpec): void {
  if (dataType.name !== "fixed_length_utf32") {
    throw new UnsupportedError(
      `categorize of data type ${dataType.name} is not supported: expected strings of fixed length ("<U6")`,
      { codec: CODEC },
    );
  }
  if (typeof dtype === "string" && /^([<>|=]?U\d*|\|?O|object)$/.test(dtype)) return;
  throw new InvalidMetadataError(
    `expected the dtype of strings such as "<U6", got ${dtype === undefined ? "nothing" : describe(dtype)}`,
    { codec: CODEC, member: "configuration.dtype" },
  );
}

function readLabels({ labels: json }: JsonObject, type: IntegerType): readonly string[] {
  const labels = isJsonArray(json) ? json.filter((label) => typeof label === "string") : [];
  if (!isJsonArray(json) || labels.length !== json.length || BigInt(labels.length) > type.maximum) {
    throw new InvalidMetadataError(
      `expected a list of at most ${type.maximum} strings, got ${json === undefined ? "nothing" : describe(json)}`,
      { codec: CODEC, member: "configuration.labels" },
    );
  }
  return labels;
}

/** UTF-32, cut or filled up with zeros to the size of an element. */
function labelPattern(label: string, itemSize: number): Uint8Array {
  const pattern = new Uint8Array(itemSize);
  const view = new DataView(pattern.buffer);
  let at = 0;
  for (const character of label) {
    if (at === itemSize) break;
    const point = character.codePointAt(0) ?? 0;
    if (point >= 0xd800 && point <= 0xdfff) {
      throw new InvalidMetadataError(`expected labels of Unicode, got ${describe(label)}`, {
        codec: CODEC,
        member: "configuration.labels",
      });
    }
    view.setUint32(at, point, true);
    at += 4;
  }
  return pattern;
}
