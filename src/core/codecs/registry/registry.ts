/**
 * Maps names to codecs, as zarrita's registry: `registry.set("my-codec", () =>
 * import("./my-codec.js").then((m) => m.default))`. Loaders run when a document names the codec, so a page
 * downloads only the codecs of its data. The codecs of this folder are in it from the start, those of
 * src/codecs come with `addCodecs`. A codec that the application sets replaces the package's codec of the
 * same name.
 */

import type { Awaitable } from "../../../base/awaitable.js";
import type { JsonObject } from "../../../metadata/json.js";
import bytes from "../bytes.js";
import crc32c from "../checksums/checksums.js";
import type { CodecEntry } from "../codec.js";
import type { CodecForms } from "../forms.js";
import { withoutPrefix } from "./codec-names.js";
import type { CodecSource } from "./codec-source.js";
import { loadBlosc, loadGzip, loadZlib, loadZstd } from "./compressors.js";
import { standaloneCodecs } from "./foreign-codecs.js";
import type { RegisteredCodecEntry, ZarritaCodecEntry } from "./zarrita-interface.js";

/** Loads the entry of a codec. Entries written for zarrita or numcodecs have no `codecKind`. */
export type CodecLoader = () => Awaitable<CodecEntry | ZarritaCodecEntry>;

/** The loader of a codec of the package. */
export type PackageLoader = () => Awaitable<CodecEntry>;

/** The loader of a module whose default export is the codec. */
export function codecModule(load: () => Promise<{ readonly default: CodecEntry }>): PackageLoader {
  return async () => (await load()).default;
}

/**
 * The name of the codec that a codec with this configuration uses: its code can be loaded at the same time.
 */
type FindInside = (configuration: JsonObject) => string | undefined;

export type PackageCodec = readonly [name: string, loader: PackageLoader, inside?: FindInside];

/**
 * The codecs that the core has: those of most arrays. A function, so that a bundler leaves the list out where
 * nothing of it is used.
 */
const codecsOfCore = (): readonly PackageCodec[] => [
  ["bytes", () => bytes],
  ["transpose", codecModule(() => import("../transpose.js"))],
  ["sharding_indexed", codecModule(() => import("../sharding/layout.js"))],
  ["blosc", loadBlosc, ({ cname }) => (cname === "zstd" || cname === "zlib" ? cname : undefined)],
  ["gzip", loadGzip],
  ["zstd", loadZstd],
  ["crc32c", () => crc32c],
  ["endian", () => bytes],
  ["zlib", loadZlib],
  ["lz4", codecModule(() => import("../blosc/lz4.js"))],
  ["shuffle", codecModule(() => import("../blosc/shuffle.js"))],
];

/** A loader that `registry.get` gives. */
export type RegisteredCodecLoader = () => Promise<RegisteredCodecEntry>;

/** What `set` was given, by the loaders that `get` gives. */
const givenLoaders = new WeakMap<CodecLoader, CodecLoader>();

/**
 * `set` takes entries of zarrita's interface and of wazarr's own. `get` gives loaders of entries in zarrita's
 * interface, whichever was set: their codecs can be called alone. `set` with a loader that `get` gave
 * registers what was set at first.
 */
export class CodecRegistry extends Map<string, RegisteredCodecLoader> {
  /** `numcodecs.NAME` (also every v2 id) falls back to NAME. */
  override get(name: string): RegisteredCodecLoader | undefined {
    return super.get(name) ?? (name.startsWith("numcodecs.") ? super.get(name.slice(10)) : undefined);
  }
  override has(name: string): boolean {
    return this.get(name) !== undefined;
  }
  override set(name: string, loader: CodecLoader): this {
    const original = givenLoaders.get(loader) ?? loader;
    const handedOut: RegisteredCodecLoader = async () => {
      const entry = await original();
      if (entry.codecKind === undefined) return entry;
      return (await standaloneCodecs.load()).standalone(name, entry, codecSource);
    };
    givenLoaders.set(handedOut, original);
    return super.set(name, handedOut);
  }
}

const coreCodecs = /* @__PURE__ */ codecsOfCore();
/** The codecs of the package by name, whatever the application registered. */
const packageCodecs = /* @__PURE__ */ byName(coreCodecs);
/**
 * The codecs, by name: each with a function that loads it. `set` adds a codec of your own, or replaces one.
 */
export const registry: CodecRegistry = /* @__PURE__ */ registryOf(coreCodecs);

function byName(codecs: readonly PackageCodec[]): Map<string, PackageCodec> {
  return new Map(codecs.map((codec) => [codec[0], codec]));
}
function registryOf(codecs: readonly PackageCodec[]): CodecRegistry {
  const made = new CodecRegistry();
  for (const [name, loader] of codecs) made.set(name, loader);
  return made;
}

/** Adds codecs of the package that stand outside of the core. */
export function addCodecs(codecs: readonly PackageCodec[]): void {
  for (const codec of codecs) {
    const [name, loader] = codec;
    packageCodecs.set(name, codec);
    registry.set(name, loader);
  }
}

/** What was registered under a name. */
export function givenLoader(name: string): CodecLoader | undefined {
  const loader = registry.get(name);
  return loader && givenLoaders.get(loader);
}

/** Names of the codecs that the application registered, including replacements of the package's codecs. */
export function ownCodecs(): string[] {
  return [...registry.keys()].filter((name) => packageCodecs.get(name)?.[1] !== givenLoader(name));
}

/**
 * How documents write a codec of the package: the same if the application registered another under its
 * name.
 */
export async function formsOf(name: string): Promise<CodecForms> {
  const [, loader] = packageCodecs.get(name) ?? packageCodecs.get(withoutPrefix(name)) ?? [];
  return (await loader?.())?.forms ?? {};
}

/** The codec that a codec of this name and configuration uses; undefined if it uses none. */
export function codecInside(name: string, configuration: JsonObject): string | undefined {
  return packageCodecs.get(withoutPrefix(name))?.[2]?.(configuration);
}

/**
 * Loads a codec by name; `numcodecs.NAME` (also every v2 id) falls back to NAME. Undefined for an unknown
 * name.
 */
export async function findCodec(name: string): Promise<CodecEntry | ZarritaCodecEntry | undefined> {
  const loader = givenLoader(name);
  // A loader that is no function gives undefined here, which `loadCodec` reports.
  return loader?.call?.(undefined);
}

/**
 * @throws UnknownCodecError listing the registered names, InvalidArgumentError if the application registered
 * something that is no codec
 */
export async function loadCodec(name: string): Promise<CodecEntry | ZarritaCodecEntry> {
  const entry = await findCodec(name);
  if (entry?.fromConfig) return entry;
  const { unregisteredCodec, unusableCodec } = await import("./unusable.js");
  if (!registry.has(name)) throw unregisteredCodec(name, [...registry.keys()]);
  const registered = registry.has(withoutPrefix(name)) ? withoutPrefix(name) : name;
  throw unusableCodec(name, registered, givenLoader(name), entry);
}

/** The registry as pipelines see it. */
export const codecSource: CodecSource = { find: findCodec, load: loadCodec };
