/** Converts codecs from one format to another that produce the same bytes. */
import { at } from "../at.js";
import { readCodecs } from "../codecs/configuration.js";
import { SHARDING } from "../codecs/sharding/layout.js";
import type { DataType, Endian } from "../data-types/data-type.js";
import { UnsupportedError } from "../errors.js";
import { isJsonArray, type Json, type JsonObject } from "../metadata/json.js";
import type { ArrayMetadata, ChunkGrid, CodecMetadata } from "../metadata/model.js";
import { NUMCODECS } from "../metadata/v2.js";
import { codecKinds, OBJECT_CODECS, withArrayToBytes } from "./codec-options.js";

/** A codec that exists in v3 and in numcodecs. */
interface CommonCodec {
  /** The configuration in v3; undefined if v3 has no equivalent. */
  toV3(configuration: JsonObject, dataType: DataType): JsonObject | undefined;
  toNumcodecs(configuration: JsonObject): JsonObject;
}

const asItIs = (configuration: JsonObject): JsonObject => configuration;
const alike: CommonCodec = { toV3: asItIs, toNumcodecs: asItIs };

function isLevel(level: Json, minimum: number, maximum: number): boolean {
  return typeof level === "number" && Number.isInteger(level) && level >= minimum && level <= maximum;
}

const SHUFFLES: readonly Json[] = ["noshuffle", "shuffle", "bitshuffle"];

const COMMON: ReadonlyMap<string, CommonCodec> = new Map([
  [
    "gzip",
    {
      // -1 means zlib's default, level 6. Other v3 readers refuse levels outside 0 to 9.
      toV3: ({ level = 1, ...others }) =>
        isLevel(level, -1, 9) ? { level: level === -1 ? 6 : level, ...others } : undefined,
      toNumcodecs: asItIs,
    },
  ],
  ["vlen-utf8", alike],
  ["vlen-bytes", alike],
  [
    "crc32c",
    {
      // v3 has no checksum at the start, which numcodecs allows.
      toV3: ({ location = "end" }) => (location === "end" ? {} : undefined),
      toNumcodecs: () => ({}),
    },
  ],
  [
    "zstd",
    {
      toV3: ({ level = 0, checksum = false }) =>
        isLevel(level, -131072, 22) && typeof checksum === "boolean" ? { level, checksum } : undefined,
      // numcodecs before 0.13 refuses the member `checksum`.
      toNumcodecs: ({ level = 0, checksum = false }) => ({
        level,
        ...(checksum === true ? { checksum } : {}),
      }),
    },
  ],
  [
    "blosc",
    {
      toV3({ cname = "lz4", clevel = 5, shuffle = 1, blocksize = 0 }, { itemSize }) {
        const typesize = itemSize > 0 && itemSize < 256 ? itemSize : 1;
        // -1 means bitshuffle for elements of one byte, else shuffle.
        const kind = shuffle === -1 ? (typesize === 1 ? 2 : 1) : shuffle;
        const name = typeof kind === "number" ? SHUFFLES[kind] : undefined;
        return name === undefined || !isLevel(clevel, 0, 9)
          ? undefined
          : { typesize, cname, clevel, shuffle: name, blocksize };
      },
      toNumcodecs: ({ cname = "lz4", clevel = 5, shuffle = "noshuffle", blocksize = 0 }) => ({
        cname,
        clevel,
        shuffle: SHUFFLES.indexOf(shuffle),
        blocksize,
      }),
    },
  ],
]);

/** A codec as v3 prefers it: the codec of v3 if there is one, else `numcodecs.ID`. */
function toV3Codec(codec: CodecMetadata, dataType: DataType): CodecMetadata {
  if (!codec.name.startsWith(NUMCODECS)) return codec;
  const name = codec.name.slice(NUMCODECS.length);
  const configuration = COMMON.get(name)?.toV3(codec.configuration, dataType);
  return configuration === undefined ? codec : { name, configuration };
}

