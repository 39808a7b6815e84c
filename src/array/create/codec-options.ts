/**
 * Completes the codecs that a caller names for an array's metadata: adds order, byte order and default
 * configurations.
 */

import { at } from "../../base/at.js";
import { describe, InvalidArgumentError } from "../../base/errors.js";
import { bytesCodec } from "../../core/codecs/bytes.js";
import type { ChunkSpec, Codec } from "../../core/codecs/codec.js";
import { readCodecs } from "../../core/codecs/configuration.js";
import { formsOf, ownCodecs } from "../../core/codecs/registry/registry.js";
import { sharded } from "../../core/codecs/sharding/codec-lists.js";
import type { DataType, Endian, ZarrFormat } from "../../data-types/data-type.js";
import { draftDocuments } from "../../metadata/draft.js";
import { isJsonObject, type Json, type JsonObject } from "../../metadata/json.js";
import { Member } from "../../metadata/member.js";
import type { CodecMetadata } from "../../metadata/model.js";
import { NUMCODECS, transposeOf } from "../../metadata/v2.js";
import { codecKinds, encodedBy, encodedDataType } from "./codec-chain.js";

/** A codec of v3: its name, or name and configuration. */
export type CodecOption = string | { readonly name: string; readonly configuration?: JsonObject };

/** Filters and compressor of v2, as `.zarray` has them. */
export interface V2Codecs {
  /** In encoding order, each with an `id`; null or [] for none. */
  readonly filters?: readonly JsonObject[] | null;
  /** With an `id`; null for none. */
  readonly compressor?: JsonObject | null;
}

/** The compressor as the 2020 draft writes it. */
export interface DraftCompressor {
  /** A URI: "https://purl.org/zarr/spec/codec/gzip/1.0". */
  readonly codec: string;
  /** Settings of the codec, such as `{ level: 5 }`. */
  readonly configuration?: JsonObject;
}

export interface CodecChoice {
  readonly codecs?: readonly CodecOption[] | V2Codecs | DraftCompressor | undefined;
  readonly order?: "C" | "F" | undefined;
  readonly zarrFormat?: ZarrFormat | undefined;
  readonly rank: number;
  /** Shape of the inner chunks; makes the array sharded. */
  readonly innerShape?: readonly number[] | undefined;
}

/**
 * zarr-python's default compression. It writes level 0, which zstd defines as its default level 3. The draft
 * has no zstd.
 */
const DEFAULT_CODECS: Readonly<Record<ZarrFormat, NonNullable<CodecChoice["codecs"]>>> = {
  2: { compressor: { id: "zstd", level: 3 } },
  3: [{ name: "zstd", configuration: { level: 3, checksum: false } }],
  draft: [],
};

/**
 * The complete codecs of an array in the model's form, including order and byte order.
 * @throws InvalidArgumentError
 */
export async function codecList(
  choice: CodecChoice,
  dataType: DataType,
  endian: Endian,
): Promise<CodecMetadata[]> {
  const { order = "C", rank, zarrFormat = 3, innerShape } = choice;
  const { codecs = DEFAULT_CODECS[zarrFormat] } = choice;
  if (innerShape !== undefined && zarrFormat !== 3)
    throw new InvalidArgumentError("shards: only v3 has shards; use zarrFormat: 3");
  const transpose = transposeOf(order, rank);
  if (!isCodecList(codecs)) {
    if (zarrFormat === 3) {
      throw new InvalidArgumentError(
        "codecs: expected a list of codecs for v3, got filters and compressor of v2",
      );
    }
    if (typeof codecs !== "object" || codecs === null) {
      throw new InvalidArgumentError(
        `codecs: expected a list of codecs, or { filters, compressor } of v2, got ${describe(codecs)}`,
      );
    }
    if ("codec" in codecs) {
      if (zarrFormat === 2)
        throw new InvalidArgumentError(
          "codecs: expected filters and compressor for v2, got a codec of the 2020 draft",
        );
      const { parseDraftCompressor } = await draftDocuments.load();
      return [...transpose, ...parseDraftCompressor(new Member({ ...codecs }, {}, "codecs"))];
    }
    const compressor = codecs.compressor ?? undefined;
    const all = [...(codecs.filters ?? []), ...(compressor === undefined ? [] : [compressor])];
    return [...transpose, ...(await completeV2(all.map(fromNumcodecs), dataType))];
  }
  const documents = codecs.map(named);
  if (zarrFormat !== 3) {
    return [...transpose, ...(await completeV2(await Promise.all(documents.map(toNumcodecs)), dataType))];
  }
  const completed = [
    ...transpose,
    ...(await withSerializer(await withDefaults(documents, dataType), dataType, endian, rank)),
  ];
  return innerShape === undefined ? completed : [sharded(completed, innerShape)];
}

function named(codec: CodecOption): CodecMetadata {
  if (typeof codec === "string") return { name: codec, configuration: {} };
  const { name, configuration = {} }: Partial<CodecMetadata> = codec ?? {};
  if (typeof name === "string" && isJsonObject(configuration)) return { name, configuration };
  throw new InvalidArgumentError(
    `codecs: expected a name or { name, configuration }, got ${describe(codec)}; a codec with an id belongs in { filters, compressor } of v2`,
  );
}

