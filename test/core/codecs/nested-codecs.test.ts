/** Codecs that reshape, or hold other codecs: through whole arrays, since pipelines prepare them. */
import { describe, expect, it } from "vitest";
import { isZarrError } from "../../../src/base/errors.js";
import { setKernels } from "../../../src/extend.js";
import { create, get, open, registry, set } from "../../../src/index.js";
import type { Json, JsonObject } from "../../../src/metadata/json.js";
import { BIG, LITTLE, TRANSPOSED } from "../../setup/codecs.js";

type MapStore = Map<string, Uint8Array>;
const KERNELS = ["wasm", "javascript"] as const;

interface Layout {
  readonly shape: readonly number[];
  readonly chunkShape: readonly number[];
  readonly codecs: readonly { readonly name: string; readonly configuration?: JsonObject }[];
}

async function arrayOf(store: MapStore, { shape, chunkShape, codecs }: Layout) {
  return create(store, { shape, chunkShape, codecs, dtype: "int32", fillValue: -7 });
}

const valuesOf = (shape: readonly number[]): Int32Array =>
  Int32Array.from(
    { length: shape.reduce((product, length) => product * length, 1) },
    (_, i) => (i * 7919) % 1013,
  );

/** Writes with both kernels, expects the same store, and reads it back twice with both. */
async function roundTrip(layout: Layout): Promise<MapStore> {
  const data = valuesOf(layout.shape);
  const stores: MapStore[] = [];
  try {
    for (const kernels of KERNELS) {
      setKernels(kernels);
      const store: MapStore = new Map();
      await set(await arrayOf(store, layout), null, { data, shape: layout.shape });
      stores.push(store);
    }
    const [store = new Map<string, Uint8Array>(), other] = stores;
    expect(other).toEqual(store);
    for (const kernels of KERNELS) {
      setKernels(kernels);
      const before = new Map([...store].map(([key, value]) => [key, value.slice()]));
      const array = await open(store, { kind: "array" });
      for (let time = 0; time < 2; time++) expect((await get(array)).data).toEqual(data);
      expect(store).toEqual(before);
    }
    return store;
  } finally {
    setKernels("auto");
  }
}

async function messageOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => "nothing was thrown",
    (reason: unknown) => reason,
  );
  return isZarrError(error) ? `${error.tag}: ${error.message}` : String(error);
}

describe("reshape", () => {
  const reshape = (shape: Json) => ({ name: "reshape", configuration: { shape } });
  const shapes: readonly { readonly shape: Json }[] = [
    { shape: [[0, 1]] },
    { shape: [[0], 2, 2] },
    { shape: [-1] },
    { shape: [4, -1, 3] },
    { shape: [[0], [1]] },
    { shape: [1, [0], 1, [1], 1] },
  ];
  it.each(shapes)("to $shape", async ({ shape }) => {
    const layout = { shape: [9, 7], chunkShape: [6, 4] };
    const store = await roundTrip({ ...layout, codecs: [reshape(shape), LITTLE] });
    const plain = await roundTrip({ ...layout, codecs: [LITTLE] });
    expect(store.get("/c/1/1")).toEqual(plain.get("/c/1/1"));
  });

  it("keeps the order of what stands before it", async () => {
    const layout = { shape: [9, 7], chunkShape: [6, 4] };
    const turned = await roundTrip({ ...layout, codecs: [TRANSPOSED, reshape([24]), BIG] });
    expect(turned.get("/c/0/0")).toEqual(
      (await roundTrip({ ...layout, codecs: [TRANSPOSED, BIG] })).get("/c/0/0"),
    );
    await roundTrip({ ...layout, codecs: [TRANSPOSED, reshape([3, 8]), TRANSPOSED, BIG] });
    await roundTrip({
      ...layout,
      codecs: [reshape([2, 12]), TRANSPOSED, reshape([[0], 2]), LITTLE, { name: "gzip" }],
    });
  });

  it.each<[Json, RegExp]>([
    [null, /a list of sizes, lists of dimensions or -1, got null/],
    [[5], /a shape of the 24 elements of \[6, 4\], got \[5\]/],
    [[-1, -1], /at most one -1/],
    [[7, -1], /a shape of the 24 elements/],
    [[0, -1], /a positive integer, a list of dimensions, or -1, got 0/],
    [[2.5, -1], /got 2.5/],
    [["4", 6], /got "4"/],
    [[[1], [0]], /increase throughout the shape, got \[0\]/],
    [[[1, 0]], /increase throughout the shape/],
    [[[2], -1], /dimensions from 0 to 1/],
    [[[-1], 24], /dimensions from 0 to 1/],
    [[4, [0]], /input dimensions at their own place/],
    [[[1], 6], /input dimensions at their own place/],
    [[2 ** 53, -1], /got 9007199254740992/],
  ])("refuses %j", async (shape, message) => {
    const work = arrayOf(new Map(), { shape: [9, 7], chunkShape: [6, 4], codecs: [reshape(shape), LITTLE] });
    expect(await messageOf(work)).toMatch(message);
  });
});

