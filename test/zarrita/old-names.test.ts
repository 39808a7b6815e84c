/** Names that zarrita had before 0.7, and its internals: kept for code that uses them. */
import { expect, test } from "vitest";
import * as zarrita from "zarrita";
import * as wazarr from "../../src/index.js";

const encode = (json: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(json));

/** A group of v2 with an array, and the consolidated document under `key`. */
function consolidated(key: string): Map<string, Uint8Array> {
  const array = {
    zarr_format: 2,
    shape: [2],
    chunks: [2],
    dtype: "<i2",
    order: "C",
    fill_value: 4,
    filters: null,
    compressor: null,
  };
  const metadata = { ".zgroup": { zarr_format: 2 }, "a/.zarray": array };
  return new Map([[`/${key}`, encode({ zarr_consolidated_format: 1, metadata })]]);
}

test("withConsolidated and tryWithConsolidated read the document of v2", async () => {
  const store = await wazarr.withConsolidated(consolidated(".zmetadata"));
  expect(store.contents()).toEqual([
    { path: "/", kind: "group" },
    { path: "/a", kind: "array" },
  ]);
  const other = await wazarr.withConsolidated(consolidated("meta"), { metadataKey: "meta" });
  const array = await wazarr.open(wazarr.root(other).resolve("a"), { kind: "array" });
  expect((await wazarr.get(array)).data).toEqual(Int16Array.of(4, 4));
  const none = new Map<string, Uint8Array>();
  expect(await wazarr.tryWithConsolidated(none)).toBe(none);
  expect(await wazarr.tryWithConsolidated(consolidated(".zmetadata"))).toHaveProperty("contents");
  await expect(wazarr.withConsolidated(none)).rejects.toBeInstanceOf(wazarr.NodeNotFoundError);
});

test("classes of errors", async () => {
  await expect(wazarr.open(new Map())).rejects.toBeInstanceOf(wazarr.KeyError);
  const array = await wazarr.create(new Map<string, Uint8Array>(), { shape: [2], dtype: "uint8" });
  await expect(wazarr.get(array, [5])).rejects.toBeInstanceOf(wazarr.IndexError);
  await expect(wazarr.get(array, [5])).rejects.not.toBeInstanceOf(wazarr.NodeNotFoundError);
});

test("ByteStringArray is zarrita's", () => {
  const memory = new TextEncoder().encode("..ab\0\0c\0\0\0ef").buffer;
  for (const Class of [zarrita.ByteStringArray, wazarr.ByteStringArray]) {
    const make = (...given: unknown[]): wazarr.ByteStringArray => Reflect.construct(Class, given);
    const made = make(3, ["ab", "", "x\u00e9"]);
    expect([[...made], made.length, made.chars, made.BYTES_PER_ELEMENT, made.byteLength]).toEqual([
      ["ab", "", "x\u00e9"],
      3,
      3,
      3,
      9,
    ]);
    made.set(0, "c");
    expect(made.get(0)).toBe("c");
    made.fill("zzz");
    expect([...made]).toEqual(["zzz", "zzz", "zzz"]);
    expect([...make(4, 2)]).toEqual(["", ""]);
    const view = make(4, memory, 2, 2);
    expect([view.get(0), view.get(1), view.byteOffset, view.length]).toEqual(["ab", "c", 2, 2]);
  }
  expect([...new wazarr.ByteStringArray(1, ["a", "b", "c"]).subarray(1)]).toEqual(["b", "c"]);
  expect(() => new wazarr.ByteStringArray(2, ["abc"])).toThrow(wazarr.InvalidArgumentError);
});

test("a ByteStringArray can be written", async () => {
  const array = await wazarr.create(new Map<string, Uint8Array>(), {
    shape: [3],
    dtype: "|S3",
    zarrFormat: 2,
  });
  const data = new wazarr.ByteStringArray(3, ["ab", "", "cde"]);
  await wazarr.set(array, null, { data, shape: [3], stride: [1] });
  expect((await wazarr.get(array)).data.toStrings()).toEqual(["ab", "", "cde"]);
});

