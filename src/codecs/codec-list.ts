/** Lists of codecs inside a codec's configuration. */
import { describe, InvalidMetadataError } from "../errors.js";
import { isJsonArray, isJsonObject, type Json } from "../metadata/json.js";
import type { CodecMetadata } from "../metadata/model.js";

/** @throws InvalidMetadataError unless `json` is a list of at least one codec, each an object with a name or a bare name */
export function readCodecs(json: Json | undefined, codec: string, member: string): CodecMetadata[] {
  if (!isJsonArray(json) || json.length === 0) {
    throw new InvalidMetadataError(`expected a list of codecs, got ${describe(json)}`, {
      codec,
      member,
    });
  }
  return json.map((entry, i) => {
    if (typeof entry === "string") return { name: entry, configuration: {} };
    const { name, configuration = {} } = isJsonObject(entry) ? entry : {};
    if (typeof name === "string" && isJsonObject(configuration)) return { name, configuration };
    throw new InvalidMetadataError(`expected a codec with a name, got ${describe(entry)}`, {
      codec,
      member: `${member}[${i}]`,
    });
  });
}