describe("conditional", () => {
  const conditional = (codecs: readonly Json[], rest: JsonObject = {}) => ({
    name: "conditional",
    configuration: { codecs, ...rest },
  });
  const GZIP = { name: "gzip", configuration: { level: 1 } };
  const SHUFFLE = { name: "numcodecs.shuffle", configuration: { elementsize: 4 } };
  const layout = { shape: [40], chunkShape: [40] };

  it("applies what shortens, and what has a fixed length always", async () => {
    const store = await roundTrip({ ...layout, codecs: [LITTLE, conditional([SHUFFLE, GZIP, "crc32c"])] });
    expect(store.get("/c/0")?.[0]).toBe(0b111);
    // Too little to be shortened.
    const short = await roundTrip({
      shape: [2],
      chunkShape: [2],
      codecs: [LITTLE, conditional([SHUFFLE, GZIP, "crc32c"])],
    });
    expect(short.get("/c/0")?.[0]).toBe(0b101);
    expect(short.get("/c/0")).toHaveLength(1 + 8 + 4);
    const wide = await roundTrip({
      ...layout,
      codecs: [LITTLE, conditional([GZIP], { header_bits: 24 }), { name: "crc32c" }],
    });
    expect(wide.get("/c/0")?.subarray(0, 3)).toEqual(Uint8Array.of(1, 0, 0));
    await roundTrip({
      ...layout,
      codecs: [LITTLE, conditional([{ name: "conditional", configuration: { codecs: [GZIP] } }, "crc32c"])],
    });
  });

  it("reads whatever mask a chunk has", async () => {
    const data = valuesOf([40]);
    const store: MapStore = new Map();
    const array = await arrayOf(store, { ...layout, codecs: [LITTLE, conditional([SHUFFLE, GZIP])] });
    store.set("/c/0", Uint8Array.of(0, ...new Uint8Array(data.buffer)));
    expect((await get(array)).data).toEqual(data);
  });

  it("waits for codecs that are asynchronous", async () => {
    const later = async (bytes: Uint8Array) => {
      await Promise.resolve();
      return bytes.map((byte) => byte ^ 0x55);
    };
    registry.set("later", () => ({
      fromConfig: () => ({ decode: later, encode: later, encodedByteLength: (n: number) => n }),
    }));
    try {
      await roundTrip({ ...layout, codecs: [LITTLE, conditional(["later", GZIP])] });
    } finally {
      registry.delete("later");
    }
  });

  it("refuses masks of other codecs, and bytes that are none of theirs", async () => {
    const store: MapStore = new Map();
    const array = await arrayOf(store, { ...layout, codecs: [LITTLE, conditional([GZIP])] });
    const decode = async (...bytes: number[]) => {
      store.set("/c/0", Uint8Array.from(bytes));
      return messageOf(get(array));
    };
    expect(await decode(2)).toMatch(/CodecError: expected a mask for 1 codecs, got one with bit 1 set/);
    expect(await decode()).toMatch(/expected 1 bytes of mask, got 0/);
    expect(await decode(0, 1, 2)).toMatch(/expected 160 decoded bytes, got 2/);
    expect(await decode(1, 1, 2)).toMatch(/CodecError: .*gzip/);
  });

  it.each<[Json, RegExp]>([
    [{ codecs: [] }, /a list of at least one codec|expected a list of codecs/],
    [{ codecs: [LITTLE] }, /bytes-to-bytes codecs, got "bytes"/],
    [{ codecs: [GZIP], header_bits: 4 }, /multiple of 8 from 8 on, got 4/],
    [{ codecs: new Array<string>(9).fill("crc32c"), header_bits: 8 }, /multiple of 8 from 16 on, got 8/],
    [{ codecs: ["no-such-codec"] }, /Unknown codec: no-such-codec/],
    [{ codecs: [GZIP], mask: 1 }, /only codecs, header_bits, got "mask"/],
  ])("refuses %j", async (configuration, message) => {
    const codec = { name: "conditional", configuration: Object(configuration) };
    expect(await messageOf(arrayOf(new Map(), { ...layout, codecs: [LITTLE, codec] }))).toMatch(message);
  });
});

