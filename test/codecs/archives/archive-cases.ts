/**
 * Chunks of archives' codecs that scripts/oracles/make_*_fixtures.py wrote, and what Python reads of them.
 */
import type { JsonObject } from "../../../src/metadata/json.js";
import { fromBase64 } from "../../core/codecs/harness.js";
import { type StoredChunk, v2TypeOf } from "../../core/codecs/stored-chunks.js";
import { LITTLE } from "../../setup/codecs.js";
import { type ImageCase, storedImage } from "../images/image-cases.js";

export type ArchiveCase = StoredChunk & { readonly name: string; readonly values: Uint8Array };

/** A GRIB message. */
export function messageCase(each: Readonly<Record<"name" | "message" | "values", string>>): ArchiveCase {
  const values = fromBase64(each.values);
  return {
    ...{ name: each.name, chunk: fromBase64(each.message), values, shape: [values.length / 8] },
    ...{ dataType: "float64", dtype: "<f8", codecs: [{ name: "gribberish" }] },
    v2: { filters: [{ id: "grib", var: "t" }] },
  };
}

/** Numbers of pcodec. */
export function numbersCase(
  each: Readonly<Record<"name" | "type" | "data" | "numbers", string>>,
): ArchiveCase {
  const values = fromBase64(each.numbers);
  const length = values.length / (Number(/\d+/.exec(each.type)) / 8);
  return {
    ...{ name: `pcodec, ${each.name}`, chunk: fromBase64(each.data), values, shape: [length] },
    ...{ dataType: each.type, dtype: v2TypeOf(each.type), codecs: [{ name: "numcodecs.pcodec" }] },
    v2: { compressor: { id: "pcodec" } },
  };
}

interface Field extends Readonly<Record<"name" | "type" | "data" | "numbers", string>> {
  readonly shape: readonly number[];
}

/** Numbers of zfp, with a header. */
export const fieldCase = ({ name, type, shape, data, numbers }: Field): ArchiveCase => ({
  ...{ name: `zfp ${name}`, chunk: fromBase64(data), values: fromBase64(numbers), shape },
  ...{ dataType: type, dtype: v2TypeOf(type), codecs: [{ name: "numcodecs.zfpy" }] },
  v2: { compressor: { id: "zfpy" } },
});

interface Tile extends Readonly<Record<"codec" | "type" | "encoded" | "decoded", string>> {
  readonly shape: readonly number[];
  readonly configuration: JsonObject;
}

/** A chunk of bytes of TIFF's compressors, or one that a predictor made of numbers. */
export function tileCase({ codec, type, shape, configuration, encoded, decoded }: Tile): ArchiveCase {
  const name = `imagecodecs_${codec}`;
  const dtype = v2TypeOf(type);
  const filter = { id: name, ...configuration, shape: [...shape], dtype };
  const compressed = { codecs: [LITTLE, { name }], v2: { compressor: { id: name } } };
  // In v3 imagecodecs' floats are bytes at once.
  const after = codec === "delta" ? [LITTLE] : [];
  const predicted = { codecs: [{ name, configuration }, ...after], v2: { filters: [filter] } };
  const form = codec === "lzw" || codec === "packbits" ? compressed : predicted;
  return {
    ...{ name: `${name} of ${type}`, chunk: fromBase64(encoded), values: fromBase64(decoded) },
    ...{ shape, dataType: type, dtype, ...form },
  };
}

export const imageCase = (each: ImageCase): ArchiveCase => ({
  ...storedImage(each),
  ...{ name: each.name, values: each.values },
});