test.each([
  [null, null, null],
  [2, null, null],
  [null, 3, 2],
  [-3, null, null],
  [-30, 30, 3],
  [null, null, -1],
  [8, 1, -2],
  [20, -20, -3],
  [4, 2, 1],
])("slice(%s, %s, %s) is the same to both", (start, stop, step) => {
  for (const length of [0, 1, 5, 9]) {
    const expected = zarrita._zarrita_internal_sliceIndices({ start, stop, step }, length);
    expect(wazarr._zarrita_internal_sliceIndices({ start, stop, step }, length)).toEqual(expected);
    expect(wazarr._zarrita_internal_slice_indices({ start, stop, step }, length)).toEqual(expected);
  }
});

test("a step of 0 is none", () => {
  expect(() => wazarr._zarrita_internal_sliceIndices({ start: 0, stop: 1, step: 0 }, 3)).toThrow(
    wazarr.InvalidSelectionError,
  );
  expect(wazarr._zarrita_internal_get_strides([2, 3], "F")).toEqual([1, 2]);
});

interface Grid {
  readonly rows: number[][];
  shape: number[];
}
const blank = (shape: readonly number[]): number[][] =>
  Array.from({ length: shape[0] ?? 0 }, () => new Array<number>(shape[1] ?? 0).fill(0));
/** A library of arrays, which are lists of rows. */
function setterOf(names: "setFromChunk" | "set_from_chunk") {
  const made = new WeakMap<Grid, { readonly data: Int16Array; readonly stride: readonly number[] }>();
  return {
    prepare(data: Int16Array, shape: number[], stride: number[]): Grid {
      const rows = blank(shape).map((row, i) =>
        row.map((_, j) => data[i * (stride[0] ?? 0) + j * (stride[1] ?? 0)] ?? 0),
      );
      const grid = { rows, shape };
      made.set(grid, { data, stride });
      return grid;
    },
    [names](target: Grid, source: Grid, projections: wazarr.Projection[]) {
      expect(projections).toEqual(target.shape.map((end) => ({ from: [0, end, 1], to: [0, end, 1] })));
      const { data, stride = [] } = made.get(target) ?? {};
      source.rows.forEach((row, i) => {
        row.forEach((value, j) => {
          data?.fill(value, i * (stride[0] ?? 0) + j).fill(value, 0, 0);
        });
      });
    },
  };
}

test.each(["setFromChunk", "set_from_chunk"] as const)(
  "get and set of another library's arrays, %s",
  async (name) => {
    const array = await wazarr.create(new Map<string, Uint8Array>(), { shape: [3, 2], dtype: "int16" });
    const setter = setterOf(name);
    const rows = [
      [1, 2],
      [3, 4],
    ];
    const selection = [wazarr.slice(1, 3), null];
    await wazarr._zarrita_internal_set(array, selection, { rows, shape: [2, 2] }, {}, setter);
    await wazarr._zarrita_internal_set(array, [0, null], 9, {}, setter);
    const all = await wazarr._zarrita_internal_get(array, null, {}, setter);
    expect(all).toEqual({ rows: [[9, 9], ...rows], shape: [3, 2] });
    expect(await wazarr._zarrita_internal_get(array, [2, 1], {}, setter)).toBe(4);
  },
);

test("a codec of the registry takes the metadata of before 0.7", async () => {
  const entry = await wazarr.registry.get("bytes")?.();
  const meta = JSON.parse('{ "data_type": "int16", "shape": [2], "codecs": [] }');
  const chunk = await entry?.fromConfig({ endian: "big" }, meta).decode(Uint8Array.of(0, 1, 1, 0));
  expect(chunk.data).toEqual(Int16Array.of(1, 256));
});
