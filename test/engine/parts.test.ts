/** What is read of chunks that are stored as they are. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import type { AbsolutePath, OpenValue, RangeQuery, Store, ValueParts } from "../../src/core/stores/store.js";
import { type ChunkLengths, setKernels } from "../../src/extend.js";
import {
  create,
  get,
  getCoordinates,
  isZarrError,
  open,
  type Selection,
  set,
  slice,
} from "../../src/index.js";
import type { CodecOption } from "../../src/main/codecs.js";
import { BIG, LITTLE } from "../setup/codecs.js";
import { rangeOf } from "../setup/stores.js";
import { opened } from "./opened.js";
import { positions } from "./reference.js";

/** Values of a Map, and how many bytes of chunks are read; every `slow`th chunk cannot be opened at once. */
class PartStore implements Store {
  readonly kind = "files";
  readonly values: Map<string, Uint8Array>;
  bytes = 0;
  open = 0;
  readonly #slow: number;
  #answers = 0;

  constructor(values: Map<string, Uint8Array>, slow = Number.POSITIVE_INFINITY) {
    this.values = values;
    this.#slow = slow;
  }

  get(key: AbsolutePath): Uint8Array | undefined {
    return this.values.get(key);
  }

  async getParts(
    key: AbsolutePath,
    ranges: readonly RangeQuery[] | undefined,
  ): Promise<ValueParts | undefined> {
    const value = this.values.get(key);
    if (value === undefined) return undefined;
    const parts = ranges?.map((range) => rangeOf(value, range).slice()) ?? [value];
    for (const part of parts) this.bytes += part.length;
    return { parts, byteLength: value.length };
  }

