/**
 * Codecs by name. A Map, as zarrita's: `registry.set("my-codec", () => import("./my-codec.js").then((m) => m.default))`.
 * Loaders run when an array that uses the codec is first read or written, so a page downloads only what its data needs. What most
 * arrays need is here from the start; further codecs of the package are in rare-codecs.ts, and an application's own go before them.
 */
import bytes from "./bytes.js";
import crc32c from "./checksums/crc32c.js";
import type { CodecEntry } from "./codec.js";
import { type CodecLoader, codecModule, findLoader } from "./codec-loader.js";
import { rareCodecs } from "./rare-codecs.js";
import sharding from "./sharding.js";
import transpose from "./transpose.js";
import { unusableCodec } from "./unusable-codec.js";

const builtIn: readonly (readonly [name: string, loader: CodecLoader])[] = [
  ["bytes", () => bytes],
  ["transpose", () => transpose],
  ["vlen-utf8", codecModule(() => import("./variable/vlen-utf8.js"))],
  ["sharding_indexed", () => sharding],
  ["blosc", codecModule(() => import("./blosc/blosc.js"))],
  ["gzip", codecModule(() => import("./gzip/gzip.js"))],
  ["zstd", codecModule(() => import("./zstd/zstd.js"))],
  ["crc32c", () => crc32c],
  // Here because they are not what their names without "numcodecs." stand for.
  ["numcodecs.bitround", async () => (await import("./filters/bitround.js")).numcodecsBitround],
  ["numcodecs.packbits", async () => (await import("./filters/packbits.js")).numcodecsPackbits],
];
export const registry: Map<string, CodecLoader> = new Map(builtIn);

/** Names of codecs that the application registered, those that stand in place of the package's own included. */
export function ownCodecs(): string[] {
  const loaders = new Map(builtIn);
  return [...registry].flatMap(([name, loader]) => (loaders.get(name) === loader ? [] : name));
}

/** The codec of a name; `numcodecs.NAME` (also every v2 id) falls back to NAME. Undefined where there is none. */
export async function findCodec(name: string): Promise<CodecEntry | undefined> {
  const loader = findLoader(registry, name) ?? findLoader(rareCodecs, name);
  // What is no function is told by `loadCodec`.
  return loader?.call?.(undefined);
}

/** @throws UnknownCodecError listing what there is, InvalidArgumentError for what an application registered and is no codec */
export async function loadCodec(name: string): Promise<CodecEntry> {
  const entry = await findCodec(name);
  if (entry?.fromConfig) return entry;
  throw unusableCodec(name, entry, registry);
}
