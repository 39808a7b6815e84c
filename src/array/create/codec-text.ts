/** Codecs that a person wrote, as JSON or in short, in the forms that `create` takes. */

import { describe, InvalidArgumentError } from "../../base/errors.js";
import { formsOf } from "../../core/codecs/registry/registry.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject, parseJson } from "../../metadata/json.js";
import type { CodecOption } from "./codec-options.js";
import type { CreateArrayOptions } from "./create-options.js";

type Codecs = CreateArrayOptions<unknown>["codecs"];

/**
 * Codecs as JSON in the forms that `create` takes, without unknown members; undefined for any other value.
 */
export function codecsOfJson(json: Json): Codecs {
  if (isJsonArray(json)) {
    const codecs = json.map(codecOfJson);
    return codecs.every((codec) => codec !== undefined) ? codecs : undefined;
  }
  if (!isJsonObject(json)) return undefined;
  if ("codec" in json) {
    const { codec, configuration = {}, ...others } = json;
    const isCompressor = typeof codec === "string" && isJsonObject(configuration);
    return isCompressor && isEmpty(others) ? { codec, configuration } : undefined;
  }
  const { filters = null, compressor = null, ...others } = json;
  if (!isEmpty(others) || !(compressor === null || isJsonObject(compressor))) return undefined;
  if (filters === null) return { filters, compressor };
  return isJsonArray(filters) && filters.every(isJsonObject) ? { filters, compressor } : undefined;
}

function codecOfJson(json: Json): CodecOption | undefined {
  if (typeof json === "string") return json;
  const { name, configuration = {}, ...others } = isJsonObject(json) ? json : {};
  const isCodec = typeof name === "string" && isJsonObject(configuration) && isEmpty(others);
  return isCodec ? { name, configuration } : undefined;
}

const isEmpty = (object: JsonObject): boolean => Object.keys(object).length === 0;

/**
 * Codecs in the forms that `create` takes, from a string: names separated by commas, with the level of those
 * that have one (`shuffle,zstd:5`), or JSON.
 * @throws InvalidMetadataError for invalid JSON, InvalidArgumentError for other JSON, and for the level of a
 * codec that has none
 */
export async function codecsOfText(text: string): Promise<NonNullable<Codecs>> {
  const trimmed = text.trim();
  const isShort = /^[a-z]/i.test(trimmed) && !/^(null|true|false)$/.test(trimmed);
  if (isShort) return Promise.all(trimmed.split(",").map((codec) => shortCodec(codec)));
  const json = parseJson(text);
  const codecs = codecsOfJson(json);
  if (codecs !== undefined) return codecs;
  throw new InvalidArgumentError(
    `expected a list of names and {"name": ..., "configuration": {...}} (v3), {"filters": [...], "compressor": {...}} (v2), or {"codec": URI, "configuration": {...}} (draft), got ${describe(json)}`,
  );
}

async function shortCodec(codec: string): Promise<CodecOption> {
  const [name = "", level] = codec.trim().split(":");
  if (level === undefined) return name;
  const { level: member } = await formsOf(name);
  if (member !== undefined && /^-?\d+$/.test(level))
    return { name, configuration: { [member]: Number(level) } };
  throw new InvalidArgumentError(
    `expected codec names separated by commas, with a level if the compressor has one (zstd:5), or JSON, got ${codec}`,
  );
}
