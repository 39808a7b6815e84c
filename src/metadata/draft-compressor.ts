/** The compressor of a 2020-draft array: codecs of numcodecs by URI, and an application's by its own. */
import { UnsupportedError } from "../errors.js";
import type { JsonObject } from "./json.js";
import type { Member } from "./member.js";
import type { CodecMetadata } from "./model.js";
import { idOf, isFilter, NUMCODECS } from "./v2-layout.js";

// The registry of codecs had a plural and no version at first, the specification a plural for a while in 2021.
const CODEC_URI = /^https?:\/\/purl\.org\/zarr\/spec\/codecs?\/([^/]+)(\/[\d.]+)?$/;
const writtenCodec = (id: string) => `https://purl.org/zarr/spec/codec/${id}/1.0`;

/**
 * Reads `compressor`. A codec of another URI keeps it as its name, under which an application may have registered it.
 * @throws InvalidMetadataError
 */
export function parseDraftCompressor(member: Member): readonly CodecMetadata[] {
  if (member.isNull) return [];
  const uri = member.get("codec").string();
  const id = CODEC_URI.exec(uri)?.[1];
  const configuration = member.get("configuration");
  const parameters = configuration.isNull ? {} : configuration.object();
  return [
    id === undefined
      ? { name: uri, configuration: parameters }
      : { name: NUMCODECS + id, configuration: id === "lzma" ? fromGdal(parameters) : parameters },
  ];
}

/** GDAL writes the options of its codecs, which are called as in numcodecs but for one: lzma's delta is a filter there. */
function fromGdal({ delta, preset, ...others }: JsonObject): JsonObject {
  if (delta === undefined) return preset === undefined ? others : { ...others, preset };
  const filters = [
    { id: 3, dist: delta },
    { id: 33, ...(preset === undefined ? {} : { preset }) },
  ];
  return { format: 1, check: -1, preset: null, filters, ...others };
}

/** @throws UnsupportedError for a codec that is no compressor, or that numcodecs does not have */
export function writeDraftCompressor(codec: CodecMetadata): JsonObject {
  const { name, configuration } = codec;
  if (isFilter(codec))
    throw new UnsupportedError("expected a compressor, as the draft has no filters", { codec: name });
  return { codec: name.includes("://") ? name : writtenCodec(idOf(name)), configuration };
}
