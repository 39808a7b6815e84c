/** Completes the codecs that a caller names for an array's metadata: adds order, byte order and default configurations. */

import { at } from "../at.js";
import {
  type ChunkSpec,
  type Codec,
  type CodecEntry,
  chunkMetadata,
  type ZarritaCodecEntry,
} from "../codecs/codec.js";
import { readCodecs } from "../codecs/configuration.js";
import { findCodec, loadCodec, ownCodecs } from "../codecs/registry.js";
import { SHARDING } from "../codecs/sharding/layout.js";
import type { DataType, Endian, ZarrFormat } from "../data-types/data-type.js";
import { loadExtraDataTypes } from "../data-types/registry.js";
import { describe, InvalidArgumentError } from "../errors.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../metadata/json.js";
import { Member } from "../metadata/member.js";
import type { ArrayMetadata, CodecMetadata } from "../metadata/model.js";
import { NUMCODECS, transposeOf } from "../metadata/v2.js";

/** A codec of v3: its name, or name and configuration. */
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
  /** Shape of the inner chunks; makes the array sharded. */
  readonly innerShape?: readonly number[] | undefined;
}

/** zarr-python's default compression. It writes level 0, which zstd defines as its default level 3. The draft has no zstd. */
const DEFAULT_CODECS: Readonly<Record<ZarrFormat, NonNullable<CodecChoice["codecs"]>>> = {
  2: { compressor: { id: "zstd", level: 3 } },
  3: [{ name: "zstd", configuration: { level: 3, checksum: false } }],
  draft: [],
};

