/**
 * Every codec by every name it has, from an application's side: created, written, opened and read, in v3 and
 * in v2.
 */
import { describe, expect, it } from "vitest";
import { loadCodec } from "../../../src/core/codecs/registry/registry.js";
import { uint8 } from "../../../src/data-types/integer.js";
import { create, get, open, registry } from "../../../src/index.js";
import compressedFixtures from "../../fixtures/codecs/compressed.json" with { type: "json" };
import { fromBase64 } from "./harness.js";
import { BYTES_TO_BYTES, ROWS, roundTrip } from "./named-codecs.js";
import { makeData, recipeNamed } from "./recipes.js";

/**
 * Tested elsewhere: by their other name, for data of variable length, as codecs of codecs; refused or read
 * only below.
 */
const ELSEWHERE = new Set([
  "https://codec.zarrs.dev/array_to_bytes/bitround",
  "vlen-utf8",
  "vlen-bytes",
  "vlen-array",
  "zarrs.vlen",
  "https://codec.zarrs.dev/array_to_bytes/vlen",
  "zarrs.vlen_v2",
  "https://codec.zarrs.dev/array_to_bytes/vlen_v2",
  "json",
  "json2",
  "msgpack2",
  "categorize",
  "conditional",
  "n5_default",
  "bz2",
  "zarrs.gdeflate",
  "zarrs.optional",
  "lzma",
  "grib",
  "gribberish",
  "gribscan.rawgrib",
  "imagecodecs_jpeg2k",
  "imagecodecs_htj2k",
  "imagecodecs_jpeg",
  "imagecodecs_jpeg8",
  "imagecodecs_png",
  "imagecodecs_spng",
  "imagecodecs_webp",
  "imagecodecs_lerc",
  "jpeg",
  "imagecodecs_lzw",
  "imagecodecs_packbits",
  "imagecodecs_packints",
  "imagecodecs_bitorder",
  "imagecodecs_deflate",
  "imagecodecs_zlib",
  "imagecodecs_zstd",
  "imagecodecs_zlibng",
  "imagecodecs_bz2",
  "imagecodecs_lzma",
  "imagecodecs_blosc",
  "imagecodecs_pcodec",
  "imagecodecs_zfp",
  "imagecodecs_delta",
  "imagecodecs_floatpred",
  "HorizontalDeltaCodec",
  "ChunkyCodec",
  "pcodec",
  "zfp",
  "zfpy",
  "zarrs.zfp",
  // HDF5's filters: test/codecs of their own, and files of h5py.
  "imagecodecs_lzf",
  "imagecodecs_lz4h5",
  "imagecodecs_szip",
  "hdf5.bitshuffle",
  "hdf5.nbit",
  "hdf5.scaleoffset",
]);

it("covers every codec of the registry", () => {
  const names = new Set(ROWS.flatMap((row) => row.names));
  const missing = [...registry.keys()].filter((name) => !names.has(name) && !ELSEWHERE.has(name));
  expect(missing).toEqual([]);
});

describe("v3", () => {
  it.each(ROWS.flatMap((row) => row.names.map((name) => ({ ...row, name }))))(
    "$name",
    async ({ name, configuration = {}, dtype = "int32" }) => {
      await roundTrip(dtype, { zarrFormat: 3, codecs: [{ name, configuration }] });
    },
  );
});

describe("v2", () => {
  const filters = ROWS.flatMap(({ id, ...row }) => (id === undefined ? [] : [{ ...row, id }]));
  it.each(filters)("filter $id", async ({ id, configuration = {}, dtype = "int32" }) => {
    await roundTrip(dtype, {
      zarrFormat: 2,
      codecs: { filters: [{ id, ...configuration }], compressor: null },
    });
  });
  it.each(filters.filter(({ id }) => BYTES_TO_BYTES.some((row) => row.id === id)))(
    "compressor $id",
    async ({ id, configuration = {}, dtype = "int32" }) => {
      await roundTrip(dtype, { zarrFormat: 2, codecs: { compressor: { id, ...configuration } } });
    },
  );
});

