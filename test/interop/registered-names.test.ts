/**
 * Which names of ours are registered where. zarr-extensions as of 2026-07-14 (commit of that day), its pull
 * requests as of 2026-11-28. A name that is added belongs to one of the lists, and pages say which are
 * proposed.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { registry } from "../../src/index.js";

/** Folders of zarr-extensions, and so of the registry of v3. */
const REGISTERED = {
  codecs:
    "bitround blosc bytes cast_value conditional crc32c gzip n5_default packbits reshape scale_offset sharding_indexed transpose vlen-bytes vlen-utf8 zfp zstd",
  "chunk-key-encodings": "default v2",
};

/** Pull requests of zarr-extensions, by what they propose. */
const PROPOSED = {
  codecs: { jpeg: 66 },
  "chunk-key-encodings": { suffix: 28, fanout: 31, prefix: 47, template: 69 },
};

/** Codecs that other projects define, by the names that their programs write. */
const OF_OTHERS: Readonly<Record<string, RegExp>> = {
  "zarr-python, by the prefix numcodecs. in v3":
    /^(zlib|lz4|shuffle|crc32|adler32|fletcher32|jenkins_lookup3|base64|delta|fixedscaleoffset|quantize|astype|categorize|bz2|lzma|pcodec|zfpy|json|json2|msgpack2|vlen-array|numcodecs\..+)$/,
  zarrs: /^(zarrs\..+|https:\/\/codec\.zarrs\.dev\/.+)$/,
  imagecodecs: /^imagecodecs_/,
  "gribberish, kerchunk, gribscan": /^(grib|gribberish|gribscan\.rawgrib)$/,
  "virtual-tiff": /^(ChunkyCodec|HorizontalDeltaCodec)$/,
  "wazarr, for filters of HDF5 that have no other name": /^hdf5\..+$/,
  "earlier drafts of v3": /^endian$/,
};

const split = (names: string): string[] => names.split(" ");

test("every codec is registered, proposed, or of another project, and of one of them", () => {
  for (const name of registry.keys()) {
    const places = [
      ...split(REGISTERED.codecs).filter((each) => each === name),
      ...Object.keys(PROPOSED.codecs).filter((each) => each === name),
      ...Object.entries(OF_OTHERS).flatMap(([project, names]) => (names.test(name) ? [project] : [])),
    ];
    expect(places, name).toHaveLength(1);
  }
});

test("every registered codec is there", () => {
  expect(split(REGISTERED.codecs).filter((name) => !registry.has(name))).toEqual([]);
});

test("chunk key encodings are registered or proposed, and pages say which and where", () => {
  const proposed = Object.entries(PROPOSED["chunk-key-encodings"]);
  const names = [...split(REGISTERED["chunk-key-encodings"]), ...proposed.map(([name]) => name)];
  const page = readFileSync("docs/extending.md", "utf8");
  for (const [name, number] of proposed) {
    expect(page).toMatch(
      new RegExp(
        `\`${name}\` \\(\\[[^\\]]*${number}\\]\\(https://github.com/zarr-developers/zarr-extensions/pull/${number}\\)`,
      ),
    );
  }
  expect(page).toMatch(/proposed there and not registered/);
  const sources = readFileSync("src/metadata/chunk-keys/others.ts", "utf8");
  const [, list = ""] = /new Map\(\[([\w, ]+)\]/.exec(sources) ?? [];
  expect([...REGISTERED["chunk-key-encodings"].split(" "), ...list.split(", ")].sort()).toEqual(names.sort());
});

test("no page says that a proposed encoding is of zarr-extensions", () => {
  for (const file of ["suffix", "prefix", "fanout", "template"]) {
    const name = file === "suffix" || file === "prefix" ? "affixes" : file;
    const head = readFileSync(`src/metadata/chunk-keys/${name}.ts`, "utf8").slice(0, 400);
    expect(head).toContain("proposed for zarr-extensions");
    expect(head).not.toMatch(/of zarr-extensions/);
  }
});
