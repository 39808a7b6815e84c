/**
 * Stores that copy what they are given get shards from memory that is used again, put together where inner
 * chunks were encoded: the same bytes.
 */
import { describe, expect, test } from "vitest";
import { type AbsolutePath, create, get, open, type Selection, set, slice } from "../../../src/index.js";
import type { CodecOption } from "../../../src/main/codecs.js";
import { GZIP, LITTLE, TRANSPOSED } from "../../setup/codecs.js";

class CopyingStore {
  readonly copiesValues = true;
  readonly values = new Map<string, Uint8Array>();

  get(key: AbsolutePath): Uint8Array | undefined {
    return this.values.get(key);
  }
  async set(key: AbsolutePath, value: Uint8Array): Promise<void> {
    // Late, as a disk is: by then the next shard is being encoded.
    await new Promise((done) => setTimeout(done));
    this.values.set(key, value.slice());
  }
}

const SHAPE = [60, 70];
const sharding = (location: string, codecs: readonly CodecOption[]): CodecOption[] => [
  {
    name: "sharding_indexed",
    configuration: {
      chunk_shape: [8, 8],
      codecs: codecs.map((codec) => (typeof codec === "string" ? { name: codec } : { ...codec })),
      index_codecs: [LITTLE, { name: "crc32c" }],
      index_location: location,
    },
  },
];

const kinds: readonly [name: string, codecs: readonly CodecOption[]][] = [
  ["as they are", [LITTLE]],
  ["in another order", [TRANSPOSED, LITTLE]],
  ["compressed, or longer where they are noise", [LITTLE, GZIP]],
];

describe.each(["start", "end"])("index at the %s", (location) => {
  test.each(kinds)("inner chunks %s", async (_, codecs) => {
    const copying = new CopyingStore();
    const plain = new Map<string, Uint8Array>();
    const arrays = await Promise.all(
      [copying, plain].map((store) =>
        create(store, {
          shape: SHAPE,
          dtype: "int32",
          chunkShape: [32, 24],
          codecs: sharding(location, codecs),
        }),
      ),
    );
    let state = 1;
    const noise = Int32Array.from({ length: 4200 }, () => (state = Math.imul(state, 1664525) + 1013904223));
    // Rows of noise, of zeros (which are left out), and of a pattern.
    const data = noise.map((value, i) => [value, 0, i][Math.floor(i / 700) % 3] ?? 0);
    const writes: [Selection, number[]][] = [
      [null, SHAPE],
      [
        [slice(0, 32), slice(0, 48)],
        [32, 48],
      ],
      [
        [slice(5, 50), slice(20, 40)],
        [45, 20],
      ],
    ];
    for (const [selection, shape] of writes) {
      const length = shape.reduce((product, extent) => product * extent, 1);
      for (const array of arrays) await set(array, selection, { data: data.subarray(0, length), shape });
      expect([...copying.values.keys()].sort()).toEqual([...plain.keys()].sort());
      for (const [key, value] of plain) expect(copying.values.get(key)).toEqual(value);
    }
    const [first, second] = await Promise.all(
      [copying, plain].map(async (store) => (await get(await open(store, { kind: "array" }))).data),
    );
    expect(first).toEqual(second);
  });
});
