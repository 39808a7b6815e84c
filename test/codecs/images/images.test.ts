/**
 * Images in chunks: those of scripts/oracles/make_image_fixtures.py, which say what imagecodecs reads, and
 * damaged ones. WAZARR_IMAGES names a file with others that the script made.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { lercCodec } from "../../../src/codecs/images/lerc.js";
import { get, isZarrError, open } from "../../../src/index.js";
import { loadKernels } from "../../../src/kernels/load.js";
import { loadEntry } from "../../core/codecs/load-entry.js";
import {
  expectImage,
  type ImageCase,
  imageCases,
  imageDecoder,
  refusedImages,
  storeOfSerializer,
  storeOfShard,
  storeOfV2,
  storeOfV3,
} from "./image-cases.js";

const FILE = process.env.WAZARR_IMAGES ?? "test/fixtures/codecs/images.json";
const FIXTURES = JSON.parse(readFileSync(FILE, "utf8"));
const CASES = imageCases(FIXTURES);
const REFUSED = refusedImages(FIXTURES);

function idOf({ codec: { id } }: ImageCase): string {
  if (typeof id !== "string") throw new Error("a codec without an id");
  return id;
}

async function read(store: Map<string, Uint8Array>): Promise<Uint8Array> {
  const { data } = await get(await open(store, { kind: "array" }));
  if (!ArrayBuffer.isView(data)) throw new Error("expected a typed array");
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

it.each(CASES)("$name: the values of imagecodecs, in v2, v3 and a shard", async (each) => {
  for (const store of [storeOfV2(each), storeOfV3(each), storeOfSerializer(each), storeOfShard(each)])
    expectImage(each, await read(store));
});

it("members that are null are those that a new version of imagecodecs has, others are refused", async () => {
  const [each] = CASES;
  if (each === undefined) throw new Error("no image");
  const withMember = (value: boolean | null) => ({ ...each, codec: { ...each.codec, newest: value } });
  expectImage(each, await read(storeOfV2(withMember(null))));
  expect(await errorOf(() => read(storeOfV2(withMember(false))))).toContain('got "newest"');
});

/** The first image of each codec, by its first name. */
const ONE_OF_EACH = CASES.filter(
  (each, i) => !/spng$/.test(idOf(each)) && CASES.findIndex((other) => idOf(other) === idOf(each)) === i,
);

async function errorOf(run: () => Promise<unknown>): Promise<string> {
  try {
    await run();
  } catch (error) {
    if (isZarrError(error)) return `${error.tag}: ${error.message}`;
    throw error;
  }
  return "no error";
}

