/** Every codec by every name it has, from an application's side: created, written, opened and read, in v3 and in v2. */
import { describe, expect, it } from "vitest";
import { rareCodecs } from "../../src/codecs/rare-codecs.js";
import { type CreateArrayOptions, create, get, open, registry, set, setKernels } from "../../src/index.js";
import type { JsonObject } from "../../src/metadata/json.js";
import compressedFixtures from "../fixtures/codecs/compressed.json" with { type: "json" };
import { fromBase64 } from "./harness.js";
import { makeData, recipeNamed } from "./recipes.js";

interface Row {
  /** v3 names. */
  readonly names: readonly string[];
  /** Whether numcodecs has it, and so v2. */
  readonly id?: string;
  readonly configuration?: JsonObject;
  readonly dtype?: string;
}

/** The core's or zarr-extensions' name, and numcodecs'. */
const both = (id: string, configuration: JsonObject = {}): Row => ({
  names: [id, `numcodecs.${id}`],
  id,
  configuration,
});

const BYTES_TO_BYTES: readonly Row[] = [
  both("gzip", { level: 5 }),
  both("zlib", { level: 1 }),
  both("zstd", { level: 3 }),
  {
    names: ["blosc"],
    configuration: { cname: "zstd", clevel: 5, shuffle: "bitshuffle", typesize: 4, blocksize: 0 },
  },
  {
    names: ["numcodecs.blosc"],
    id: "blosc",
    configuration: { cname: "lz4", clevel: 5, shuffle: 1, blocksize: 0 },
  },
  both("lz4", { acceleration: 1 }),
  both("shuffle", { elementsize: 4 }),
  both("crc32c"),
  both("crc32"),
  both("adler32"),
  both("fletcher32"),
  both("jenkins_lookup3"),
  both("base64"),
];

const ARRAY_TO_ARRAY: readonly Row[] = [
  { names: ["transpose"], configuration: { order: [1, 0] } },
  { names: ["reshape"], configuration: { shape: [[0, 1]] } },
  { names: ["bitround"], configuration: { keepbits: 30 } },
  { names: ["cast_value"], configuration: { data_type: "int64" } },
  { names: ["scale_offset"], configuration: { offset: 3, scale: 2 } },
  both("delta", { dtype: "<i4" }),
  both("astype", { encode_dtype: "<i8", decode_dtype: "<i4" }),
  {
    ...both("fixedscaleoffset", { offset: 0, scale: 8, dtype: "<f8", astype: "<i4" }),
    dtype: "float64",
  },
  { ...both("quantize", { digits: 3, dtype: "<f8" }), dtype: "float64" },
  { names: ["numcodecs.bitround"], id: "bitround", configuration: { keepbits: 20 }, dtype: "float32" },
  { names: ["numcodecs.packbits"], id: "packbits", dtype: "bool" },
];

const ARRAY_TO_BYTES: readonly Row[] = [
  { names: ["bytes", "endian"], configuration: { endian: "big" } },
  { names: ["packbits"] },
  {
    names: ["sharding_indexed"],
    configuration: {
      chunk_shape: [2, 2],
      codecs: [{ name: "bytes", configuration: { endian: "little" } }],
      index_codecs: [{ name: "bytes", configuration: { endian: "little" } }, { name: "crc32c" }],
    },
  },
];

/** Tested elsewhere: by their other name, for data of variable length, as codecs of codecs; refused or read only below. */
const ELSEWHERE = new Set([
  "https://codec.zarrs.dev/array_to_bytes/bitround",
  "vlen-utf8",
  "vlen-bytes",
  "vlen-array",
  "zarrs.vlen",
  "https://codec.zarrs.dev/array_to_bytes/vlen",
  "zarrs.vlen_v2",
  "https://codec.zarrs.dev/array_to_bytes/vlen_v2",
  "json2",
  "msgpack2",
  "categorize",
  "conditional",
  "n5_default",
  "bz2",
  "lzma",
  "zfp",
  "zfpy",
  "pcodec",
]);

const SHAPE = [6, 7];
const VALUES = Array.from({ length: 42 }, (_, i) => (i * 5) % 17);

function elementsOf(dtype: string) {
  switch (dtype) {
    case "float64":
      return Float64Array.from(VALUES);
    case "float32":
      return Float32Array.from(VALUES);
    case "bool":
      return Uint8Array.from(VALUES, (value) => value % 2);
    default:
      return Int32Array.from(VALUES);
  }
}

/** Writes with one implementation of the kernels and reads with each. */
async function roundTrip(
  dtype: string,
  options: Pick<CreateArrayOptions<string>, "codecs" | "zarrFormat">,
): Promise<void> {
  const store = new Map<string, Uint8Array>();
  const elements = elementsOf(dtype);
  const data = dtype === "bool" ? Array.from(elements, Boolean) : elements;
  const created = await create(store, { shape: SHAPE, chunkShape: [4, 4], dtype, ...options });
  await set(created, null, { shape: SHAPE, data });
  for (const kernels of ["wasm", "javascript"] as const) {
    setKernels(kernels);
    const read = await get(await open(store, { kind: "array" }));
    expect(read.data).toEqual(dtype === "bool" ? expect.objectContaining({ bytes: elements }) : elements);
  }
  setKernels("auto");
}

const ROWS = [...BYTES_TO_BYTES, ...ARRAY_TO_ARRAY, ...ARRAY_TO_BYTES];

it("covers every codec of the registry", () => {
  const names = new Set(ROWS.flatMap((row) => row.names));
  const missing = [...registry.keys(), ...rareCodecs.keys()].filter(
    (name) => !names.has(name) && !ELSEWHERE.has(name),
  );
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
      await create(store, { shape: [length], chunkShape: [length], dtype: "uint8", codecs: [name] });
      store.set("/c/0", fromBase64(encoded));
      const { data } = await get(await open(store, { kind: "array" }));
      expect(data).toEqual(makeData(recipeNamed(recipe), length));
    },
  );

  it.each(cases)("v2 $id", async ({ id, recipe, length, encoded }) => {
    const store = new Map<string, Uint8Array>();
    const options = { shape: [length], chunkShape: [length], dtype: "uint8", zarrFormat: 2 } as const;
    await create(store, { ...options, codecs: { compressor: { id } } });
    store.set("/0", fromBase64(encoded));
    const { data } = await get(await open(store, { kind: "array" }));
    expect(data).toEqual(makeData(recipeNamed(recipe), length));
  });
});

it.each(["zfp", "zfpy", "pcodec", "numcodecs.zfpy", "numcodecs.pcodec"])(
  "%s: an array is opened, reading it says what to do",
  async (name) => {
    const store = new Map<string, Uint8Array>();
    await create(store, { shape: [4], chunkShape: [4], dtype: "float32" });
    const document = JSON.parse(new TextDecoder().decode(store.get("/zarr.json")));
    store.set("/zarr.json", new TextEncoder().encode(JSON.stringify({ ...document, codecs: [{ name }] })));
    store.set("/c/0", new Uint8Array(9));
    const array = await open(store, { kind: "array" });
    expect(array.shape).toEqual([4]);
    await expect(get(array)).rejects.toThrow(/registry\.set\(".*", loader\), or convert the array/);
  },
);

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
