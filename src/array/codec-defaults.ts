/**
 * What documents say of a codec that is named without its configuration, or with a part of it: what the encoder takes then. Specifications
 * require these members, TensorStore and zarrs refuse documents without them, and other libraries have other defaults.
 */
import { readCodecs } from "../codecs/codec-list.js";
import { loadCodec, ownCodecs } from "../codecs/registry.js";
import { SHARDING } from "../codecs/sharding/configuration.js";
import type { DataType } from "../data-types/data-type.js";
import { loadExtraDataTypes } from "../data-types/registry.js";
import { isJsonObject, type Json, type JsonObject } from "../metadata/json.js";
import type { CodecMetadata } from "../metadata/model.js";
import { NUMCODECS } from "../metadata/v2.js";

/** By the names of v3, and by those of numcodecs, which v2 has without the prefix. */
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
  // Earlier versions of numcodecs know no checksum.
  "numcodecs.zstd": () => ({ level: 0 }),
  "numcodecs.lz4": () => ({ acceleration: 1 }),
  "numcodecs.blosc": (itemSize) => ({
    cname: "lz4",
    clevel: 5,
    shuffle: itemSize === 1 ? 2 : 1,
    blocksize: 0,
  }),
  // 4 to numcodecs where it is left out, whatever the elements are.
  "numcodecs.shuffle": (itemSize) => ({ elementsize: Math.max(1, itemSize) }),
};

/** Those of numcodecs that v3 has under its name alone: zarr-python knows no other. */
const OF_NUMCODECS =
  /^(zlib|lz4|lzma|bz2|shuffle|delta|fixedscaleoffset|quantize|astype|base64|crc32|adler32|fletcher32|jenkins_lookup3)$/;

function fullName(name: string): string {
  return OF_NUMCODECS.test(name) && !ownCodecs().includes(name) ? NUMCODECS + name : name;
}

/** Codecs by their full names, with what their configurations leave out; for shards, the codecs inside, too. */
export async function withDefaults(
  codecs: readonly CodecMetadata[],
  dataType: DataType,
): Promise<CodecMetadata[]> {
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

/** What is no list of codecs is left to who reads it. */
async function withInnerDefaults(configuration: JsonObject, dataType: DataType): Promise<JsonObject> {
  const { codecs } = configuration;
  if (!Array.isArray(codecs)) return configuration;
  let given: readonly CodecMetadata[];
  try {
    given = readCodecs(codecs, SHARDING, "configuration.codecs");
  } catch {
    return configuration;
  }
  const completed = await withDefaults(given, dataType);
  const inner = codecs.map((codec: Json, i): Json => {
    const { name = "", configuration = {} } = completed[i] ?? {};
    const members = Object.keys(configuration).length === 0 ? {} : { configuration };
    return isJsonObject(codec) ? { ...codec, name, ...members } : { name, ...members };
  });
  return { ...configuration, codecs: inner };
}

/** The data type of the elements behind all array-to-array codecs of a list: what `bytes` has the byte order of. */
export async function encodedDataType(
  codecs: readonly CodecMetadata[],
  dataType: DataType,
): Promise<DataType> {
  let encoded = dataType;
  for (const codec of codecs) encoded = await encodedBy(codec, encoded);
  return encoded;
}

/** The data type of the elements behind a codec: some store others, of another size. */
async function encodedBy({ name, configuration }: CodecMetadata, dataType: DataType): Promise<DataType> {
  if (name === "transpose") return dataType;
  try {
    const entry = await loadCodec(name);
    if (entry.kind !== "array_to_array") return dataType;
    await loadExtraDataTypes();
    const codec = await entry.fromConfig(configuration, { shape: [1], dataType, fillValue: undefined });
    return codec.kind === "array_to_array" ? codec.encoded.dataType : dataType;
  } catch {
    // What is wrong with it is said when the array's codecs are prepared.
    return dataType;
  }
}
