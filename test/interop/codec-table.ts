/**
 * docs/codecs.md: the codecs, their names, and which implementations agreed, as live-codecs.test.ts recorded
 * it.
 */
import { kilobytesOf } from "./codec-code.js";

export type Agreement = "read" | "write" | "read, write";
export interface AgreementRecord {
  /** By implementation. */
  readonly versions: Readonly<Record<string, string>>;
  /** By implementation and codec ("v2 delta"): what it confirmed. */
  readonly agreements: Readonly<Record<string, Readonly<Record<string, Agreement>>>>;
}

export const RECORD = new URL("codec-agreements.json", import.meta.url);
export const DOCUMENT = new URL("../../docs/codecs.md", import.meta.url);
const PARTNERS = ["zarr-python 3", "zarr-python 2", "TensorStore", "zarrs"];

interface CodecRow {
  /** Heading above this row. */
  readonly group?: string;
  readonly v3: readonly string[];
  /** Ids, or in parentheses what v2 has instead. */
  readonly v2?: readonly string[];
  /** What wazarr does. */
  readonly writes?: false;
  readonly note?: string;
}

const RENAMED = ["deflate", "zlib", "zlibng", "zstd", "bz2", "lzma", "blosc", "pcodec", "zfp"].map(
  (name) => `imagecodecs_${name}`,
);

