/**
 * `zarrs.vlen` with any codecs inside: round trips with both kinds of kernels, codecs that take their time,
 * what cannot be.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setKernels } from "../../../src/extend.js";
import { create, get, isZarrError, open, registry, set, slice } from "../../../src/index.js";
import type { JsonObject } from "../../../src/metadata/json.js";
import { RangeStore } from "../../setup/stores.js";
import { toBytes } from "./elements.js";
import {
  BYTES,
  CHAIN_CHUNK_SHAPE,
  CHAIN_SHAPE,
  CHAIN_TEXTS,
  CHAINS,
  CRC,
  codec,
  GZIP,
  LITTLE,
  sharded,
  vlen,
} from "./vlen-chains.js";

type MapStore = Map<string, Uint8Array>;
interface Options {
  readonly dtype?: "string" | "bytes";
  readonly shards?: readonly number[];
  readonly order?: "C" | "F";
}

const codecsOf = (codecs: readonly JsonObject[]) => JSON.parse(JSON.stringify(codecs));
const texts = [...CHAIN_TEXTS];

async function written(
  codecs: readonly JsonObject[],
  { dtype = "string", ...options }: Options = {},
): Promise<MapStore> {
  const store: MapStore = new Map();
  const layout = { shape: CHAIN_SHAPE, chunkShape: CHAIN_CHUNK_SHAPE, codecs: codecsOf(codecs), ...options };
  const array = await create(store, { ...layout, dtype });
  await set(array, null, { data: dtype === "string" ? texts : texts.map(toBytes), shape: CHAIN_SHAPE });
  return store;
}

/** Reads everything, a part and a column, twice and of the very same bytes; then writes one element more. */
async function check(store: MapStore, dtype: "string" | "bytes" = "string"): Promise<void> {
  const data = dtype === "string" ? texts : texts.map(toBytes);
  const before = new Map([...store].map(([key, value]) => [key, value.slice()]));
  const array = await open(store, { kind: "array" });
  for (let twice = 0; twice < 2; twice++) {
    expect((await get(array)).data).toEqual(data);
    expect((await get(array, null, { as: "column" })).data.toArray()).toEqual(data);
    expect((await get(array, [slice(2, null, -1), 3])).data).toEqual([data[15], data[9], data[3]]);
    expect(await get(array, [0, 5])).toEqual(data[5]);
  }
  expect(store).toEqual(before);
  if (dtype === "string") await set(array, [1, 1], "four");
  else await set(array, [1, 1], toBytes("four"));
  expect((await get(array)).data).toEqual(
    texts.with(7, "four").map((text) => (dtype === "string" ? text : toBytes(text))),
  );
}

describe.each(CHAINS)("$name", ({ index, data, type }) => {
  it.each(["string", "bytes"] as const)("%s, both kinds of kernels, index at either end", async (dtype) => {
    for (const location of ["start", "end"] as const) {
      const stores: MapStore[] = [];
      try {
        for (const kernels of ["wasm", "javascript"] as const) {
          setKernels(kernels);
          stores.push(await written([vlen(index, data, type, location)], { dtype }));
        }
        // Without WebAssembly zstd does not compress.
        if (!JSON.stringify([index, data]).includes("zstd")) expect(stores[1]).toEqual(stores[0]);
        for (const kernels of ["wasm", "javascript"] as const) {
          setKernels(kernels);
          await check(new Map(stores[0]), dtype);
        }
      } finally {
        setKernels("auto");
      }
    }
  });

  it("compressed as a whole, transposed, in shards", async () => {
    const codecs = [vlen(index, data, type), GZIP, CRC];
    await check(await written(codecs));
    await check(await written(codecs, { shards: [4, 8] }));
    // Elements stand in another order, so that chunks hold other numbers of bytes, all of them a multiple of
    // four.
    await check(await written(codecs, { order: "F" }));
  });
});

it.each(["zstd", "gzip", "blosc"])(
  "%s of data that are a thousand times as long, for which no room was made",
  async (name) => {
    const chain = [codec("reshape", { shape: [1, -1] }), BYTES, codec(name)];
    const options = {
      shape: [16],
      chunkShape: [8],
      dtype: "string",
      codecs: codecsOf([vlen([LITTLE], chain)]),
    } as const;
    const store: MapStore = new Map();
    const array = await create(store, options);
    const long = Array.from({ length: 16 }, (_, i) => String.fromCharCode(97 + i).repeat(2 ** 20));
    await set(array, null, long);
    expect(store.get("/c/0")?.length).toBeLessThan(2 ** 17);
    const { data } = await get(await open(store, { kind: "array" }));
    expect(Array.isArray(data) && long.every((text, i) => text === data[i])).toBe(true);
  },
);

