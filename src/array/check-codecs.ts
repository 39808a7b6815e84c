/** Codecs that wazarr only reads, or whose settings only allow that. */
import { findCodec } from "../codecs/registry.js";
import { isJsonArray, isJsonObject, type Json } from "../metadata/json.js";
import type { CodecMetadata } from "../metadata/model.js";

/**
 * To be called before anything is written for an array with these codecs: its first chunk would be refused.
 * @throws UnsupportedError, InvalidMetadataError for one, also inside another, that cannot be written
 */
export async function checkCodecsWrite(codecs: readonly CodecMetadata[]): Promise<void> {
  for (const { name, configuration } of codecs) {
    (await findCodec(name))?.checkWriting?.(configuration, name);
    for (const [member, value] of Object.entries(configuration)) {
      // "codecs", "index_codecs", "data_codecs": whatever a codec calls those it is made of.
      if (member.endsWith("codecs")) await checkCodecsWrite(innerCodecs(value));
    }
  }
}

/** What is no codec, in the configuration of a codec that wazarr does not know, is none of these. */
function innerCodecs(json: Json): CodecMetadata[] {
  return (isJsonArray(json) ? json : []).flatMap((codec) => {
    const { name, configuration = {} } = isJsonObject(codec) ? codec : { name: codec };
    return typeof name === "string" && isJsonObject(configuration) ? [{ name, configuration }] : [];
  });
}