/** Every codec that is registered. */
export const CODECS: readonly CodecRow[] = [
  { group: "array to array", v3: ["transpose"], v2: ["(order F)"] },
  { v3: ["reshape"] },
  {
    v3: ["zarrs.squeeze"],
  },
  { v3: ["cast_value"] },
  { v3: ["scale_offset"] },
  {
    v3: ["bitround", "numcodecs.bitround", "https://codec.zarrs.dev/array_to_bytes/bitround"],
    v2: ["bitround"],
    note: "reading changes nothing",
  },
  {
    v3: ["numcodecs.delta"],
    v2: ["delta"],
    note: "bool read only: numcodecs does not read back what it writes",
  },
  { v3: ["numcodecs.fixedscaleoffset"], v2: ["fixedscaleoffset"] },
  { v3: ["numcodecs.quantize"], v2: ["quantize"] },
  { v3: ["numcodecs.astype"], v2: ["astype"] },
  {
    v3: ["imagecodecs_delta", "imagecodecs_floatpred", "HorizontalDeltaCodec"],
    v2: ["imagecodecs_delta", "imagecodecs_floatpred"],
    writes: false,
    note: "predictors of TIFF",
  },
  { v3: ["numcodecs.packbits"], v2: ["packbits"], note: "bool, most significant bit first" },
  {
    v3: ["numcodecs.categorize"],
    v2: ["categorize"],
    note: "strings of fixed and variable length",
  },
  { group: "array to bytes", v3: ["bytes", "endian"], v2: ["(implicit)"] },
  { v3: ["sharding_indexed"] },
  { v3: ["packbits"], note: "bool, integers, floats; least significant bit first" },
  {
    v3: ["n5_default"],
    note: "zarr-python 2 and TensorStore agree on N5 itself",
  },
  {
    v3: ["vlen-utf8", "vlen-bytes", "vlen-array"],
    v2: ["vlen-utf8", "vlen-bytes", "vlen-array"],
  },
  { v3: ["zarrs.vlen", "https://codec.zarrs.dev/array_to_bytes/vlen"] },
  {
    v3: ["zarrs.vlen_v2", "https://codec.zarrs.dev/array_to_bytes/vlen_v2"],
  },
  { v3: ["zarrs.optional"] },
  {
    v3: ["json"],
    v2: ["json"],
    writes: false,
    note: "the first JSON codec of numcodecs",
  },
  {
    v3: ["json2", "msgpack2"],
    v2: ["json2", "msgpack2"],
    note: "objects, strings, numbers and booleans; bytes with msgpack2",
  },
  {
    v3: ["gribberish", "numcodecs.grib"],
    v2: ["gribberish", "grib"],
    writes: false,
    note: "a [GRIB message](codecs-files.md#grib) a chunk",
  },
  {
    v3: ["numcodecs.pcodec"],
    v2: ["pcodec"],
    writes: false,
  },
  {
    v3: ["zfp", "zarrs.zfp"],
    writes: false,
  },
  {
    v3: ["numcodecs.zfpy"],
    v2: ["zfpy"],
    writes: false,
    note: "with a header",
  },
  {
    v3: ["ChunkyCodec"],
    writes: false,
    note: "samples of TIFF beside each other",
  },
  { group: "bytes to bytes", v3: ["gzip", "numcodecs.gzip"], v2: ["gzip"] },
  { v3: ["numcodecs.zlib"], v2: ["zlib"] },
  {
    v3: ["zstd", "numcodecs.zstd"],
    v2: ["zstd"],
    note: "decodes only the part that is read, unless there is a checksum",
  },
  {
    v3: ["blosc", "numcodecs.blosc"],
    v2: ["blosc"],
    note: "blosclz, lz4, lz4hc, snappy, zlib, zstd; no, byte and bit shuffle",
  },
  {
    v3: ["numcodecs.lz4"],
    v2: ["lz4"],
    note: "decodes only the part that is read",
  },
  { v3: ["numcodecs.bz2"], v2: ["bz2"], writes: false },
  { v3: ["numcodecs.lzma"], v2: ["lzma"], writes: false, note: ".xz, .lzma, raw; delta filters" },
  {
    v3: ["zarrs.gdeflate"],
    writes: false,
  },
  {
    v3: ["numcodecs.gribscan.rawgrib"],
    v2: ["gribscan.rawgrib"],
    writes: false,
    note: "a GRIB message a chunk",
  },
  {
    v3: [
      "imagecodecs_jpeg2k",
      "imagecodecs_htj2k",
      "imagecodecs_lerc",
      "imagecodecs_jpeg",
      "imagecodecs_jpeg8",
      "imagecodecs_webp",
      "jpeg",
    ],
    v2: [
      "imagecodecs_jpeg2k",
      "imagecodecs_htj2k",
      "imagecodecs_lerc",
      "imagecodecs_jpeg",
      "imagecodecs_jpeg8",
      "imagecodecs_webp",
    ],
    writes: false,
    note: "an [image](codecs-files.md#images) a chunk; kB without the package",
  },
  {
    v3: ["imagecodecs_png", "imagecodecs_spng"],
    v2: ["imagecodecs_png", "imagecodecs_spng"],
    writes: false,
    note: "the same",
  },
  {
    v3: ["imagecodecs_lzw", "imagecodecs_packbits"],
    v2: ["imagecodecs_lzw", "imagecodecs_packbits"],
    writes: false,
    note: "compressors of TIFF",
  },
  {
    v3: ["imagecodecs_packints", "imagecodecs_bitorder"],
    v2: ["imagecodecs_packints", "imagecodecs_bitorder"],
    writes: false,
    note: "samples of TIFF of 1 to 32 bits; bytes with their lowest bit first",
  },
  {
    v3: RENAMED,
    v2: RENAMED,
    writes: false,
    note: "the codecs above under other names; no raw deflate, no zfp without a header",
  },
  {
    v3: ["imagecodecs_lzf", "imagecodecs_lz4h5"],
    v2: ["imagecodecs_lzf", "imagecodecs_lz4h5"],
    note: "filters of HDF5; written without compression",
  },
  {
    v3: ["imagecodecs_szip"],
    v2: ["imagecodecs_szip"],
    writes: false,
    note: "a filter of HDF5",
  },
  {
    v3: ["hdf5.bitshuffle", "hdf5.nbit", "hdf5.scaleoffset"],
    writes: false,
    note: "filters of HDF5, as [`wazarr/virtual`](virtual.md) names them",
  },
  { v3: ["numcodecs.shuffle"], v2: ["shuffle"] },
  { v3: ["crc32c", "numcodecs.crc32c"], v2: ["crc32c"] },
  { v3: ["numcodecs.crc32"], v2: ["crc32"] },
  { v3: ["numcodecs.adler32"], v2: ["adler32"] },
  {
    v3: ["numcodecs.fletcher32"],
    v2: ["fletcher32"],
    note: "of an odd number of bytes, zarrs 0.23 writes another checksum: wazarr reads both, and writes HDF5's",
  },
  { v3: ["numcodecs.jenkins_lookup3"], v2: ["jenkins_lookup3"] },
  { v3: ["numcodecs.base64"], v2: ["base64"] },
  { v3: ["conditional"], note: "no other implementation is known" },
];

/** What one implementation confirmed of a codec, v2 and v3 apart. */
function confirmed(rows: Readonly<Record<string, string>>, { v3, v2 = [] }: CodecRow): string {
  const of = (prefix: string, names: readonly string[]): string[] => {
    const all = names.map((name) => rows[`${prefix} ${name}`] ?? "").join(", ");
    const directions = ["read", "write"].filter((direction) => all.includes(direction));
    if (directions.length === 2) return [prefix];
    return directions.map((direction) => `${prefix} ${direction}`);
  };
  return [...of("v2", v2), ...of("v3", v3)].join(", ");
}

/** Ids of v2, where they are not the names of v3 without "numcodecs.". */
function idsOf(v3: readonly string[], v2: readonly string[]): string {
  if (v2.length === 0) return " (v3)";
  const expected = new Set(
    v3.map((name) => name.replace("numcodecs.", "")).filter((name) => !/^https:/.test(name)),
  );
  const missing = [...expected].filter((name) => !v2.includes(name));
  if (v2.every((id) => expected.has(id)))
    return missing.length === 0 ? "" : `; v2 without ${missing.map(shortened).join(", ")}`;
  return `; v2: ${v2.map((id) => (id.startsWith("(") ? id.slice(1, -1) : shortened(id))).join(", ")}`;
}

