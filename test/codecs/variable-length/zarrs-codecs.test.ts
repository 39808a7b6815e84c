/** Data types and codecs that zarrs alone has: what it wrote is read, and what is written zarrs reads. */
import { afterAll, describe, expect, expectTypeOf, it, test } from "vitest";
import { isOptional, OptionalArray } from "../../../src/data-types/extra/optional.js";
import { setKernels } from "../../../src/extend.js";
import { toArrowVector } from "../../../src/formats/arrow.js";
import {
  type BoolArray,
  create,
  type DataOf,
  get,
  getCoordinates,
  isZarrError,
  open,
  type ScalarOf,
  set,
  slice,
} from "../../../src/index.js";
import { copyNode, verify } from "../../../src/main/copy.js";
import { fromBase64 } from "../../core/codecs/harness.js";
import { hex, toBytes } from "../../engine/variable/elements.js";
import fixtures from "../../fixtures/zarrs.json" with { type: "json" };
import { LITTLE } from "../../setup/codecs.js";
import { readWithZarrs, writeWithZarrs, zarrsExecutable } from "../../setup/zarrs.js";

afterAll(() => setKernels("auto"));

type Store = Map<string, Uint8Array>;

function storeOf(encoded: Readonly<Record<string, string | undefined>>): Store {
  return new Map(Object.entries(encoded).map(([key, value]) => [key, fromBase64(value ?? "")]));
}

/**
 * As zarrs gives elements: masks from the outside in, and all elements or those of variable length in hex.
 */
function likeZarrs(data: unknown): { masks?: string[]; data?: string; elements?: string[] } {
  if (data instanceof OptionalArray) {
    const { masks = [], ...inner } = likeZarrs(data.column().toData());
    return { masks: [hexOf(data.mask().toData()), ...masks], ...inner };
  }
  if (!Array.isArray(data)) return { data: hexOf(data) };
  const elements = data.map((value: unknown) =>
    hex(typeof value === "string" ? toBytes(value) : value instanceof Uint8Array ? value : new Uint8Array()),
  );
  if (!data.includes(null)) return { elements };
  return { masks: [hex(Uint8Array.from(data, (value) => (value === null ? 0 : 1)))], elements };
}

function hexOf(data: unknown): string {
  if (typeof data !== "object" || data === null) return "";
  if (!("buffer" in data && "byteOffset" in data && "byteLength" in data)) return "";
  const { buffer, byteOffset, byteLength } = data;
  return buffer instanceof ArrayBuffer
    ? hex(new Uint8Array(buffer, Number(byteOffset), Number(byteLength)))
    : "";
}

const words = (i: number): number => 97 + ((i * i) % 11);
/** Of the fixtures that are too long to be stored. */
const LONG: Readonly<Record<string, (i: number) => number>> = {
  "gdeflate 9, distances beyond 32 KiB": (i) =>
    i % 40000 < 600 ? (Math.imul(i % 40000, 2654435761) >>> 13) & 255 : 9,
  "gdeflate 1, two pages": (i) => words(i >> 6),
};

describe.each(["wasm", "javascript"] as const)("written by zarrs, read with %s", (kernels) => {
  it.each(fixtures)("$name", async ({ name, store, ...expected }) => {
    setKernels(kernels);
    const array = await open(storeOf(store), { kind: "array" });
    const { data } = await get(array);
    const make = LONG[name];
    if (make === undefined) expect(likeZarrs(data)).toEqual(expected);
    else expect(data).toEqual(Uint8Array.from({ length: array.shape[0] ?? 0 }, (_, i) => make(i)));
  });
});

