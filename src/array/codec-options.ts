/** From the codecs a caller names to the complete list of an array's metadata. */
import { loadCodec } from "../codecs/registry.js";
import type { DataType, Endian, ZarrFormat } from "../data-types/data-type.js";
import { describe, InvalidArgumentError } from "../errors.js";
import { isJsonObject, type JsonObject } from "../metadata/json.js";
import { Member } from "../metadata/member.js";
import type { CodecMetadata } from "../metadata/model.js";
import { encodedDataType, withDefaults } from "./codec-defaults.js";

/** A codec as v3 writes it (its name alone will do), or for v2 as numcodecs does (`{ id: "gzip", level: 5 }`). */
export type CodecOption = string | { readonly name: string; readonly configuration?: JsonObject };
export interface V2Codecs {
  readonly filters?: readonly JsonObject[] | null;
  readonly compressor?: JsonObject | null;
}

/** The compressor as the 2020 draft writes it. */
export interface DraftCompressor {
  /** A URI: "https://purl.org/zarr/spec/codec/gzip/1.0". */
  readonly codec: string;
  readonly configuration?: JsonObject;
}

export interface CodecChoice {
  readonly codecs?: readonly CodecOption[] | V2Codecs | DraftCompressor | undefined;
  readonly order?: "C" | "F" | undefined;
  readonly zarrFormat?: ZarrFormat | undefined;
  readonly rank: number;
  /** Shape of the inner chunks when the array is to be sharded. */
  readonly innerShape?: readonly number[] | undefined;
}

/** The complete codecs of an array in the model's form, order and byte order among them. @throws InvalidArgumentError */
export async function codecList(
  choice: CodecChoice,
  dataType: DataType,
  endian: Endian,
): Promise<CodecMetadata[]> {
  const { codecs = [], order = "C", rank, zarrFormat = 3, innerShape } = choice;
  const reversed = Array.from({ length: rank }, (_, dimension) => rank - 1 - dimension);
  const transpose =
    order === "F" && rank > 1 ? [{ name: "transpose", configuration: { order: reversed } }] : [];
  if (!isCodecList(codecs)) {
    if (zarrFormat === 3) {
      throw new InvalidArgumentError("codecs: v3 takes a list of codecs; filters and compressor are v2's");
    }
    if (typeof codecs !== "object" || codecs === null) {
      throw new InvalidArgumentError(
        `codecs: expected a list of codecs, or { filters, compressor } of v2, got ${describe(codecs)}`,
      );
    }
    if ("codec" in codecs) {
      if (zarrFormat === 2)
        throw new InvalidArgumentError("codecs: v2 takes filters and compressor; codec is the draft's");
      const { parseDraftCompressor } = await import("../metadata/draft/documents.js");
      return [...transpose, ...parseDraftCompressor(new Member({ ...codecs }, {}, "codecs"))];
    }
    const compressor = codecs.compressor ?? undefined;
    const all = [...(codecs.filters ?? []), ...(compressor === undefined ? [] : [compressor])];
    return [...transpose, ...withObjectCodec(await withDefaults(all.map(fromNumcodecs), dataType), dataType)];
  }
  const given = codecs.map(named);
  if (zarrFormat !== 3) {
    if (innerShape !== undefined)
      throw new InvalidArgumentError("shards: only v3 has them; use zarrFormat: 3");
    return [...transpose, ...withObjectCodec(await withDefaults(given.map(toNumcodecs), dataType), dataType)];
  }
  const completed = [
    ...transpose,
    ...(await withSerializer(await withDefaults(given, dataType), dataType, endian)),
  ];
  return innerShape === undefined ? completed : [sharded(completed, innerShape)];
}

function named(codec: CodecOption): CodecMetadata {
  if (typeof codec === "string") return { name: codec, configuration: {} };
  const { name, configuration = {} }: Partial<CodecMetadata> = codec ?? {};
  if (typeof name === "string" && isJsonObject(configuration)) return { name, configuration };
  throw new InvalidArgumentError(
    `codecs: expected a name or { name, configuration }, got ${describe(codec)}; what has an id goes into v2's { filters, compressor }`,
  );
}

