/** Codecs from one format to another, where both make the same bytes. */
import { readCodecs } from "../codecs/configuration.js";
import { SHARDING } from "../codecs/sharding/layout.js";
import type { DataType, Endian } from "../data-types/data-type.js";
import { UnsupportedError } from "../errors.js";
import { isJsonArray, type Json, type JsonObject } from "../metadata/json.js";
import type { ArrayMetadata, ChunkGrid, CodecMetadata } from "../metadata/model.js";
import { NUMCODECS } from "../metadata/v2.js";
import { codecKinds, OBJECT_CODECS, withArrayToBytes } from "./codec-options.js";

/** A codec that v3 and numcodecs both have. */
interface CommonCodec {
  /** The configuration in v3; undefined where v3 has no equal. */
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
      // -1 is zlib's own choice, 6. Other readers of v3 refuse what is no level there.
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
      // numcodecs can put the checksum in front as well.
      toV3: ({ location = "end" }) => (location === "end" ? {} : undefined),
      toNumcodecs: () => ({}),
    },
  ],
  [
    "zstd",
    {
      toV3: ({ level = 0, checksum = false }) =>
        isLevel(level, -131072, 22) && typeof checksum === "boolean" ? { level, checksum } : undefined,
      // numcodecs before 0.13 refuses the member.
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
        // -1: bits for single bytes, bytes for everything else.
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

/** A codec in the form v3 prefers: its own where it has one, `numcodecs.ID` otherwise. */
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

/** The `bytes` codec in a byte order. */
export function bytesCodec(dataType: DataType, endian: Endian): CodecMetadata {
  return { name: "bytes", configuration: dataType.needsEndian ? { endian } : {} };
}

/** "endian" is what drafts of final v3 called it. */
export function isBytesCodec({ name }: CodecMetadata): boolean {
  return name === "bytes" || name === "endian";
}

/** Byte order of the elements of an array's chunks; undefined where no `bytes` codec says one. */
export function endianOf({ zarrFormat, endian, codecs, chunkGrid }: ArrayMetadata): Endian | undefined {
  if (zarrFormat !== 3) return endian;
  const flat = withoutSharding(codecs, chunkGrid).codecs;
  const stated = flat.find(isBytesCodec)?.configuration.endian;
  return stated === "big" || stated === "little" ? stated : undefined;
}

/** The complete codecs of an array as v3 has them. @throws UnknownCodecError */
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
  // What codecs make of the elements may have a byte order where they have none, and another where they have one.
  const bytes = kinds.includes("array_to_array")
    ? { name: "bytes", configuration: { endian: endianAfter(codecs, endian) } }
    : bytesCodec(dataType, endian ?? "little");
  return withArrayToBytes(converted, kinds, bytes);
}

/**
 * Codecs for a new array of v3: what stores elements of fixed size as if they had none, which v2 arrays of zarr-python 3.0 have, is no codec
 * for them in v3.
 */
export async function codecsForV3(source: ArrayMetadata): Promise<CodecMetadata[]> {
  const codecs = await codecsInV3(source);
  if (source.zarrFormat === 3 || source.dataType.itemSize === 0) return codecs;
  return codecs.map((codec) =>
    /^vlen-(utf8|bytes)$/.test(codec.name) ? bytesCodec(source.dataType, "little") : codec,
  );
}

/** The byte order that the last filter of numcodecs to say one leaves elements in. */
function endianAfter(codecs: readonly CodecMetadata[], endian: Endian = "little"): Endian {
  return codecs.reduce(
    (current, { configuration: { dtype, astype = dtype, encode_dtype = astype } }) =>
      endianOfDtype(encode_dtype) ?? current,
    endian,
  );
}

/** The byte order that the first such filter of a v3 array takes elements in: in v2 it is that of their data type. */
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

/** Codecs besides `vlen-utf8` that give texts back as texts. */
const OF_TEXTS: readonly string[] = ["categorize", "json2", "msgpack2"];

/**
 * The order in which all transposes together store the dimensions, from slowest to fastest; undefined where there are none, or only such
 * as leave everything where it is.
 */
export function storedOrder(codecs: readonly CodecMetadata[], rank: number): readonly number[] | undefined {
  const identity = Array.from({ length: rank }, (_, dimension) => dimension);
  const order = codecs
    .filter(({ name }) => name === "transpose")
    .reduce((before, { configuration }) => {
      // "C" and "F" are spellings of early writers.
      if (configuration.order === "C") return before;
      if (configuration.order === "F") return before.toReversed();
      return isJsonArray(configuration.order)
        ? configuration.order.map((dimension) => before[Number(dimension)] ?? -1)
        : [];
    }, identity);
  return order.length === rank && order.every((dimension, i) => dimension === i) ? undefined : order;
}

/** The one transposition that v2 and the draft have, where that is how an array is stored. */
export function orderOf(codecs: readonly CodecMetadata[], rank: number): "C" | "F" {
  const order = storedOrder(codecs, rank);
  return order?.length === rank && order.every((dimension, i) => dimension === rank - 1 - i) ? "F" : "C";
}

/**
 * Codecs of v3 as v2 and the draft have them: a `transpose` first, no `bytes`, and for objects the codec that says what they are.
 * @throws UnsupportedError for a codec that they do not have
 */
export function codecsOfNumcodecs(
  codecs: readonly CodecMetadata[],
  { objectCodec }: DataType,
): CodecMetadata[] {
  const converted = codecs
    .filter((codec) => !isBytesCodec(codec))
    .map((codec) => (codec.name === "transpose" ? codec : toNumcodecs(codec)));
  if (objectCodec === undefined) return converted;
  // Their codec alone says what objects are, whatever v3 has with a data type: strings with vlen-bytes would be bytes.
  const own = NUMCODECS + objectCodec;
  const isOwn = (name: string): boolean =>
    name === own || (objectCodec === "vlen-utf8" && OF_TEXTS.includes(name.slice(NUMCODECS.length)));
  if (converted.some(({ name }) => isOwn(name))) return converted;
  const others = converted.filter(({ name }) => !OBJECT_CODECS.includes(name.slice(NUMCODECS.length)));
  const first = others.findIndex(({ name }) => name !== "transpose");
  others.splice(first < 0 ? others.length : first, 0, { name: own, configuration: {} });
  return others;
}

/** Chunk grid and codecs without sharding, nested or not: the innermost chunks become the chunks. */
export function withoutSharding(
  codecs: readonly CodecMetadata[],
  chunkGrid: ChunkGrid,
): { readonly codecs: readonly CodecMetadata[]; readonly chunkGrid: ChunkGrid } {
  const at = codecs.findIndex(({ name }) => name === SHARDING);
  const sharding = codecs[at]?.configuration;
  if (sharding === undefined) return { codecs, chunkGrid };
  const before = codecs.slice(0, at);
  const inner = readCodecs(sharding.codecs, SHARDING, "configuration.codecs");
  const grid: ChunkGrid = isJsonArray(sharding.chunk_shape)
    ? { name: "regular", chunkShape: beforeTranspose(sharding.chunk_shape.map(Number), before) }
    : chunkGrid;
  return withoutSharding([...before, ...inner, ...codecs.slice(at + 1)], grid);
}

/** A shape as it was before the array was transposed. */
function beforeTranspose(shape: readonly number[], codecs: readonly CodecMetadata[]): readonly number[] {
  return codecs.reduceRight((after, { configuration: { order } }) => {
    if (!isJsonArray(order)) return after;
    const before = after.slice();
    for (const [i, dimension] of order.entries()) before[Number(dimension)] = after[i] ?? 1;
    return before;
  }, shape);
}
