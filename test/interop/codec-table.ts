/**
 * docs/codecs.md: the codecs, their names, and which implementations agreed, as live-codecs.test.ts recorded
 * it.
 */
import { codeTable } from "./codec-code.js";

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
    note: "bool is read and not written: numcodecs does not read back what it writes",
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
    note: "zarr-python 2 and TensorStore agree on N5 itself: test/interop/live-n5.test.ts",
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
    note: "a GRIB message a chunk: [GRIB forecasts](grib.md)",
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
    note: "for a part of a chunk, decoding stops at the end of that part, unless there is a checksum to compare",
  },
  {
    v3: ["blosc", "numcodecs.blosc"],
    v2: ["blosc"],
    note: "blosclz, lz4, lz4hc, snappy, zlib, zstd; no, byte and bit shuffle; chunks may use another compressor than the metadata say",
  },
  {
    v3: ["numcodecs.lz4"],
    v2: ["lz4"],
    note: "for a part of a chunk, decoding stops at the end of that part",
  },
  { v3: ["numcodecs.bz2"], v2: ["bz2"], writes: false },
  { v3: ["numcodecs.lzma"], v2: ["lzma"], writes: false, note: ".xz, .lzma, raw; delta filters" },
  {
    v3: ["zarrs.gdeflate"],
    writes: false,
  },
  { v3: ["numcodecs.gribscan.rawgrib"], v2: ["gribscan.rawgrib"], writes: false, note: "GRIB, as above" },
  {
    v3: [
      "imagecodecs_jpeg2k",
      "imagecodecs_htj2k",
      "imagecodecs_lerc",
      "imagecodecs_jpeg",
      "imagecodecs_jpeg8",
      "imagecodecs_png",
      "imagecodecs_spng",
      "imagecodecs_webp",
      "jpeg",
    ],
    v2: [
      "imagecodecs_jpeg2k",
      "imagecodecs_htj2k",
      "imagecodecs_lerc",
      "imagecodecs_jpeg",
      "imagecodecs_jpeg8",
      "imagecodecs_png",
      "imagecodecs_spng",
      "imagecodecs_webp",
    ],
    writes: false,
    note: "an image a chunk",
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
    note: "samples of TIFF of 1 to 32 bits, and bytes with their lowest bit first",
  },
  {
    v3: RENAMED,
    v2: RENAMED,
    writes: false,
    note: "zlib, zstd, bz2, lzma, blosc, pcodec and zfpy under other names, without raw deflate and zfp without a header",
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
    note: "zarrs 0.23 appends another checksum to an odd number of bytes: wazarr reads both, and writes HDF5's",
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

const shortened = (name: string): string => (name.startsWith("https://") ? "a URL of zarrs" : `\`${name}\``);

/** docs/codecs.md. */
export function codecTable({ versions, agreements }: AgreementRecord): string {
  const header = ["codec (v3 names; v2 ids)", "wazarr", ...PARTNERS, "notes"];
  const lines = [`| ${header.join(" | ")} |`, `|${"---|".repeat(header.length)}`];
  for (const codec of CODECS) {
    const { group, v3, v2 = [], writes = true, note = "" } = codec;
    if (group !== undefined) lines.push(`| **${group}** |${" |".repeat(header.length - 1)}`);
    const isSame = v2.join() === v3.join();
    const ids = v2.map((id) => (id.startsWith("(") ? id : shortened(id))).join(", ");
    const names = v3.map(shortened).join(", ") + (isSame ? " in both" : ids === "" ? "" : `; ${ids}`);
    const own = writes ? "read, write" : "read";
    const cells = PARTNERS.map((partner) => confirmed(agreements[partner] ?? {}, codec));
    lines.push(`| ${[names, own, ...cells, note].join(" | ")} |`);
  }
  const implementations = PARTNERS.map((partner) => `${partner}: ${versions[partner]}`).join("; ");
  return `# Codecs

A codec encodes the chunks of an array. \`create\` takes codecs by name, or with a configuration as in \`zarr.json\`:
\`codecs: ["gzip"]\`, \`codecs: [{ name: "zstd", configuration: { level: 3, checksum: true } }]\`. wazarr loads the code of a codec
only for arrays that use it.

Without \`codecs\`, chunks are compressed with zstd at level 3, as zarr-python does it, in v2 and v3, and inside of shards; \`codecs: []\` stores them as they are. The 2020 draft
knows no zstd, and has no compressor unless you name one.

## Supported codecs

This table says what wazarr does with each codec, and which implementations agree, bit for bit, in both directions: each read what the other wrote, in v2 or v3. "v2 read" is one direction: wazarr read what the implementation wrote. An empty cell means that the implementation does not have the codec, or not in that format.

${lines.join("\n")}

## Code and bytes

What a page loads when an array names a codec, besides the core. Encoders are files of their own, loaded by the first write. Codecs of packages load these, too: [Images](#images) says how much.

${codeTable()}

## Configuration

- **Defaults are written out.** \`create\` and \`copyNode\` write the members that a codec's configuration leaves out. \`codecs: ["gzip"]\` becomes \`{ "name": "gzip", "configuration": { "level": 5 } }\`,
  because TensorStore and zarrs refuse gzip without the level, and numcodecs would use another level.
- **Names.** A name that begins with \`numcodecs.\` also works without the prefix, unless both names exist (test/core/codecs/names.test.ts). Documents get the name with the prefix.
- **Settings for writing never block reading**, even if they are malformed: levels, whether to add a checksum, blosc's compressor, shuffle and block size, bits and digits to round to. \`set\` refuses them, and so do \`create\`
  and copies that encode again.
- **Unusual levels.** wazarr writes -1 as gzip's level, and levels that zstd does not have, in v2 and as \`numcodecs.*\`, as numcodecs does. It refuses them for a new v3 array, because other implementations would refuse that array.

## GRIB

A chunk is a GRIB message of edition 2, or of edition 1 in simple or second-order packing, and its elements are the values of the first field, as float32 or float64: the same bits as those of eccodes, which calculates in doubles. wazarr reads these packings:

| Data representation template | |
| --- | --- |
| 5.0 | simple packing, and constant fields |
| 5.2, 5.3 | complex packing, and with spatial differencing of order 1 and 2; missing values inside of groups |
| 5.4 | IEEE, 32 and 64 bits |
| 5.40 | JPEG 2000 of up to 16 bits, by the codec \`imagecodecs_jpeg2k\`: it needs the package [below](#images). Of 17 to 28 bits, in one tile and without loss, as eccodes and NCEP's libraries write it: without a package. Others are an \`UnsupportedError\`; from 30 bits on eccodes itself reads other values than it wrote |
| 5.41 | PNG of 8, 16, 24 and 32 bits, by the codec \`imagecodecs_png\` |
| 5.42 | CCSDS |
| 5.61 | simple packing of logarithms. They differ from those of eccodes by the rounding of \`exp\`, in its last bit |
| 5.50001, 5.50002 | second-order packing of ECMWF, with spatial differencing of order 0 to 3 and rows in turn; in edition 1 also by rows and with a second bitmap |

Bitmaps are read. Other templates, bitmaps that another field or a centre defines, and other packings of edition 1 are an \`UnsupportedError\` with the name of the template.

- Points without a value are NaN with \`grib\` (kerchunk) and \`gribberish\`, and 9999 with \`gribscan.rawgrib\`, as in Python. A value of 9999 stays 9999, of which kerchunk makes NaN, too.
- Elements are in the order of the message. \`north_up\` and \`adjust_longitude_range\` of \`gribberish\` change it on grids of templates 3.0, 3.10, 3.20 and 3.30 whose rows go from west to east.
- The variables \`latitude\` and \`longitude\` (\`var\`) are calculated from the grid, as in Python: for each point, or for each row and each column if these have coordinates of their own. These grids are read, of both editions:

  | grid | template of edition 2 | type of edition 1 |
  | --- | --- | --- |
  | latitudes and longitudes | 3.0 | 0 |
  | the same, rotated, without an angle of rotation | 3.1 | 10 |
  | Mercator | 3.10 | 1 |
  | polar stereographic | 3.20 | 5 |
  | Lambert's conformal | 3.30 | 3 |
  | Gaussian, also reduced around the globe | 3.40 | 4 |

  They differ from those of eccodes and gribberish by less than 10^-9 degrees, or by what the message rounds. Other grids are an \`UnsupportedError\` with the name of the template.

## Images

A chunk is an image, as the codecs of Python's [imagecodecs](https://pypi.org/project/imagecodecs/) write it and as references of TIFF files name it (tifffile, kerchunk, virtual-tiff). In v2 the id of imagecodecs is a compressor or a filter. In v3 the same name stands in the place of \`bytes\` or after it. wazarr reads images and does not write them. Packages decode them, except PNG. They are optional peers: install those that your data need.

| codec | package | entry | kB loaded, gzipped | read | compared with imagecodecs |
|---|---|---|---|---|---|
| \`imagecodecs_jpeg\`, \`imagecodecs_jpeg8\`, \`jpeg\` | \`@cornerstonejs/codec-libjpeg-turbo-8bit\` | \`wazarr/images/jpeg\` | 112 | 8 bits, 1 and 3 components, with the tables and colours that TIFF files have apart (\`tables\`, \`header\`, \`colorspace_jpeg\`, \`colorspace_data\`), RGB in planes too. No CMYK, 12 bits or lossless JPEG | the same bits: both are libjpeg-turbo. Other decoders of JPEG may differ by 1 or 2 |
| \`imagecodecs_jpeg2k\`, \`imagecodecs_htj2k\` | \`@cornerstonejs/codec-openjpeg\` (OpenJPEG) | \`wazarr/images/jpeg2000\` (\`htj2k\` by that name) | 98 | codestreams and files, 1 and 3 components of up to 16 bits, but 1 of 8 signed bits; planes too. The package decodes no other number of components | the same bits; of lossy images single samples differ by 1 (JPEG 2000: 2 images of 30; HTJ2K, which OpenJPH decodes there) |
| \`imagecodecs_lerc\` | \`lerc\` (Esri) | \`wazarr/images/lerc\` | 36 | LERC 1 and 2, all eight data types, bands, several samples a pixel; with zstd or zlib around it, too | the same bits, lossy images too |
| \`imagecodecs_webp\` | \`@jsquash/webp\` (libwebp) | \`wazarr/images/webp\` | 58 | RGB and RGBA, \`hasalpha\`; no animations. In Node the package defines \`ImageData\` for the whole process | the same bits, lossy images too |
| \`imagecodecs_png\`, \`imagecodecs_spng\` | none: wazarr decodes PNG itself | none | 16, most of it what inflates gzip | 8 and 16 bits, 1 to 4 samples a pixel; no palettes, transparent colours, interlaced images, or samples of less than 8 bits | the same bits |

- **In Node, Bun and Deno** \`npm install lerc\` is enough: wazarr loads the package when an array names the codec. The same holds for a page whose import map has the package.
- **In an application that you bundle**, give the codec to the registry. The bundler then finds the package:

\`\`\`js
import { registry } from "wazarr";

registry.set("imagecodecs_lerc", () => import("wazarr/images/lerc").then((m) => m.default));
\`\`\`

  Vite copies the WebAssembly of the package. webpack and Rspack do, too; for the packages of Cornerstone.js they need \`resolve.fallback: { fs: false, path: false }\`. esbuild copies none: put the package's \`.wasm\` beside its output. Vite's development server needs
  \`optimizeDeps: { exclude: ["wazarr", "lerc", "@jsquash/webp"], include: ["@cornerstonejs/codec-openjpeg/decodewasmjs"] }\`, those of them that are installed.
- An image has the chunk's shape and data type: height, width, and last the samples of a pixel. Elements are the samples as they are stored; colour profiles and orientations are not applied.
- A damaged image is a \`CodecError\`.

## pcodec

wazarr reads what pcodec 1.1 writes, and everything before it (versions 0 to 4.1 of the format): integers of 8 to 64 bits and floats of 16, 32 and 64; the modes Classic,
IntMult, FloatMult, FloatQuant and Dict; deltas (Consecutive of order 1 to 7, Lookback, Conv1 of order 1 to 32); several chunks. Times are stored as integers, complex numbers as two floats each (as zarrs does).
It does not write pcodec.

[Performance](performance-tables.md#codecs-of-archives) compares the times of pcodec, zfp, GRIB and TIFF with those of other libraries.

## zfp

wazarr reads all modes of zfp's format 5, which every zfp since 0.5 writes: fixed rate, precision and accuracy, reversible, expert; integers and floats of 32 and 64 bits, one to four dimensions.
Integers of 8 and 16 bits, uint32 and uint64 are stored as zarrs stores them, times as integers. It does not write zfp. The numbers are those of zfpy 1.0.1, to the bit.

- \`zfp\` (v3) has the mode in its configuration and no header. \`zfpy\` has a header, which alone decides: its type must be that of the array, and it must have as many numbers as the array's chunks.

## TIFF

References to TIFF files (tifffile, kerchunk, virtual-tiff) name its compressors and predictors as imagecodecs does. wazarr reads LZW, PackBits, horizontal differences and differences of floats, and does not write them.

- \`imagecodecs_packints\` unpacks integers of 1 to 32 bits, the highest bit first, in rows of \`runlen\` integers; \`imagecodecs_bitorder\` reverses the bits of bytes. The images of [TIFF files](virtual.md#tiff-bigtiff-and-cog) name them.
- virtual-tiff's \`ChunkyCodec\`, for several samples a pixel, is \`bytes\` with the first dimension fastest.

## Codecs that wazarr does not have

- **JPEG XL** (\`imagecodecs_jpegxl\`): the one package of npm that is kept decodes to 8 bits and converts colours.
- **JPEG XR** (\`imagecodecs_jpegxr\`): the one package of npm wraps a library that is no longer maintained.
- **Blosc2**, and other plugins of numcodecs. The error says what such a codec is, which package decodes it, if any does, and what in Python reads it.

An array with such a codec opens; its first read is an \`UnknownCodecError\`. Register a decoder (below), or convert the array with zarr-python. \`unsupportedCodecs(array)\` returns the names of an array's codecs that are not registered, those inside of shards included, before anything is loaded or read.

## Register a codec

\`registry.set(name, loader)\` adds a codec of your own. Codecs of zarrita and of numcodecs.js work unchanged: [From zarrita](from-zarrita.md).

## How zstd is compressed

Reading zstd works the same everywhere. Writing depends on the platform:

- WebAssembly compresses. From level 10 on, Node's own encoder compresses if there is one (Node 22.15 and newer).
- Node's own encoder compresses at every level if WebAssembly is missing, forbidden, or too small for the chunk.
- Without either (browsers, older Nodes), wazarr writes valid frames that are not compressed, except for blocks of one repeated byte.

blosc with \`lz4hc\`, \`snappy\` or \`blosclz\` needs WebAssembly, too. If that is missing, or its memory has no room, wazarr compresses with LZ4 instead.

## Evidence

The table is generated from test/interop/codec-agreements.json, which the live round trips of test/interop/live-codecs.test.ts record.
\`WAZARR_UPDATE=1 npx vitest run test/interop/live-codecs.test.ts\` writes both again. ${implementations}.

Other tests compare codecs with numcodecs' own results, without an array around them (test/codecs, test/core/codecs), and with the programs gzip, zstd, lz4, bzip2 and xz of Debian in both directions.
`;
}
