/** Adds chunk key encodings of applications. */
import { describe, InvalidArgumentError } from "../base/errors.js";
import { type ChunkKeyEncodingEntry, registered } from "./chunk-key-encodings.js";

/** Encodings that are read without a look at what is registered. */
const FIXED = ["default", "v2", "draft"];

/**
 * Adds a chunk key encoding. It replaces one of the same name, also a built-in one, except `default`, `v2`
 * and the draft's.
 * @throws InvalidArgumentError for those names, and for an entry without a name or `fromConfig`
 */
export function registerChunkKeyEncoding(entry: ChunkKeyEncodingEntry): void {
  const { name, fromConfig }: { readonly name?: unknown; readonly fromConfig?: unknown } = Object(entry);
  if (typeof name !== "string" || name === "" || FIXED.includes(name))
    throw new InvalidArgumentError(
      `registerChunkKeyEncoding: name: expected a name of your own, got ${describe(name)}`,
    );
  if (typeof fromConfig !== "function")
    throw new InvalidArgumentError(
      `registerChunkKeyEncoding: fromConfig of ${describe(name)}: expected a function, got ${describe(fromConfig)}`,
    );
  registered.set(name, entry);
}
