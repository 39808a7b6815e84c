/**
 * Structs that are not stored in memory order, through get and set with selections: single elements, steps,
 * backwards, across chunks, partial chunks written over, in either memory layout, in shards and in shards
 * behind a codec that changes values.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registry } from "../../src/core/codecs/registry/registry.js";
import { setKernels } from "../../src/extend.js";
import { normaliseSelection } from "../../src/grid/selection.js";
import { create, get, type Json, type Selection, set, slice } from "../../src/index.js";
import { loadExtraDataTypes, resolveDataType } from "../../src/main/data-types.js";
import { hexFromBytes } from "../interop/elements.js";
import { BIG, TRANSPOSED } from "../setup/codecs.js";
import { positions } from "./reference.js";

/** What an element is made of, by hand: bytes of each piece, and whether they are stored backwards. */
interface Layout {
  readonly name: string;
  readonly dtype: Json;
  readonly pieces: readonly (readonly [length: number, backwards: boolean])[];
  readonly options: Readonly<Record<string, unknown>>;
}

const struct = (...types: string[]): Json => ({
  name: "struct",
  configuration: { fields: types.map((data_type, i) => ({ name: `f${i}`, data_type })) },
});
const wide = struct("uint8", "complex64", "float64", "uint8", "uint8", "int16");
const widePieces: Layout["pieces"] = [
  [1, true],
  [4, true],
  [4, true],
  [8, true],
  [1, true],
  [1, true],
  [2, true],
];
const mixed: Json = [
  ["a", "<i4"],
  ["b", ">f8"],
  [
    "c",
    [
      ["d", ">u2"],
      ["e", "<i2", [3]],
      ["f", ">i4", [2]],
    ],
  ],
  ["g", "|S3"],
];
const mixedPieces: Layout["pieces"] = [
  [4, false],
  [8, true],
  [2, true],
  [6, false],
  [4, true],
  [4, true],
  [3, false],
];
const sharded = {
  name: "sharding_indexed",
  configuration: { chunk_shape: [2, 3], codecs: [BIG], index_codecs: [BIG] },
};

const layouts: readonly Layout[] = [
  { name: "v3, big-endian", dtype: wide, pieces: widePieces, options: { codecs: [BIG] } },
  {
    name: "v3, one unit throughout",
    dtype: struct("float32", "complex64", "int32"),
    pieces: Array.from({ length: 4 }, () => [4, true] as const),
    options: { codecs: [BIG] },
  },
  {
    name: "v3, transposed",
    dtype: wide,
    pieces: widePieces,
    options: { codecs: [TRANSPOSED, BIG] },
  },
  { name: "v3, shards", dtype: wide, pieces: widePieces, options: { codecs: [sharded] } },
  {
    name: "v3, shards behind another codec",
    dtype: wide,
    pieces: widePieces,
    options: { codecs: [{ name: "test.same", configuration: {} }, sharded] },
  },
  {
    name: "v3, behind another codec, transposed",
    dtype: wide,
    pieces: widePieces,
    options: {
      codecs: [{ name: "test.same", configuration: {} }, TRANSPOSED, BIG],
    },
  },
  ...(["C", "F"] as const).map(
    (order): Layout => ({
      name: `v2, fields of both orders, ${order}`,
      dtype: mixed,
      pieces: mixedPieces,
      options: { zarrFormat: 2, order },
    }),
  ),
];

const SHAPE = [7, 10];
const CHUNK = [4, 6];
const selections: readonly Selection[] = [
  null,
  [2, 5],
  [slice(1, 6, 2), null],
  [slice(null, null, -1), slice(8, 1, -3)],
  [3, slice(2, 9)],
  ["...", 7],
  [slice(5, 7), slice(0, 10, 4)],
  [slice(2, 2), null],
];

/** Bytes that tell every position from every other. */
const pattern = (length: number, seed: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => Math.imul(i + seed, 0x9e3779b1) >>> 24);

function stored(element: Uint8Array, pieces: Layout["pieces"]): Uint8Array {
  const result = element.slice();
  let at = 0;
  for (const [length, backwards] of pieces) {
    if (backwards) result.subarray(at, at + length).reverse();
    at += length;
  }
  return result;
}

beforeAll(async () => {
  await loadExtraDataTypes();
  // A codec that may change values: elements reach it in memory order, one behind the other.
  registry.set("test.same", async () => ({
    codecKind: "array_to_array",
    fromConfig: (_, spec) => ({
      kind: "array_to_array",
      encoded: spec,
      decode: (elements) => elements.slice(),
      encode: (elements) => elements.slice(),
    }),
  }));
});
afterAll(() => {
  registry.delete("test.same");
  setKernels("auto");
});

describe.each(["wasm", "javascript"] as const)("with %s kernels", (kernels) => {
  it.each(layouts.map((layout) => [layout.name, layout] as const))("%s", async (_, layout) => {
    setKernels(kernels);
    const { dataType } = resolveDataType(layout.dtype);
    const { itemSize } = dataType;
    expect(layout.pieces.reduce((sum, [length]) => sum + length, 0)).toBe(itemSize);
    const fill = pattern(itemSize, 1000);
    const store = new Map<string, Uint8Array>();
    const array = await create(store, {
      shape: SHAPE,
      chunkShape: CHUNK,
      dtype: layout.dtype,
      fillValue: dataType.readScalar(fill, true),
      ...layout.options,
    });
    const model = new Uint8Array(70 * itemSize);
    for (let i = 0; i < 70; i++) model.set(fill, i * itemSize);
    const check = async (): Promise<void> => {
      for (const selection of selections) {
        const wanted = positions(selection, SHAPE).map((at) =>
          model.slice(at * itemSize, (at + 1) * itemSize),
        );
        const counts = normaliseSelection(selection, SHAPE).shape;
        if (counts.length === 0) {
          const bytes = new Uint8Array(itemSize);
          dataType.writeScalar(dataType.cast(await get(array, selection)), bytes);
          const [element = bytes] = wanted;
          const expected = new Uint8Array(itemSize);
          dataType.writeScalar(dataType.readScalar(element), expected);
          expect(hexFromBytes(bytes)).toBe(hexFromBytes(expected));
          continue;
        }
        const kept: Selection = [...(selection ?? ["..."])];
        const { data, shape } = await get(array, kept);
        expect(shape).toEqual(counts);
        const bytes = dataType.bytesOf(data) ?? new Uint8Array(0);
        expect(hexFromBytes(bytes)).toBe(wanted.map(hexFromBytes).join(""));
      }
    };
    await check();
    for (const [turn, selection] of [...selections.slice(1), null].entries()) {
      const { shape } = normaliseSelection(selection, SHAPE);
      const flat = positions(selection, SHAPE);
      const bytes = pattern(flat.length * itemSize, 7 * turn);
      if (shape.length === 0) await set(array, selection, dataType.readScalar(bytes, true));
      else await set(array, selection, { data: dataType.view(bytes), shape });
      flat.forEach((at, i) => {
        model.set(bytes.subarray(i * itemSize, (i + 1) * itemSize), at * itemSize);
      });
      await check();
    }
    // The last write was of everything: one chunk compared with elements turned around by hand.
    const chunk = store.get("/c/0/0") ?? store.get("/0.0") ?? new Uint8Array(0);
    const element = stored(model.subarray(11 * itemSize, 12 * itemSize), layout.pieces);
    expect(hexFromBytes(chunk)).toContain(hexFromBytes(element));
    await set(array, [slice(4, 7), slice(6, 10)], dataType.readScalar(fill, true));
    expect(store.has("/c/1/1") || store.has("/1.1")).toBe(false);
  });
});
