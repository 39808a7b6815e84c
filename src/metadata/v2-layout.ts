/** What v2 and the 2020 draft share: chunk shapes, the orders C and F, and codecs of numcodecs by their id. */
import { UnsupportedError } from "../errors.js";
import { isJsonArray, type Json, type JsonObject } from "./json.js";
import type { Member } from "./member.js";
import type { CodecMetadata } from "./model.js";

/** Order F is a transposition by the reversed dimensions, which rank 0 and 1 do not need. */
export function transposeOf(order: "C" | "F", rank: number): readonly CodecMetadata[] {
  if (order === "C" || rank < 2) return [];
  return [
    { name: "transpose", configuration: { order: Array.from({ length: rank }, (_, i) => rank - 1 - i) } },
  ];
}

/** Takes the transposition off the codecs again. @throws UnsupportedError when it is another than that of order F */
export function splitOrder(
  codecs: readonly CodecMetadata[],
  rank: number,
): { readonly order: "C" | "F"; readonly codecs: readonly CodecMetadata[] } {
  const [first, ...others] = codecs;
  if (first?.name !== "transpose") return { order: "C", codecs };
  if (!isReversed(first.configuration.order, rank)) {
    throw new UnsupportedError("expected order C or F, which is all this format has, got another transpose");
  }
  return { order: "F", codecs: others };
}

function isReversed(order: Json | undefined, rank: number): boolean {
  return isJsonArray(order) && order.length === rank && order.every((axis, i) => axis === rank - 1 - i);
}

/** Codecs of numcodecs are named so in v3, whose pipeline runs all formats. */
export const NUMCODECS = "numcodecs.";

export function parseNumcodecs(member: Member): CodecMetadata {
  return { name: NUMCODECS + member.get("id").string(), configuration: member.others(["id"]) };
}

export function writeNumcodecs({ name, configuration }: CodecMetadata): JsonObject {
  const { id: _, ...parameters } = configuration;
  return { id: idOf(name), ...parameters };
}

/** @throws UnsupportedError for a codec that numcodecs does not have */
export function idOf(name: string): string {
  if (name.startsWith(NUMCODECS)) return name.slice(NUMCODECS.length);
  throw new UnsupportedError("expected a codec of numcodecs (numcodecs.ID), got one of v3", { codec: name });
}

const FILTERS =
  `adler32 astype base64 bitround categorize crc32 crc32c delta fixedscaleoffset fletcher32 jenkins_lookup3
  json2 msgpack2 packbits pickle quantize shuffle vlen-array vlen-bytes vlen-utf8`.split(/\s+/);

/** Whether a codec of numcodecs stands among `filters` rather than as compressor. */
export function isFilter({ name }: CodecMetadata): boolean {
  return FILTERS.includes(name.slice(NUMCODECS.length));
}
