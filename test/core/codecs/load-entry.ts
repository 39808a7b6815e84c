import type { CodecEntry } from "../../../src/core/codecs/codec.js";
import { loadCodec } from "../../../src/core/codecs/registry/registry.js";

/** A codec of the package itself. */
export async function loadEntry(name: string): Promise<CodecEntry> {
  const entry = await loadCodec(name);
  if (entry.codecKind === undefined)
    throw new Error(`expected a codec of the package, got another as ${name}`);
  return entry;
}
