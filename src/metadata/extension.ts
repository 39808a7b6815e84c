/** Extension objects of the final v3 format, and the extension points of an array: chunk grid, chunk key encoding, codecs. */
import { isJsonArray, isJsonObject, type JsonObject } from "./json.js";
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

/** @param codecs of the array: shards have lengths of inner chunks */
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
    return (await import("./early-grids.js")).parseEarlyGrid(lengths, shape, codecs);
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

/** What an empty list stands for: zarrita's `create` writes one unless told otherwise, and elements as `bytes` makes them. */
const UNSAID: CodecMetadata = { name: "bytes", configuration: { endian: "little" } };

/** The `codecs` of an array. That exactly one makes bytes of an array is for the codec pipeline to check. */
export function parseCodecs(member: Member): readonly CodecMetadata[] {
  const codecs = member.list();
  return codecs.length === 0
    ? [UNSAID]
    : codecs.map((codec) => {
        const { name, configuration, mustUnderstand } = parseExtension(codec);
        const known = { name: name.string(), configuration: configuration.object() };
        return mustUnderstand ? known : { ...known, mustUnderstand };
      });
}

// zarr-python wants `configuration` on every codec but these two, which it writes without one when it is empty.
const WITHOUT_CONFIGURATION = ["bytes", "crc32c"];

/** A codec as an object with its configuration, never the short-hand that zarr-python does not read. */
export function writeCodec({ name, configuration, mustUnderstand }: CodecMetadata): JsonObject {
  const omit = WITHOUT_CONFIGURATION.includes(name) && Object.keys(configuration).length === 0;
  return {
    name,
    ...(omit ? {} : { configuration }),
    ...(mustUnderstand === undefined ? {} : { must_understand: mustUnderstand }),
  };
}
