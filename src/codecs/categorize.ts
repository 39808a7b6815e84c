/**
 * numcodecs' `categorize` (array -> array): strings as the numbers of their labels, from 1; 0 is the empty string.
 * https://numcodecs.readthedocs.io/en/stable/filter/categorize.html
 * `labels` are the strings, `dtype` the strings' own type ("<U6"), `astype` the stored integer type ("|u1" unless given), as numpy spells
 * it. Also `numcodecs.categorize`. Strings may be of variable length ("|O" in v2). Labels that are too long for the type are cut, as numpy does. Deviations: strings that are no label
 * are refused on writing unless they are the fill value, and numbers without a label on reading (numcodecs makes both the empty string).
 * `{"id": "categorize", "labels": ["female", "male"], "dtype": "<U6", "astype": "|u1"}`
 */

import type { DataType } from "../data-types/data-type.js";
import { readText } from "../data-types/fixed-length-utf32.js";
import { uint8 } from "../data-types/integer.js";
import { describe, InvalidMetadataError, UnsupportedError } from "../errors.js";
import { isJsonArray, type JsonObject } from "../metadata/json.js";
import { product } from "../shape.js";
import { CATEGORIZE as CODEC, categorizeText, forTiles, numberOf, unknownNumber } from "./categorize-text.js";
import type { ArrayToArrayCodec, ChunkSpec, CodecEntry } from "./codec.js";
import { readNumcodecs } from "./configuration.js";
import { aligned, type IntegerType } from "./filters/number-type.js";
import { numbersOf, readDtype } from "./filters/numcodecs-configuration.js";
import { loadTile, storeTile } from "./filters/tiles.js";

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
    // The last of equal labels counts, as in numcodecs.
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
