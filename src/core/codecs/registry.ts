/**
 * Maps names to codecs, as zarrita's registry: `registry.set("my-codec", () =>
 * import("./my-codec.js").then((m) => m.default))`. Loaders run when a document names the codec, so a page
 * downloads only the codecs of its data. `registry` has every codec that wazarr reads; a codec that the
 * application sets replaces the package's codec of the same name.
 */

import type { Awaitable } from "../../base/awaitable.js";
import type { JsonObject } from "../../metadata/json.js";
import bytes from "./bytes.js";
import crc32c from "./checksums/checksums.js";
import type { CodecEntry } from "./codec.js";
import { withoutPrefix } from "./codec-names.js";
import type { CodecSource } from "./codec-source.js";
import type { CodecForms } from "./forms.js";
import type { RegisteredCodecEntry, ZarritaCodecEntry } from "./zarrita-interface.js";

/** Loads the entry of a codec. Entries written for zarrita or numcodecs have no `codecKind`. */
export type CodecLoader = () => Awaitable<CodecEntry | ZarritaCodecEntry>;

/** The loader of a codec of the package. */
type PackageLoader = () => Awaitable<CodecEntry>;

/** The loader of a module whose default export is the codec. */
function codecModule(load: () => Promise<{ readonly default: CodecEntry }>): PackageLoader {
  return async () => (await load()).default;
}

/**
 * The name of the codec that a codec with this configuration uses: its code can be loaded at the same time.
 */
type FindInside = (configuration: JsonObject) => string | undefined;

type PackageCodec = readonly [name: string, loader: PackageLoader, inside?: FindInside];

const TIFF = ["lzw", "packbits", "delta", "floatpred", "packints", "bitorder"] as const;
const RENAMED = [
  ["deflate", async () => (await import("./gzip/gzip.js")).zlib],
  ["zlib", async () => (await import("./gzip/gzip.js")).zlib],
  ["zlibng", async () => (await import("./gzip/gzip.js")).zlib],
  ["zstd", async () => (await import("./zstd/zstd.js")).default],
  ["bz2", async () => (await import("../../codecs/compressors/bz2-lzma/bz2.js")).default],
  ["lzma", async () => (await import("../../codecs/compressors/bz2-lzma/lzma.js")).default],
  ["blosc", async () => (await import("./blosc/blosc.js")).default],
  ["pcodec", async () => (await import("../../codecs/numbers/pcodec/pcodec.js")).default],
  ["zfp", async () => (await import("../../codecs/numbers/zfp/zfp.js")).zfpy],
] as const;
const IMAGES = ["jpeg", "jpeg8", "jpeg2k", "htj2k", "png", "spng", "webp", "lerc"] as const;

let loadedGrib: ReturnType<typeof import("../../codecs/archives/grib/grib.js").gribCodecs> | undefined;

/** Messages contain images, whose codecs the application may have replaced. */
async function loadGrib() {
  const { gribCodecs } = await import("../../codecs/archives/grib/grib.js");
  return (loadedGrib ??= gribCodecs(codecSource));
}

