/** Arrays of variable length against a plain JavaScript model: any shape, chunks, order, codecs and selection, read and written. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  copyNode,
  create,
  get,
  open,
  type Selection,
  type SelectionEntry,
  set,
  setKernels,
  slice,
} from "../../src/index.js";
import { normaliseSelection } from "../../src/indexing/selection.js";
import type { JsonObject } from "../../src/metadata/json.js";
import { positions } from "../engine/reference.js";
import { TEXTS } from "./elements.js";

const LITTLE: JsonObject = { name: "bytes", configuration: { endian: "little" } };
const vlen = (data: readonly JsonObject[], location: string): JsonObject => ({
  name: "zarrs.vlen",
  configuration: {
    index_codecs: [LITTLE],
    data_codecs: [LITTLE, ...data],
    index_data_type: "uint64",
    index_location: location,
  },
});
const CODECS: readonly (readonly JsonObject[])[] = [
  [{ name: "vlen-utf8", configuration: {} }],
  [LITTLE],
  [
    { name: "bytes", configuration: { endian: "big" } },
    { name: "gzip", configuration: { level: 1 } },
  ],
  [vlen([], "end")],
  [vlen([{ name: "zstd", configuration: { level: 1 } }], "start"), { name: "crc32c", configuration: {} }],
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
      { numRuns: 120 },
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
  for (const options of [{}, { zarrFormat: 2 }, { chunks: [3, 3] }] as const) {
    const target = new Map<string, Uint8Array>();
    await copyNode(source, target, options);
    expect((await get(await open(target, { kind: "array" }))).data).toEqual(data);
  }
});

describe("a few elements of a large chunk", () => {
  /** Notes what is asked of it. */
  class RangeStore {
    readonly requests: string[] = [];
    readonly #values = new Map<string, Uint8Array>();
    async get(key: string): Promise<Uint8Array | undefined> {
      this.requests.push("whole");
      return this.#values.get(key);
    }
    async getRange(
      key: string,
      range: { readonly offset: number; readonly length: number } | { readonly suffixLength: number },
    ): Promise<Uint8Array | undefined> {
      this.requests.push("offset" in range ? `${range.offset}+${range.length}` : `-${range.suffixLength}`);
      const value = this.#values.get(key);
      if (value === undefined) return undefined;
      return "offset" in range
        ? value.slice(range.offset, range.offset + range.length)
        : value.slice(Math.max(0, value.length - range.suffixLength));
    }
    async set(key: string, value: Uint8Array): Promise<void> {
      this.#values.set(key, value);
    }
  }

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
    store.requests.length = 0;
    expect(await get(array, [100])).toBe("00100");
    expect(store.requests).toEqual(requests);
    store.requests.length = 0;
    const selection: Selection = [slice(990, 10, -200)];
    expect((await get(array, selection)).data).toEqual(["00990", "00790", "00590", "00390", "00190"]);
    expect((await get(array, selection, { as: "column" })).data.toArray()).toHaveLength(5);
    // Ranges 1000 bytes apart are one request.
    expect(store.requests).toHaveLength(4);
    store.requests.length = 0;
    await get(array);
    expect(store.requests).toEqual(["whole"]);
  });

  it("of chunks that are not there are fill value", async () => {
    const store = new RangeStore();
    const codecs = JSON.parse(JSON.stringify([vlen([], "end")]));
    const array = await create(store, { shape: [1000], dtype: "string", codecs, fillValue: "f" });
    expect(await get(array, [5])).toBe("f");
  });
});