const executable = zarrsExecutable();
const written = fixtures.filter(({ name }) => !name.startsWith("gdeflate"));
describe.skipIf(executable === undefined)("with zarrs", () => {
  it.each(written)("$name: zarrs reads what is written", async ({ store, name: _, ...expected }) => {
    const source = storeOf(store);
    const document = source.get("/zarr.json") ?? new Uint8Array();
    const target: Store = new Map([["/zarr.json", document]]);
    const from = await open(source, { kind: "array" });
    const array = await open(target, { kind: "array" });
    await set(array, null, (await get(from)).data);
    expect([...target.keys()].sort()).toEqual([...source.keys()].sort());
    expect(readWithZarrs(executable ?? "", target, ["/"])[0]).toEqual({ shape: array.shape, ...expected });
    await verify(array, { against: from });
  });

  it("gdeflate of any length and level", async () => {
    const kinds = [() => 0, words, (i: number) => (Math.imul(i, 2654435761) >>> 13) & 255];
    for (const length of [2, 63, 1000, 65536]) {
      for (const level of [0, 1, 4, 12]) {
        const metadata = {
          zarr_format: 3,
          node_type: "array",
          shape: [3, length],
          data_type: "uint8",
          fill_value: 1,
          chunk_grid: { name: "regular", configuration: { chunk_shape: [1, length] } },
          chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
          codecs: [{ name: "bytes" }, { name: "zarrs.gdeflate", configuration: { level } }],
        };
        const rows = kinds.flatMap((of) => Array.from({ length }, (_, i) => of(i)));
        const data = Uint8Array.from(rows);
        const store = writeWithZarrs(executable ?? "", [{ path: "/", metadata, data: hex(data) }]);
        expect((await get(await open(store, { kind: "array" }))).data).toEqual(data);
      }
    }
  });
});

const FLOATS = { name: "zarrs.optional", configuration: { name: "float32" } } as const;
const TEXTS = { name: "zarrs.optional", configuration: { name: "string" } } as const;
const NESTED = { name: "zarrs.optional", configuration: FLOATS } as const;

