/**
 * Arrays of variable length against a plain JavaScript model: any shape, chunks, order, codecs and selection,
 * read and written.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { setKernels } from "../../../src/extend.js";
import { normaliseSelection } from "../../../src/grid/selection.js";
import {
  create,
  get,
  isZarrError,
  MemoryStore,
  open,
  type SelectionEntry,
  type Store,
  set,
  slice,
} from "../../../src/index.js";
import { copyNode } from "../../../src/main/copy.js";
import type { JsonObject } from "../../../src/metadata/json.js";
import { BIG, CRC32C, GZIP, LITTLE } from "../../setup/codecs.js";
import { RangeStore } from "../../setup/stores.js";
import { positions } from "../reference.js";
import { TEXTS, toBytes } from "./elements.js";

const vlen = (data: readonly JsonObject[], location: string): JsonObject => ({
  name: "zarrs.vlen",
  configuration: {
    index_codecs: [LITTLE],
    data_codecs: [LITTLE, ...data],
    index_data_type: "uint64",
    index_location: location,
  },
});
const ofOtherCodecs = vlen([], "end");
const SHARDS: JsonObject = {
  name: "sharding_indexed",
  configuration: { chunk_shape: [1], codecs: [LITTLE], index_codecs: [LITTLE], index_location: "start" },
};
const CODECS: readonly (readonly JsonObject[])[] = [
  [
    {
      ...ofOtherCodecs,
      configuration: {
        ...Object(ofOtherCodecs.configuration),
        index_codecs: [SHARDS, GZIP],
        data_codecs: [{ name: "reshape", configuration: { shape: [1, -1] } }, LITTLE],
      },
    },
  ],
  [{ name: "numcodecs.json2", configuration: {} }],
  [{ name: "numcodecs.msgpack2", configuration: {} }],
  [{ name: "zarrs.vlen_v2", configuration: {} }, CRC32C],
  [{ name: "vlen-utf8", configuration: {} }],
  [LITTLE],
  [BIG, GZIP],
  [vlen([], "end")],
  [vlen([{ name: "zstd", configuration: { level: 1 } }], "start"), CRC32C],
];

const entry = (length: number): fc.Arbitrary<SelectionEntry> => {
  const bound = fc.option(fc.integer({ min: -length - 2, max: length + 2 }));
  const range = fc
    .tuple(bound, bound, fc.constantFrom(null, 1, 2, 3, -1, -2))
    .map(([start, stop, step]) => slice(start, stop, step));
  return length === 0
    ? fc.oneof(fc.constant(null), range)
    : fc.oneof(fc.constant(null), range, fc.integer({ min: -length, max: length - 1 }));
};

const layouts = fc
  .array(
    fc.tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 2 })),
    {
      maxLength: 3,
    },
  )
  .chain((dimensions) =>
    fc.record({
      shape: fc.constant(dimensions.map(([length]) => length)),
      chunkShape: fc.constant(dimensions.map(([, chunk]) => chunk)),
      shards: fc.option(fc.constant(dimensions.map(([, chunk, factor]) => chunk * factor)), {
        nil: undefined,
      }),
      order: fc.constantFrom("C" as const, "F" as const),
      codecs: fc.constantFrom(...CODECS),
      fillValue: fc.constantFrom("", "fill ü"),
      written: fc.tuple(...dimensions.map(([length]) => entry(length))),
      read: fc.tuple(...dimensions.map(([length]) => entry(length))),
      seed: fc.nat(TEXTS.length),
    }),
  );

describe.each(["wasm", "javascript"] as const)("%s kernels", (kernels) => {
  it("read and write what a plain array would", async () => {
    setKernels(kernels);
    await fc.assert(
      fc.asyncProperty(layouts, async ({ written, read, seed, ...layout }) => {
        const { shape, fillValue } = layout;
        const store = new Map<string, Uint8Array>();
        const options = { ...layout, codecs: JSON.parse(JSON.stringify(layout.codecs)) };
        const array = await create(store, { ...options, dtype: "string" as const });
        const model = new Array<string>(shape.reduce((product, length) => product * length, 1)).fill(
          fillValue,
        );
        const places = positions(written, shape);
        const values = places.map((_, i) => TEXTS[(i + seed) % TEXTS.length] ?? "");
        const writtenShape = normaliseSelection(written, shape).shape;
        for (const [i, position] of places.entries()) model[position] = values[i] ?? "";
        await set(array, written, { data: values, shape: writtenShape });
        const before = [...store].map(([key, value]) => [key, value.slice()]);
        const expected = positions(read, shape).map((position) => model[position]);
        const got: unknown = await get(array, read);
        const column: unknown = await get(array, read, { as: "column" });
        if (read.every((selected) => typeof selected === "number")) {
          expect([got, column]).toEqual([expected[0], expected[0]]);
        } else {
          expect(Object(got).data).toEqual(expected);
          expect(Object(column).data.toArray()).toEqual(expected);
        }
        expect(
          Object(await get(array, shape.length === 0 ? null : shape.map(() => null))).data ?? [
            await get(array),
          ],
        ).toEqual(model);
        expect([...store]).toEqual(before);
      }),
      { numRuns: 200 },
    );
    setKernels("auto");
  });
});

it("columns are copied between layouts, codecs and formats", async () => {
  const source = new Map<string, Uint8Array>();
  const shape = [5, 7];
  const data = Array.from({ length: 35 }, (_, i) => TEXTS[i % TEXTS.length] ?? "");
  const array = await create(source, { shape, chunkShape: [2, 3], dtype: "string", order: "F" });
  await set(array, null, { data, shape });
  for (const options of [{}, { zarrFormat: 2 }, { chunkShape: [3, 3] }] as const) {
    const target = new Map<string, Uint8Array>();
    await copyNode(source, target, options);
    expect((await get(await open(target, { kind: "array" }))).data).toEqual(data);
  }
});

it.each<["string" | "bytes", string, string[], string[]]>([
  ["string", "bytes", ["bytes", "gzip"], ["vlen-utf8"]],
  ["string", "vlen-bytes", ["vlen-bytes"], ["vlen-utf8"]],
  ["string", "json2", ["numcodecs.json2"], ["json2"]],
  ["bytes", "bytes", ["bytes"], ["vlen-bytes"]],
  ["bytes", "vlen-utf8", ["vlen-utf8"], ["vlen-bytes"]],
  ["bytes", "msgpack2", ["numcodecs.msgpack2"], ["vlen-bytes"]],
] as const)(
  "%s with %s stay what they are in v2, where only a filter says it",
  async (dtype, _, codecs, filters) => {
    const source = new Map<string, Uint8Array>();
    const array = await create(source, { shape: [3, 2], chunkShape: [2, 2], dtype, codecs, order: "F" });
    const texts = ["a", "", "é", "the", "日本", ""];
    const data = dtype === "string" ? texts : texts.map(toBytes);
    await set(array, null, { data, shape: [3, 2] });
    const target = new Map<string, Uint8Array>();
    await copyNode(source, target, { zarrFormat: 2 });
    const document = JSON.parse(new TextDecoder().decode(target.get("/.zarray")));
    expect(document.filters.map(({ id }: { id: string }) => id)).toEqual(filters);
    expect((await get(await open(target, { kind: "array" }))).data).toEqual(data);
  },
);

describe("a few elements of a large chunk", () => {
  it.each([
    ["start", ["0+8016", "8516+5"]],
    ["end", ["-8016", "500+5"]],
  ])("are read with the index at the %s and a range", async (location, requests) => {
    const store = new RangeStore();
    const array = await create(store, {
      shape: [1000],
      chunkShape: [1000],
      dtype: "string",
      codecs: JSON.parse(JSON.stringify([vlen([], location)])),
    });
    const texts = Array.from({ length: 1000 }, (_, i) => String(i).padStart(5, "0"));
    await set(array, null, texts);
    store.reset();
    expect(await get(array, [100])).toBe("00100");
    expect(store.requests).toEqual(requests.map((part) => `/c/0 ${part}`));
    store.reset();
    const selection = [slice(990, 10, -200)];
    expect((await get(array, selection)).data).toEqual(["00990", "00790", "00590", "00390", "00190"]);
    expect((await get(array, selection, { as: "column" })).data.toArray()).toHaveLength(5);
    // Ranges 1000 bytes apart are one request.
    expect(store.requests).toHaveLength(4);
    store.reset();
    await get(array);
    expect(store.requests).toEqual(["/c/0"]);
  });

  it("are read in order F, too", async () => {
    const store = new RangeStore();
    const codecs = JSON.parse(JSON.stringify([vlen([], "end")]));
    const array = await create(store, {
      shape: [30, 20],
      chunkShape: [30, 20],
      dtype: "string",
      codecs,
      order: "F",
    });
    await set(array, null, { data: Array.from({ length: 600 }, (_, i) => `text ${i}`), shape: [30, 20] });
    store.reset();
    expect((await get(array, [slice(7, 9), slice(3, 12, 4)])).data).toEqual(
      [143, 147, 151, 163, 167, 171].map((i) => `text ${i}`),
    );
    expect(store.requests).not.toContain("/c/0/0");
  });

  it("are of one version, whenever their chunk is replaced", async () => {
    const codecs = JSON.parse(JSON.stringify([vlen([], "end")]));
    const options = { shape: [1000], chunkShape: [1000], dtype: "string", codecs } as const;
    const store = new MemoryStore();
    const other = new MemoryStore();
    const array = await create(store, options);
    await set(array, null, { data: Array.from({ length: 1000 }, (_, i) => `a ${i}`), shape: [1000] });
    // As long as the other and of the same lengths elsewhere: nothing but the version tells them apart.
    const texts = Array.from({ length: 1000 }, (_, i) => `b ${999 - i}`);
    await set(await create(other, options), null, { data: texts, shape: [1000] });
    const chunks = [store, other].map(({ values }) => values.get("/c/0") ?? new Uint8Array());
    for (let replacements = 0; replacements < 6; replacements++) {
      let requests = 0;
      const changing: Store = {
        get: (key) => store.get(key),
        async getParts(key, ranges) {
          const value = await store.getParts(key, ranges);
          if (++requests <= replacements) store.set("/c/0", chunks[requests % 2] ?? new Uint8Array());
          return value;
        },
      };
      store.set("/c/0", chunks[0] ?? new Uint8Array());
      const { data } = await get(await open(changing, { kind: "array" }), [slice(3, 990, 300)]);
      expect([
        ["a 3", "a 303", "a 603", "a 903"],
        ["b 996", "b 696", "b 396", "b 96"],
      ]).toContainEqual(data);
    }
  });

  it("tell of their progress", async () => {
    const store = new RangeStore();
    const codecs = JSON.parse(JSON.stringify([vlen([], "end")]));
    const array = await create(store, { shape: [1000], chunkShape: [500], dtype: "string", codecs });
    await set(array, null, "text");
    const told: number[] = [];
    await get(array, [slice(490, 510)], { onProgress: ({ chunksDone }) => told.push(chunksDone) });
    expect(told).toEqual([1, 2]);
  });

  describe("in shards", () => {
    const COUNT = 20_000;
    const texts = Array.from({ length: 2 * COUNT }, (_, i) => String(i).padStart(10, "0"));

    async function sharded(options: { readonly chunkShape: readonly number[]; readonly order?: "C" | "F" }) {
      const store = new RangeStore();
      const array = await create(store, {
        shape: [COUNT, 2],
        shards: [COUNT, 2],
        dtype: "string",
        codecs: JSON.parse(JSON.stringify([vlen([], "end")])),
        ...options,
      });
      await set(array, null, { data: texts, shape: [COUNT, 2] });
      store.reset();
      return { store, array };
    }
    const lengths = ({ requests }: RangeStore): number[] =>
      requests.map((request) => Number(request.match(/\d+$/)?.[0]));

    it.each(["C", "F"] as const)(
      "are read out of large inner chunks by their ranges, order %s",
      async (order) => {
        const { store, array } = await sharded({ chunkShape: [COUNT, 1], order });
        expect(await get(array, [123, 1])).toBe("0000000247");
        // The index of the shard, that of the inner chunk, the element.
        expect(lengths(store)).toEqual([2 * 16 + 4, 8 * (COUNT + 1) + 8, 10]);
        store.reset();
        const { data } = await get(array, [slice(19_999, 5, -9000), null]);
        expect(data).toEqual([39_998, 39_999, 21_998, 21_999, 3998, 3999].map((i) => texts[i]));
        // Each inner chunk its index, and elements that are too far from each other for one request.
        expect(store.requests).toHaveLength(8);
        const column = await get(array, [slice(0, 40, 10), null], { as: "column" });
        expect(column.data.toArray()).toEqual([0, 1, 20, 21, 40, 41, 60, 61].map((i) => texts[i]));
        expect((await get(array)).data).toEqual(texts);
      },
    );

    it("are fill value where an inner chunk is not there, and read whole out of small ones", async () => {
      const { store, array } = await sharded({ chunkShape: [COUNT, 1] });
      await set(array, [null, 1], "");
      store.reset();
      expect((await get(array, [slice(5, 7), null])).data).toEqual([texts[10], "", texts[12], ""]);
      const small = await sharded({ chunkShape: [1000, 2] });
      expect(await get(small.array, [123, 1])).toBe("0000000247");
      expect(small.store.requests).toHaveLength(2);
      expect(store.requests).not.toContain("/c/0/0");
    });

    it("are refused when they are damaged, with the inner chunk", async () => {
      const { store, array } = await sharded({ chunkShape: [COUNT, 1] });
      const shard = (await store.get("/c/0/0"))?.slice() ?? new Uint8Array();
      // The last offset of the first inner chunk, which stands before its u64 length.
      shard.fill(0, 10 * COUNT + 8 * COUNT, 10 * COUNT + 8 * COUNT + 8);
      await store.set("/c/0/0", shard);
      const error: unknown = await get(array, [5, 0]).catch((reason: unknown) => reason);
      expect(isZarrError(error, "CodecError") && [error.codec, error.chunk, error.offset]).toEqual([
        "zarrs.vlen",
        [0, 0],
        COUNT - 1,
      ]);
    });
  });

  it("of chunks that are not there are fill value", async () => {
    const store = new RangeStore();
    const codecs = JSON.parse(JSON.stringify([vlen([], "end")]));
    const array = await create(store, { shape: [1000], dtype: "string", codecs, fillValue: "f" });
    expect(await get(array, [5])).toBe("f");
  });
});
