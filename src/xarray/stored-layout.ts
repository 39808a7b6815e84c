/** Chunks, shards and codecs that the encoding of a variable asks for. */
import type { CodecChoice } from "../array/codec-options.js";
import { describe, InvalidArgumentError } from "../errors.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../metadata/json.js";

export interface StoredLayout {
  readonly chunkShape: readonly number[] | undefined;
  readonly shards: readonly number[] | undefined;
  readonly codecs: CodecChoice["codecs"];
}

/** Shards are left out in v2, which has none. @throws InvalidArgumentError naming the variable and the attribute */
export function storedLayout(encoding: JsonObject, zarrFormat: 2 | 3, path: string): StoredLayout {
  const shards = lengthsOf(encoding, "shards", path);
  return {
    chunkShape: lengthsOf(encoding, "chunks", path),
    shards: zarrFormat === 3 ? shards : undefined,
    codecs: codecsOf(encoding, path),
  };
}

function lengthsOf(encoding: JsonObject, name: "chunks" | "shards", path: string): number[] | undefined {
  const value = encoding[name];
  if (value === undefined || value === null) return undefined;
  const lengths = isJsonArray(value) ? value.filter((length) => typeof length === "number") : [];
  if (isJsonArray(value) && lengths.length === value.length) return lengths;
  throw new InvalidArgumentError(`expected a list of lengths, got ${describe(value)}`, {
    path,
    member: `encoding.${name}`,
  });
}

function codecsOf({ codecs }: JsonObject, path: string): CodecChoice["codecs"] {
  const wrong = (): InvalidArgumentError =>
    new InvalidArgumentError(`expected codecs as create takes them, got ${describe(codecs)}`, {
      path,
      member: "encoding.codecs",
    });
  if (codecs === undefined) return undefined;
  if (isJsonArray(codecs)) {
    return codecs.map((codec: Json) => {
      if (typeof codec === "string") return codec;
      const { name, configuration = {} } = isJsonObject(codec) ? codec : {};
      if (typeof name === "string" && isJsonObject(configuration)) return { name, configuration };
      throw wrong();
    });
  }
  const { filters = null, compressor = null } = isJsonObject(codecs) ? codecs : {};
  const isList = isJsonArray(filters) && filters.every(isJsonObject);
  if (
    !isJsonObject(codecs) ||
    !(filters === null || isList) ||
    !(compressor === null || isJsonObject(compressor))
  )
    throw wrong();
  return { filters: isJsonArray(filters) ? filters.filter(isJsonObject) : null, compressor };
}
