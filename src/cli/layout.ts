/** The layout options of `put` and `copy`. */

import { codecsOfText, describe, isJsonObject, parseJson } from "../extend.js";
import { isZarrError, type Json } from "../index.js";
import type { Conversion, CopyOptions } from "../main/copy.js";
import { type CommandLine, type Options, UsageError } from "./command.js";

export const LAYOUT = {
  "zarr-format": {
    type: "string",
    choices: ["2", "3", "draft"],
    help: "The format to write. Default: the source's, or 3.",
  },
  chunks: { type: "string", value: "64,64", help: "Chunk shape." },
  shards: {
    type: "string",
    value: "256,256",
    help: "Shard shape; --chunks is then the shape of inner chunks.",
  },
  codecs: {
    type: "string",
    value: "zstd:5",
    help: 'Codec names separated by commas, with a level if they have one: shuffle,zstd:5; [] for none. Or JSON with every setting, as the format has it: the list of codecs of v3, {"filters": [...], "compressor": {...}} of v2, or the compressor object of the 2020 draft.',
  },
  "fill-value": {
    type: "string",
    value: "JSON",
    help: 'The fill value as the format has it: 0, "NaN", null.',
  },
  order: { type: "string", choices: ["C", "F"], help: "Order of elements within a chunk." },
  endian: { type: "string", choices: ["little", "big"], help: "Byte order of stored elements." },
  "dimension-names": { type: "string", value: "y,x", help: "Names of the dimensions, separated by commas." },
  attributes: { type: "string", value: "JSON", help: "The attributes, as a JSON object." },
  overwrite: { type: "flag", help: "Replaces an existing node and everything below it." },
  concurrency: { type: "string", value: "N", help: "Chunks to read or write at once." },
} as const satisfies Options;

/** @throws UsageError for values that no format allows */
export async function parseLayout({ text, flag }: CommandLine): Promise<CopyOptions> {
  const format = oneOf(text("zarr-format"), "zarr-format", ["2", "3", "draft"]);
  const codecs = text("codecs");
  const attributes = json(text("attributes"), "attributes");
  if (attributes !== undefined && !isJsonObject(attributes))
    throw expected("attributes", "a JSON object", attributes);
  return {
    zarrFormat: format === "2" ? 2 : format === "3" ? 3 : format,
    chunkShape: integers(text("chunks"), "chunks"),
    shards: integers(text("shards"), "shards"),
    codecs: codecs === undefined ? undefined : await readCodecs(codecs),
    fillValue: json(text("fill-value"), "fill-value"),
    order: oneOf(text("order"), "order", ["C", "F"]),
    endian: oneOf(text("endian"), "endian", ["little", "big"]),
    dimensionNames: text("dimension-names")
      ?.split(",")
      .map((name) => (name === "" ? null : name)),
    attributes,
    overwrite: flag("overwrite"),
    concurrency: oneInteger(text("concurrency"), "concurrency"),
  };
}

function expected(option: string, what: string, got: unknown): UsageError {
  return new UsageError(
    `--${option}: expected ${what}, got ${typeof got === "string" ? got : describe(got)}`,
  );
}

function oneOf<const Choice extends string>(
  value: string | undefined,
  option: string,
  choices: readonly Choice[],
): Choice | undefined {
  if (value === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined) throw expected(option, choices.join(" or "), value);
  return choice;
}

/**
 * Parses positive integers separated by commas. An empty string gives an empty list, for an array without
 * dimensions.
 */
function integers(value: string | undefined, option: string): number[] | undefined {
  if (value === undefined) return undefined;
  const numbers = value.trim() === "" ? [] : value.split(",").map(Number);
  if (numbers.every((number) => Number.isSafeInteger(number) && number >= 1)) return numbers;
  throw expected(option, "positive integers separated by commas", value);
}

/** Parses one positive integer. @throws UsageError */
export function oneInteger(value: string | undefined, option: string): number | undefined {
  const numbers = integers(value, option);
  if (numbers === undefined || numbers.length === 1) return numbers?.[0];
  throw expected(option, "one integer", value);
}

const POWERS = ["", "K", "M", "G", "T"];

/** Parses a number of bytes: 1000, 500MB, 1.5GiB; upper and lower case are the same. @throws UsageError */
export function byteCount(value: string | undefined, option: string): number | undefined {
  if (value === undefined) return undefined;
  const [, number = "", prefix = "", binary = ""] =
    /^(\d+(?:\.\d+)?) ?([KMGT]?)(i?)B?$/i.exec(value.trim()) ?? [];
  const power = POWERS.indexOf(prefix.toUpperCase());
  const bytes = number === "" ? 0 : Math.floor(Number(number) * (binary === "" ? 1000 : 1024) ** power);
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw expected(option, "bytes, or a number of B, KB, MB, GB, TB, KiB, MiB, GiB, TiB", value);
}

function json(value: string | undefined, option: string): Json | undefined {
  if (value === undefined) return undefined;
  try {
    return parseJson(value);
  } catch (error) {
    if (!isZarrError(error)) throw error;
    throw new UsageError(`--${option}: ${error.message}`);
  }
}

/** @throws UsageError */
async function readCodecs(text: string): Promise<Conversion["codecs"]> {
  try {
    return await codecsOfText(text);
  } catch (error) {
    if (!isZarrError(error)) throw error;
    throw new UsageError(`--codecs: ${error.message}`);
  }
}