const shortened = (name: string): string => (name.startsWith("https://") ? "a URL of zarrs" : `\`${name}\``);

/** docs/codecs.md. */
export function codecTable({ versions, agreements }: AgreementRecord): string {
  const header = ["codec", "kB", ...PARTNERS, "notes"];
  const lines = [`| ${header.join(" | ")} |`, `|${"---|".repeat(header.length)}`];
  for (const codec of CODECS) {
    const { group, v3, v2 = [], writes = true, note = "" } = codec;
    if (group !== undefined) lines.push(`| **${group}** |${" |".repeat(header.length - 1)}`);
    const names = v3.map(shortened).join(", ") + idsOf(v3, v2);
    const notes = [...(writes ? [] : ["read only"]), ...(note === "" ? [] : [note])].join("; ");
    const cells = PARTNERS.map((partner) => confirmed(agreements[partner] ?? {}, codec));
    lines.push(`| ${[names, kilobytesOf(v3), ...cells, notes].join(" | ")} |`);
  }
  const implementations = PARTNERS.map((partner) => `${partner}: ${versions[partner]}`).join("; ");
  return `# Codecs

A codec encodes the chunks of an array. \`create\` takes codecs by name, \`codecs: ["gzip"]\`, or with a configuration as in \`zarr.json\`: \`codecs: [{ name: "zstd", configuration: { level: 3, checksum: true } }]\`.

Without \`codecs\`, chunks are compressed with zstd at level 3, as zarr-python does it; \`codecs: []\` stores them as they are. The 2020 draft has no compressor unless you name one.

## Supported codecs

wazarr reads and writes these codecs, unless the notes say "read only". "kB" is what a page loads, gzipped, when an array names the codec; encoders are files of their own, loaded by the first write. The code is wazarr's, but packages decode images. The columns of other implementations say with which of them wazarr agrees, bit for bit, in both directions, in v2 or v3; "v2 read" is one direction. In v2 a codec has the same id without \`numcodecs.\`, unless the table says otherwise. An empty cell means that the implementation does not have the codec in that format. [Codecs of files](codecs-files.md) explains those of GRIB, images, TIFF, pcodec and zfp.

${lines.join("\n")}

## Configuration

- **Defaults are written out**, because implementations differ in them: \`codecs: ["gzip"]\` becomes \`{ "name": "gzip", "configuration": { "level": 5 } }\`.
- **Names.** A name that begins with \`numcodecs.\` also works without the prefix, unless both names exist. Documents get the name with the prefix.
- **Settings for writing never block reading**, even if they are malformed. \`set\`, \`create\` and copies that encode again refuse them.
- **Unusual levels.** wazarr writes -1 as gzip's level, and levels that zstd does not have, in v2 and as \`numcodecs.*\`. It refuses them for a new v3 array, which other implementations could not read.

## How zstd is compressed

Reading zstd works the same everywhere. Writing depends on the platform:

- WebAssembly compresses. From level 10 on, Node's own encoder compresses (Node 22.15 and newer).
- Without WebAssembly, or if a chunk is too large for it, Node's encoder compresses at every level.
- Without either (browsers, older Nodes), wazarr writes valid frames that are not compressed, except for blocks of one repeated byte.

blosc with \`lz4hc\`, \`snappy\` or \`blosclz\` needs WebAssembly, too; without it, wazarr compresses with LZ4 instead.

## Register a codec

\`registry.set(name, loader)\` adds a codec of your own. Codecs of zarrita and of numcodecs.js work unchanged: [From zarrita](from-zarrita.md).

## Codecs that wazarr does not have

- **JPEG XL** (\`imagecodecs_jpegxl\`): the one package of npm that is maintained decodes to 8 bits and converts colours.
- **JPEG XR** (\`imagecodecs_jpegxr\`): the one package of npm wraps a library that is no longer maintained.
- **Blosc2**, and other plugins of numcodecs.

An array with such a codec opens; its first read is an \`UnknownCodecError\`, which says what the codec is and what decodes it. Register a decoder, or convert the array with zarr-python. \`unsupportedCodecs(array)\` lists such codecs before anything is read, those inside shards included.

## Evidence

The table is made from test/interop/codec-agreements.json, which the live round trips of test/interop/live-codecs.test.ts record: ${implementations}. Other tests compare with numcodecs' own results, with gzip, zstd, lz4, bzip2 and xz of Debian, and the codecs of files with eccodes, pcodec, zfpy, imagecodecs, virtual-tiff, h5py and hdf5plugin.
`;
}
