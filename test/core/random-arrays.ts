/** Random arrays, codecs and selections: the same for the same seed. */
import type { JsonObject, Selection } from "../../src/index.js";
import { slice } from "../../src/index.js";
import { CRC32C, GZIP } from "../setup/codecs.js";

export type Random = (n: number) => number;
export type Codec = { readonly name: string; readonly configuration: JsonObject };

/** Element sizes of the types that are tried. */
export const TYPES: Readonly<Record<string, number>> = {
  ...{ int8: 1, uint8: 1, bool: 1, int16: 2, uint16: 2, int32: 4, uint32: 4, float32: 4 },
  ...{ int64: 8, uint64: 8, float64: 8, complex64: 8, complex128: 16 },
};

/** A generator of numbers below `n`. */
export function randomOf(seed: number): Random {
  let state = seed;
  return (n) => {
    state = (state * 16807) % 2147483647;
    return state % n;
  };
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[random(items.length)];
  if (item === undefined) throw new RangeError("nothing to pick");
  return item;
}

function compressors(random: Random, itemSize: number): Codec[] {
  const blosc = {
    cname: pick(random, ["lz4", "zstd", "zlib", "blosclz"]),
    clevel: 3,
    shuffle: pick(random, ["noshuffle", "shuffle", "bitshuffle"]),
    typesize: itemSize,
    blocksize: 0,
  };
  const zstd = { name: "zstd", configuration: { level: 1, checksum: random(2) === 0 } };
  return pick<Codec[]>(random, [
    [],
    [],
    [zstd],
    [GZIP],
    [CRC32C],
    [zstd, CRC32C],
    [{ name: "blosc", configuration: blosc }],
  ]);
}

function permutation(random: Random, rank: number): number[] {
  const order = Array.from({ length: rank }, (_, d) => d);
  return order.sort(() => random(3) - 1);
}

/** @param depth levels of shards */
export function codecsOf(random: Random, shape: readonly number[], itemSize: number, depth: number): Codec[] {
  const rank = shape.length;
  const order = permutation(random, rank);
  const isTransposed = rank > 1 && random(3) === 0;
  const before = isTransposed ? [{ name: "transpose", configuration: { order } }] : [];
  const endian = pick(random, ["little", "big"]);
  if (depth === 0) {
    const bytes = { name: "bytes", configuration: itemSize === 1 ? {} : { endian } };
    return [...before, bytes, ...compressors(random, itemSize)];
  }
  const stored = isTransposed ? order.map((d) => shape[d] ?? 1) : shape;
  const inner = stored.map((length) =>
    pick(
      random,
      Array.from({ length }, (_, i) => i + 1).filter((n) => length % n === 0),
    ),
  );
  const index = [{ name: "bytes", configuration: { endian } }];
  const around = random(6) === 0 ? compressors(random, 1) : [];
  return [
    ...before,
    {
      name: "sharding_indexed",
      configuration: {
        chunk_shape: inner,
        codecs: codecsOf(random, inner, itemSize, depth - 1),
        index_codecs: random(2) === 0 ? [...index, CRC32C] : index,
        index_location: pick(random, ["start", "end"]),
      },
    },
    ...around,
  ];
}

export function selectionOf(random: Random, shape: readonly number[]): Selection {
  if (random(8) === 0) return null;
  return shape.map((length) => {
    const kind = random(6);
    if (kind === 0) return null;
    if (kind === 1 && length > 0) return random(length) - (random(2) === 0 ? length : 0);
    const step = pick(random, [1, 1, 1, 2, 3, -1, -2, 7, -5]);
    return slice(random(5) ? random(length + 2) : null, random(5) ? random(length + 3) : null, step);
  });
}
