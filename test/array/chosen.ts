/**
 * Arrays of many kinds, and selections that are no boxes, for tests that compare them with a plain list of
 * elements.
 */
import fc from "fast-check";
import { type OrthogonalEntry, slice } from "../../src/index.js";
import { BIG, LITTLE } from "../setup/codecs.js";

export const LENGTHS = [7, 5, 9] as const;
export const COUNT = 7 * 5 * 9;

const CHUNKS = { chunkShape: [2, 4, 4] } as const;
const RECTILINEAR = { chunkShape: [[4, 2, 2], 4, [4, 1, 4]] } as const;

/** With a fill value that `toElement` gives too. */
export const LAYOUTS = [
  { name: "float32", options: { dtype: "float32", fillValue: 3, ...CHUNKS }, toElement: (i: number) => i },
  {
    name: "uint8, gzip",
    options: { dtype: "uint8", codecs: ["gzip"], ...CHUNKS },
    toElement: (i: number) => i % 256,
  },
  {
    name: "int64, shards, F order",
    options: { dtype: "int64", shards: [4, 4, 8], order: "F", ...CHUNKS },
    toElement: BigInt,
  },
  {
    name: "complex128, v2",
    options: { dtype: "complex128", zarrFormat: 2, ...CHUNKS },
    toElement: (i: number) => ({ re: i, im: -i }),
  },
  {
    name: "uint16, big-endian, in shards in shards",
    options: {
      dtype: "uint16",
      fillValue: 7,
      chunkShape: [4, 4, 8],
      codecs: [
        {
          name: "sharding_indexed",
          configuration: {
            chunk_shape: [4, 4, 4],
            codecs: [
              {
                name: "sharding_indexed",
                configuration: {
                  chunk_shape: [2, 2, 2],
                  codecs: [BIG],
                  index_codecs: [LITTLE],
                },
              },
              "gzip",
            ],
            index_codecs: [LITTLE, "crc32c"],
          },
        },
      ],
    },
    toElement: (i: number) => i,
  },
  {
    name: "bool, chunks of different lengths",
    options: { dtype: "bool", ...RECTILINEAR },
    toElement: (i: number) => i % 3 === 0,
  },
  {
    name: "int32, v2, big-endian, F order",
    options: { dtype: ">i4", zarrFormat: 2, order: "F", ...CHUNKS },
    toElement: (i: number) => i - 100,
  },
  {
    name: "float64, shards of different lengths",
    options: { dtype: "float64", chunkShape: [2, 2, 3], shards: [[4, 4], [2, 4], 9], codecs: ["zstd"] },
    toElement: (i: number) => i / 3,
  },
  {
    name: "bytes of 3",
    options: { dtype: "r24", fillValue: [1, 2, 3], ...CHUNKS },
    toElement: (i: number) => Uint8Array.of(i % 256, 0, i % 7),
  },
  {
    name: "string",
    options: { dtype: "string", fillValue: "nothing", ...CHUNKS },
    toElement: (i: number) => "x".repeat(i % 5) + i,
  },
  {
    name: "bytes of any length, shards",
    options: { dtype: "variable_length_bytes", shards: [4, 8, 8], ...CHUNKS },
    toElement: (i: number) => new Uint8Array(i % 4).fill(i % 256),
  },
  {
    name: "string, chunks of different lengths",
    options: { dtype: "string", codecs: ["gzip"], ...RECTILINEAR },
    toElement: (i: number) => `${i}`,
  },
] as const;

/** Where an element is in a list of all. */
export function placeOf([a = 0, b = 0, c = 0]: readonly number[]): number {
  return (a * LENGTHS[1] + b) * LENGTHS[2] + c;
}

/** The indices that an entry selects, worked out the plain way. */
export function indicesOf(entry: OrthogonalEntry, length: number): number[] {
  const all = Array.from({ length }, (_, i) => i);
  if (entry === null || entry === "...") return all;
  if (typeof entry === "number") return [entry < 0 ? entry + length : entry];
  if (Array.isArray(entry) && typeof entry[0] === "boolean") return all.filter((i) => entry[i] === true);
  if (!("start" in entry)) return Array.from(entry, (i) => (Number(i) < 0 ? Number(i) + length : Number(i)));
  const { start, stop, step } = entry;
  const within = all.slice(start ?? 0, stop ?? length);
  return (step ?? 1) > 0
    ? within.filter((_, i) => i % (step ?? 1) === 0)
    : all.toReversed().filter((_, i) => i % -(step ?? 1) === 0);
}

/** What is at the crossings, in C order. */
export function crossingsOf(selection: readonly OrthogonalEntry[]): number[][] {
  const [a = [], b = [], c = []] = selection.map((entry, d) => indicesOf(entry, LENGTHS[d] ?? 0));
  return a.flatMap((i) => b.flatMap((j) => c.map((k) => [i, j, k])));
}

/** Of the crossings, without the dimensions of integers. */
export function shapeOf(selection: readonly OrthogonalEntry[]): number[] {
  return selection
    .map((entry, d) => ({ entry, count: indicesOf(entry, LENGTHS[d] ?? 0).length }))
    .filter(({ entry }) => typeof entry !== "number")
    .map(({ count }) => count);
}

function entryOf(length: number): fc.Arbitrary<OrthogonalEntry> {
  const index = fc.integer({ min: -length, max: length - 1 });
  return fc.oneof(
    fc.constant(null),
    index,
    fc.array(index, { maxLength: 12 }),
    fc.array(index, { maxLength: 12 }).map((list) => Int32Array.from(list)),
    fc.array(index, { maxLength: 12 }).map((list) => BigInt64Array.from(list, BigInt)),
    fc.array(fc.boolean(), { minLength: length, maxLength: length }),
    fc
      .tuple(fc.nat(length), fc.nat(length), fc.constantFrom(1, 2, 3))
      .map(([a, b, step]) => slice(a, b, step)),
    fc.constantFrom(-1, -2).map((step) => slice(null, null, step)),
  );
}

export const orthogonal: fc.Arbitrary<OrthogonalEntry[]> = fc.tuple(...LENGTHS.map(entryOf));

/** Elements of any data type. */
export function listOf(data: unknown): unknown[] {
  if (!isIterable(data)) throw new Error(`expected elements, got ${String(data)}`);
  return [...data];
}

function isIterable(data: unknown): data is Iterable<unknown> {
  return typeof data === "object" && data !== null && Symbol.iterator in data;
}