/** v3 codecs with `bytes` among them where no array-to-bytes codec is, and with its byte order. */
async function withSerializer(
  given: CodecMetadata[],
  dataType: DataType,
  endian: Endian,
): Promise<CodecMetadata[]> {
  const isVariable = dataType.variable !== undefined;
  const { needsEndian } = await encodedDataType(given, dataType);
  const bytes = { name: "bytes", configuration: needsEndian || isVariable ? { endian } : {} };
  const completed = given.map((codec) =>
    codec.name === "bytes" && codec.configuration.endian === undefined ? bytes : codec,
  );
  const kinds = await Promise.all(
    completed.map(async ({ name }) => (await loadCodec(name)).kind ?? "bytes_to_bytes"),
  );
  if (kinds.includes("array_to_bytes")) return completed;
  const firstOnBytes = kinds.indexOf("bytes_to_bytes");
  // What other implementations take for granted: vlen-utf8 for string, vlen-bytes for bytes; not for the numbers of labels.
  const isText = !given.some(({ name }) => name.replace(/^numcodecs\./, "") === "categorize");
  const serializer =
    dataType.objectCodec !== undefined && isText ? { name: dataType.objectCodec, configuration: {} } : bytes;
  completed.splice(firstOnBytes < 0 ? completed.length : firstOnBytes, 0, serializer);
  return completed;
}

/** v2: objects have a filter that says what they are, before all others. */
function withObjectCodec(codecs: CodecMetadata[], { objectCodec }: DataType): CodecMetadata[] {
  if (objectCodec === undefined) return codecs;
  const isThere = codecs.some(({ name }) => OBJECT_CODECS.includes(name.replace(/^numcodecs\./, "")));
  return isThere ? codecs : [{ name: prefixed(objectCodec), configuration: {} }, ...codecs];
}

export const OBJECT_CODECS = ["vlen-utf8", "vlen-bytes", "vlen-array", "json2", "msgpack2", "categorize"];

/** Index codecs and location are what every implementation writes: little-endian with a checksum, at the end. */
export function sharded(codecs: readonly CodecMetadata[], innerShape: readonly number[]): CodecMetadata {
  const json = (codec: CodecMetadata): JsonObject => ({
    name: codec.name,
    configuration: codec.configuration,
  });
  return {
    name: "sharding_indexed",
    configuration: {
      chunk_shape: innerShape,
      codecs: codecs.map(json),
      index_codecs: [
        { name: "bytes", configuration: { endian: "little" } },
        { name: "crc32c", configuration: {} },
      ],
      index_location: "end",
    },
  };
}

function isCodecList(codecs: NonNullable<CodecChoice["codecs"]>): codecs is readonly CodecOption[] {
  return Array.isArray(codecs);
}

function prefixed(name: string): string {
  return name.startsWith("numcodecs.") || name.includes("://") ? name : `numcodecs.${name}`;
}

/** Codecs that numcodecs does not have, so that no other reader of v2 or the draft would know them. */
const ONLY_V3 =
  /^(bytes|endian|transpose|sharding_indexed|reshape|cast_value|scale_offset|conditional|n5_default|zarrs\..*)$/;

function toNumcodecs({ name, configuration }: CodecMetadata): CodecMetadata {
  if (!ONLY_V3.test(name)) return { name: prefixed(name), configuration };
  throw new InvalidArgumentError(
    `codecs: expected codecs of numcodecs, got "${name}" of v3; order and endian say how elements are stored`,
  );
}

function fromNumcodecs(codec: JsonObject): CodecMetadata {
  const { id, ...configuration } = isJsonObject(codec) ? codec : {};
  if (typeof id !== "string") {
    throw new InvalidArgumentError(`codecs: expected a v2 codec with a string id, got ${describe(codec)}`);
  }
  return { name: prefixed(id), configuration };
}