describe("n5_default", () => {
  const n5 = (codecs: readonly Json[]) => ({ name: "n5_default", configuration: { codecs } });
  const layout = { shape: [5, 7], chunkShape: [3, 4] };
  const GZIP = { name: "gzip", configuration: { level: 1 } };

  it("writes blocks of the chunk's shape, first dimension fastest", async () => {
    const store = await roundTrip({ ...layout, codecs: [n5([TRANSPOSED, BIG])] });
    const block = store.get("/c/0/0") ?? new Uint8Array(0);
    expect(block.subarray(0, 12)).toEqual(Uint8Array.of(0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4));
    const view = new DataView(block.buffer, block.byteOffset);
    const [first, below] = [valuesOf([5, 7])[0], valuesOf([5, 7])[7]];
    expect([view.getInt32(12), view.getInt32(16)]).toEqual([first, below]);
    await roundTrip({ ...layout, codecs: [n5([TRANSPOSED, BIG, GZIP]), { name: "crc32c" }] });
    await roundTrip({ ...layout, codecs: [TRANSPOSED, n5([TRANSPOSED, BIG, GZIP])] });
  });

  const header = (mode: number, ...block: number[]): number[] => [
    0, mode, 0, block.length, ...block.flatMap((length) => [length >>> 24, length >>> 16, length >>> 8, length].map((byte) => byte & 0xff)),
  ]; // biome-ignore format: a table
  const elements = (...values: number[]): number[] =>
    values.flatMap((value) => [0, 0, value >> 8, value & 0xff]);
  const readBlock = async (...bytes: number[]) => {
    const store: MapStore = new Map();
    const array = await arrayOf(store, { ...layout, codecs: [n5([TRANSPOSED, BIG])] });
    store.set("/c/1/1", Uint8Array.from(bytes));
    return get(array, [
      { start: 3, stop: 5, step: 1 },
      { start: 4, stop: 7, step: 1 },
    ]);
  };

  it("pads blocks that are cut at the edge, and cuts those that are too large", async () => {
    const cut = await readBlock(...header(0, 2, 3), ...elements(1, 2, 3, 4, 5, 6));
    expect(cut.data).toEqual(Int32Array.of(1, 3, 5, 2, 4, 6));
    const less = await readBlock(...header(0, 1, 2), ...elements(1, 2));
    expect(less.data).toEqual(Int32Array.of(1, 2, -7, -7, -7, -7));
    const more = await readBlock(...header(0, 4, 5), ...elements(...Array.from({ length: 20 }, (_, i) => i)));
    expect(more.data).toEqual(Int32Array.of(0, 4, 8, 1, 5, 9));
    expect((await readBlock(...header(0, 0, 3))).data).toEqual(new Int32Array(6).fill(-7));
  });

  it.each<[string, readonly number[], RegExp]>([
    ["no header", [0, 0, 0, 2], /a header of 12 bytes, got 4/],
    ["another mode", header(1, 3, 4), /default mode \(0\), got mode 1/],
    ["another rank", [...header(0, 3, 4, 1)], /2 dimensions, got 3/],
    [
      "too many elements",
      header(0, 0xffffffff, 0xffffffff),
      /at most 192 elements of int32, got \[4294967295, 4294967295\]/,
    ],
    ["too few bytes", [...header(0, 2, 2), ...elements(1, 2, 3)], /16 bytes for a block of \[2, 2\], got 12/],
    ["too many bytes", [...header(0, 1, 1), ...elements(1, 2)], /4 bytes for a block of \[1, 1\], got 8/],
  ])("refuses %s", async (_what, bytes, message) => {
    expect(await messageOf(readBlock(...bytes))).toMatch(message);
  });

  it.each<[readonly Json[], RegExp]>([
    [[], /expected a list of codecs|transpose, bytes and at most one more codec/],
    [[BIG], /a transpose, bytes and at most one more codec, got 1 codecs/],
    [
      [{ name: "transpose", configuration: { order: [0, 1] } }, BIG],
      /a transpose of all dimensions, got transpose/,
    ],
    [[BIG, TRANSPOSED], /a transpose of all dimensions, got bytes/],
    [[TRANSPOSED, LITTLE], /the codec bytes, big-endian, got bytes/],
    [[TRANSPOSED, BIG, TRANSPOSED], /a bytes-to-bytes codec, got transpose/],
    [[TRANSPOSED, BIG, GZIP, GZIP], /got 4 codecs/],
  ])("refuses %j", async (codecs, message) => {
    expect(await messageOf(arrayOf(new Map(), { ...layout, codecs: [n5(codecs)] }))).toMatch(message);
  });
  it("refuses data types that N5 does not have", async () => {
    const codecs = [n5([TRANSPOSED, BIG])];
    const work = create(new Map<string, Uint8Array>(), { ...layout, dtype: "complex64", codecs });
    expect(await messageOf(work)).toMatch(/N5 has no data type complex64/);
  });
});
