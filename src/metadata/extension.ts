/** The extension points of a v3 array: chunk grid, chunk key encoding and codecs. */
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "./json.js";
import type { Member } from "./member.js";
import type { ChunkGrid, ChunkKeyEncoding, CodecMetadata } from "./model.js";

interface Extension {
  readonly name: Member;
  readonly configuration: Member;
  readonly mustUnderstand: boolean;
}

/** An extension object, or the short-hand name of one without configuration ("Extension definition"). */
function parseExtension(member: Member): Extension {
  const extension = typeof member.json === "string" ? member.as({ name: member.json }) : member;
  extension.ignorable(["name", "configuration", "must_understand"]);
  const configuration = extension.get("configuration");
  const mustUnderstand = extension.get("must_understand");
  return {
    name: extension.get("name"),
    configuration: configuration.isNull ? configuration.as({}) : configuration,
    mustUnderstand: mustUnderstand.isNull || mustUnderstand.oneOf(true, false),
  };
}

/** @param codecs the codecs of the array: the inner chunks of shards have lengths */
export async function parseChunkGrid(
  member: Member,
  shape: readonly number[],
  codecs: readonly CodecMetadata[],
): Promise<ChunkGrid> {
  const { name, configuration } = parseExtension(member);
  const chunkGrid = name.oneOf("regular", "rectilinear");
  if (chunkGrid !== "regular")
    return (await import("./rectilinear.js")).parseRectilinear(configuration, shape);
  configuration.ignorable(["chunk_shape"]);
  const lengths = configuration.get("chunk_shape");
  if (isJsonArray(lengths.json) && lengths.json.some((length) => typeof length !== "number" || length === 0))
    return parseEarlyGrid(lengths, shape, codecs);
  return { name: chunkGrid, chunkShape: lengths.integers(1, shape.length) };
}

export function parseChunkKeyEncoding(member: Member): ChunkKeyEncoding {
  const { name, configuration } = parseExtension(withConfiguration(member));
  const encoding = name.oneOf("default", "v2");
  configuration.ignorable(["separator"]);
  const separator = configuration.get("separator");
  if (separator.json === undefined) return { name: encoding, separator: encoding === "default" ? "/" : "." };
  return { name: encoding, separator: separator.oneOf("/", ".") };
}

/** `{"name", "separator"}`, as early zarr-python 3 wrote it and still reads it. */
function withConfiguration(member: Member): Member {
  if (!isJsonObject(member.json) || !Object.hasOwn(member.json, "separator")) return member;
  const { separator = null, ...rest } = member.json;
  return member.as({ configuration: { separator }, ...rest });
}

/** The codec of an empty list, which zarrita's `create` writes by default. */
const DEFAULT_CODEC: CodecMetadata = { name: "bytes", configuration: { endian: "little" } };

/** The `codecs` of an array. The codec pipeline checks that exactly one makes bytes of an array. */
export function parseCodecs(member: Member): readonly CodecMetadata[] {
  const codecs = member.list();
  return codecs.length === 0
    ? [DEFAULT_CODEC]
    : codecs.map((codec) => {
        const { name, configuration, mustUnderstand } = parseExtension(codec);
        const known = { name: name.string(), configuration: configuration.object() };
        return mustUnderstand ? known : { ...known, mustUnderstand };
      });
}

/**
 * Chunk lengths as earlier versions of zarr-python wrote them although no specification allows them, read as zarr-python 3.4 does: 0 and
 * `false` are the shortest length there is, since nothing can have been stored in such chunks; `true` is 1.
 * @param shortest the shortest length that chunks can have, by dimension; 1 by default
 */
export function readLengths(lengths: readonly Json[], shortest: readonly number[] = []): readonly Json[] {
  return lengths.map((length, d) => {
    if (length === 0 || length === false) return shortest[d] ?? 1;
    return length === true ? 1 : length;
  });
}

/**
 * A regular grid of earlier versions of zarr-python. One in which some dimensions have lists of lengths is a rectilinear grid.
 * @param lengths `chunk_shape` of the grid @throws InvalidMetadataError
 */
async function parseEarlyGrid(
  lengths: Member,
  shape: readonly number[],
  codecs: readonly CodecMetadata[],
): Promise<ChunkGrid> {
  const stored = isJsonArray(lengths.json) ? lengths.json : [];
  const read = lengths.as(readLengths(stored, innerLengths(codecs)));
  const isList = stored.map(isFlatList);
  // zarr-python 3.2 wrote these, but never for all dimensions at once.
  if (isList.includes(true) && isList.includes(false))
    return (await import("./rectilinear.js")).parseChunkShapes(read, shape);
  return { name: "regular", chunkShape: read.integers(1, shape.length) };
}

function isFlatList(json: Json): boolean {
  return isJsonArray(json) && !json.some((item) => isJsonArray(item));
}

/** Lengths of the inner chunks of shards. */
function innerLengths(codecs: readonly CodecMetadata[]): readonly number[] {
  const sharding = codecs.find(({ name }) => name === "sharding_indexed");
  const lengths = sharding?.configuration.chunk_shape;
  return isJsonArray(lengths) ? readLengths(lengths).map(Number) : [];
}

/**
 * Arrays of the legacy `structured` may have `bytes` without a byte order, which means little-endian; they are written as `struct`, for
 * which it "MUST be configured". Shards' inner codecs are the same.
 */
export function withEndian<Codec extends Pick<CodecMetadata, "name" | "configuration">>(codec: Codec): Codec {
  return { ...codec, configuration: withEndianIn(codec.name, codec.configuration) };
}

function withEndianIn(name: string, configuration: JsonObject): JsonObject {
  if (name === "bytes") return { endian: "little", ...configuration };
  const { codecs } = configuration;
  return name === "sharding_indexed" && isJsonArray(codecs)
    ? { ...configuration, codecs: codecs.map(inner) }
    : configuration;
}

function inner(json: Json): Json {
  const codec = typeof json === "string" ? { name: json } : json;
  if (!isJsonObject(codec) || typeof codec.name !== "string") return json;
  const { configuration = {} } = codec;
  return isJsonObject(configuration)
    ? { ...codec, configuration: withEndianIn(codec.name, configuration) }
    : json;
}
