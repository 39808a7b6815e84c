/**
 * What a page loads for each codec: docs/codecs.md shows it. test/bundlers/doors.test.ts measures the bytes,
 * codec-table.test.ts whether every codec is there.
 */

interface CodeRow {
  /** Files of the package that a page loads when an array names a codec (scripts/doors.mjs); empty: none. */
  readonly doors: readonly string[];
  /** Bytes of them, gzipped, with what they import besides the core, in kB. */
  readonly kilobytes: number;
  /** As `registry` names them. */
  readonly codecs: readonly string[];
}

const ofImagecodecs = (name: string): string => `imagecodecs_${name}`;

export const CODE: readonly CodeRow[] = [
  { doors: [], kilobytes: 0, codecs: ["bytes", "endian", "crc32c"] },
  { doors: ["transposition"], kilobytes: 3, codecs: ["transpose"] },
  { doors: ["shards"], kilobytes: 4, codecs: ["sharding_indexed"] },
  { doors: ["zstd"], kilobytes: 7, codecs: ["zstd"] },
  { doors: ["gzip"], kilobytes: 9, codecs: ["gzip", "zlib"] },
  { doors: ["gdeflate"], kilobytes: 45, codecs: ["zarrs.gdeflate"] },
  {
    doors: ["blosc"],
    kilobytes: 12,
    codecs: ["blosc", "lz4", "shuffle", "imagecodecs_lz4h5", "hdf5.bitshuffle"],
  },
  { doors: ["bz2-lzma"], kilobytes: 10, codecs: ["bz2", "lzma"] },
  {
    doors: ["filters"],
    kilobytes: 56,
    codecs: [
      ...["bitround", "delta", "fixedscaleoffset", "quantize", "astype", "packbits", "categorize", "base64"],
      ...["numcodecs.bitround", "numcodecs.packbits", "cast_value", "scale_offset", "reshape"],
      ...["zarrs.squeeze", "https://codec.zarrs.dev/array_to_bytes/bitround", "n5_default", "conditional"],
      ...["crc32", "adler32", "fletcher32", "jenkins_lookup3"],
    ],
  },
  {
    doors: ["variable-length"],
    kilobytes: 59,
    codecs: [
      ...["vlen-utf8", "vlen-bytes", "vlen-array", "json", "json2", "msgpack2", "zarrs.optional"],
      ...["zarrs.vlen", "zarrs.vlen_v2", "https://codec.zarrs.dev/array_to_bytes/vlen"],
      "https://codec.zarrs.dev/array_to_bytes/vlen_v2",
    ],
  },
  { doors: ["grib"], kilobytes: 20, codecs: ["grib", "gribberish", "gribscan.rawgrib", "imagecodecs_szip"] },
  { doors: ["pcodec"], kilobytes: 9, codecs: ["pcodec"] },
  { doors: ["zfp"], kilobytes: 6, codecs: ["zfp", "zarrs.zfp", "zfpy"] },
  {
    doors: ["tiff"],
    kilobytes: 4,
    codecs: [
      ...["imagecodecs_lzw", "imagecodecs_packbits", "imagecodecs_delta", "imagecodecs_floatpred"],
      ...["imagecodecs_packints", "imagecodecs_bitorder", "HorizontalDeltaCodec", "ChunkyCodec"],
    ],
  },
  { doors: ["hdf5-filters"], kilobytes: 3, codecs: ["imagecodecs_lzf", "hdf5.nbit", "hdf5.scaleoffset"] },
  { doors: ["tiff", "gzip"], kilobytes: 14, codecs: ["deflate", "zlib", "zlibng"].map(ofImagecodecs) },
  { doors: ["tiff", "zstd"], kilobytes: 11, codecs: ["imagecodecs_zstd"] },
  { doors: ["tiff", "blosc"], kilobytes: 17, codecs: ["imagecodecs_blosc"] },
  { doors: ["tiff", "bz2-lzma"], kilobytes: 14, codecs: ["bz2", "lzma"].map(ofImagecodecs) },
  { doors: ["tiff", "pcodec"], kilobytes: 14, codecs: ["imagecodecs_pcodec"] },
  { doors: ["tiff", "zfp"], kilobytes: 10, codecs: ["imagecodecs_zfp"] },
  { doors: ["images", "gzip"], kilobytes: 16, codecs: ["imagecodecs_png", "imagecodecs_spng"] },
  {
    doors: ["images"],
    kilobytes: 7,
    codecs: [...["jpeg", "jpeg8", "jpeg2k", "htj2k", "webp", "lerc"].map(ofImagecodecs), "jpeg"],
  },
];

/** What a page loads for codecs of these names in v3, in kB: "3", "10 to 17". */
export function kilobytesOf(names: readonly string[]): string {
  const rows = CODE.filter(({ codecs }) =>
    names.some((name) => codecs.includes(name) || codecs.includes(name.replace("numcodecs.", ""))),
  );
  const sizes = rows.map(({ kilobytes }) => kilobytes);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  return least === most ? `${least}` : `${least} to ${most}`;
}
