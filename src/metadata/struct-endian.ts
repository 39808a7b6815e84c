/** The byte order of structs, which legacy documents leave out. */
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "./json.js";
import type { CodecMetadata } from "./model.js";

/**
 * Arrays of the legacy `structured` may have `bytes` without a byte order, which means little-endian; they are written as `struct`, for
 * which it "MUST be configured". Shards' inner codecs are the same.
 */
export function withEndian<Codec extends Pick<CodecMetadata, "name" | "configuration">>(codec: Codec): Codec {
  return { ...codec, configuration: complete(codec.name, codec.configuration) };
}

function complete(name: string, configuration: JsonObject): JsonObject {
  if (name === "bytes") return { endian: "little", ...configuration };
  const { codecs } = configuration;
  return name === "sharding_indexed" && isJsonArray(codecs)
    ? { ...configuration, codecs: codecs.map(inner) }
    : configuration;
}

function inner(json: Json): Json {
  const codec = typeof json === "string" ? { name: json } : json;
  if (!isJsonObject(codec) || typeof codec.name !== "string") return json;
  const { configuration = {} } = codec;
  return isJsonObject(configuration)
    ? { ...codec, configuration: complete(codec.name, configuration) }
    : json;
}
