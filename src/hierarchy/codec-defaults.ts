/**
 * What documents say of a codec that is named without its configuration, or with a part of it: what the encoder takes then. Specifications
 * require these members, TensorStore and zarrs refuse documents without them, and other libraries have other defaults.
 */
import { SHARDING } from "../codecs/sharding/configuration.js";
import type { DataType } from "../data-types/data-type.js";
import { isJsonObject, type Json, type JsonObject } from "../metadata/json.js";
import type { CodecMetadata } from "../metadata/model.js";

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

/** A codec with what its configuration leaves out; for shards, that of the codecs inside, too. */
export function withDefaults({ name, configuration }: CodecMetadata, dataType: DataType): CodecMetadata {
  const defaults = Object.hasOwn(DEFAULTS, name) ? DEFAULTS[name]?.(dataType.itemSize) : undefined;
  const complete = { ...defaults, ...configuration };
  const { codecs } = complete;
  if (name !== SHARDING || !Array.isArray(codecs)) return { name, configuration: complete };
  return { name, configuration: { ...complete, codecs: codecs.map((codec) => ofInner(codec, dataType)) } };
}

/** What is no codec is left to who reads it. */
function ofInner(codec: Json, dataType: DataType): Json {
  const { name, configuration = {} } = isJsonObject(codec) ? codec : { name: codec };
  if (typeof name !== "string" || !isJsonObject(configuration)) return codec;
  const complete = withDefaults({ name, configuration }, dataType);
  const isSame = Object.keys(complete.configuration).length === Object.keys(configuration).length;
  return isSame && name !== SHARDING
    ? codec
    : { ...(isJsonObject(codec) ? codec : { name }), configuration: complete.configuration };
}