function toNumcodecs(codec: CodecMetadata): CodecMetadata {
  if (codec.name.startsWith(NUMCODECS)) return codec;
  const common = COMMON.get(codec.name);
  if (common === undefined) {
    throw new UnsupportedError(
      `codec "${codec.name}" of v3 has no counterpart in the other formats; give the codecs to use instead`,
      { codec: codec.name },
    );
  }
  return { name: NUMCODECS + codec.name, configuration: common.toNumcodecs(codec.configuration) };
}

/** The `bytes` codec; with a byte order if the data type needs one. */
export function bytesCodec(dataType: DataType, endian: Endian): CodecMetadata {
  return { name: "bytes", configuration: dataType.needsEndian ? { endian } : {} };
}

/** Whether a codec is `bytes`, which drafts of the final v3 called "endian". */
export function isBytesCodec({ name }: CodecMetadata): boolean {
  return name === "bytes" || name === "endian";
}

/** Byte order of the stored elements; undefined if no `bytes` codec states one. */
export function endianOf({ zarrFormat, endian, codecs, chunkGrid }: ArrayMetadata): Endian | undefined {
  if (zarrFormat !== 3) return endian;
  const flat = withoutSharding(codecs, chunkGrid).codecs;
  const stated = flat.find(isBytesCodec)?.configuration.endian;
  return stated === "big" || stated === "little" ? stated : undefined;
}

/** The complete codecs of an array in the form of v3. @throws UnknownCodecError */
export async function codecsInV3({
  zarrFormat,
  dataType,
  endian,
  codecs,
  chunkGrid,
}: ArrayMetadata): Promise<CodecMetadata[]> {
  const converted = codecs.map((codec) => toV3Codec(codec, dataType));
  if (zarrFormat === 3) return converted;
  const spec = {
    shape: chunkGrid.name === "regular" ? chunkGrid.chunkShape : [],
    dataType,
    fillValue: undefined,
  };
  const kinds = await codecKinds(codecs, spec);
  // Array-to-array codecs may change the data type: encoded elements may need a byte order that the array's do not, or another.
  const bytes = kinds.includes("array_to_array")
    ? { name: "bytes", configuration: { endian: endianAfter(codecs, endian) } }
    : bytesCodec(dataType, endian ?? "little");
  return withArrayToBytes(converted, kinds, bytes);
}

/**
 * Codecs for a new v3 array. v2 arrays of zarr-python 3.0 may store elements of fixed size with vlen codecs. v3 does not allow these for
 * such elements, so `bytes` replaces them.
 */
export async function codecsForV3(source: ArrayMetadata): Promise<CodecMetadata[]> {
  const codecs = await codecsInV3(source);
  if (source.zarrFormat === 3 || source.dataType.itemSize === 0) return codecs;
  return codecs.map((codec) =>
    /^vlen-(utf8|bytes)$/.test(codec.name) ? bytesCodec(source.dataType, "little") : codec,
  );
}

/** The byte order of elements after all filters: that of the last numcodecs filter whose encoded dtype states one, else `endian`. */
function endianAfter(codecs: readonly CodecMetadata[], endian: Endian = "little"): Endian {
  return codecs.reduce(
    (current, { configuration: { dtype, astype = dtype, encode_dtype = astype } }) =>
      endianOfDtype(encode_dtype) ?? current,
    endian,
  );
}

/** The byte order that the first such filter of a v3 array decodes to; in v2, the data type has to have this byte order. */
export function endianBefore({ zarrFormat, codecs }: ArrayMetadata): Endian | undefined {
  if (zarrFormat !== 3) return undefined;
  const stated = codecs.map(({ configuration: { dtype, decode_dtype = dtype } }) =>
    endianOfDtype(decode_dtype),
  );
  return stated.find((endian) => endian !== undefined);
}

function endianOfDtype(dtype: Json | undefined): Endian | undefined {
  const mark = typeof dtype === "string" ? dtype[0] : "";
  return mark === ">" ? "big" : mark === "<" ? "little" : undefined;
}