describe.each(ONE_OF_EACH)("$codec.id refuses", (each) => {
  it("an image of another shape or data type than the chunk, and says where", async () => {
    const wide = { ...each, shape: each.shape.with(-1, (each.shape.at(-1) ?? 0) + 1) };
    const other = { ...each, dtype: each.dtype === "uint8" ? "uint16" : "uint8" };
    for (const wrong of [wide, other]) {
      const text = await errorOf(() => read(storeOfV3(wrong)));
      expect(text).toMatch(/^CodecError: expected an? .* as the chunk has, got .*key "\/c\/0\/0/);
      expect(text).toContain(idOf(each));
    }
  });

  it("every beginning of an image, and bytes after it", async () => {
    const decode = await imageDecoder(await loadEntry(idOf(each)), each);
    const { image } = each;
    for (let length = 0; length < image.length; length += 1 + Math.floor(image.length / 60))
      expect(await errorOf(() => decode(image.slice(0, length)))).toContain("CodecError");
    const longer = new Uint8Array(image.length + 5);
    longer.set(image);
    expect(await errorOf(() => decode(longer))).toContain("CodecError");
  });

  it("to write, and members that it does not know", async () => {
    const { checkWriting, fromConfig } = await loadEntry(idOf(each));
    expect(() => checkWriting?.({}, idOf(each))).toThrow(/does not write/);
    const spec = { shape: [1], dataType: (await open(storeOfV3(each), { kind: "array" })).dataType };
    expect(() => fromConfig({ other: 1 }, { ...spec, fillValue: 0 })).toThrow(/only/);
  });
});

it.each(REFUSED)("$codec.id with $name is refused by name", async (each) => {
  const text = await errorOf(() => read(storeOfV3(each)));
  expect(text).toMatch(/^UnsupportedError: wazarr reads /);
  expect(text).toContain(each.name);
  expect(text).toContain(`codec ${idOf(each)}`);
});

it("imagecodecs_webp refuses an animation", async () => {
  const each = CASES.find(({ name, image }) => /^webp/.test(name) && image[15] === 0x58);
  if (each === undefined) throw new Error("no extended file of WebP");
  const image = each.image.with(20, (each.image[20] ?? 0) | 2);
  expect(await errorOf(() => read(storeOfV3({ ...each, image })))).toContain("got an animation");
});

it("imagecodecs_jpeg refuses hundreds of scans, each of which is a pass over the image", async () => {
  const each = CASES.find(({ name }) => name === "jpeg gray");
  if (each === undefined) throw new Error("no gray image");
  const { image } = each;
  const start = image.findIndex((byte, i) => byte === 0xff && image[i + 1] === 0xda);
  const scan = image.subarray(start, -2);
  const image101 = Uint8Array.of(
    ...image.subarray(0, -2),
    ...Array(100)
      .fill([...scan])
      .flat(),
    0xff,
    0xd9,
  );
  expect(await errorOf(() => read(storeOfV3({ ...each, image: image101 })))).toContain("at most 100 scans");
});

/** Numbers from 0 to 2^32. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
}

it.each(ONE_OF_EACH)("$codec.id: damaged images give values or a typed error", async (one) => {
  const next = generator(one.image.length);
  const same = CASES.filter((each) => idOf(each) === idOf(one));
  const outcomes = { read: 0, refused: 0 };
  for (const each of same.slice(0, 12)) {
    const decode = await imageDecoder(await loadEntry(idOf(each)), each);
    for (let i = 0; i < 120; i++) {
      const damaged = each.image.slice(0, i % 7 === 0 ? next() % each.image.length : each.image.length);
      const end = i % 2 === 0 ? Math.min(64, damaged.length) : damaged.length;
      for (let changes = 1 + (next() % 4); changes > 0 && end > 0; changes--)
        damaged[next() % end] = next() >>> 24;
      try {
        expect((await decode(damaged)).length).toBe(each.values.length);
        outcomes.read++;
      } catch (error) {
        if (!isZarrError(error, "CodecError") && !isZarrError(error, "UnsupportedError")) throw error;
        outcomes.refused++;
      }
    }
    // What was damaged leaves nothing behind.
    expectImage(each, await decode(each.image));
  }
  expect(outcomes.refused).toBeGreaterThan(100);
});

it("a package that cannot be started is a typed error", async () => {
  const codec = lercCodec(async () => ({
    lerc: {
      load: () => Promise.reject(new Error("no magic word")),
      decode: () => {
        throw new Error("not started");
      },
    },
  }));
  const text = await errorOf(async () => codec.load?.(await loadKernels()));
  expect(text).toMatch(/^UnsupportedError: cannot start the package that reads imagecodecs_lerc: no magic/);
});

describe("without a package", () => {
  const PACKAGES = [
    ["imagecodecs_lerc", "lerc", "lerc"],
    ["imagecodecs_jpeg2k", "@cornerstonejs/codec-openjpeg", "@cornerstonejs/codec-openjpeg/decodewasmjs"],
    ["imagecodecs_htj2k", "@cornerstonejs/codec-openjpeg", "@cornerstonejs/codec-openjpeg/decodewasmjs"],
    [
      "imagecodecs_jpeg",
      "@cornerstonejs/codec-libjpeg-turbo-8bit",
      "@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs",
    ],
    ["imagecodecs_webp", "@jsquash/webp", "@jsquash/webp/codec/dec/webp_dec.js"],
  ] as const;

  it.each(PACKAGES)("%s: an error says to install %s", async (id, name, module) => {
    vi.resetModules();
    vi.doMock(module, () => {
      throw new Error(`Cannot find package '${name}'`);
    });
    try {
      const { loadCodec } = await import("../../../src/core/codecs/registry/registry.js");
      (await import("../../../src/main/catalogue.js")).fillSlots();
      const entry = await loadCodec(id);
      if (entry.codecKind === undefined) throw new Error("not the package's codec");
      const text = await errorOf(async () => entry.load?.(await loadKernels()));
      expect(text).toContain(`UnsupportedError: ${id} is read by the package ${name}: npm install ${name};`);
      expect(text).toContain("wazarr/images/");
    } finally {
      vi.doUnmock(module);
      vi.resetModules();
    }
  });
});
