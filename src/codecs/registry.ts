/**
 * Codecs by name. A Map, as zarrita's: `registry.set("my-codec", () => import("./my-codec.js").then((m) => m.default))`.
 * Loaders run when an array that uses the codec is first read or written, so a page downloads only what its data needs.
 */
import { UnknownCodecError } from "../errors.js";
import type { Awaitable } from "../stores/store.js";
import bytes from "./bytes.js";
import type { CodecEntry } from "./codec.js";

export type CodecLoader = () => Awaitable<CodecEntry>;

function lazy(load: () => Promise<{ readonly default: CodecEntry }>): CodecLoader {
  return async () => (await load()).default;
}

export const registry: Map<string, CodecLoader> = new Map<string, CodecLoader>([
  ["bytes", () => bytes],
  ["endian", () => bytes],
  ["transpose", lazy(() => import("./transpose.js"))],
  ["vlen-utf8", lazy(() => import("./variable/vlen-utf8.js"))],
  ["vlen-bytes", lazy(() => import("./variable/vlen-bytes.js"))],
  ["vlen-array", lazy(() => import("./variable/vlen-array.js"))],
  ["zarrs.vlen", lazy(() => import("./variable/vlen.js"))],
  ["https://codec.zarrs.dev/array_to_bytes/vlen", lazy(() => import("./variable/vlen.js"))],
  ["zarrs.vlen_v2", lazy(() => import("./variable/zarrs-vlen-v2.js"))],
  ["https://codec.zarrs.dev/array_to_bytes/vlen_v2", lazy(() => import("./variable/zarrs-vlen-v2.js"))],
  ["json2", lazy(() => import("./variable/json2.js"))],
  ["msgpack2", lazy(() => import("./variable/msgpack2.js"))],
  ["sharding_indexed", lazy(() => import("./sharding.js"))],
  ["blosc", lazy(() => import("./blosc/blosc.js"))],
  ["lz4", lazy(() => import("./lz4.js"))],
  ["shuffle", lazy(() => import("./shuffle.js"))],
  ["gzip", lazy(() => import("./gzip.js"))],
  ["zlib", lazy(() => import("./zlib.js"))],
  ["zstd", lazy(() => import("./zstd/zstd.js"))],
  ["crc32c", lazy(() => import("./crc32c.js"))],
  ["crc32", lazy(() => import("./crc32.js"))],
  ["adler32", lazy(() => import("./adler32.js"))],
  ["fletcher32", lazy(() => import("./fletcher32.js"))],
  ["jenkins_lookup3", lazy(() => import("./jenkins-lookup3.js"))],
  ["base64", lazy(() => import("./base64.js"))],
  ["reshape", lazy(() => import("./reshape.js"))],
  ["delta", lazy(() => import("./delta.js"))],
  ["fixedscaleoffset", lazy(() => import("./fixedscaleoffset.js"))],
  ["quantize", lazy(() => import("./quantize.js"))],
  ["bitround", lazy(() => import("./bitround.js"))],
  ["numcodecs.bitround", lazy(() => import("./bitround-numcodecs.js"))],
  ["https://codec.zarrs.dev/array_to_bytes/bitround", lazy(() => import("./bitround.js"))],
  ["packbits", lazy(() => import("./packbits.js"))],
  ["numcodecs.packbits", lazy(() => import("./packbits-numcodecs.js"))],
  ["astype", lazy(() => import("./astype.js"))],
  ["categorize", lazy(() => import("./categorize.js"))],
  ["cast_value", lazy(() => import("./cast-value.js"))],
  ["scale_offset", lazy(() => import("./scale-offset.js"))],
  ["conditional", lazy(() => import("./conditional.js"))],
  ["n5_default", lazy(() => import("./n5-default.js"))],
  ["bz2", lazy(() => import("./bz2/bz2.js"))],
  ["lzma", lazy(() => import("./lzma/lzma.js"))],
  ["zfp", async () => (await import("./unsupported.js")).zfp],
  ["zfpy", async () => (await import("./unsupported.js")).zfpy],
  ["pcodec", async () => (await import("./unsupported.js")).pcodec],
]);

function find(name: string): CodecLoader | undefined {
  return registry.get(name) ?? (name.startsWith("numcodecs.") ? registry.get(name.slice(10)) : undefined);
}

export function isRegistered(name: string): boolean {
  return find(name) !== undefined;
}

/** The codec of a name; `numcodecs.NAME` (also every v2 id) falls back to NAME. @throws UnknownCodecError listing what there is */
export async function loadCodec(name: string): Promise<CodecEntry> {
  const loader = find(name);
  if (loader !== undefined) return loader();
  throw new UnknownCodecError(
    `no codec "${name}" is registered; add it with registry.set("${name}", loader). Registered: ${[...registry.keys()].join(", ")}`,
    { codec: name },
  );
}