/** A function, so that a bundler leaves the list out where nothing of it is used. */
const listCodecs = (): readonly PackageCodec[] => [
  ["bytes", () => bytes],
  ["transpose", codecModule(() => import("./transpose.js"))],
  ["vlen-utf8", async () => (await import("../../codecs/variable-length/interleaved.js")).vlenUtf8],
  ["sharding_indexed", codecModule(() => import("./sharding/layout.js"))],
  [
    "blosc",
    codecModule(() => import("./blosc/blosc.js")),
    ({ cname }) => (cname === "zstd" || cname === "zlib" ? cname : undefined),
  ],
  ["gzip", codecModule(() => import("./gzip/gzip.js"))],
  ["zstd", codecModule(() => import("./zstd/zstd.js"))],
  ["crc32c", () => crc32c],
  // Listed with the prefix because the names without "numcodecs." are other codecs.
  ["numcodecs.bitround", async () => (await import("../../codecs/filters/rounding.js")).numcodecsBitround],
  ["numcodecs.packbits", async () => (await import("../../codecs/filters/packbits.js")).numcodecsPackbits],
  ["endian", () => bytes],
  ["vlen-bytes", async () => (await import("../../codecs/variable-length/interleaved.js")).vlenBytes],
  ["vlen-array", async () => (await import("../../codecs/variable-length/interleaved.js")).vlenArray],
  ["zarrs.vlen", codecModule(() => import("../../codecs/variable-length/zarrs-vlen.js"))],
  [
    "https://codec.zarrs.dev/array_to_bytes/vlen",
    codecModule(() => import("../../codecs/variable-length/zarrs-vlen.js")),
  ],
  ["zarrs.optional", codecModule(() => import("../../codecs/variable-length/optional.js"))],
  ["zarrs.vlen_v2", async () => (await import("../../codecs/variable-length/interleaved.js")).zarrsVlenV2],
  [
    "https://codec.zarrs.dev/array_to_bytes/vlen_v2",
    async () => (await import("../../codecs/variable-length/interleaved.js")).zarrsVlenV2,
  ],
  ["json", async () => (await import("../../codecs/variable-length/objects.js")).json],
  ["json2", async () => (await import("../../codecs/variable-length/objects.js")).json2],
  ["msgpack2", async () => (await import("../../codecs/variable-length/objects.js")).msgpack2],
  ["zlib", async () => (await import("./gzip/gzip.js")).zlib],
  ["zarrs.gdeflate", codecModule(() => import("../../codecs/compressors/gdeflate.js"))],
  ["lz4", codecModule(() => import("./blosc/lz4.js"))],
  ["shuffle", codecModule(() => import("./blosc/shuffle.js"))],
  ["crc32", async () => (await import("../../codecs/filters/checksums.js")).crc32],
  ["adler32", async () => (await import("../../codecs/filters/checksums.js")).adler32],
  ["fletcher32", async () => (await import("../../codecs/filters/checksums.js")).fletcher32],
  ["jenkins_lookup3", async () => (await import("../../codecs/filters/checksums.js")).jenkinsLookup3],
  ["base64", codecModule(() => import("../../codecs/filters/base64.js"))],
  ["reshape", codecModule(() => import("../../codecs/filters/reshape.js"))],
  ["zarrs.squeeze", async () => (await import("../../codecs/filters/reshape.js")).squeeze],
  ["delta", codecModule(() => import("../../codecs/filters/delta.js"))],
  ["fixedscaleoffset", codecModule(() => import("../../codecs/filters/fixedscaleoffset.js"))],
  ["quantize", async () => (await import("../../codecs/filters/rounding.js")).quantize],
  ["bitround", async () => (await import("../../codecs/filters/rounding.js")).bitround],
  [
    "https://codec.zarrs.dev/array_to_bytes/bitround",
    async () => (await import("../../codecs/filters/rounding.js")).bitround,
  ],
  ["packbits", codecModule(() => import("../../codecs/filters/packbits.js"))],
  ["astype", codecModule(() => import("../../codecs/filters/astype.js"))],
  ["categorize", codecModule(() => import("../../codecs/filters/categorize.js"))],
  ["cast_value", codecModule(() => import("../../codecs/filters/cast-value.js"))],
  ["scale_offset", codecModule(() => import("../../codecs/filters/scale-offset.js"))],
  ["conditional", codecModule(() => import("../../codecs/filters/conditional.js"))],
  ["n5_default", codecModule(() => import("../../codecs/filters/n5-default.js"))],
  ["bz2", codecModule(() => import("../../codecs/compressors/bz2-lzma/bz2.js"))],
  ["lzma", codecModule(() => import("../../codecs/compressors/bz2-lzma/lzma.js"))],
  ["grib", async () => (await loadGrib()).grib],
  ["gribberish", async () => (await loadGrib()).gribberish],
  ["gribscan.rawgrib", async () => (await loadGrib()).rawgrib],
  ["pcodec", codecModule(() => import("../../codecs/numbers/pcodec/pcodec.js"))],
  ["zfp", async () => (await import("../../codecs/numbers/zfp/zfp.js")).zfp],
  ["zarrs.zfp", async () => (await import("../../codecs/numbers/zfp/zfp.js")).zfp],
  ["zfpy", async () => (await import("../../codecs/numbers/zfp/zfp.js")).zfpy],
  ["ChunkyCodec", async () => (await import("../../codecs/archives/tiff/by-name.js")).tiffCodecs.chunky],
  [
    "HorizontalDeltaCodec",
    async () => (await import("../../codecs/archives/tiff/by-name.js")).tiffCodecs.horizontalDelta,
  ],
  ["imagecodecs_lzf", async () => (await import("../../codecs/archives/hdf5/lzf.js")).lzf],
  ["imagecodecs_lz4h5", async () => (await import("../../codecs/archives/hdf5/lz4.js")).lz4h5],
  ["imagecodecs_szip", async () => (await import("../../codecs/archives/hdf5/szip.js")).szip],
  ["hdf5.bitshuffle", async () => (await import("../../codecs/archives/hdf5/bitshuffle.js")).bitshuffle],
  ["hdf5.nbit", async () => (await import("../../codecs/archives/hdf5/nbit.js")).nbit],
  ["hdf5.scaleoffset", async () => (await import("../../codecs/archives/hdf5/scale-offset.js")).scaleOffset],
  ...TIFF.map(
    (name): PackageCodec => [
      `imagecodecs_${name}`,
      async () => (await import("../../codecs/archives/tiff/by-name.js")).tiffCodecs[name],
    ],
  ),
  ...RENAMED.map(([name, load]): PackageCodec => {
    const codec = `imagecodecs_${name}`;
    return [
      codec,
      async () => {
        const [{ renamed }, original] = await Promise.all([
          import("../../codecs/archives/tiff/renamed.js"),
          load(),
        ]);
        return renamed(codec, original);
      },
    ];
  }),
  ...IMAGES.map(
    (name): PackageCodec => [
      `imagecodecs_${name}`,
      async () => (await import("../../codecs/images/by-name.js")).imageCodecs[name],
    ],
  ),
  // Proposed: https://github.com/zarr-developers/zarr-extensions/pull/66
  ["jpeg", async () => (await import("../../codecs/images/by-name.js")).imageCodecs.jpeg],
];

