/**
 * Which chunk key encodings there are: `default` and `v2` of v3, the draft's, those proposed for
 * zarr-extensions (chunk-keys/), and those that applications register.
 */
import { parseExtension } from "./extension.js";
import { isJsonObject, type Json } from "./json.js";
import type { Member } from "./member.js";
import type { ChunkKeyEncoding } from "./model.js";

/** How the keys of one array's chunks are made, and read. */
export interface ChunkKeys {
  /** The key of a chunk below its array's path: "c/0/1". */
  keyOf(coordinates: readonly number[]): string;
  /**
   * The coordinates that a key may have; undefined for other keys. The caller compares the key with that of
   * the coordinates.
   */
  coordinatesOf(key: string): readonly number[] | undefined;
}

/** A chunk key encoding, as `registerChunkKeyEncoding` takes it. */
export interface ChunkKeyEncodingEntry {
  /** Name in documents. */
  readonly name: string;
  /**
   * @param configuration of the document, `{}` without one
   * @param rank number of dimensions of the array
   * @param base makes the keys of another encoding, which the configuration contains
   * @throws InvalidMetadataError for a configuration that is wrong, or does not fit the rank
   */
  fromConfig(configuration: Member, rank: number, base: (encoding: Member) => ChunkKeys): ChunkKeys;
}

/** What applications registered, by name. */
export const registered = new Map<string, ChunkKeyEncodingEntry>();

/** All encodings but `default`, `v2` and the draft's, once a document has named one. */
let others: typeof import("./chunk-keys/others.js") | undefined;

/** Loads what an encoding of a document may need. Others are parsed without. */
export async function loadChunkKeyEncoding(encoding: Json | undefined): Promise<void> {
  const name = isJsonObject(encoding) ? encoding.name : encoding;
  if (typeof name === "string" && name !== "default" && name !== "v2")
    others ??= await import("./chunk-keys/others.js");
}

/**
 * @param depth how many encodings this one is in
 * @throws InvalidMetadataError also for an encoding that is neither loaded nor registered
 */
export function parseChunkKeyEncoding(member: Member, rank: number, depth = 0): ChunkKeyEncoding {
  const { name, configuration } = parseExtension(withConfiguration(member));
  if (others && name.json !== "default" && name.json !== "v2") {
    const entry = others.entryOf(name);
    const encoding = { name: entry.name, separator: "", configuration: configuration.object() };
    others.keysOf(entry, configuration, rank, depth);
    return encoding;
  }
  const plain = name.oneOf("default", "v2");
  configuration.ignorable(["separator"]);
  const separator = configuration.get("separator");
  if (separator.json === undefined) return { name: plain, separator: plain === "default" ? "/" : "." };
  return { name: plain, separator: separator.oneOf("/", ".") };
}

/** Accepts `{"name", "separator"}`, which early zarr-python 3 wrote and zarr-python still reads. */
function withConfiguration(member: Member): Member {
  if (!isJsonObject(member.json) || !Object.hasOwn(member.json, "separator")) return member;
  const { separator = null, ...rest } = member.json;
  return member.as({ configuration: { separator }, ...rest });
}

/**
 * The keys of an array's chunks (v3 core specification, "Chunk key encoding"). For two dimensions and for
 * none: "c/0/1" and "c" (default), "0.1" and "0" (v2), "c0/1" and "c" (draft). Ask once for many chunks.
 */
export function chunkKeysOf(encoding: ChunkKeyEncoding, rank: number): ChunkKeys {
  const { name, separator } = encoding;
  // Parsing the metadata has loaded the others.
  if (encoding.configuration && others) return others.keysOfEncoding(encoding, rank);
  const start = name === "default" ? `c${separator}` : name === "draft" ? "c" : "";
  return separated(start, separator, name === "v2" ? "0" : "c");
}

/** @param alone the key of an array without dimensions */
function separated(start: string, separator: string, alone: string): ChunkKeys {
  return {
    keyOf(coordinates) {
      if (coordinates.length === 0) return alone;
      // A loop, as it runs once per chunk and `join` allocates more.
      let key = start;
      key += coordinates[0];
      for (let i = 1; i < coordinates.length; i++) key += separator + coordinates[i];
      return key;
    },
    coordinatesOf(key) {
      if (key === alone && start !== "") return [];
      return key.startsWith(start) ? key.slice(start.length).split(separator).map(Number) : undefined;
    },
  };
}