describe("reading alone", () => {
  /** What another library has written: `create` refuses codecs that wazarr does not write. */
  function rename(store: Map<string, Uint8Array>, key: string, name: string): void {
    const document = new TextDecoder().decode(store.get(key));
    store.set(key, new TextEncoder().encode(document.replace('"crc32c"', JSON.stringify(name))));
  }

  const cases = ["bz2", "lzma"].map((id) => {
    const fixture = compressedFixtures.cases.find(
      ({ configuration, length }) => configuration.id === id && length === 700,
    );
    if (fixture === undefined) throw new Error(`no fixture of ${id}`);
    return { ...fixture, id };
  });

  it.each(cases.flatMap((each) => [each.id, `numcodecs.${each.id}`].map((name) => ({ ...each, name }))))(
    "v3 $name",
    async ({ name, recipe, length, encoded }) => {
      const store = new Map<string, Uint8Array>();
      await create(store, { shape: [length], chunkShape: [length], dtype: "uint8", codecs: ["crc32c"] });
      rename(store, "/zarr.json", name);
      store.set("/c/0", fromBase64(encoded));
      const { data } = await get(await open(store, { kind: "array" }));
      expect(data).toEqual(makeData(recipeNamed(recipe), length));
    },
  );

  it.each(cases)("v2 $id", async ({ id, recipe, length, encoded }) => {
    const store = new Map<string, Uint8Array>();
    const options = { shape: [length], chunkShape: [length], dtype: "uint8", zarrFormat: 2 } as const;
    await create(store, { ...options, codecs: { compressor: { id: "crc32c" } } });
    rename(store, "/.zarray", id);
    store.set("/0", fromBase64(encoded));
    const { data } = await get(await open(store, { kind: "array" }));
    expect(data).toEqual(makeData(recipeNamed(recipe), length));
  });
});

it.each([
  "imagecodecs_jpegxl",
  "numcodecs.imagecodecs_jpegxl",
  "imagecodecs_jpegxr",
  "imagecodecs_lzfse",
  "jpegxl",
])("%s: an array is opened, reading it says what to do, and proposes no other format", async (name) => {
  const store = new Map<string, Uint8Array>();
  await create(store, { shape: [4], chunkShape: [4], dtype: "float32" });
  const document = JSON.parse(new TextDecoder().decode(store.get("/zarr.json")));
  store.set("/zarr.json", new TextEncoder().encode(JSON.stringify({ ...document, codecs: [{ name }] })));
  store.set("/c/0", new Uint8Array(9));
  const array = await open(store, { kind: "array" });
  expect(array.shape).toEqual([4]);
  const error: unknown = await get(array).catch((thrown: unknown) => thrown);
  const said = error instanceof Error ? error.message : "";
  expect(said).toContain(`Unknown codec: ${name}; it is `);
  expect(said).toContain("or convert the array with zarr-python and imagecodecs");
  expect(said).not.toContain("Registered: ");
  if (name.endsWith("jpegxl"))
    expect(said).toMatch(/it is JPEG XL.*; @jsquash\/jxl, to 8 bits.* decodes it: /);
});

/** The codecs of imagecodecs 2026.3.6 (its module `numcodecs`). */
const OF_IMAGECODECS =
  "aec apng avif bfloat16 bitorder bitshuffle blosc blosc2 bmp brotli byteshuffle bz2 ccittfax3 ccittfax4 ccittrle checksum cms dds deflate delta dicomrle eer float24 floatpred gif heif htj2k jetraw jpeg jpeg2k jpegls jpegxl jpegxr jpegxs lerc ljpeg lz4 lz4f lz4h5 lzf lzfse lzham lzma lzo lzw meshopt packbits packints pcodec pglz pixarlog png qoi quantize rcomp rgbe snappy sperr spng sz3 szip tiff ultrahdr webp xor zfp zlib zlibng zopfli zstd";

it("every codec of imagecodecs is read, or an error says what could be done", async () => {
  const names = OF_IMAGECODECS.split(" ");
  expect(names).toHaveLength(70);
  for (const name of names.map((each) => `imagecodecs_${each}`)) {
    if (registry.has(name)) continue;
    const error: unknown = await loadCodec(name).catch((thrown: unknown) => thrown);
    expect(error, name).toMatchObject({
      tag: "UnknownCodecError",
      message: expect.stringContaining("it is "),
    });
  }
  await expect(loadCodec("numcodecs.blosc2")).rejects.toThrow(/it is Blosc2; .*zarr-python and blosc2/);
});

it("jpeg, as proposed for v3, is read as imagecodecs_jpeg is", async () => {
  const entry = await loadCodec("jpeg");
  const spec = { shape: [8, 8, 3], dataType: uint8, fillValue: 0 };
  if (entry.codecKind === undefined) throw new Error("not the package's codec");
  expect(entry.fromConfig({ quality: 90 }, spec).kind).toBe("bytes_to_bytes");
  expect(entry).toBe(await loadCodec("imagecodecs_jpeg"));
});

it("takes a codec class as zarrita does, in one line", async () => {
  registry.set("numcodecs.js.lz4", async () => (await import("numcodecs/lz4")).default);
  try {
    await roundTrip("int32", {
      zarrFormat: 3,
      codecs: [{ name: "numcodecs.js.lz4", configuration: { acceleration: 1 } }],
    });
  } finally {
    registry.delete("numcodecs.js.lz4");
  }
});
