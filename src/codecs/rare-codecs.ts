/** Codecs that few arrays have, by name: what is not in the registry is looked for here. */
import { UnknownCodecError } from "../errors.js";
import { type CodecLoader, lazy } from "./codec-loader.js";

export const rareCodecs: ReadonlyMap<string, CodecLoader> = new Map<string, CodecLoader>([
  ["endian", lazy(() => import("./bytes.js"))],
  ["vlen-bytes", lazy(() => import("./variable/vlen-bytes.js"))],
  ["vlen-array", lazy(() => import("./variable/vlen-array.js"))],
  ["zarrs.vlen", lazy(() => import("./variable/vlen.js"))],
  ["https://codec.zarrs.dev/array_to_bytes/vlen", lazy(() => import("./variable/vlen.js"))],
  ["zarrs.vlen_v2", lazy(() => import("./variable/zarrs-vlen-v2.js"))],
  ["https://codec.zarrs.dev/array_to_bytes/vlen_v2", lazy(() => import("./variable/zarrs-vlen-v2.js"))],
  ["json2", lazy(() => import("./variable/json2.js"))],
  ["msgpack2", lazy(() => import("./variable/msgpack2.js"))],
  ["zlib", lazy(() => import("./zlib.js"))],
  ["lz4", lazy(() => import("./lz4.js"))],
  ["shuffle", lazy(() => import("./shuffle.js"))],
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
  ["https://codec.zarrs.dev/array_to_bytes/bitround", lazy(() => import("./bitround.js"))],
  ["packbits", lazy(() => import("./packbits.js"))],
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

/** @param registered names of other codecs */
export function unknownCodec(name: string, registered: Iterable<string>): UnknownCodecError {
  const names = [...registered, ...rareCodecs.keys()].join(", ");
  return new UnknownCodecError(
    `no codec "${name}" is registered; add it with registry.set("${name}", loader). Registered: ${names}`,
    { codec: name },
  );
}
