/** Codecs that wazarr only reads, or whose settings only allow that. */
import type { ChunkSpec, CodecEntry } from "../codecs/codec.js";
import { findCodec } from "../codecs/registry.js";
import { SHARDING } from "../codecs/sharding/configuration.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../metadata/json.js";
import type { ArrayMetadata, CodecMetadata } from "../metadata/model.js";

/**
 * To be called before anything is written for a new array, whose codecs have been prepared: its first chunk would be refused.
 * @throws UnsupportedError, InvalidMetadataError for a codec, also inside another, that cannot be written
 */
export function checkCodecsWrite({ codecs, dataType, fillValue, endian }: ArrayMetadata): Promise<void> {
  return checkChain(codecs, { shape: [], dataType, fillValue, endian });
}

async function checkChain(codecs: readonly CodecMetadata[], spec: ChunkSpec | undefined): Promise<void> {
  let current = spec;
  for (const { name, configuration } of codecs) {
    const entry = await findCodec(name);
    entry?.checkWriting?.(configuration, name, current);
    for (const [member, value] of Object.entries(configuration)) {
      // "codecs", "index_codecs", "data_codecs": whatever a codec calls those it is made of.
      if (!member.endsWith("codecs")) continue;
      await checkChain(innerCodecs(value), name === SHARDING && member === "codecs" ? current : undefined);
    }
    current &&= encodedBy(entry, configuration, current);
  }
}

/** What is no codec, in the configuration of a codec that wazarr does not know, is none of these. */
function innerCodecs(json: Json): CodecMetadata[] {
  return (isJsonArray(json) ? json : []).flatMap((codec) => {
    const { name, configuration = {} } = isJsonObject(codec) ? codec : { name: codec };
    return typeof name === "string" && isJsonObject(configuration) ? [{ name, configuration }] : [];
  });
}

/** What the next codec sees; the same where only the shape changes, which is not known here. */
function encodedBy(entry: CodecEntry | undefined, configuration: JsonObject, spec: ChunkSpec): ChunkSpec {
  if (entry?.kind !== "array_to_array") return spec;
  try {
    const codec = entry.fromConfig(configuration, spec);
    return codec.kind === "array_to_array" ? { ...codec.encoded, shape: [] } : spec;
  } catch {
    return spec;
  }
}
