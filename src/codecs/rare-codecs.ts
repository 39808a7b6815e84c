/** Codecs that few arrays have, by name: what is not in the registry is looked for here. */
import { UnknownCodecError } from "../errors.js";
import { type CodecLoader, codecModule } from "./codec-loader.js";

export const rareCodecs: ReadonlyMap<string, CodecLoader> = new Map<string, CodecLoader>([
  ["endian", codecModule(() => import("./bytes.js"))],
  ["vlen-bytes", codecModule(() => import("./variable/vlen-bytes.js"))],
  ["vlen-array", codecModule(() => import("./variable/vlen-array.js"))],
  ["zarrs.vlen", codecModule(() => import("./variable/vlen.js"))],
  ["https://codec.zarrs.dev/array_to_bytes/vlen", codecModule(() => import("./variable/vlen.js"))],
  ["zarrs.vlen_v2", codecModule(() => import("./variable/zarrs-vlen-v2.js"))],
  [
    "https://codec.zarrs.dev/array_to_bytes/vlen_v2",
    codecModule(() => import("./variable/zarrs-vlen-v2.js")),
  ],
  ["json2", codecModule(() => import("./variable/json2.js"))],
  ["msgpack2", codecModule(() => import("./variable/msgpack2.js"))],
  ["zlib", codecModule(() => import("./zlib.js"))],
  ["lz4", codecModule(() => import("./lz4.js"))],
  ["shuffle", codecModule(() => import("./shuffle.js"))],
  ["crc32", codecModule(() => import("./crc32.js"))],
  ["adler32", codecModule(() => import("./adler32.js"))],
  ["fletcher32", codecModule(() => import("./fletcher32.js"))],
  ["jenkins_lookup3", codecModule(() => import("./jenkins-lookup3.js"))],
  ["base64", codecModule(() => import("./base64.js"))],
  ["reshape", codecModule(() => import("./reshape.js"))],
  ["delta", codecModule(() => import("./delta.js"))],
  ["fixedscaleoffset", codecModule(() => import("./fixedscaleoffset.js"))],
  ["quantize", codecModule(() => import("./quantize.js"))],
  ["bitround", codecModule(() => import("./bitround.js"))],
  ["https://codec.zarrs.dev/array_to_bytes/bitround", codecModule(() => import("./bitround.js"))],
  ["packbits", codecModule(() => import("./packbits.js"))],
  ["astype", codecModule(() => import("./astype.js"))],
  ["categorize", codecModule(() => import("./categorize.js"))],
  ["cast_value", codecModule(() => import("./cast-value.js"))],
  ["scale_offset", codecModule(() => import("./scale-offset.js"))],
  ["conditional", codecModule(() => import("./conditional.js"))],
  ["n5_default", codecModule(() => import("./n5-default.js"))],
  ["bz2", codecModule(() => import("./bz2/bz2.js"))],
  ["lzma", codecModule(() => import("./lzma/lzma.js"))],
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