/** Adds an array-to-bytes codec to v3 codecs without one, and the byte order to `bytes`. */
async function withSerializer(
  documents: CodecMetadata[],
  dataType: DataType,
  endian: Endian,
  rank: number,
): Promise<CodecMetadata[]> {
  const encoded = await encodedDataType(documents, dataType);
  const needsEndian = encoded.needsEndian || dataType.variable !== undefined;
  const bytes = bytesCodec({ needsEndian }, endian);
  const completed = documents.map((codec) =>
    codec.name === "bytes" && codec.configuration.endian === undefined ? bytes : codec,
  );
  const { objectCodec } = encoded;
  // Other implementations expect vlen-utf8 for strings and vlen-bytes for bytes.
  const serializer =
    objectCodec === undefined
      ? (encoded.serializer?.(endian) ?? bytes)
      : { name: objectCodec, configuration: {} };
  const spec = { shape: new Array<number>(rank).fill(1), dataType, fillValue: undefined };
  return withArrayToBytes(completed, await codecKinds(completed, spec), serializer);
}

/**
 * Inserts `serializer` before the first bytes-to-bytes codec, unless the list has an array-to-bytes codec.
 */
export function withArrayToBytes(
  codecs: readonly CodecMetadata[],
  kinds: readonly NonNullable<Codec["kind"]>[],
  serializer: CodecMetadata,
): CodecMetadata[] {
  if (kinds.includes("array_to_bytes")) return [...codecs];
  const firstOnBytes = kinds.indexOf("bytes_to_bytes");
  return codecs.toSpliced(firstOnBytes < 0 ? codecs.length : firstOnBytes, 0, serializer);
}

/** Completes v2 codecs: defaults, and for objects an object codec as the first filter. */
async function completeV2(documents: readonly CodecMetadata[], dataType: DataType): Promise<CodecMetadata[]> {
  const codecs = await withDefaults(documents, dataType);
  const { objectCodec } = dataType;
  if (objectCodec === undefined) return codecs;
  const forms = await Promise.all(codecs.map(({ name }) => formsOf(name)));
  return forms.some(({ objects }) => objects !== undefined)
    ? codecs
    : [{ name: prefixed(objectCodec), configuration: {} }, ...codecs];
}

/** Names and configurations of codecs as JSON. */
export function describeCodecs(codecs: readonly CodecMetadata[]): JsonObject[] {
  return codecs.map(({ name, configuration }) => ({ name, configuration }));
}

function isCodecList(codecs: NonNullable<CodecChoice["codecs"]>): codecs is readonly CodecOption[] {
  return Array.isArray(codecs);
}

function prefixed(name: string): string {
  return name.startsWith(NUMCODECS) || name.includes("://") ? name : NUMCODECS + name;
}

async function toNumcodecs({ name, configuration }: CodecMetadata): Promise<CodecMetadata> {
  const full = prefixed(name);
  if ((await formsOf(full)).only !== "v3") return { name: full, configuration };
  throw new InvalidArgumentError(
    `codecs: expected a codec of numcodecs, got "${name}" of v3; the options order and endian say how elements are stored`,
  );
}

function fromNumcodecs(codec: JsonObject): CodecMetadata {
  const { id, ...configuration } = isJsonObject(codec) ? codec : {};
  if (typeof id !== "string") {
    throw new InvalidArgumentError(`codecs: expected a v2 codec with a string id, got ${describe(codec)}`);
  }
  return { name: prefixed(id), configuration };
}

/**
 * Completes codec names and adds the encoder's default settings to configurations, also for the inner codecs
 * of shards. Specifications require these members, TensorStore and zarrs refuse documents without them, and
 * other libraries have other defaults.
 */
async function withDefaults(codecs: readonly CodecMetadata[], dataType: DataType): Promise<CodecMetadata[]> {
  const completed: CodecMetadata[] = [];
  let encoded: ChunkSpec = { shape: [1], dataType, fillValue: undefined };
  for (const codec of codecs) {
    const { configuration } = codec;
    const forms = await formsOf(codec.name);
    const isNumcodecs = forms.only === "numcodecs" && !ownCodecs().includes(codec.name);
    const name = isNumcodecs ? prefixed(codec.name) : codec.name;
    const form = name.startsWith(NUMCODECS) ? "numcodecs" : "v3";
    const defaults =
      (forms.only ?? form) === form ? forms.defaults?.(encoded.dataType.itemSize, form) : undefined;
    const inside =
      forms.inner === undefined
        ? configuration
        : await withInnerDefaults(codec.name, configuration, forms.inner, encoded.dataType);
    completed.push({ name, configuration: { ...defaults, ...inside } });
    encoded = await encodedBy(codec, encoded);
  }
  return completed;
}

/** `withDefaults` for the codecs inside a codec. Malformed lists stay as they are: the codec reports them. */
async function withInnerDefaults(
  codec: string,
  configuration: JsonObject,
  member: string,
  dataType: DataType,
): Promise<JsonObject> {
  const { [member]: codecs } = configuration;
  if (!Array.isArray(codecs)) return configuration;
  let documents: readonly CodecMetadata[];
  try {
    documents = readCodecs(codec, configuration, member);
  } catch {
    return configuration;
  }
  const completed = await withDefaults(documents, dataType);
  const inner = codecs.map((codec: Json, i): Json => {
    const { name = "", configuration = {} } = at(completed, i);
    const members = Object.keys(configuration).length === 0 ? {} : { configuration };
    return isJsonObject(codec) ? { ...codec, name, ...members } : { name, ...members };
  });
  return { ...configuration, [member]: inner };
}
