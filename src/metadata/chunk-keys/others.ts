/**
 * All chunk key encodings but `default`, `v2` and the draft's: those of zarr-extensions, and those that
 * applications registered.
 */
import { describe } from "../../errors.js";
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
  const given = typeof name.json === "string" ? name.json : "";
  const entry = registered.get(given) ?? builtIn.get(given);
  if (entry !== undefined) return entry;
  const names = ["default", "v2", ...builtIn.keys(), ...registered.keys()].map(describe).join(", ");
  throw name.invalid(`${names} or one that registerChunkKeyEncoding was given`);
}

/** @param depth how many encodings this one is in @throws InvalidMetadataError */
export function keysOf(
  entry: ChunkKeyEncodingEntry,
  configuration: Member,
  rank: number,
  depth: number,
): ChunkKeys {
  if (depth > DEEPEST) throw configuration.invalid(`at most ${DEEPEST} encodings within each other`);
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

/** The keys of an encoding that was parsed before. */
export function keysOfEncoding({ name, configuration = {} }: ChunkKeyEncoding, rank: number): ChunkKeys {
  return keysOf(entryOf(new Member(name, {})), new Member(configuration, {}), rank, 0);
}