describe("codecs that take their time", () => {
  const flip = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => byte ^ 0x5a);
  let running = 0;
  let most = 0;

  beforeAll(() => {
    const later = async (bytes: Uint8Array): Promise<Uint8Array> => {
      running++;
      most = Math.max(most, running);
      await Promise.resolve();
      running--;
      return flip(bytes);
    };
    // As an application registers them, one of them without a kind as codecs of zarrita are.
    registry.set("test.later", () => ({ fromConfig: () => ({ encode: later, decode: later }) }));
    registry.set("test.now", () => ({
      codecKind: "bytes_to_bytes",
      fromConfig: () => ({ kind: "bytes_to_bytes", synchronous: true, encode: flip, decode: flip }),
    }));
  });
  afterAll(() => {
    registry.delete("test.later");
    registry.delete("test.now");
  });

  type Chains = readonly [index: readonly JsonObject[], data: readonly JsonObject[]];
  const cases: readonly (readonly [string, (name: string) => Chains])[] = [
    ["on the index", (name) => [[LITTLE, codec(name)], [BYTES]]],
    ["on the data", (name) => [[LITTLE], [BYTES, codec(name)]]],
    [
      "between others",
      (name) => [
        [LITTLE, GZIP, codec(name), CRC],
        [BYTES, GZIP, codec(name), CRC],
      ],
    ],
    [
      "behind reshape",
      (name) => [
        [codec("reshape", { shape: [3, 3] }), LITTLE, codec(name)],
        [codec("reshape", { shape: [2, -1] }), BYTES, codec(name)],
      ],
    ],
    [
      "in shards",
      (name) => [[sharded([3], [LITTLE, codec(name)])], [sharded([4], [BYTES, codec(name)]), CRC]],
    ],
    [
      "in shards in shards",
      (name) => [
        [sharded([9], [sharded([3], [LITTLE, codec(name), CRC])]), codec(name)],
        [sharded([4], [sharded([2], [BYTES, codec(name)])])],
      ],
    ],
    [
      "in shards behind reshape",
      (name) => [
        [codec("reshape", { shape: [3, 3] }), sharded([1, 3], [LITTLE, codec(name)])],
        [codec("reshape", { shape: [2, -1] }), sharded([1, 2], [BYTES, codec(name)], "start")],
      ],
    ],
    ["in conditional", (name) => [[LITTLE], [BYTES, codec("conditional", { codecs: [codec(name)] })]]],
  ];

  it.each(cases)("%s", async (_, chains) => {
    for (const outer of [[], [GZIP], [codec("test.later"), CRC]]) {
      for (const options of [{}, { shards: [4, 8] }, { order: "F" }] as const) {
        const slow = await written([vlen(...chains("test.later")), ...outer], options);
        const fast = await written([vlen(...chains("test.now")), ...outer], options);
        for (const [key, value] of fast) if (key.includes("/c/")) expect(slow.get(key), key).toEqual(value);
        await check(slow);
        await check(fast);
      }
    }
  });

  it("run for several chunks at once", async () => {
    const store = await written([vlen([LITTLE], [BYTES, codec("test.later")])]);
    most = 0;
    await get(await open(store, { kind: "array" }));
    expect(most).toBeGreaterThan(1);
  });

  it("in shards behind a codec that changes values, of numbers", async () => {
    const codecs = [
      codec("numcodecs.delta", { dtype: "<i4" }),
      sharded([2, 2], [LITTLE, codec("test.later")]),
      codec("test.later"),
    ];
    const array = await create(new Map(), {
      shape: [5, 4],
      chunkShape: [4, 4],
      dtype: "int32",
      codecs: codecsOf(codecs),
    });
    const data = Int32Array.from({ length: 20 }, (_, i) => i * i);
    await set(array, null, { data, shape: [5, 4] });
    await set(array, [4, 3], -5);
    expect((await get(array)).data).toEqual(data.with(19, -5));
  });

  it("whose failures say where", async () => {
    let isBroken = false;
    const pass = async (bytes: Uint8Array): Promise<Uint8Array> => {
      if (isBroken) throw new Error("broken");
      return bytes;
    };
    registry.set("test.broken", () => ({ fromConfig: () => ({ encode: pass, decode: pass }) }));
    const broken = codec("test.broken");
    for (const [codecs, message] of [
      [vlen([LITTLE, broken], [BYTES]), /index_codecs: test\.broken: codec failed: broken/],
      [
        vlen([LITTLE], [sharded([4], [BYTES, broken])]),
        /data_codecs: test\.broken: inner chunk \[\d+\] of the shard: .*broken/,
      ],
    ] as const) {
      isBroken = false;
      const store = await written([codecs]);
      isBroken = true;
      const array = await open(store, { kind: "array" });
      for (const work of [() => get(array), () => set(array, null, { data: texts, shape: CHAIN_SHAPE })]) {
        const error: unknown = await work().then(
          () => undefined,
          (reason: unknown) => reason,
        );
        if (!isZarrError(error, "CodecError")) throw new Error(`expected a CodecError, got ${String(error)}`);
        expect([error.codec, error.chunk?.length, error.key?.slice(0, 3)]).toEqual(["zarrs.vlen", 2, "/c/"]);
        expect(error.message).toMatch(/_codecs: test\.broken: .*broken/);
      }
      expect(String(await get(array).catch((error: unknown) => error))).toMatch(message);
    }
    registry.delete("test.broken");
  });
});

