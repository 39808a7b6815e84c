/** Adds chunk key encodings of applications. */
import { InvalidArgumentError } from "../errors.js";
import { type ChunkKeyEncodingEntry, registered } from "./chunk-key-encodings.js";

/**
 * Adds a chunk key encoding. It replaces one of the same name, also a built-in one, except `default`, `v2`
 * and the draft's.
 * @throws InvalidArgumentError for those names
 */
export function registerChunkKeyEncoding(entry: ChunkKeyEncodingEntry): void {
  const { name } = entry;
  if (["default", "v2", "draft"].includes(name))
    throw new InvalidArgumentError(`expected a name of your own for a chunk key encoding, got "${name}"`);
  registered.set(name, entry);
}