  openNow(key: AbsolutePath): OpenValue | "later" | undefined {
    if (++this.#answers % this.#slow === 0) return "later";
    const value = this.values.get(key);
    return value && opened(value, this);
  }
}

const SHAPE = [70, 48, 50];
const CHUNK = 32;
const CHUNK_BYTES = CHUNK ** 3 * 4;
const elements = Float32Array.from({ length: 70 * 48 * 50 }, (_, i) => i + 1);
const LAYOUTS = {
  "little-endian": [LITTLE],
  "big-endian": [BIG],
  "F order": [{ name: "transpose", configuration: { order: [2, 1, 0] } }, LITTLE],
};

async function write(
  codecs: readonly CodecOption[],
  chunkShape: readonly ChunkLengths[] = [CHUNK, CHUNK, CHUNK],
): Promise<Map<string, Uint8Array>> {
  const values = new Map<string, Uint8Array>();
  const array = await create(values, { shape: SHAPE, chunkShape, dtype: "float32", codecs });
  await set(array, null, { data: elements, shape: SHAPE });
  return values;
}

async function read(store: Store, selection: Selection): Promise<unknown> {
  const array = await open(store, { kind: "array" });
  const result: unknown = await get(array, selection);
  return typeof result === "object" && result !== null && "data" in result ? result.data : result;
}

const plane: Selection = [37, null, null];
/** Also of a plane of a chunk in C order: 32 rows of 128 bytes. */
const PAGE = 4096;

describe.each(["wasm", "javascript"] as const)("%s", (kernels) => {
  afterAll(() => setKernels("auto"));

  test.each([
    ["little-endian", plane, 4 * PAGE],
    ["big-endian", plane, 4 * PAGE],
    // Every plane of the first dimension is all over the chunk; those at the edge of the array have 18 in the
    // last one.
    ["F order", plane, 2 * CHUNK_BYTES + 2 * 18 * PAGE],
    ["F order", [null, slice(16), 3], 3 * PAGE],
    // Two planes of one chunk and one of that before it.
    ["little-endian", [slice(65, 62, -1), 1, 2], (2 + 1) * PAGE],
    // Pages far from each other are read one by one.
    ["little-endian", [slice(null, null, 20), slice(0, 3), 0], 4 * PAGE],
    ["little-endian", [slice(30, 34), null, null], 4 * (2 + 2) * PAGE],
    // Planes near each other are read in one go: of 31 whole ones of eight chunks, and 4 of those at the edge.
    ["little-endian", [slice(null, null, -3), slice(1, null, 2), null], (8 * 31 + 4 * 4) * PAGE],
    ["little-endian", [5, 6, null], 2 * PAGE],
    ["little-endian", [69, 47, 49], PAGE],
  ] as const)("%s %j", async (layout, selection, bytes) => {
    setKernels(kernels);
    const values = await write(LAYOUTS[layout]);
    const wanted = positions(selection, SHAPE).map((at) => elements[at]);
    for (const slow of [Number.POSITIVE_INFINITY, 1, 3]) {
      const store = new PartStore(values, slow);
      const result = await read(store, selection);
      expect(result).toEqual(typeof result === "number" ? wanted[0] : Float32Array.from(wanted, Number));
      expect(store.bytes).toBe(bytes);
    }
  });
});

/** Chunks of 36 and 34 by 20 and 28 by 30 and 20. */
const LENGTHS = [
  [36, 34],
  [20, 28],
  [30, 20],
] as const;

test.each([
  // A plane of each of four chunks: from its page to the next, or to the end of the chunk.
  ["little-endian", plane, [2400, 1600, 3360, 2240]],
  ["big-endian", plane, [2400, 1600, 3360, 2240]],
  ["little-endian", [slice(30, 40), slice(18, 22), 31], undefined],
  ["F order", [slice(null, null, -1), 21, slice(28, 33)], undefined],
  ["big-endian", [slice(3, 70, 7), slice(null, null, 2), slice(29, 31)], undefined],
  ["F order", [69, 47, 49], undefined],
] as const)("chunks of different lengths, %s %j", async (layout, selection, planes) => {
  const values = await write(LAYOUTS[layout], LENGTHS);
  const wanted = positions(selection, SHAPE).map((at) => elements[at]);
  for (const slow of [Number.POSITIVE_INFINITY, 1, 3]) {
    const store = new PartStore(values, slow);
    const result = await read(store, selection);
    expect(result).toEqual(typeof result === "number" ? wanted[0] : Float32Array.from(wanted, Number));
    const all = 4 * 70 * 48 * 50;
    expect(store.bytes).toBeLessThan(all);
    if (planes === undefined) continue;
    const pages = planes.map((length) => {
      const end = Math.min(Math.ceil((2 * length) / PAGE) * PAGE, 34 * length);
      return end - Math.floor(length / PAGE) * PAGE;
    });
    expect(store.bytes).toBe(pages.reduce((sum, length) => sum + length, 0));
  }
});

/** The chunk [1, 0, 0] is damaged: said so at once and later. */
async function expectRefused(values: Map<string, Uint8Array>): Promise<void> {
  for (const slow of [Number.POSITIVE_INFINITY, 1]) {
    const failure = await read(new PartStore(values, slow), plane).catch((error: unknown) => error);
    expect(isZarrError(failure) && [failure.tag, failure.key, failure.chunk]).toEqual([
      "CodecError",
      "/c/1/0/0",
      [1, 0, 0],
    ]);
  }
}

test("a chunk of another's length is an error", async () => {
  const values = await write(LAYOUTS["little-endian"], LENGTHS);
  values.set("/c/1/0/0", values.get("/c/0/0/0") ?? new Uint8Array());
  await expectRefused(values);
});

test.each([
  ["a part's length", 4096],
  ["shorter than the part", 5],
  ["one byte too long", CHUNK_BYTES + 1],
])("a chunk of the wrong length is an error: %s", async (_, length) => {
  const values = await write(LAYOUTS["little-endian"]);
  values.set("/c/1/0/0", new Uint8Array(length));
  await expectRefused(values);
});

test("an absent chunk is the fill value", async () => {
  const values = await write(LAYOUTS["little-endian"]);
  values.delete("/c/1/0/0");
  expect(await read(new PartStore(values), [37, 0, slice(30, 34)])).toEqual(
    Float32Array.of(0, 0, 37 * 48 * 50 + 33, 37 * 48 * 50 + 34),
  );
});

/** Chunks of planes of 30 KiB, beside each other in a file as 8 of them; those at the far end have 5. */
describe("what is between selected planes", () => {
  const shape = [13, 120, 128];
  const planeBytes = 120 * 64 * 4;
  const all = Float32Array.from({ length: 13 * 120 * 128 }, (_, i) => i + 1);
  const SELECTIONS: readonly [Selection, bytes: number, pieces: number][] = [
    [[slice(null, null, 2), null, null], 2 * (4 + 3) * planeBytes, 14],
    [[slice(null, null, -2), slice(null, null, 2), slice(null, null, 2)], 2 * (4 + 3) * planeBytes, 14],
    [[slice(1, null, 3), null, slice(64, 128)], (3 + 1) * planeBytes, 4],
    // Five elements in each plane: as many pages.
    [[null, 7, slice(3, 8)], 13 * PAGE, 13],
    // Across the end of a page in every second plane.
    [[slice(3, 6), slice(15, 17), slice(0, 128)], 2 * 3 * PAGE, 6],
    // Neighbours, one piece each.
    [[slice(2, 5), null, slice(0, 64)], 3 * planeBytes, 1],
  ];

  async function writeAll(codecs: readonly CodecOption[] = [LITTLE]): Promise<Map<string, Uint8Array>> {
    const values = new Map<string, Uint8Array>();
    const options = { shape, chunkShape: [8, 120, 64], dtype: "float32", codecs } as const;
    await set(await create(values, options), null, all);
    return values;
  }
  const wantedOf = (selection: Selection): Float32Array =>
    Float32Array.from(positions(selection, shape), (at) => all[at] ?? 0);

  test.each(SELECTIONS)("is not read: %j", async (selection, bytes, pieces) => {
    const store = new PartStore(await writeAll());
    expect(await read(store, selection)).toEqual(wantedOf(selection));
    // Pages begin and end in the middle of planes.
    expect(store.bytes).toBeGreaterThanOrEqual(bytes);
    expect(store.bytes).toBeLessThanOrEqual(bytes + pieces * 2 * PAGE);
    expect(store.open).toBe(0);
  });

  test.each(SELECTIONS)("is read where the value cannot be opened at once: %j", async (selection) => {
    expect(await read(new PartStore(await writeAll(), 1), selection)).toEqual(wantedOf(selection));
  });

  test.each(SELECTIONS)("in big-endian F order and from files: %j", async (selection) => {
    const codecs = [{ name: "transpose", configuration: { order: [2, 0, 1] } }, BIG];
    const directory = await mkdtemp(join(tmpdir(), "wazarr-parts-"));
    try {
      const options = { shape, chunkShape: [8, 120, 64], dtype: "float32", codecs } as const;
      await set(await create(new FileSystemStore(directory), options), null, all);
      expect(await read(new FileSystemStore(directory), selection)).toEqual(wantedOf(selection));
      expect(await read(new PartStore(await writeAll(codecs)), selection)).toEqual(wantedOf(selection));
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  test.each([-1, 1, 5 - 8 * planeBytes])("a chunk that is %i bytes too long is an error", async (more) => {
    const values = await writeAll();
    const chunk = values.get("/c/0/0/0") ?? new Uint8Array();
    const wrong = new Uint8Array(chunk.length + more);
    wrong.set(chunk.subarray(0, wrong.length));
    values.set("/c/0/0/0", wrong);
    const store = new PartStore(values);
    const failure = await read(store, [slice(null, null, 2), null, null]).catch((error: unknown) => error);
    expect(isZarrError(failure) && [failure.tag, failure.key]).toEqual(["CodecError", "/c/0/0/0"]);
    expect(store.open).toBe(0);
  });

  test("an absent chunk is the fill value", async () => {
    const values = await writeAll();
    values.delete("/c/0/0/0");
    const selection: Selection = [slice(null, null, 2), 0, slice(62, 66)];
    const wanted = wantedOf(selection).map((value, i) => (i < 16 && i % 4 < 2 ? 0 : value));
    expect(await read(new PartStore(values), selection)).toEqual(wanted);
  });

  test("a failure closes the value", async () => {
    const store = new PartStore(await writeAll());
    const broken: Store = {
      kind: "files",
      get: (key) => store.get(key),
      openNow(key) {
        const value = store.openNow(key);
        const fail = (): never => {
          throw new Error("no such sector");
        };
        return value === undefined || value === "later" ? value : { ...value, read: fail };
      },
    };
    const failure = await read(broken, [slice(null, null, 2), null, null]).catch((error: unknown) => error);
    expect(isZarrError(failure) && [failure.tag, failure.key]).toEqual(["StoreError", "/c/0/0/0"]);
    expect(store.open).toBe(0);
  });
});

describe("single elements", () => {
  const large = [40, 64, 64];
  const all = Float32Array.from({ length: 40 * 64 * 64 }, (_, i) => i + 1);

  test.each([
    { name: "at once", slow: Number.POSITIVE_INFINITY },
    { name: "some of them later", slow: 2 },
  ])("far apart are read one by one, near ones together: $name", async ({ slow }) => {
    const values = new Map<string, Uint8Array>();
    const options = { shape: large, chunkShape: [32, 64, 64], dtype: "float32", codecs: [] } as const;
    await set(await create(values, options), null, all);
    const store = new PartStore(values, slow);
    const array = await open(store, { kind: "array" });
    store.bytes = 0;
    // Of the first chunk two near each other and one at its end, of the second one.
    const points = [
      [31, 2, 39, 2],
      [63, 1, 0, 1],
      [63, 5, 7, 0],
    ];
    const { data } = await getCoordinates(array, points);
    const [rows = [], columns = [], layers = []] = points;
    const expected = rows.map((row, i) => all[(row * 64 + (columns[i] ?? 0)) * 64 + (layers[i] ?? 0)]);
    expect(data).toEqual(Float32Array.from(expected));
    expect(store.bytes).toBe(3 * 4096);

    // So many that there is no room between them: chunks as they are.
    store.bytes = 0;
    const every = Int32Array.from({ length: 32 }, (_, i) => (i * 7) % 32);
    expect((await getCoordinates(array, [every, 0, 0])).data).toEqual(
      Float32Array.from(every, (row) => all[row * 64 * 64] ?? 0),
    );
    expect(store.bytes).toBeGreaterThan(31 * 64 * 64 * 4);
  });
});
