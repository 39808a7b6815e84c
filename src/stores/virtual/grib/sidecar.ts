/**
 * Where the messages of a file are, as an index beside it says: `.idx` of NOAA (wgrib2: number, offset, date
 * and names, with colons between), `.index` of ECMWF (a line of JSON for each field, with `_offset`), and
 * references of kerchunk (JSON). Only the offsets count: what a message is, it says itself.
 */
import { isJsonArray, isJsonObject, type Json, StoreError } from "../../../core/for-stores.js";

/** An offset for each message, ascending. @throws StoreError for what is no such index */
export function readOffsets(sidecar: Uint8Array, name: string): number[] {
  const text = new TextDecoder().decode(sidecar).trim();
  const offsets = text.startsWith("{") ? ofJson(text) : ofLines(text);
  const known = offsets.filter((offset) => Number.isSafeInteger(offset) && offset >= 0);
  if (known.length === 0 || known.length < offsets.length)
    throw new StoreError(
      `the index of ${name}: expected lines of NOAA (1:0:d=...), of ECMWF ({"_offset": 0, ...}) or references, got something else`,
    );
  return [...new Set(known)].sort((one, other) => one - other);
}

/** Lines of NOAA. A field of a message with several has the message's offset, and a number such as 5.2. */
function ofLines(text: string): number[] {
  return text.split("\n").map((line) => {
    const [, offset = ""] = /^\d+(?:\.\d+)?:(\d+):/.exec(line) ?? [];
    return offset === "" ? Number.NaN : Number(offset);
  });
}

function ofJson(text: string): number[] {
  const whole = parsed(text);
  if (whole === undefined) return text.split("\n").map((line) => offsetOf(parsed(line)));
  if (!isJsonObject(whole)) return [];
  if (whole._offset !== undefined) return [offsetOf(whole)];
  const references = isJsonObject(whole.refs) ? whole.refs : whole;
  return Object.values(references).flatMap((reference) => {
    const offset = isJsonArray(reference) ? reference[1] : undefined;
    return typeof offset === "number" ? [offset] : [];
  });
}

function offsetOf(line: Json | undefined): number {
  const offset = isJsonObject(line) ? line._offset : undefined;
  return typeof offset === "number" ? offset : Number.NaN;
}

function parsed(text: string): Json | undefined {
  try {
    const json: Json = JSON.parse(text);
    return json;
  } catch {
    return undefined;
  }
}
