/**
 * All chunk key encodings but `default`, `v2` and the draft's: those proposed for zarr-extensions, and those
 * that applications registered.
 */
import { describe, InvalidArgumentError } from "../../base/errors.js";
import {
  type ChunkKeyEncodingEntry,
  type ChunkKeys,
  chunkKeysOf,
  parseChunkKeyEncoding,
  registered,
} from "../chunk-key-encodings.js";
import { Member } from "../member.js";
import type { ChunkKeyEncoding } from "../model.js";
import { prefix, suffix } from "./affixes.js";
import { fanout } from "./fanout.js";
import { template } from "./template.js";

const builtIn = new Map([suffix, prefix, fanout, template].map((entry) => [entry.name, entry]));

/** Most encodings within each other. */
const DEEPEST = 8;

/** @param name as the document has it @throws InvalidMetadataError */
export function entryOf(name: Member): ChunkKeyEncodingEntry {
  const text = typeof name.json === "string" ? name.json : "";
  const entry = registered.get(text) ?? builtIn.get(text);
  if (entry !== undefined) return entry;
  const names = ["default", "v2", ...builtIn.keys(), ...registered.keys()].map(describe).join(", ");
  throw name.invalid(`${names} or a name that was passed to registerChunkKeyEncoding`);
}

/** @param depth how many encodings this one is in @throws InvalidMetadataError */
export function keysOf(
  entry: ChunkKeyEncodingEntry,
  configuration: Member,
  rank: number,
  depth: number,
): ChunkKeys {
  if (depth > DEEPEST) throw configuration.invalid(`at most ${DEEPEST} nested encodings`);
  const keys = entry.fromConfig(configuration, rank, (member) =>
    chunkKeysOf(parseChunkKeyEncoding(member, rank, depth + 1), rank),
  );
  checkKeys(entry, keys, rank, configuration);
  return keys;
}

/** @throws InvalidMetadataError, or InvalidArgumentError for what is plainly the application's fault */
function checkKeys(entry: ChunkKeyEncodingEntry, keys: ChunkKeys, rank: number, configuration: Member): void {
  const functions: { readonly keyOf?: unknown; readonly coordinatesOf?: unknown } = Object(keys);
  if (typeof functions.keyOf !== "function" || typeof functions.coordinatesOf !== "function")
    throw wrongEntry(entry, `fromConfig to return keyOf and coordinatesOf, got ${describe(keys)}`);
  const sample = keys.keyOf(new Array<number>(rank).fill(0));
  // What zarr-extensions forbids in keys: they would be others, or documents.
  if (/(?:^|\/)\.?(?:\/|$)|\.\.|[\\\0]|zarr\.json/.test(sample))
    throw configuration.invalid(
      `a configuration that makes keys without empty or "." segments, "..", "\\" and "zarr.json", not ${describe(sample)}`,
    );
  const known = new Map<string, readonly number[]>();
  for (const coordinates of samplesOf(rank)) {
    const key: unknown = keys.keyOf(coordinates);
    const at = `[${coordinates.join(", ")}]`;
    if (typeof key !== "string") throw wrongEntry(entry, `keyOf(${at}) to be a string, got ${describe(key)}`);
    const other = known.get(key);
    if (other)
      throw wrongEntry(
        entry,
        `a key for each chunk, got ${describe(key)} for [${other.join(", ")}] and ${at}`,
      );
    const found = keys.coordinatesOf(key);
    if (rank > 0 && found?.join() !== coordinates.join())
      throw wrongEntry(entry, `coordinatesOf(${describe(key)}) to be ${at}, got ${describe(found)}`);
    known.set(key, coordinates);
  }
}

const wrongEntry = (entry: ChunkKeyEncodingEntry, expected: string): InvalidArgumentError =>
  new InvalidArgumentError(`chunk key encoding ${describe(entry.name)}: expected ${expected}`);

/** Chunks whose keys a careless encoding mixes up: neighbours, and digits without anything between them. */
function samplesOf(rank: number): readonly (readonly number[])[] {
  const all = Array.from({ length: rank }, (_, d) => d);
  return [
    all.map(() => 0),
    ...all.map((d) => all.map((other) => (other === d ? 1 : 0))),
    ...(rank > 1 ? [all.map((d) => (d % 2 === 0 ? 1 : 11)), all.map((d) => (d % 2 === 0 ? 11 : 1))] : []),
  ];
}

/** The keys of an encoding that was parsed before. */
export function keysOfEncoding({ name, configuration = {} }: ChunkKeyEncoding, rank: number): ChunkKeys {
  return keysOf(entryOf(new Member(name, {})), new Member(configuration, {}), rank, 0);
}