const packageCodecs = /* @__PURE__ */ listCodecs();

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
    const given = givenLoaders.get(loader) ?? loader;
    const handedOut: RegisteredCodecLoader = async () => {
      const entry = await given();
      if (entry.codecKind === undefined) return entry;
      return (await import("../../zarrita/standalone-codecs.js")).standalone(name, entry, codecSource);
    };
    givenLoaders.set(handedOut, given);
    return super.set(name, handedOut);
  }
}

/**
 * The codecs, by name: each with a function that loads it. `set` adds a codec of your own, or replaces one.
 */
export const registry: CodecRegistry = /* @__PURE__ */ registryOfPackage();
const packageLoaders = /* @__PURE__ */ loadersOfPackage();

function registryOfPackage(): CodecRegistry {
  const made = new CodecRegistry();
  for (const [name, loader] of packageCodecs) made.set(name, loader);
  return made;
}
function loadersOfPackage(): ReadonlyMap<string, PackageLoader> {
  return new Map(packageCodecs.map(([name, loader]) => [name, loader]));
}

/** What was registered under a name. */
export function givenLoader(name: string): CodecLoader | undefined {
  const loader = registry.get(name);
  return loader && givenLoaders.get(loader);
}

/** Names of the codecs that the application registered, including replacements of the package's codecs. */
export function ownCodecs(): string[] {
  return [...registry.keys()].filter((name) => packageLoaders.get(name) !== givenLoader(name));
}

/**
 * How documents write a codec of the package: the same if the application registered another under its
 * name.
 */
export async function formsOf(name: string): Promise<CodecForms> {
  const loader = packageLoaders.get(name) ?? packageLoaders.get(withoutPrefix(name));
  return (await loader?.())?.forms ?? {};
}

/** The codec that a codec of this name and configuration uses; undefined if it uses none. */
export function codecInside(name: string, configuration: JsonObject): string | undefined {
  return packageCodecs.find(([known]) => known === withoutPrefix(name))?.[2]?.(configuration);
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
