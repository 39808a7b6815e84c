/**
 * Which chunk key encodings there are: `default` and `v2` of v3, the draft's, those of zarr-extensions
 * (chunk-keys/), and those that applications register.
 */
import { describe, InvalidArgumentError, UnsupportedError } from "../errors.js";
import { lazy } from "../loading.js";
import { parseExtension } from "./extension.js";
import { isJsonObject, type Json } from "./json.js";
import { Member } from "./member.js";
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
  /** As documents have it. */
  readonly name: string;
  /**
   * @param configuration of the document, `{}` without one
   * @param rank number of dimensions of the array
   * @param base makes the keys of another encoding, which the configuration contains
   * @throws InvalidMetadataError for a configuration that is wrong, or does not fit the rank
   */
  fromConfig(configuration: Member, rank: number, base: (encoding: Member) => ChunkKeys): ChunkKeys;
}

/** Most encodings within each other. */
const DEEPEST = 8;

const entries = new Map<string, ChunkKeyEncodingEntry>();
/** By the encoding of an array's metadata. */
const known = new WeakMap<ChunkKeyEncoding, ChunkKeys>();

/**
 * Adds a chunk key encoding. It replaces one of the same name, also a built-in one, except `default` and
 * `v2`.
 * @throws InvalidArgumentError for those names
 */
export function registerChunkKeyEncoding(entry: ChunkKeyEncodingEntry): void {
  const { name } = entry;
  if (["default", "v2", "draft"].includes(name))
    throw new InvalidArgumentError(`expected a name of your own for a chunk key encoding, got "${name}"`);
  entries.set(name, entry);
}

const loadFurther = lazy(async () => {
  const { further } = await import("./chunk-keys/further.js");
  for (const entry of further) if (!entries.has(entry.name)) entries.set(entry.name, entry);
});

/** Loads what an encoding of a document may need. Others are parsed without. */
export async function loadChunkKeyEncoding(encoding: Json | undefined): Promise<void> {
  const name = isJsonObject(encoding) ? encoding.name : encoding;
  if (typeof name === "string" && name !== "default" && name !== "v2") await loadFurther();
}

/**
 * @param depth how many encodings this one is in
 * @throws InvalidMetadataError also for an encoding that is neither loaded nor registered
 */
export function parseChunkKeyEncoding(member: Member, rank: number, depth = 0): ChunkKeyEncoding {
  if (depth > DEEPEST) throw member.invalid(`at most ${DEEPEST} encodings within each other`);
  const { name, configuration } = parseExtension(withConfiguration(member));
  if (name.json === "default" || name.json === "v2") {
    configuration.ignorable(["separator"]);
    const separator = configuration.get("separator");
    if (separator.json === undefined)
      return { name: name.json, separator: name.json === "default" ? "/" : "." };
    return { name: name.json, separator: separator.oneOf("/", ".") };
  }
  const entry = typeof name.json === "string" ? entries.get(name.json) : undefined;
  if (entry === undefined) {
    const names = ["default", "v2", ...entries.keys()].map(describe).join(", ");
    throw name.invalid(`${names} or one that registerChunkKeyEncoding was given`);
  }
  const encoding = { name: entry.name, separator: "", configuration: configuration.object() };
  known.set(encoding, keysOf(entry, configuration, rank, depth));
  return encoding;
}

/** Accepts `{"name", "separator"}`, which early zarr-python 3 wrote and zarr-python still reads. */
function withConfiguration(member: Member): Member {
  if (!isJsonObject(member.json) || !Object.hasOwn(member.json, "separator")) return member;
  const { separator = null, ...rest } = member.json;
  return member.as({ configuration: { separator }, ...rest });
}

function keysOf(entry: ChunkKeyEncodingEntry, configuration: Member, rank: number, depth = 0): ChunkKeys {
  const keys = entry.fromConfig(configuration, rank, (member) =>
    chunkKeysOf(parseChunkKeyEncoding(member, rank, depth + 1), rank),
  );
  const sample = keys.keyOf(new Array<number>(rank).fill(0));
  // What zarr-extensions forbids in keys: they would be others, or documents.
  if (/(?:^|\/)\.?(?:\/|$)|\.\.|[\\\0]|zarr\.json/.test(sample))
    throw configuration.invalid(
      `a configuration that makes keys without empty or "." segments, "..", "\\" and "zarr.json", not ${describe(sample)}`,
    );
  return keys;
}

/**
 * The keys of an array's chunks (v3 core specification, "Chunk key encoding"). For two dimensions and for
 * none: "c/0/1" and "c" (default), "0.1" and "0" (v2), "c0/1" and "c" (draft).
 */
export function chunkKeysOf(encoding: ChunkKeyEncoding, rank: number): ChunkKeys {
  let keys = known.get(encoding);
  if (keys === undefined) {
    keys = makeKeys(encoding, rank);
    known.set(encoding, keys);
  }
  return keys;
}

function makeKeys({ name, separator, configuration = {} }: ChunkKeyEncoding, rank: number): ChunkKeys {
  const entry = entries.get(name);
  if (entry !== undefined) return keysOf(entry, new Member(configuration, {}), rank);
  if (name !== "default" && name !== "v2" && name !== "draft")
    throw new UnsupportedError(`expected a chunk key encoding that was registered, got ${describe(name)}`);
  return separated(
    name === "default" ? `c${separator}` : name === "draft" ? "c" : "",
    separator,
    name === "v2" ? "0" : "c",
  );
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
