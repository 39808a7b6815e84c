/**
 * Has what a codec or a chunk key encoding of your own needs, and says which codecs an array lacks.
 *
 * ```ts
 * import { HttpStore, open, registry } from "wazarr";
 * import { type CodecEntry, unsupportedCodecs } from "wazarr/codecs";
 *
 * declare const mine: CodecEntry;
 * registry.set("example.mine", async () => mine);
 * const array = await open(new HttpStore("https://example.com/heights.zarr"), { kind: "array" });
 * console.log(unsupportedCodecs(array));
 * ```
 *
 * The forms in which `create` takes codecs are here, too; `registry` is in `wazarr`.
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