describe("what cannot be", () => {
  const creation = (codecs: JsonObject) =>
    create(new Map(), { shape: [8], chunkShape: [8], dtype: "string", codecs: codecsOf([codecs]) });

  it.each<[string, JsonObject, RegExp]>([
    [
      "offsets that are no integers",
      codec("zarrs.vlen", { ...Object(vlen([LITTLE], [BYTES]).configuration), index_data_type: "float64" }),
      /"uint32" or "uint64", got "float64"/,
    ],
    ["no array-to-bytes codec", vlen([LITTLE], [GZIP]), /array-to-bytes/],
    ["two of them", vlen([LITTLE, LITTLE], [BYTES]), /array-to-bytes/],
    [
      "an array codec behind it",
      vlen([LITTLE], [BYTES, codec("transpose", { order: [0] })]),
      /before the array-to-bytes codec/,
    ],
    [
      "elements of variable length in elements of variable length",
      vlen([LITTLE], [vlen([LITTLE], [BYTES])]),
      /got uint8/,
    ],
    [
      "a transpose of two dimensions",
      vlen([codec("transpose", { order: [1, 0] }), LITTLE], [BYTES]),
      /permutation/,
    ],
    [
      "inner chunks that do not divide the index",
      vlen([sharded([4], [LITTLE])], [BYTES]),
      /divide the shard/,
    ],
    ["a shape of other offsets", vlen([codec("reshape", { shape: [2, 4] }), LITTLE], [BYTES]), /9 elements/],
    [
      "reshapes that fit no length",
      vlen([LITTLE], [codec("reshape", { shape: [2, [1]] }), BYTES]),
      /dimensions/,
    ],
    ["no codecs", vlen([], [BYTES]), /a list of codecs/],
  ])("%s", async (_, codecs, message) => {
    const error: unknown = await creation(codecs).catch((reason: unknown) => reason);
    expect(isZarrError(error, "InvalidMetadataError") && error.message).toMatch(message);
  });

  it("codecs that nobody knows", async () => {
    for (const codecs of [
      vlen([LITTLE], [BYTES, codec("nobody")]),
      vlen([sharded([3], [codec("nobody")])], [BYTES]),
    ]) {
      expect(isZarrError(await creation(codecs).catch((error: unknown) => error), "UnknownCodecError")).toBe(
        true,
      );
    }
  });

  it.each<[string, JsonObject, string]>([
    [
      "offsets of too few bits",
      vlen([codec("packbits", { padding_encoding: "none", last_bit: 3 })], [BYTES]),
      "index_codecs",
    ],
    [
      "rounded offsets",
      vlen(
        [codec("numcodecs.fixedscaleoffset", { offset: 0, scale: 0.1, dtype: "<u4", astype: "<u4" }), LITTLE],
        [BYTES],
      ),
      "index_codecs",
    ],
    [
      "characters of too few bits",
      vlen([LITTLE], [codec("packbits", { padding_encoding: "none", last_bit: 5 })]),
      "data_codecs",
    ],
    ["rounded characters", vlen([LITTLE], [codec("bitround", { keepbits: 2 }), BYTES]), "data_codecs"],
    [
      "offsets that a type cannot hold",
      vlen([codec("cast_value", { data_type: "uint8" }), LITTLE], [BYTES]),
      "index_codecs",
    ],
    ["data that do not divide into inner chunks", vlen([LITTLE], [sharded([16], [BYTES])]), "data_codecs"],
    ["data of another length", vlen([LITTLE], [codec("reshape", { shape: [5, 5] }), BYTES]), "data_codecs"],
  ])("%s: refused before anything is stored", async (_, codecs, member) => {
    const store: MapStore = new Map();
    const array = await create(store, {
      shape: [8],
      chunkShape: [8],
      dtype: "string",
      codecs: codecsOf([codecs]),
    });
    const error: unknown = await set(array, null, texts.slice(0, 8)).catch((reason: unknown) => reason);
    expect(isZarrError(error, "CodecError") && [error.codec, error.chunk, error.key]).toEqual([
      "zarrs.vlen",
      [0],
      "/c/0",
    ]);
    expect(String(error)).toContain(member);
    expect([...store.keys()]).toEqual(["/zarr.json"]);
  });

  it("codecs that wazarr only reads", async () => {
    const creating = creation(vlen([LITTLE, codec("numcodecs.bz2", { level: 1 })], [BYTES]));
    const error: unknown = await creating.catch((reason: unknown) => reason);
    expect(isZarrError(error, "UnsupportedError") && error.reason).toMatch(/reads bz2 and does not write it/);
  });
});