/** Object codecs besides `vlen-utf8` that decode strings to strings. */
const OF_TEXTS: readonly string[] = ["categorize", "json2", "msgpack2"];

/**
 * The order of the stored dimensions after all `transpose` codecs, from slowest to fastest; undefined if that is the array's own order
 * (C).
 */
export function storedOrder(codecs: readonly CodecMetadata[], rank: number): readonly number[] | undefined {
  const identity = Array.from({ length: rank }, (_, dimension) => dimension);
  const order = codecs
    .filter(({ name }) => name === "transpose")
    .reduce((before, { configuration }) => {
      // Early writers spelt orders as "C" and "F".
      if (configuration.order === "C") return before;
      if (configuration.order === "F") return before.toReversed();
      return isJsonArray(configuration.order)
        ? configuration.order.map((dimension) => before[Number(dimension)] ?? -1)
        : [];
    }, identity);
  return order.length === rank && order.every((dimension, i) => dimension === i) ? undefined : order;
}

/** "F" if the dimensions are stored in reversed order, else "C": v2 and the draft have no other orders. */
export function orderOf(codecs: readonly CodecMetadata[], rank: number): "C" | "F" {
  const order = storedOrder(codecs, rank);
  return order?.length === rank && order.every((dimension, i) => dimension === rank - 1 - i) ? "F" : "C";
}

/**
 * Converts v3 codecs to those of v2 and the draft: `transpose` first, no `bytes`, and the object codec for objects.
 * @throws UnsupportedError for a codec that these formats lack
 */
export function codecsOfNumcodecs(
  codecs: readonly CodecMetadata[],
  { objectCodec }: DataType,
): CodecMetadata[] {
  const converted = codecs
    .filter((codec) => !isBytesCodec(codec))
    .map((codec) => (codec.name === "transpose" ? codec : toNumcodecs(codec)));
  if (objectCodec === undefined) return converted;
  // v2's object codec defines the type of objects: strings stored with vlen-bytes would be read as bytes.
  const own = NUMCODECS + objectCodec;
  const isOwn = (name: string): boolean =>
    name === own || (objectCodec === "vlen-utf8" && OF_TEXTS.includes(name.slice(NUMCODECS.length)));
  if (converted.some(({ name }) => isOwn(name))) return converted;
  const others = converted.filter(({ name }) => !OBJECT_CODECS.includes(name.slice(NUMCODECS.length)));
  const first = others.findIndex(({ name }) => name !== "transpose");
  others.splice(first < 0 ? others.length : first, 0, { name: own, configuration: {} });
  return others;
}

/** Chunk grid and codecs without (nested) sharding: the innermost chunks become the chunks. */
export function withoutSharding(
  codecs: readonly CodecMetadata[],
  chunkGrid: ChunkGrid,
): { readonly codecs: readonly CodecMetadata[]; readonly chunkGrid: ChunkGrid } {
  const at = codecs.findIndex(({ name }) => name === SHARDING);
  const sharding = codecs[at]?.configuration;
  if (sharding === undefined) return { codecs, chunkGrid };
  const before = codecs.slice(0, at);
  const inner = readCodecs(SHARDING, sharding, "codecs");
  const grid: ChunkGrid = isJsonArray(sharding.chunk_shape)
    ? { name: "regular", chunkShape: beforeTranspose(sharding.chunk_shape.map(Number), before) }
    : chunkGrid;
  return withoutSharding([...before, ...inner, ...codecs.slice(at + 1)], grid);
}

/** The shape before the transpositions of `codecs`. */
function beforeTranspose(shape: readonly number[], codecs: readonly CodecMetadata[]): readonly number[] {
  return codecs.reduceRight((after, { configuration: { order } }) => {
    if (!isJsonArray(order)) return after;
    const before = after.slice();
    for (const [i, dimension] of order.entries()) before[Number(dimension)] = at(after, i);
    return before;
  }, shape);
}
