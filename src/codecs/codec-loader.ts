/** How codecs are looked up: maps from a name to what loads the codec. */
import type { Awaitable } from "../stores/store.js";
import type { CodecEntry } from "./codec.js";

export type CodecLoader = () => Awaitable<CodecEntry>;

/** The loader of a module of its own. */
export function codecModule(load: () => Promise<{ readonly default: CodecEntry }>): CodecLoader {
  return async () => (await load()).default;
}

/** `numcodecs.NAME` (also every v2 id) falls back to NAME. */
export function findLoader(codecs: ReadonlyMap<string, CodecLoader>, name: string): CodecLoader | undefined {
  return codecs.get(name) ?? (name.startsWith("numcodecs.") ? codecs.get(name.slice(10)) : undefined);
}
