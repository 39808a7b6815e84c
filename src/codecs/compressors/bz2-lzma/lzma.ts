/**
 * numcodecs' `lzma` (bytes -> bytes), as in Python's module of that name: .xz files, .lzma files and raw
 * streams. Read only: writing is an UnsupportedError.
 * https://numcodecs.readthedocs.io/en/stable/compression/lzma.html, https://tukaani.org/xz/xz-file-format.txt
 * `format` is 0 (detect), 1 (.xz), 2 (.lzma) or 3 (raw, described by `filters`); `check` and `preset`
 * describe how the data were written. Also `numcodecs.lzma`. All checks of .xz are verified, and so is its
 * index. Filters: LZMA1, LZMA2 and delta; those for machine code are an UnsupportedError.
 * `{"id": "lzma", "format": 1, "check": -1, "preset": null, "filters": null}`
 */

import {
  type CodecEntry,
  decodeIntoOutput,
  decoderEntry,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  readInteger,
  readNumcodecs,
  wrongMember,
} from "../../../core/for-codecs.js";
import { damaged, LZMA, type LzmaProperties, OutputFull } from "./lzma-decoder.js";
import { chainOf, type FilterSpec, undoDelta } from "./lzma-filters.js";
import { decodeAlone, decodeLzma1, decodeLzma2 } from "./lzma-streams.js";
import { decodeXz } from "./xz.js";

type Decode = (output: Uint8Array, bytes: Uint8Array) => number;
const XZ_FIRST_BYTE = 0xfd;

const entry: CodecEntry = decoderEntry(LZMA, { only: "numcodecs" }, (configuration) => {
  readNumcodecs(LZMA, configuration, ["format", "check", "preset", "filters"]);
  const format = readInteger(LZMA, configuration, "format", { minimum: 0, maximum: 3, absent: 1 });
  const decode = decoderOf(format, configuration);
  return (bytes, context) => {
    const size = { estimate: 4 * bytes.length, maximum: Number.MAX_SAFE_INTEGER };
    return decodeIntoOutput(context, { codec: LZMA, format: "LZMA streams", ...size }, (output) =>
      unlessFull(() => decode(output, bytes)),
    );
  };
});
export default entry;

function unlessFull(decode: () => number): number | undefined {
  try {
    return decode();
  } catch (error) {
    if (error instanceof OutputFull) return undefined;
    throw error;
  }
}

function decoderOf(format: number, configuration: JsonObject): Decode {
  if (format === 1) return decodeXz;
  if (format === 2) return decodeLzmaFile;
  if (format === 3) return rawDecoder(configuration.filters);
  return (output, bytes) =>
    bytes[0] === XZ_FIRST_BYTE ? decodeXz(output, bytes) : decodeLzmaFile(output, bytes);
}

function decodeLzmaFile(output: Uint8Array, bytes: Uint8Array): number {
  const ends = decodeAlone(output, bytes);
  if (ends.input !== bytes.length) throw damaged("there are bytes after the end", ends.input);
  return ends.output;
}

function rawDecoder(json: Json | undefined): Decode {
  const specs = readFilters(json);
  const { last, deltas } = chainOf(specs);
  const properties = specs.at(-1)?.properties ?? { lc: 3, lp: 0, pb: 2 };
  return (output, bytes) => {
    const ends =
      last === "lzma2"
        ? decodeLzma2(output, 0, bytes, 0)
        : decodeLzma1(output, bytes, 0, properties, undefined);
    if (ends.input !== bytes.length) throw damaged("there are bytes after the end", ends.input);
    undoDelta(output.subarray(0, ends.output), deltas);
    return ends.output;
  };
}

interface RawFilter extends FilterSpec {
  readonly properties: LzmaProperties;
}

/** Filters as Python's lzma module describes them. */
function readFilters(json: Json | undefined): readonly RawFilter[] {
  if (!isJsonArray(json) || json.length === 0)
    throw wrongMember(LZMA, "filters", "the filters of a raw stream", json);
  return json.map((filter, i) => {
    const member = `filters[${i}]`;
    const id = isJsonObject(filter) ? filter.id : undefined;
    if (!isJsonObject(filter) || (typeof id !== "number" && typeof id !== "bigint"))
      throw wrongMember(LZMA, member, "a filter with an id", filter);
    const integer = (name: string, minimum: number, maximum: number, absent: number): number =>
      readInteger(`${LZMA} (${member})`, filter, name, { minimum, maximum, absent });
    return {
      id: Number(id),
      distance: integer("dist", 1, 256, 1),
      // All presets have the same properties.
      properties: { lc: integer("lc", 0, 4, 3), lp: integer("lp", 0, 4, 0), pb: integer("pb", 0, 4, 2) },
    };
  });
}
