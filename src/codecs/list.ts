/** Which code the name of a codec loads: all codecs that are not of the core. */

import {
  codecModule,
  codecSource,
  loadBlosc,
  loadZlib,
  loadZstd,
  type PackageCodec,
} from "../core/for-codecs.js";

const TIFF = ["lzw", "packbits", "delta", "floatpred", "packints", "bitorder"] as const;
const RENAMED = [
  ["deflate", loadZlib],
  ["zlib", loadZlib],
  ["zlibng", loadZlib],
  ["zstd", loadZstd],
  ["bz2", async () => (await import("./compressors/bz2-lzma/bz2.js")).default],
  ["lzma", async () => (await import("./compressors/bz2-lzma/lzma.js")).default],
  ["blosc", loadBlosc],
  ["pcodec", async () => (await import("./numbers/pcodec/pcodec.js")).default],
  ["zfp", async () => (await import("./numbers/zfp/zfp.js")).zfpy],
] as const;
const IMAGES = ["jpeg", "jpeg8", "jpeg2k", "htj2k", "png", "spng", "webp", "lerc"] as const;

let loadedGrib: ReturnType<typeof import("./archives/grib/grib.js").gribCodecs> | undefined;

/** Messages contain images, whose codecs the application may have replaced. */
async function loadGrib() {
  const { gribCodecs } = await import("./archives/grib/grib.js");
  return (loadedGrib ??= gribCodecs(codecSource));
}

/**
 * The codecs of the package beyond those of the core. A function, so that a bundler leaves the list out where
 * nothing of it is used.
 */
export const furtherCodecs = (): readonly PackageCodec[] => [
  ["vlen-utf8", async () => (await import("./variable-length/interleaved.js")).vlenUtf8],
  // Listed with the prefix because the names without "numcodecs." are other codecs.
  ["numcodecs.bitround", async () => (await import("./filters/rounding.js")).numcodecsBitround],
  ["numcodecs.packbits", async () => (await import("./filters/packbits.js")).numcodecsPackbits],
  ["vlen-bytes", async () => (await import("./variable-length/interleaved.js")).vlenBytes],
  ["vlen-array", async () => (await import("./variable-length/interleaved.js")).vlenArray],
  ["zarrs.vlen", codecModule(() => import("./variable-length/zarrs-vlen.js"))],
  [
    "https://codec.zarrs.dev/array_to_bytes/vlen",
    codecModule(() => import("./variable-length/zarrs-vlen.js")),
  ],
  ["zarrs.optional", codecModule(() => import("./variable-length/optional.js"))],
  ["zarrs.vlen_v2", async () => (await import("./variable-length/interleaved.js")).zarrsVlenV2],
  [
    "https://codec.zarrs.dev/array_to_bytes/vlen_v2",
    async () => (await import("./variable-length/interleaved.js")).zarrsVlenV2,
  ],
  ["json", async () => (await import("./variable-length/objects.js")).json],
  ["json2", async () => (await import("./variable-length/objects.js")).json2],
  ["msgpack2", async () => (await import("./variable-length/objects.js")).msgpack2],
  ["zarrs.gdeflate", codecModule(() => import("./compressors/gdeflate.js"))],
  ["crc32", async () => (await import("./filters/checksums.js")).crc32],
  ["adler32", async () => (await import("./filters/checksums.js")).adler32],
  ["fletcher32", async () => (await import("./filters/checksums.js")).fletcher32],
  ["jenkins_lookup3", async () => (await import("./filters/checksums.js")).jenkinsLookup3],
  ["base64", codecModule(() => import("./filters/base64.js"))],
  ["reshape", codecModule(() => import("./filters/reshape.js"))],
  ["zarrs.squeeze", async () => (await import("./filters/reshape.js")).squeeze],
  ["delta", codecModule(() => import("./filters/delta.js"))],
  ["fixedscaleoffset", codecModule(() => import("./filters/fixedscaleoffset.js"))],
  ["quantize", async () => (await import("./filters/rounding.js")).quantize],
  ["bitround", async () => (await import("./filters/rounding.js")).bitround],
  [
    "https://codec.zarrs.dev/array_to_bytes/bitround",
    async () => (await import("./filters/rounding.js")).bitround,
  ],
  ["packbits", codecModule(() => import("./filters/packbits.js"))],
  ["astype", codecModule(() => import("./filters/astype.js"))],
  ["categorize", codecModule(() => import("./filters/categorize.js"))],
  ["cast_value", codecModule(() => import("./filters/cast-value.js"))],
  ["scale_offset", codecModule(() => import("./filters/scale-offset.js"))],
  ["conditional", codecModule(() => import("./filters/conditional.js"))],
  ["n5_default", codecModule(() => import("./filters/n5-default.js"))],
  ["bz2", codecModule(() => import("./compressors/bz2-lzma/bz2.js"))],
  ["lzma", codecModule(() => import("./compressors/bz2-lzma/lzma.js"))],
  ["grib", async () => (await loadGrib()).grib],
  ["gribberish", async () => (await loadGrib()).gribberish],
  ["gribscan.rawgrib", async () => (await loadGrib()).rawgrib],
  ["pcodec", codecModule(() => import("./numbers/pcodec/pcodec.js"))],
  ["zfp", async () => (await import("./numbers/zfp/zfp.js")).zfp],
  ["zarrs.zfp", async () => (await import("./numbers/zfp/zfp.js")).zfp],
  ["zfpy", async () => (await import("./numbers/zfp/zfp.js")).zfpy],
  ["ChunkyCodec", async () => (await import("./archives/tiff/by-name.js")).tiffCodecs.chunky],
  [
    "HorizontalDeltaCodec",
    async () => (await import("./archives/tiff/by-name.js")).tiffCodecs.horizontalDelta,
  ],
  ["imagecodecs_lzf", async () => (await import("./archives/hdf5/lzf.js")).lzf],
  ["imagecodecs_lz4h5", async () => (await import("./archives/hdf5/lz4.js")).lz4h5],
  ["imagecodecs_szip", async () => (await import("./archives/hdf5/szip.js")).szip],
  ["hdf5.bitshuffle", async () => (await import("./archives/hdf5/bitshuffle.js")).bitshuffle],
  ["hdf5.nbit", async () => (await import("./archives/hdf5/nbit.js")).nbit],
  ["hdf5.scaleoffset", async () => (await import("./archives/hdf5/scale-offset.js")).scaleOffset],
  ...TIFF.map(
    (name): PackageCodec => [
      `imagecodecs_${name}`,
      async () => (await import("./archives/tiff/by-name.js")).tiffCodecs[name],
    ],
  ),
  ...RENAMED.map(([name, load]): PackageCodec => {
    const codec = `imagecodecs_${name}`;
    return [
      codec,
      async () => {
        const [{ renamed }, original] = await Promise.all([import("./archives/tiff/renamed.js"), load()]);
        return renamed(codec, original);
      },
    ];
  }),
  ...IMAGES.map(
    (name): PackageCodec => [
      `imagecodecs_${name}`,
      async () => (await import("./images/by-name.js")).imageCodecs[name],
    ],
  ),
  // Proposed: https://github.com/zarr-developers/zarr-extensions/pull/66
  ["jpeg", async () => (await import("./images/by-name.js")).imageCodecs.jpeg],
];