/** The complete codecs of an array in the model's form, including order and byte order. @throws InvalidArgumentError */
export async function codecList(
  choice: CodecChoice,
  dataType: DataType,
  endian: Endian,
): Promise<CodecMetadata[]> {
  const { order = "C", rank, zarrFormat = 3, innerShape } = choice;
  const { codecs = DEFAULT_CODECS[zarrFormat] } = choice;
  const transpose = transposeOf(order, rank);
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
    return [...transpose, ...(await completeV2(all.map(fromNumcodecs), dataType))];
  }
  const given = codecs.map(named);
  if (zarrFormat !== 3) {
    if (innerShape !== undefined)
      throw new InvalidArgumentError("shards: only v3 has them; use zarrFormat: 3");
    return [...transpose, ...(await completeV2(given.map(toNumcodecs), dataType))];
  }
  const completed = [
    ...transpose,
    ...(await withSerializer(await withDefaults(given, dataType), dataType, endian, rank)),
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

/** Adds an array-to-bytes codec to v3 codecs without one, and the byte order to `bytes`. */
async function withSerializer(
  given: CodecMetadata[],
  dataType: DataType,
  endian: Endian,
  rank: number,
): Promise<CodecMetadata[]> {
  const isVariable = dataType.variable !== undefined;
  const { needsEndian } = await encodedDataType(given, dataType);
  const bytes = { name: "bytes", configuration: needsEndian || isVariable ? { endian } : {} };
  const completed = given.map((codec) =>
    codec.name === "bytes" && codec.configuration.endian === undefined ? bytes : codec,
  );
  // Other implementations expect vlen-utf8 for strings and vlen-bytes for bytes. `categorize` turns strings into numbers.
  const isText = !given.some(({ name }) => name.replace(/^numcodecs\./, "") === "categorize");
  const own = dataType.serializer?.(endian) ?? bytes;
  const serializer =
    dataType.objectCodec !== undefined && isText ? { name: dataType.objectCodec, configuration: {} } : own;
  const spec = { shape: new Array<number>(rank).fill(1), dataType, fillValue: undefined };
  return withArrayToBytes(completed, await codecKinds(completed, spec), serializer);
}

/** Inserts `serializer` before the first bytes-to-bytes codec, unless the list has an array-to-bytes codec. */
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
async function completeV2(given: readonly CodecMetadata[], dataType: DataType): Promise<CodecMetadata[]> {
  const codecs = await withDefaults(given, dataType);
  const { objectCodec } = dataType;
  if (objectCodec === undefined) return codecs;
  const isThere = codecs.some(({ name }) => OBJECT_CODECS.includes(name.replace(/^numcodecs\./, "")));
  return isThere ? codecs : [{ name: prefixed(objectCodec), configuration: {} }, ...codecs];
}

export const OBJECT_CODECS = ["vlen-utf8", "vlen-bytes", "vlen-array", "json2", "msgpack2", "categorize"];

/** The sharding codec. Its index is little-endian with a checksum, at the end of the shard, as all implementations write it. */
export function sharded(codecs: readonly CodecMetadata[], innerShape: readonly number[]): CodecMetadata {
  return {
    name: "sharding_indexed",
    configuration: {
      chunk_shape: innerShape,
      codecs: describeCodecs(codecs),
      index_codecs: [
        { name: "bytes", configuration: { endian: "little" } },
        { name: "crc32c", configuration: {} },
      ],
      index_location: "end",
    },
  };
}

/** Names and configurations of codecs as JSON. */
export function describeCodecs(codecs: readonly CodecMetadata[]): JsonObject[] {
  return codecs.map(({ name, configuration }) => ({ name, configuration }));
}

/** The kind of each codec, such as "array_to_bytes". @param spec the chunks' shape and data type, to construct codecs of zarrita's interface */
export function codecKinds(
  codecs: readonly CodecMetadata[],
  spec: ChunkSpec,
): Promise<NonNullable<Codec["kind"]>[]> {
  return Promise.all(
    codecs.map(async ({ name, configuration }) => {
      const entry = await loadCodec(name);
      if (entry.kind !== undefined) return entry.kind;
      return entry.fromConfig(configuration, chunkMetadata(spec, codecs)).kind ?? "bytes_to_bytes";
    }),
  );
}

function isCodecList(codecs: NonNullable<CodecChoice["codecs"]>): codecs is readonly CodecOption[] {
  return Array.isArray(codecs);
}

function prefixed(name: string): string {
  return name.startsWith(NUMCODECS) || name.includes("://") ? name : NUMCODECS + name;
}

/** Codecs that numcodecs lacks: other readers of v2 or the draft would not know them. */
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

/** Default configurations, by names of v3 and of numcodecs (v2 uses these without the prefix). */
const DEFAULTS: Readonly<Record<string, (itemSize: number) => JsonObject>> = {
  gzip: () => ({ level: 5 }),
  zstd: () => ({ level: 0, checksum: false }),
  blosc: (itemSize) => ({
    cname: "lz4",
    clevel: 5,
    shuffle: itemSize === 1 ? "bitshuffle" : "shuffle",
    typesize: itemSize > 0 && itemSize < 256 ? itemSize : 1,
    blocksize: 0,
  }),
  "numcodecs.gzip": () => ({ level: 5 }),
  "numcodecs.zlib": () => ({ level: 1 }),
  // Earlier versions of numcodecs refuse the member `checksum`.
  "numcodecs.zstd": () => ({ level: 0 }),
  "numcodecs.lz4": () => ({ acceleration: 1 }),
  "numcodecs.blosc": (itemSize) => ({
    cname: "lz4",
    clevel: 5,
    shuffle: itemSize === 1 ? 2 : 1,
    blocksize: 0,
  }),
  // Always stated: numcodecs assumes 4 for elements of any size.
  "numcodecs.shuffle": (itemSize) => ({ elementsize: Math.max(1, itemSize) }),
};

/** numcodecs codecs whose plain names callers may give. Documents need the prefix: zarr-python accepts no other name. */
const OF_NUMCODECS =
  /^(zlib|lz4|lzma|bz2|shuffle|delta|fixedscaleoffset|quantize|astype|base64|crc32|adler32|fletcher32|jenkins_lookup3)$/;

function fullName(name: string): string {
  return OF_NUMCODECS.test(name) && !ownCodecs().includes(name) ? NUMCODECS + name : name;
}

/**
 * Completes codec names and adds the encoder's default settings to configurations, also for the inner codecs of shards. Specifications
 * require these members, TensorStore and zarrs refuse documents without them, and other libraries have other defaults.
 */
async function withDefaults(codecs: readonly CodecMetadata[], dataType: DataType): Promise<CodecMetadata[]> {
  const completed: CodecMetadata[] = [];
  let encoded = dataType;
  for (const codec of codecs) {
    const { configuration } = codec;
    const name = fullName(codec.name);
    const defaults = Object.hasOwn(DEFAULTS, name) ? DEFAULTS[name]?.(encoded.itemSize) : undefined;
    const inside = name === SHARDING ? await withInnerDefaults(configuration, encoded) : configuration;
    completed.push({ name, configuration: { ...defaults, ...inside } });
    encoded = await encodedBy(codec, encoded);
  }
  return completed;
}

/** `withDefaults` for the inner codecs of shards. Malformed lists stay as they are: the sharding codec reports them. */
async function withInnerDefaults(configuration: JsonObject, dataType: DataType): Promise<JsonObject> {
  const { codecs } = configuration;
  if (!Array.isArray(codecs)) return configuration;
  let given: readonly CodecMetadata[];
  try {
    given = readCodecs(SHARDING, { codecs }, "codecs");
  } catch {
    return configuration;
  }
  const completed = await withDefaults(given, dataType);
  const inner = codecs.map((codec: Json, i): Json => {
    const { name = "", configuration = {} } = at(completed, i);
    const members = Object.keys(configuration).length === 0 ? {} : { configuration };
    return isJsonObject(codec) ? { ...codec, name, ...members } : { name, ...members };
  });
  return { ...configuration, codecs: inner };
}

/** The data type of elements after all array-to-array codecs. It decides whether `bytes` needs a byte order. */
export async function encodedDataType(
  codecs: readonly CodecMetadata[],
  dataType: DataType,
): Promise<DataType> {
  let encoded = dataType;
  for (const codec of codecs) encoded = await encodedBy(codec, encoded);
  return encoded;
}

/** The data type of elements after a codec: some array-to-array codecs change it. */
async function encodedBy({ name, configuration }: CodecMetadata, dataType: DataType): Promise<DataType> {
  if (name === "transpose") return dataType;
  try {
    const entry = await loadCodec(name);
    const spec: ChunkSpec = { shape: [1], dataType, fillValue: undefined };
    if (entry.kind === undefined) {
      const { encodedSpecOf } = await import("../codecs/zarrita-codecs.js");
      return encodedSpecOf(entry, { name, configuration }, spec).dataType;
    }
    if (entry.kind !== "array_to_array") return dataType;
    await loadExtraDataTypes();
    const codec = await entry.fromConfig(configuration, spec);
    return codec.kind === "array_to_array" ? codec.encoded.dataType : dataType;
  } catch {
    // A wrong configuration is reported when the array's codecs are prepared.
    return dataType;
  }
}

/**
 * Refuses codecs that can only decode, before a new array is written. Call it after the array's `prepare`.
 * @throws UnsupportedError, InvalidMetadataError for a codec, or an inner codec, that cannot encode
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
      // Members with inner codecs have names such as "codecs", "index_codecs", "data_codecs".
      if (!member.endsWith("codecs")) continue;
      await checkChain(innerCodecs(value), name === SHARDING && member === "codecs" ? current : undefined);
    }
    current &&= encodedSpec(entry, configuration, current);
  }
}

/** The well-formed codecs of a list. Unknown codecs may have other values in such members, which are ignored. */
function innerCodecs(json: Json): CodecMetadata[] {
  return (isJsonArray(json) ? json : []).flatMap((codec) => {
    const { name, configuration = {} } = isJsonObject(codec) ? codec : { name: codec };
    return typeof name === "string" && isJsonObject(configuration) ? [{ name, configuration }] : [];
  });
}

/** The data type and fill value that the next codec sees; the shape is not tracked. */
function encodedSpec(
  entry: CodecEntry | ZarritaCodecEntry | undefined,
  configuration: JsonObject,
  spec: ChunkSpec,
): ChunkSpec {
  if (entry?.kind !== "array_to_array") return spec;
  try {
    const codec = entry.fromConfig(configuration, spec);
    return codec.kind === "array_to_array" ? { ...codec.encoded, shape: [] } : spec;
  } catch {
    return spec;
  }
}
