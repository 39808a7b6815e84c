/**
 * Follows a list of codecs before an array is prepared: their kinds, what elements become on their way,
 * whether each can write.
 */
import type { ChunkSpec, Codec } from "../../core/codecs/codec.js";
import { foreignCodecs } from "../../core/codecs/registry/foreign-codecs.js";
import { findCodec, formsOf, loadCodec } from "../../core/codecs/registry/registry.js";
import { chunkMetadata } from "../../core/codecs/registry/zarrita-interface.js";
import type { DataType } from "../../data-types/data-type.js";
import { loadExtraDataTypes } from "../../data-types/registry.js";
import { isJsonArray, isJsonObject, type Json } from "../../metadata/json.js";
import type { ArrayMetadata, CodecMetadata } from "../../metadata/model.js";

/**
 * The kind of each codec, such as "array_to_bytes".
 * @param spec the chunks' shape and data type, to construct codecs of zarrita's interface
 */
export function codecKinds(
  codecs: readonly CodecMetadata[],
  spec: ChunkSpec,
): Promise<NonNullable<Codec["kind"]>[]> {
  return Promise.all(
    codecs.map(async ({ name, configuration }) => {
      const entry = await loadCodec(name);
      if (entry.codecKind !== undefined) return entry.codecKind;
      return entry.fromConfig(configuration, chunkMetadata(spec, codecs)).kind ?? "bytes_to_bytes";
    }),
  );
}

/**
 * The data type of elements after all array-to-array codecs. It decides whether `bytes` needs a byte order.
 */
export async function encodedDataType(
  codecs: readonly CodecMetadata[],
  dataType: DataType,
): Promise<DataType> {
  let spec: ChunkSpec = { shape: [1], dataType, fillValue: undefined };
  for (const codec of codecs) spec = await encodedBy(codec, spec);
  return spec.dataType;
}

/**
 * The elements after a codec: some array-to-array codecs change data type and fill value. The shape is not
 * tracked.
 */
export async function encodedBy({ name, configuration }: CodecMetadata, spec: ChunkSpec): Promise<ChunkSpec> {
  if (name === "transpose") return spec;
  try {
    const entry = await loadCodec(name);
    if (entry.codecKind === undefined) {
      const { encodedSpecOf } = await foreignCodecs.load();
      return { ...encodedSpecOf(entry, { name, configuration }, spec), shape: spec.shape };
    }
    if (entry.codecKind !== "array_to_array") return spec;
    await loadExtraDataTypes();
    const codec = await entry.fromConfig(configuration, spec);
    return codec.kind === "array_to_array" ? { ...codec.encoded, shape: spec.shape } : spec;
  } catch {
    // A wrong configuration is reported when the array's codecs are prepared.
    return spec;
  }
}

/**
 * Refuses codecs that can only decode, before a new array is written. Call it after the array's `prepare`.
 * @throws UnsupportedError, InvalidMetadataError for a codec, or an inner codec, that cannot encode
 */
export function checkCodecsWrite({ codecs, dataType, fillValue, endian }: ArrayMetadata): Promise<void> {
  return checkChain(codecs, { shape: [1], dataType, fillValue, endian });
}

async function checkChain(codecs: readonly CodecMetadata[], spec: ChunkSpec | undefined): Promise<void> {
  let current = spec;
  for (const { name, configuration } of codecs) {
    const entry = await findCodec(name);
    const { inner } = await formsOf(name);
    entry?.checkWriting?.(configuration, name, current);
    for (const [member, value] of Object.entries(configuration)) {
      // Members with inner codecs have names such as "codecs", "index_codecs", "data_codecs".
      if (!member.endsWith("codecs")) continue;
      await checkChain(innerCodecs(value), member === inner ? current : undefined);
    }
    current &&= await encodedBy({ name, configuration }, current);
  }
}

/**
 * The well-formed codecs of a list. Unknown codecs may have other values in such members, which are ignored.
 */
function innerCodecs(json: Json): CodecMetadata[] {
  return (isJsonArray(json) ? json : []).flatMap((codec) => {
    const { name, configuration = {} } = isJsonObject(codec) ? codec : { name: codec };
    return typeof name === "string" && isJsonObject(configuration) ? [{ name, configuration }] : [];
  });
}
