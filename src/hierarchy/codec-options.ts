/** From the codecs a caller names to the complete list of an array's metadata. */
import { loadCodec } from "../codecs/registry.js";
import type { DataType, Endian } from "../data-types/data-type.js";
import { InvalidArgumentError } from "../errors.js";
import type { JsonObject } from "../metadata/json.js";
import type { CodecMetadata } from "../metadata/model.js";

/** A codec as v3 writes it (its name alone will do), or for v2 as numcodecs does (`{ id: "gzip", level: 5 }`). */
export type CodecOption = string | { readonly name: string; readonly configuration?: JsonObject };
export interface V2Codecs {
  readonly filters?: readonly JsonObject[] | null;
  readonly compressor?: JsonObject | null;
}

export interface CodecChoice {
  readonly codecs?: readonly CodecOption[] | V2Codecs | undefined;
  readonly order?: "C" | "F" | undefined;
  readonly zarrFormat?: 2 | 3 | undefined;
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
    const compressor = codecs.compressor ?? undefined;
    const all = [...(codecs.filters ?? []), ...(compressor === undefined ? [] : [compressor])];
    return [...transpose, ...all.map(fromNumcodecs)];
  }
  const given = codecs.map(
    (codec): CodecMetadata =>
      typeof codec === "string"
        ? { name: codec, configuration: {} }
        : { name: codec.name, configuration: codec.configuration ?? {} },
  );
  if (zarrFormat === 2) {
    if (innerShape !== undefined) throw new InvalidArgumentError("shards: v2 has none; use zarrFormat: 3");
    return [
      ...transpose,
      ...given.map(({ name, configuration }) => ({ name: prefixed(name), configuration })),
    ];
  }
  const completed = [...transpose, ...(await withSerializer(given, dataType, endian))];
  return innerShape === undefined ? completed : [sharded(completed, innerShape)];
}

/** v3 codecs with `bytes` among them where no array-to-bytes codec is, and with its byte order. */
async function withSerializer(
  given: CodecMetadata[],
  dataType: DataType,
  endian: Endian,
): Promise<CodecMetadata[]> {
  const bytes = { name: "bytes", configuration: dataType.needsEndian ? { endian } : {} };
  const completed = given.map((codec) =>
    codec.name === "bytes" && codec.configuration.endian === undefined ? bytes : codec,
  );
  const kinds = await Promise.all(
    completed.map(async ({ name }) => (await loadCodec(name)).kind ?? "bytes_to_bytes"),
  );
  if (kinds.includes("array_to_bytes")) return completed;
  const firstOnBytes = kinds.indexOf("bytes_to_bytes");
  completed.splice(firstOnBytes < 0 ? completed.length : firstOnBytes, 0, bytes);
  return completed;
}

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

function isCodecList(codecs: readonly CodecOption[] | V2Codecs): codecs is readonly CodecOption[] {
  return Array.isArray(codecs);
}

function prefixed(name: string): string {
  return name.startsWith("numcodecs.") ? name : `numcodecs.${name}`;
}

function fromNumcodecs(codec: JsonObject): CodecMetadata {
  const { id, ...configuration } = codec;
  if (typeof id !== "string") throw new InvalidArgumentError("codecs: expected a v2 codec with a string id");
  return { name: prefixed(id), configuration };
}
