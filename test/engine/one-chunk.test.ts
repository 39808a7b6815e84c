/** What lies in one chunk of a Map is read in a way of its own, which has to give what the common way gives. */
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { loadExtraDataTypes } from "../../src/data-types/registry.js";
import {
  create,
  get,
  getChunk,
  isZarrError,
  open,
  parseDataType,
  type Store,
  set,
  setKernels,
} from "../../src/index.js";
import { anyEntry } from "./selections.js";

await loadExtraDataTypes();

const LITTLE = { name: "bytes", configuration: { endian: "little" } };
const BIG = { name: "bytes", configuration: { endian: "big" } };
const BLOSC = { cname: "lz4", clevel: 5, shuffle: "shuffle", typesize: 2, blocksize: 64 };
const CODECS = [
  [LITTLE],
  [BIG],
  [{ name: "transpose", configuration: { order: [1, 0] } }, BIG],
  [LITTLE, { name: "blosc", configuration: BLOSC }],
  [LITTLE, { name: "zstd", configuration: { level: 1, checksum: false } }],
  [LITTLE, { name: "gzip", configuration: { level: 1 } }],
  [LITTLE, { name: "crc32c" }],
];
const FILL_VALUES = { bool: true, uint8: 3, int16: 0, float32: Number.NaN, int64: 3n } as const;
const DTYPES = ["bool", "uint8", "int16", "float32", "int64"] as const;
const SHAPE = [7, 9];

/** The same values for the common way, which is taken for every store that is no plain Map. */
const inCommon = (map: Map<string, Uint8Array>): Store => ({ get: (key) => map.get(key) });

async function makeArray(dtype: (typeof DTYPES)[number], codecs: (typeof CODECS)[number], isFilled: boolean) {
  const map = new Map<string, Uint8Array>();
  const fillValue = FILL_VALUES[dtype];
  const options = { shape: SHAPE, chunkShape: [4, 5], dtype: parseDataType(dtype), codecs, fillValue };
  const array = await create(map, options);
  const { dataType } = array;
  const bytes = Uint8Array.from({ length: 63 * dataType.itemSize }, (_, i) =>
    dtype === "bool" ? i % 2 : 1 + (i % 60),
  );
  if (isFilled) await set(array, null, { data: dataType.view(bytes), shape: SHAPE });
  map.delete("/c/1/1");
  return map;
}

describe.each(["wasm", "javascript"] as const)("what lies in one chunk of a Map (%s)", (kernels) => {
  afterEach(() => setKernels("auto"));

  test("is what the common way reads, new or into memory that is there", async () => {
    setKernels(kernels);
    const cases = fc.record({
      dtype: fc.constantFrom(...DTYPES),
      codecs: fc.constantFrom(...CODECS),
      selection: fc.tuple(anyEntry(7, 9), anyEntry(9, 11)),
      isFilled: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ dtype, codecs, selection, isFilled }) => {
        const map = await makeArray(dtype, codecs, isFilled);
        const stored = [...map].map(([key, value]) => [key, value.slice()]);
        const common = await get(await open(inCommon(map), { kind: "array" }), selection);
        const array = await open(map, { kind: "array" });
        expect(await get(array, selection)).toEqual(common);
        // Plans are there now, and the memory of the first read is used again.
        const again = await get(array, selection);
        expect(again).toEqual(common);
        if (typeof again === "object" && again !== null && "data" in again) {
          const { data: out } = again;
          array.dataType.bytesOf(out)?.fill(1);
          await get(array, selection, { out });
          expect(again).toEqual(common);
        }
        expect([...map]).toEqual(stored);
      }),
      { numRuns: 300 },
    );
  });

  test("a chunk at the edge, beyond it too", async () => {
    setKernels(kernels);
    for (const codecs of CODECS) {
      const map = await makeArray("int16", codecs, true);
      const [array, common] = await Promise.all(
        [map, inCommon(map)].map((store) => open(store, { kind: "array" })),
      );
      if (array === undefined || common === undefined) throw new Error("no array");
      for (const chunk of [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ])
        expect(await getChunk(array, chunk)).toEqual(await getChunk(common, chunk));
    }
  });

  test("booleans are 0 or 1, whatever is stored", async () => {
    setKernels(kernels);
    const map = await makeArray("bool", [LITTLE], true);
    map.set("/c/0/0", new Uint8Array(20).fill(2));
    const array = await open(map, { kind: "array" });
    const read = await get(array, [0, { start: 0, stop: 3, step: null }]);
    expect(array.dataType.bytesOf(read.data)).toEqual(Uint8Array.of(1, 1, 1));
  });

  test("damaged chunks are errors of the same words", async () => {
    setKernels(kernels);
    for (const codecs of CODECS) {
      const map = await makeArray("int16", codecs, true);
      map.set("/c/0/0", (map.get("/c/0/0") ?? new Uint8Array()).slice(0, -3));
      const failures = await Promise.all(
        [map, inCommon(map)].map(async (store) =>
          get(await open(store, { kind: "array" }), [0, 0]).then(
            () => "none",
            (error: unknown) => isZarrError(error) && `${error.tag} ${error.message}`,
          ),
        ),
      );
      expect(failures[0]).toContain("CodecError");
      expect(failures[0]).toBe(failures[1]);
    }
  });
});

test("an abort before it is the signal's reason", async () => {
  const array = await open(await makeArray("int16", [LITTLE], true), { kind: "array" });
  const reason = new Error("enough");
  await expect(get(array, [0, 0], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test("progress is told of", async () => {
  const array = await open(await makeArray("int16", [LITTLE], true), { kind: "array" });
  const told: unknown[] = [];
  await get(array, [0, 0], { onProgress: (progress) => told.push(progress) });
  expect(told).toEqual([{ chunksDone: 1, chunksTotal: 1, bytes: 2 }]);
});

test("a Map with a way of reading of its own is asked in that way", async () => {
  class Logged extends Map<string, Uint8Array> {
    readonly asked: string[] = [];
    override get(key: string): Uint8Array | undefined {
      this.asked.push(key);
      return super.get(key);
    }
  }
  const map = new Logged(await makeArray("int16", [LITTLE], true));
  const array = await open(map, { kind: "array" });
  map.asked.length = 0;
  await get(array, [0, 0]);
  expect(map.asked).toEqual(["/c/0/0"]);
});