describe("zarrs.optional", () => {
  test("types follow the data type's literal", () => {
    expectTypeOf<ScalarOf<typeof FLOATS>>().toEqualTypeOf<number | null>();
    expectTypeOf<DataOf<typeof FLOATS>>().toEqualTypeOf<OptionalArray<number | null, Float32Array>>();
    expectTypeOf<DataOf<typeof TEXTS>>().toEqualTypeOf<(string | null)[]>();
    expectTypeOf<ScalarOf<typeof NESTED>>().toEqualTypeOf<[number | null] | null>();
  });

  test("elements one by one, masks and values, parts, picked elements, missing chunks", async () => {
    const store: Store = new Map();
    const array = await create(store, {
      codecs: [],
      shape: [3, 4],
      chunkShape: [2, 2],
      dtype: FLOATS,
      fillValue: 7,
    });
    await set(array, [slice(2), slice(2)], { data: [1, null, -0.5, null], shape: [2, 2] });
    await set(array, [2, 3], null);
    const { data } = await get(array);
    expectTypeOf(data.mask().toData()).toEqualTypeOf<BoolArray>();
    expect(data.toArray()).toEqual([1, null, 7, 7, -0.5, null, 7, 7, 7, 7, 7, null]);
    expect(data.column().toData()).toEqual(Float32Array.of(1, 0, 7, 7, -0.5, 0, 7, 7, 7, 7, 7, 0));
    expect([data.isValid(0), data.isValid(1)]).toEqual([true, false]);
    expect((await get(array, [slice(null, null, -1), 1])).data.toArray()).toEqual([7, null, null]);
    expect(
      (
        await getCoordinates(array, [
          [2, 0],
          [3, 0],
        ])
      ).data.toArray(),
    ).toEqual([null, 1]);
    expect(await get(array, [0, 1])).toBe(null);
    expect([...store.keys()].sort()).toEqual(["/c/0/0", "/c/1/1", "/zarr.json"]);
    data.set(1, 5);
    expect(data.get(1)).toBe(5);
    await set(array, null, data);
    expect(await get(array, [0, 1])).toBe(5);
    expect(() => data.set(0, Object("five"))).toThrow(/expected/);
  });

  test("of optional elements: null, [null], [1]", async () => {
    const array = await create(new Map(), { codecs: [], shape: [3], dtype: NESTED });
    expect(array.fillValue).toBe(null);
    await set(array, null, null);
    expect(array.store.has("/c/0")).toBe(false);
    await set(array, null, { data: [null, [null], [1]], shape: [3] });
    expect((await get(array)).data.toArray()).toEqual([null, [null], [1]]);
    await expect(set(array, null, Object({ data: [null, 1, [1]], shape: [3] }))).rejects.toThrow(
      /a list of one value/,
    );
  });

  test("of strings: values or null, also where nothing was written", async () => {
    const array = await create(new Map(), { codecs: [], shape: [5], chunkShape: [2], dtype: TEXTS });
    await set(array, [slice(3)], { data: ["a", null, ""], shape: [3] });
    expect((await get(array)).data).toEqual(["a", null, "", null, null]);
    const filled = await create(new Map(), { codecs: [], shape: [2], dtype: TEXTS, fillValue: "none" });
    expect((await get(filled)).data).toEqual(["none", "none"]);
    expect(filled.fillValue).toBe("none");
  });

  test("copies keep what is missing, in shards and back", async () => {
    for (const dtype of [FLOATS, TEXTS]) {
      const [source, sharded, back]: [Store, Store, Store] = [new Map(), new Map(), new Map()];
      const array = await create(source, { codecs: [], shape: [4, 4], chunkShape: [2, 2], dtype });
      const scalars = dtype === FLOATS ? [1, null, 2, 3] : ["a", null, "ü", ""];
      const all = Array.from({ length: 16 }, (_, i) => scalars[i % 4] ?? null);
      await set(array, null, Object({ data: all, shape: [4, 4] }));
      await copyNode(source, sharded, { shards: [4, 4], chunkShape: [1, 2] });
      await copyNode(sharded, back, { chunkShape: [4, 3] });
      for (const store of [sharded, back]) {
        expect(Array.from(Object((await get(await open(store, { kind: "array" }))).data))).toEqual(all);
      }
    }
  });

  test("as vectors of Arrow with nulls", async () => {
    const array = await create(new Map(), { codecs: [], shape: [4], dtype: FLOATS });
    await set(array, null, { data: [1, null, 2, null], shape: [4] });
    const vector = toArrowVector((await get(array)).data);
    expect(vector.toArray().constructor).toBe(Float32Array);
    expect([vector.nullCount, [...vector]]).toEqual([2, [1, null, 2, null]]);
    const nested = await create(new Map(), { codecs: [], shape: [1], dtype: NESTED });
    const { data } = await get(nested);
    expect(() => toArrowVector(data)).toThrow(/optional/);
  });

  test("what does not fit is refused", async () => {
    const options = { shape: [2], dtype: FLOATS } as const;
    const failure = async (attempt: Promise<unknown>): Promise<string> => {
      const error = await attempt.then(() => undefined).catch((error: unknown) => error);
      return isZarrError(error) ? `${error.tag}: ${error.message}` : String(error);
    };
    expect(await failure(create(new Map(), { ...options, zarrFormat: 2 }))).toMatch(/zarrs.optional/);
    const bytes = [LITTLE];
    const array = await create(new Map(), { ...options, codecs: bytes }).catch((error: unknown) => error);
    expect(String(array)).toMatch(/zarrs\.optional/);
    const wrong = {
      name: "zarrs.optional",
      configuration: { mask_codecs: [{ name: "bytes" }], data_codecs: bytes },
    };
    expect(await failure(create(new Map(), { shape: [2], dtype: "float32", codecs: [wrong] }))).toMatch(
      /InvalidMetadataError: expected data type zarrs.optional, got float32/,
    );
    const unknown = { ...wrong, configuration: { ...wrong.configuration, data_codecs: [{ name: "nope" }] } };
    const open = create(new Map(), { ...options, codecs: [unknown] }).then((array) => get(array));
    expect(await failure(open)).toMatch(/UnknownCodecError: Unknown codec: nope/);
  });

  test.each<[string, (chunk: Uint8Array) => Uint8Array, RegExp]>([
    ["cut off", (chunk) => chunk.subarray(0, 20), /header, mask and elements, got 20/],
    ["no header", (chunk) => chunk.subarray(0, 7), /at least 16 bytes/],
    ["more behind it", (chunk) => Uint8Array.of(...chunk, 0), /header, mask and elements/],
    ["a mask of more elements", (chunk) => chunk.with(16, 255), /data_codecs: .*16 bytes/],
    ["an endless mask", (chunk) => chunk.with(7, 255), /header, mask and elements/],
  ])("a damaged chunk: %s", async (_, damage, message) => {
    const store: Store = new Map();
    const array = await create(store, { codecs: [], shape: [4], dtype: FLOATS });
    await set(array, null, { data: [1, null, 2, 3], shape: [4] });
    store.set("/c/0", damage(store.get("/c/0") ?? new Uint8Array()));
    const error = await get(array).catch((error: unknown) => error);
    expect(isZarrError(error, "CodecError") && error.codec).toBe("zarrs.optional");
    expect(String(error)).toMatch(message);
    expect(String(error)).toContain("/c/0");
  });

  test("is told apart by what it is made of", async () => {
    const array = await create(new Map(), { codecs: [], shape: [1], dtype: FLOATS });
    expect(isOptional(array.dataType) && array.dataType.inner.name).toBe("float32");
    expect(array.dtype).toBe("zarrs.optional");
  });
});

