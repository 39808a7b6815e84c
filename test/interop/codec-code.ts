/**
 * The table of docs/codecs.md that says whose code each codec is, what it is compared with, and what it
 * loads. test/bundlers/doors.test.ts measures the bytes, codec-table.test.ts whether every codec is there.
 */

interface CodeRow {
  /** Files of the package that a page loads when an array names a codec (scripts/doors.mjs); empty: none. */
  readonly doors: readonly string[];
  /** Bytes of them, gzipped, with what they import besides the core, in kB. */
  readonly kilobytes: number;
  /** As `registry` names them. */
  readonly codecs: readonly string[];
  readonly code: string;
  readonly comparedWith: string;
}

const OWN = "WebAssembly";
const SCRIPT = "TypeScript";
const TABLE = "those above";
const ofImagecodecs = (name: string): string => `imagecodecs_${name}`;

export const CODE: readonly CodeRow[] = [
  { doors: [], kilobytes: 0, codecs: ["bytes", "endian", "crc32c"], code: OWN, comparedWith: TABLE },
  { doors: ["transposition"], kilobytes: 3, codecs: ["transpose"], code: OWN, comparedWith: TABLE },
  { doors: ["shards"], kilobytes: 4, codecs: ["sharding_indexed"], code: SCRIPT, comparedWith: TABLE },
  { doors: ["zstd"], kilobytes: 7, codecs: ["zstd"], code: OWN, comparedWith: `${TABLE}, zstd of Debian` },
  {
    doors: ["gzip"],
    kilobytes: 9,
    codecs: ["gzip", "zlib"],
    code: OWN,
    comparedWith: `${TABLE}, zlib, gzip of Debian`,
  },
  { doors: ["gdeflate"], kilobytes: 45, codecs: ["zarrs.gdeflate"], code: SCRIPT, comparedWith: "zarrs" },
  {
    ...{ doors: ["blosc"], kilobytes: 12, codecs: ["blosc", "lz4", "shuffle"], code: OWN },
    comparedWith: `${TABLE}, lz4 of Debian`,
  },
  {
    ...{ doors: ["bz2-lzma"], kilobytes: 10, codecs: ["bz2", "lzma"] },
    ...{ code: SCRIPT, comparedWith: `${TABLE}, bzip2 and xz of Debian` },
  },
  {
    ...{ doors: ["filters"], kilobytes: 56, code: OWN, comparedWith: `${TABLE}, numcodecs without arrays` },
    codecs: [
      ...["bitround", "delta", "fixedscaleoffset", "quantize", "astype", "packbits", "categorize", "base64"],
      ...[
        "numcodecs.bitround",
        "numcodecs.packbits",
        "cast_value",
        "scale_offset",
        "reshape",
        "zarrs.squeeze",
      ],
      ...["https://codec.zarrs.dev/array_to_bytes/bitround", "n5_default", "conditional"],
      ...["crc32", "adler32", "fletcher32", "jenkins_lookup3"],
    ],
  },
  {
    ...{
      doors: ["variable-length"],
      kilobytes: 59,
      code: OWN,
      comparedWith: "zarr-python, numcodecs, zarrs",
    },
    codecs: [
      ...["vlen-utf8", "vlen-bytes", "vlen-array", "json", "json2", "msgpack2", "zarrs.optional"],
      ...["zarrs.vlen", "zarrs.vlen_v2", "https://codec.zarrs.dev/array_to_bytes/vlen"],
      "https://codec.zarrs.dev/array_to_bytes/vlen_v2",
    ],
  },
  {
    ...{ doors: ["grib"], kilobytes: 20, codecs: ["grib", "gribberish", "gribscan.rawgrib"] },
    ...{
      code: OWN,
      comparedWith: "eccodes; coordinates also gribberish",
    },
  },
  { doors: ["pcodec"], kilobytes: 9, codecs: ["pcodec"], code: OWN, comparedWith: "pcodec of PyPI" },
  { doors: ["zfp"], kilobytes: 6, codecs: ["zfp", "zarrs.zfp", "zfpy"], code: OWN, comparedWith: "zfpy" },
  {
    ...{ doors: ["tiff"], kilobytes: 4, code: OWN, comparedWith: "imagecodecs, virtual-tiff" },
    codecs: [
      ...["imagecodecs_lzw", "imagecodecs_packbits", "imagecodecs_delta", "imagecodecs_floatpred"],
      ...["imagecodecs_packints", "imagecodecs_bitorder", "HorizontalDeltaCodec", "ChunkyCodec"],
    ],
  },
  {
    ...{ doors: ["hdf5-filters"], kilobytes: 3, code: SCRIPT, comparedWith: "h5py, hdf5plugin" },
    codecs: ["imagecodecs_lzf", "hdf5.nbit", "hdf5.scaleoffset"],
  },
  {
    ...{ doors: ["blosc"], kilobytes: 12, code: SCRIPT, comparedWith: "h5py, hdf5plugin" },
    codecs: ["imagecodecs_lz4h5", "hdf5.bitshuffle"],
  },
  {
    ...{ doors: ["grib"], kilobytes: 20, code: SCRIPT, comparedWith: "h5py" },
    codecs: ["imagecodecs_szip"],
  },
  {
    ...{ doors: ["tiff", "gzip"], kilobytes: 14, codecs: ["deflate", "zlib", "zlibng"].map(ofImagecodecs) },
    ...{ code: OWN, comparedWith: "imagecodecs" },
  },
  {
    ...{ doors: ["tiff", "zstd"], kilobytes: 11, codecs: ["imagecodecs_zstd"] },
    ...{ code: OWN, comparedWith: "imagecodecs" },
  },
  {
    ...{ doors: ["tiff", "blosc"], kilobytes: 17, codecs: ["imagecodecs_blosc"] },
    ...{ code: OWN, comparedWith: "imagecodecs" },
  },
  {
    ...{ doors: ["tiff", "bz2-lzma"], kilobytes: 14, codecs: ["bz2", "lzma"].map(ofImagecodecs) },
    ...{ code: SCRIPT, comparedWith: "imagecodecs" },
  },
  {
    ...{ doors: ["tiff", "pcodec"], kilobytes: 14, codecs: ["imagecodecs_pcodec"] },
    ...{ code: OWN, comparedWith: "imagecodecs" },
  },
  {
    ...{ doors: ["tiff", "zfp"], kilobytes: 10, codecs: ["imagecodecs_zfp"] },
    ...{ code: OWN, comparedWith: "imagecodecs" },
  },
  {
    ...{ doors: ["images", "gzip"], kilobytes: 16, codecs: ["imagecodecs_png", "imagecodecs_spng"] },
    ...{ code: SCRIPT, comparedWith: "imagecodecs" },
  },
  {
    ...{
      doors: ["images"],
      kilobytes: 7,
      code: "[a package](codecs-files.md#images)",
      comparedWith: "imagecodecs",
    },
    codecs: [...["jpeg", "jpeg8", "jpeg2k", "htj2k", "webp", "lerc"].map(ofImagecodecs), "jpeg"],
  },
];

const shortened = (name: string): string => (name.startsWith("https://") ? "" : `\`${name}\``);

/** Rows of Markdown. */
export function codeTable(): string {
  const lines = CODE.map(({ codecs, code, comparedWith, kilobytes }) => {
    const names = codecs.map(shortened).filter((name) => name !== "");
    return `| ${[names.join(", "), code, comparedWith, kilobytes === 0 ? "in the core" : kilobytes].join(" | ")} |`;
  });
  return ["| codecs | code | compared with | kB loaded, gzipped |", "|---|---|---|---:|", ...lines].join(
    "\n",
  );
}
