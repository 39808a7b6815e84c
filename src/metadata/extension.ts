/** Extension objects of the final v3 format, and the extension points of an array: chunk grid, chunk key encoding, codecs. */
import type { ErrorContext } from "../errors.js";
import { checkProduct, expectIntegers, expectObject, invalidMember, memberOf } from "./document.js";
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "./json.js";
import type { ChunkGrid, ChunkKeyEncoding, CodecMetadata } from "./model.js";

interface Extension {
  readonly name: string;
  readonly configuration: JsonObject;
  readonly mustUnderstand: boolean;
}

const EXTENSION_MEMBERS: ReadonlySet<string> = new Set(["name", "configuration", "must_understand"]);

/** An extension object, or the short-hand name of one without configuration ("Extension definition"). */
function parseExtension(json: Json | undefined, member: string, context: ErrorContext): Extension {
  if (typeof json === "string") return { name: json, configuration: {}, mustUnderstand: true };
  if (!isJsonObject(json)) throw invalidMember('a name or an object with "name"', json, member, context);
  const name = memberOf(json, "name");
  if (typeof name !== "string") throw invalidMember("a string", name, `${member}.name`, context);
  const configuration = expectObject(
    memberOf(json, "configuration") ?? {},
    `${member}.configuration`,
    context,
  );
  const mustUnderstand = memberOf(json, "must_understand") ?? true;
  if (typeof mustUnderstand !== "boolean") {
    throw invalidMember("true or false", mustUnderstand, `${member}.must_understand`, context);
  }
  const unknown = Object.keys(json).find((key) => !EXTENSION_MEMBERS.has(key));
  if (unknown !== undefined) {
    throw invalidMember(
      'only "name", "configuration", "must_understand"',
      json[unknown],
      `${member}.${unknown}`,
      context,
    );
  }
  return { name, configuration, mustUnderstand };
}

function refuseUnknownConfiguration(
  configuration: JsonObject,
  known: string,
  member: string,
  context: ErrorContext,
): void {
  for (const name of Object.keys(configuration)) {
    if (name === known) continue;
    throw invalidMember(`only "${known}"`, configuration[name], `${member}.configuration.${name}`, context);
  }
}

export function parseChunkGrid(json: Json | undefined, rank: number, context: ErrorContext): ChunkGrid {
  const { name, configuration } = parseExtension(json, "chunk_grid", context);
  if (name !== "regular") throw invalidMember('the chunk grid "regular"', name, "chunk_grid.name", context);
  refuseUnknownConfiguration(configuration, "chunk_shape", "chunk_grid", context);
  const member = "chunk_grid.configuration.chunk_shape";
  const chunkShape = expectIntegers(memberOf(configuration, "chunk_shape"), 1, rank, member, context);
  checkProduct(chunkShape, member, context);
  return { name, chunkShape };
}

export function parseChunkKeyEncoding(json: Json | undefined, context: ErrorContext): ChunkKeyEncoding {
  const { name, configuration } = parseExtension(flatSeparator(json), "chunk_key_encoding", context);
  if (name !== "default" && name !== "v2") {
    throw invalidMember('the chunk key encoding "default" or "v2"', name, "chunk_key_encoding.name", context);
  }
  refuseUnknownConfiguration(configuration, "separator", "chunk_key_encoding", context);
  const separator = memberOf(configuration, "separator") ?? (name === "default" ? "/" : ".");
  if (separator !== "/" && separator !== ".") {
    throw invalidMember('"/" or "."', separator, "chunk_key_encoding.configuration.separator", context);
  }
  return { name, separator };
}

/** `{"name", "separator"}` as early zarr-python 3 wrote it and still reads it. */
function flatSeparator(json: Json | undefined): Json | undefined {
  if (!isJsonObject(json) || !Object.hasOwn(json, "separator") || Object.hasOwn(json, "configuration"))
    return json;
  const { separator = null, ...rest } = json;
  return { ...rest, configuration: { separator } };
}

/** A `codecs` list: of an array, or inside the configuration of a codec that holds codecs (`sharding_indexed`). */
export function parseCodecs(
  json: Json | undefined,
  member: string,
  context: ErrorContext = {},
): readonly CodecMetadata[] {
  if (!isJsonArray(json) || json.length === 0) {
    throw invalidMember("a list with at least an array-to-bytes codec", json, member, context);
  }
  return json.map((item, i) => {
    const { name, configuration, mustUnderstand } = parseExtension(item, `${member}[${i}]`, context);
    return mustUnderstand ? { name, configuration } : { name, configuration, mustUnderstand };
  });
}

// zarr-python wants `configuration` on every codec but these two, which it writes without one when it is empty.
const WITHOUT_CONFIGURATION: ReadonlySet<string> = new Set(["bytes", "crc32c"]);

/** A codec as an object with its configuration, never the short-hand that zarr-python does not read. */
export function writeCodec({ name, configuration, mustUnderstand }: CodecMetadata): JsonObject {
  const omit = WITHOUT_CONFIGURATION.has(name) && Object.keys(configuration).length === 0;
  return {
    name,
    ...(omit ? {} : { configuration }),
    ...(mustUnderstand === undefined ? {} : { must_understand: mustUnderstand }),
  };
}