describe("zarrs.squeeze and zarrs.gdeflate", () => {
  test("chunks at the edges of a squeezed array", async () => {
    const array = await create(new Map(), {
      shape: [1, 5, 3],
      chunkShape: [1, 2, 2],
      dtype: "int16",
      codecs: ["zarrs.squeeze", "gzip"],
    });
    const data = Int16Array.from({ length: 15 }, (_, i) => i * 3);
    await set(array, null, { data, shape: [1, 5, 3] });
    expect((await get(array)).data).toEqual(data);
    expect((await get(array, [0, 4, null])).data).toEqual(data.slice(12));
  });

  test("gdeflate is not written", async () => {
    const attempt = create(new Map(), {
      shape: [2],
      dtype: "uint8",
      codecs: [{ name: "zarrs.gdeflate", configuration: { level: 1 } }],
    });
    await expect(attempt).rejects.toMatchObject({ tag: "UnsupportedError", codec: "zarrs.gdeflate" });
  });

  test.each<[string, (chunk: Uint8Array) => Uint8Array, RegExp]>([
    ["a length beyond the chunk", (chunk) => chunk.with(6, 1), /at most 3000 decoded bytes/],
    ["more pages", (chunk) => chunk.with(8, 2), /expected 1 pages/],
    ["a longer page", (chunk) => chunk.with(17, 255), /page 0 ends beyond/],
    ["cut off", (chunk) => chunk.subarray(0, 150), /at least 152 bytes for 1 pages/],
    ["more behind it", (chunk) => Uint8Array.of(...chunk, 0), /no bytes after the last page, got 1/],
    ["an unknown block", (chunk) => chunk.with(24, 7), /damaged page 0 of gdeflate at byte/],
  ])("a damaged chunk: %s", async (_, damage, message) => {
    const fixture = fixtures.find(({ name }) => name === "gdeflate 6, words");
    const store = storeOf(fixture?.store ?? {});
    store.set("/c/0", damage(store.get("/c/0") ?? new Uint8Array()));
    const error = await open(store, { kind: "array" })
      .then(get)
      .catch((error: unknown) => error);
    expect(isZarrError(error, "CodecError") && error.codec).toBe("zarrs.gdeflate");
    expect(String(error)).toMatch(message);
  });
});
