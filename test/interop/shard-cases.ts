/**
 * Sharded arrays to exchange, drawn at random with a fixed seed: metadata documents, elements, and the
 * regions to write.
 */
import fc from "fast-check";
import type { JsonObject } from "../../src/index.js";
import { BIG, GZIP, LITTLE } from "../setup/codecs.js";
import { hexFromBytes } from "./elements.js";

type Region = readonly (readonly [start: number, stop: number])[];

export interface ShardCase {
  /** For a test's name. */
  readonly name: string;
  readonly documents: { readonly "/zarr.json": JsonObject };
  readonly zarr_format: 3;
  readonly data_type: "int16";
  readonly shape: readonly number[];
  /** Shapes of inner chunk and shard, by dimension of the array. */
  readonly chunk: readonly number[];
  readonly shard: readonly number[];
  /** Little-endian hex, C order; the fill value outside `written`. */
  readonly data: string;
  readonly written: readonly Region[];
  /** What not every implementation can do. */
  readonly isTransposedBefore: boolean;
  readonly isWrapped: boolean;
}

export const FILL = -7;
const crc32c = { name: "crc32c" };
const zstd = { name: "zstd", configuration: { level: 1, checksum: true } };
const blosc = {
  name: "blosc",
  configuration: { cname: "lz4", clevel: 5, shuffle: "shuffle", typesize: 2, blocksize: 0 },
};

const cases: fc.Arbitrary<ShardCase> = fc.integer({ min: 1, max: 3 }).chain((rank) => {
  const perDimension = <T>(value: fc.Arbitrary<T>) => fc.array(value, { minLength: rank, maxLength: rank });
  const order = fc.option(
    fc.shuffledSubarray(
      Array.from({ length: rank }, (_, i) => i),
      { minLength: rank, maxLength: rank },
    ),
    { nil: null, freq: 2 },
  );
  const location = fc.constantFrom("start", "end");
  return fc
    .record({
      shape: perDimension(fc.integer({ min: 1, max: 12 })),
      chunk: perDimension(fc.integer({ min: 1, max: 3 })),
      factor: perDimension(fc.integer({ min: 1, max: 3 })),
      outerFactor: fc.option(perDimension(fc.integer({ min: 1, max: 2 })), { nil: null, freq: 3 }),
      location,
      outerLocation: location,
      indexCodecs: fc.constantFrom([LITTLE, crc32c], [LITTLE], [BIG, crc32c], [BIG]),
      endian: fc.constantFrom(LITTLE, BIG),
      compressors: fc.constantFrom([], [GZIP], [zstd], [blosc], [crc32c], [GZIP, crc32c]),
      inside: order,
      before: order,
      around: fc.constantFrom([], [], [], [GZIP], [crc32c], [zstd, crc32c]),
      writes: fc.array(perDimension(fc.tuple(fc.nat(11), fc.nat(11))), { minLength: 1, maxLength: 3 }),
      isWhole: fc.boolean(),
    })
    .map((drawn) => makeCase(drawn));
});

interface Drawn {
  readonly shape: readonly number[];
  readonly chunk: readonly number[];
  readonly factor: readonly number[];
  readonly outerFactor: readonly number[] | null;
  readonly location: string;
  readonly outerLocation: string;
  readonly indexCodecs: readonly JsonObject[];
  readonly endian: JsonObject;
  readonly compressors: readonly JsonObject[];
  readonly inside: readonly number[] | null;
  readonly before: readonly number[] | null;
  readonly around: readonly JsonObject[];
  readonly writes: readonly (readonly (readonly [number, number])[])[];
  readonly isWhole: boolean;
}

function makeCase(drawn: Drawn): ShardCase {
  const { shape, chunk, before, around, writes, isWhole } = drawn;
  const { codecs, shard } = codecsOf(drawn);
  const whole: Region = shape.map((length) => [0, length] as const);
  const regions = writes.map(
    (write): Region =>
      write.map(([a, b], d): readonly [number, number] => {
        const length = shape[d] ?? 1;
        return [Math.min(a, b) % length, Math.min(length, Math.max(a, b) + 1)];
      }),
  );
  const written = isWhole
    ? [whole]
    : regions.filter((region) => region.every(([start, stop]) => start < stop));
  return {
    name: `[${shape}] in shards [${shard}] of [${chunk}]: ${describe(codecs)}, written ${JSON.stringify(written)}`,
    documents: {
      "/zarr.json": {
        zarr_format: 3,
        node_type: "array",
        shape,
        data_type: "int16",
        chunk_grid: { name: "regular", configuration: { chunk_shape: shard } },
        chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
        codecs,
        fill_value: FILL,
        attributes: {},
      },
    },
    zarr_format: 3,
    data_type: "int16",
    shape,
    chunk: drawn.outerFactor === null ? chunk : product(chunk, drawn.factor),
    shard,
    data: elementsOf(shape, written),
    written,
    isTransposedBefore: before?.some((dimension, i) => dimension !== i) ?? false,
    isWrapped: around.length > 0,
  };
}

const product = (a: readonly number[], b: readonly number[]) => a.map((length, d) => length * (b[d] ?? 1));

function codecsOf(drawn: Drawn): { codecs: JsonObject[]; shard: readonly number[] } {
  const { chunk, factor, outerFactor, inside, before, around, compressors, endian } = drawn;
  const transposes = (order: readonly number[] | null) =>
    order === null ? [] : [{ name: "transpose", configuration: { order } }];
  const permuted = (lengths: readonly number[]) =>
    before === null ? lengths : before.map((dimension) => lengths[dimension] ?? 1);
  const sharding = (chunkShape: readonly number[], codecs: readonly JsonObject[], location: string) => ({
    name: "sharding_indexed",
    configuration: {
      chunk_shape: permuted(chunkShape),
      codecs,
      index_codecs: drawn.indexCodecs,
      index_location: location,
    },
  });
  const one = sharding(chunk, [...transposes(inside), endian, ...compressors], drawn.location);
  const middle = product(chunk, factor);
  const whole = outerFactor === null ? one : sharding(middle, [one], drawn.outerLocation);
  return {
    codecs: [...transposes(before), whole, ...around],
    shard: outerFactor === null ? middle : product(middle, outerFactor),
  };
}

function describe(codecs: readonly JsonObject[]): string {
  const words = JSON.stringify(codecs).match(
    /"(?:sharding_indexed|transpose|start|end|big|gzip|zstd|blosc|crc32c)"/g,
  );
  return (words ?? []).map((word) => JSON.parse(word)).join(" ");
}

/** Numbers that differ from their neighbours, inside the regions. */
function elementsOf(shape: readonly number[], regions: readonly Region[]): string {
  const count = shape.reduce((total, length) => total * length, 1);
  const elements = Int16Array.from({ length: count }, (_, flat) => {
    const position: number[] = [];
    let rest = flat;
    for (const length of shape.toReversed()) {
      position.unshift(rest % length);
      rest = Math.floor(rest / length);
    }
    const isInside = regions.some((region) =>
      region.every(([start, stop], d) => start <= (position[d] ?? 0) && (position[d] ?? 0) < stop),
    );
    return isInside ? 3 * flat - 300 : FILL;
  });
  return hexFromBytes(new Uint8Array(elements.buffer));
}

export function sampleShardCases(count: number): ShardCase[] {
  return fc.sample(cases, { seed: 20_261_121, numRuns: count });
}