describe("damaged chunks", () => {
  it.each(CHAINS)(
    "$name: any truncation and any other byte is an error or other text",
    async ({ index, data, type }) => {
      const store = await written([vlen(index, data, type)]);
      const chunk = store.get("/c/0/0") ?? new Uint8Array();
      const array = await open(store, { kind: "array" });
      const attempt = async (damaged: Uint8Array): Promise<void> => {
        store.set("/c/0/0", damaged);
        try {
          expect((await get(array)).data).toHaveLength(18);
        } catch (error) {
          if (!isZarrError(error, "CodecError")) throw error;
          expect(["zarrs.vlen", "utf-8"]).toContain(error.codec);
          expect(error.chunk).toEqual([0, 0]);
        }
      };
      const step = Math.max(1, Math.floor(chunk.length / 40));
      for (let at = 0; at < chunk.length; at += step) {
        await attempt(chunk.slice(0, at));
        await attempt(chunk.with(at, 255 - (chunk[at] ?? 0)));
        await attempt(chunk.with(at, (chunk[at] ?? 0) ^ 1));
      }
    },
  );
});

describe("a few elements", () => {
  const TURN = codec("transpose", { order: [0] });
  const all = Array.from({ length: 1000 }, (_, i) => String(i).padStart(5, "0"));

  async function large(chain: JsonObject) {
    const store = new RangeStore();
    const codecs = codecsOf([chain]);
    const array = await create(store, { shape: [1000], chunkShape: [1000], dtype: "string", codecs });
    await set(array, null, all);
    store.reset();
    return { store, array };
  }

  // What is stored of an index whose length is not fixed is asked for twice: its length, and all of it.
  it.each<[string, JsonObject, number]>([
    ["an index that is compressed", vlen([LITTLE, GZIP], [BYTES]), 3],
    ["an index in shards", vlen([sharded([143], [LITTLE, GZIP])], [BYTES]), 3],
    ["an index of shards of one offset", vlen([sharded([1], [LITTLE, GZIP])], [BYTES]), 3],
    ["an index that is decoded later", vlen([LITTLE, codec("test.wait")], [BYTES]), 3],
    ["packed offsets", vlen([codec("packbits", { padding_encoding: "none" })], [BYTES]), 2],
    [
      "data that array codecs leave as they are",
      vlen([LITTLE], [TURN, codec("reshape", { shape: [-1, 5] }), BYTES]),
      2,
    ],
  ])("of %s are read by ranges", async (_, chain, requests) => {
    registry.set("test.wait", () => ({
      fromConfig: () => ({
        encode: async (bytes: Uint8Array) => bytes,
        decode: async (bytes: Uint8Array) => bytes,
      }),
    }));
    const { store, array } = await large(chain);
    expect(await get(array, [100])).toBe("00100");
    expect(store.requests).toHaveLength(requests);
    expect(store.requests.at(-1)).toBe("/c/0 500+5");
    const { data } = await get(array, [slice(990, 10, -200)]);
    expect(data).toEqual(["00990", "00790", "00590", "00390", "00190"]);
    expect(store.requests).not.toContain("/c/0");
    registry.delete("test.wait");
  });

  it.each<[string, readonly JsonObject[]]>([
    ["compressed", [BYTES, GZIP]],
    ["checked", [BYTES, CRC]],
    ["in shards", [sharded([5], [BYTES])]],
    ["packed", [codec("packbits", { padding_encoding: "none", last_bit: 6 })]],
    [
      "in another order",
      [codec("reshape", { shape: [-1, 5] }), codec("transpose", { order: [1, 0] }), BYTES],
    ],
  ])("of data that are %s are read with the whole chunk", async (_, data) => {
    const { store, array } = await large(vlen([LITTLE], data));
    expect(await get(array, [100])).toBe("00100");
    expect(store.requests).toEqual(["/c/0"]);
  });

  it("are not asked for by an index length that is only claimed", async () => {
    const { store, array } = await large(vlen([LITTLE, GZIP], [BYTES]));
    const chunk = (await store.get("/c/0"))?.slice() ?? new Uint8Array();
    chunk.fill(255, chunk.length - 8, chunk.length - 2);
    await store.set("/c/0", chunk);
    store.reset();
    const error: unknown = await get(array, [100]).catch((reason: unknown) => reason);
    expect(isZarrError(error, "CodecError") && error.message).toMatch(/an index of at most \d+ bytes/);
    expect(store.requests).toEqual(["/c/0 -8"]);
  });
});
