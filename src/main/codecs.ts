/**
 * The entry `wazarr/codecs`: what a codec or a chunk key encoding of your own needs, which codecs an array
 * lacks, and the forms in which `create` takes codecs. `registry` is in `wazarr`.
 * @module
 */

export type { CodecOption, DraftCompressor, V2Codecs } from "../array/create/codec-options.js";
export { unsupportedCodecs } from "../array/open/unsupported-codecs.js";
export type { Codec, CodecEntry, DecodeContext, EncodeContext } from "../core/codecs/codec.js";
export type { CodecLoader, CodecRegistry, RegisteredCodecLoader } from "../core/codecs/registry/registry.js";
export type {
  ChunkMetadata,
  CodecChunk,
  RegisteredCodec,
  RegisteredCodecEntry,
  ZarritaArrayCodec,
  ZarritaBytesCodec,
  ZarritaCodecEntry,
} from "../core/codecs/registry/zarrita-interface.js";
export { type DraftExtension, draftExtensions } from "../formats/draft/extensions.js";
export type { ChunkKeyEncodingEntry, ChunkKeys } from "../metadata/chunk-key-encodings.js";
export type { DraftEntryPoint } from "../metadata/draft.js";
export { registerChunkKeyEncoding } from "../metadata/register-chunk-key-encoding.js";
