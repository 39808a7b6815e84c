/** docs/codecs.md: the codecs, their names, and which implementations agreed, as live-codecs.test.ts recorded it. */

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
  readonly reads?: false;
  readonly writes?: false;
  readonly note?: string;
}

/** Every codec that is registered. */
export const CODECS: readonly CodecRow[] = [
  { group: "array to array", v3: ["transpose"], v2: ["(order F)"] },
  { v3: ["reshape"] },
  { v3: ["cast_value"] },
  { v3: ["scale_offset"] },
  {
    v3: ["bitround", "numcodecs.bitround", "https://codec.zarrs.dev/array_to_bytes/bitround"],
    v2: ["bitround"],
    note: "reading changes nothing",
  },
  { v3: ["numcodecs.delta"], v2: ["delta"] },
  { v3: ["numcodecs.fixedscaleoffset"], v2: ["fixedscaleoffset"] },
  { v3: ["numcodecs.quantize"], v2: ["quantize"] },
  { v3: ["numcodecs.astype"], v2: ["astype"] },
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
    note: "test/variable",
  },
  { v3: ["zarrs.vlen", "https://codec.zarrs.dev/array_to_bytes/vlen"], note: "test/variable" },
  { v3: ["zarrs.vlen_v2", "https://codec.zarrs.dev/array_to_bytes/vlen_v2"], note: "test/variable" },
  { v3: ["json2", "msgpack2"], v2: ["json2", "msgpack2"], note: "test/variable" },
  {
    v3: ["zfp", "zfpy", "pcodec"],
    v2: ["zfpy", "pcodec"],
    reads: false,
    writes: false,
    note: "refused with advice: no sound library on npm",
  },
  { group: "bytes to bytes", v3: ["gzip", "numcodecs.gzip"], v2: ["gzip"] },
  { v3: ["numcodecs.zlib"], v2: ["zlib"] },
  {
    v3: ["zstd", "numcodecs.zstd"],
    v2: ["zstd"],
    note: "part of a chunk is decoded as far as it goes, unless there is a checksum to compare",
  },
  {
    v3: ["blosc", "numcodecs.blosc"],
    v2: ["blosc"],
    note: "blosclz, lz4, lz4hc, snappy, zlib, zstd; no, byte and bit shuffle; chunks may have other compressors than the metadata name",
  },
  { v3: ["numcodecs.lz4"], v2: ["lz4"], note: "part of a chunk is decoded as far as it goes" },
  { v3: ["numcodecs.bz2"], v2: ["bz2"], writes: false },
  { v3: ["numcodecs.lzma"], v2: ["lzma"], writes: false, note: ".xz, .lzma, raw; delta filters" },
  { v3: ["numcodecs.shuffle"], v2: ["shuffle"] },
  { v3: ["crc32c", "numcodecs.crc32c"], v2: ["crc32c"] },
  { v3: ["numcodecs.crc32"], v2: ["crc32"] },
  { v3: ["numcodecs.adler32"], v2: ["adler32"] },
  { v3: ["numcodecs.fletcher32"], v2: ["fletcher32"] },
  { v3: ["numcodecs.jenkins_lookup3"], v2: ["jenkins_lookup3"] },
  { v3: ["numcodecs.base64"], v2: ["base64"] },
  { v3: ["conditional"], note: "no other implementation is known" },
];

/** What one implementation confirmed of a codec, v2 and v3 apart. */
function confirmed(rows: Readonly<Record<string, string>>, { v3, v2 = [] }: CodecRow): string {
  const of = (prefix: string, names: readonly string[]): string[] => {
    const all = names.map((name) => rows[`${prefix} ${name}`] ?? "").join(", ");
    const directions = ["read", "write"].filter((direction) => all.includes(direction));
    return directions.length === 0 ? [] : [`${prefix} ${directions.join("+")}`];
  };
  return [...of("v2", v2), ...of("v3", v3)].join(", ");
}

const shortened = (name: string): string => (name.startsWith("https://") ? "a URL of zarrs" : `\`${name}\``);

/** docs/codecs.md. */
export function codecTable({ versions, agreements }: AgreementRecord): string {
  const header = ["codec (v3 names; v2 ids)", "wazarr", ...PARTNERS, "notes"];
  const lines = [`| ${header.join(" | ")} |`, `|${"---|".repeat(header.length)}`];
  for (const codec of CODECS) {
    const { group, v3, v2 = [], reads = true, writes = true, note = "" } = codec;
    if (group !== undefined) lines.push(`| **${group}** |${" |".repeat(header.length - 1)}`);
    const ids =
      v2.length === 0 ? "" : `; ${v2.map((id) => (id.startsWith("(") ? id : shortened(id))).join(", ")}`;
    const own = reads ? (writes ? "read, write" : "read") : "no";
    const cells = PARTNERS.map((partner) => confirmed(agreements[partner] ?? {}, codec));
    lines.push(`| ${[v3.map(shortened).join(", ") + ids, own, ...cells, note].join(" | ")} |`);
  }
  const implementations = PARTNERS.map((partner) => `${partner}: ${versions[partner]}`).join("; ");
  return `# Codecs

Which codecs wazarr reads and writes, and which other implementations agreed: "v2 read" means that wazarr read what the implementation
wrote with the codec into a v2 array, bit for bit as the implementation itself does; "v2 write" that it read what wazarr wrote, likewise.
An empty cell means that the implementation does not have the codec, or not in that format.

Generated from test/interop/codec-agreements.json, which the live round trips of test/interop/live-codecs.test.ts record
(\`WAZARR_UPDATE=1 npx vitest run test/interop/live-codecs.test.ts\` writes both anew). ${implementations}.

${lines.join("\n")}

\`create\` and \`copyNode\` write what a codec's configuration leaves out: \`codecs: ["gzip"]\` is \`{ "name": "gzip", "configuration": { "level": 5 } }\` in the document, since TensorStore and zarrs refuse it without the
level, and numcodecs would take another one. Names that begin with \`numcodecs.\` also work without it, except where both exist (test/codecs/names.test.ts), and documents have them in full. Applications add codecs of their
own with \`registry.set(name, loader)\`; bytes-to-bytes codecs of zarrita and of numcodecs.js fit as they are. What each codec accepts, and where it deviates from the implementation it comes from, stands at the head of
its file in src/codecs.

gzip and zlib: noisy numbers, of which deflate makes mostly literals, are decoded two chunks at a time (in WebAssembly), which takes about two thirds of the time of one after the other.
What does it is 4 kB more, downloaded with the first array that has such a codec outermost; chunks that deflate to less than 0.7 of their size are decoded one by one.

Besides, numcodecs' own answers are compared without any array around them: test/codecs/filters.test.ts (all filters over all their data
types), bz2-lzma.test.ts, blosc.test.ts, lz4-shuffle.test.ts, zstd.test.ts, deflate.test.ts and checksums.test.ts, with fixtures made by the
scripts in scripts/oracles. gzip, zstd, lz4, bzip2 and xz, as Debian has them, read what wazarr writes at every level, and wazarr what they write:
command-line-tools.test.ts.
`;
}
