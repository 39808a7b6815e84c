/**
 * The figures of docs/sharding.md that are counts, at the sizes they are given for: 128^3 shards of 32^3
 * inner chunks of float32, zstd.
 */
import { beforeAll, expect, test } from "vitest";
import { create, get, open, set, slice } from "../../../src/index.js";
import { RangeStore } from "../../setup/stores.js";

const EXTENT = 128;
const INNER = 32;
const store = new RangeStore();

beforeAll(async () => {
  const array = await create(store, {
    shape: [EXTENT, EXTENT, EXTENT],
    dtype: "float32",
    chunkShape: [INNER, INNER, INNER],
    shards: [EXTENT, EXTENT, EXTENT],
    codecs: [{ name: "zstd", configuration: { level: 1, checksum: false } }],
  });
  // Noise in the low bits, as instruments give it: inner chunks of some 100 KiB.
  const data = Float32Array.from({ length: EXTENT ** 3 }, (_, i) => {
    const noise = (Math.imul(i, 2654435761) >>> 8) % 1000;
    return Math.sin(i / 1e4) * 100 + noise / 7;
  });
  await set(array, null, { data, shape: array.shape });
});

async function fresh() {
  const copy = new RangeStore(store.map);
  const array = await open(copy, { kind: "array" });
  copy.reset();
  return { copy, array };
}

/** Encoded bytes of the inner chunks whose third coordinate is 0, from the index at the shard's end. */
function bytesOfPlane(): number {
  const shard = store.map.get("/c/0/0/0") ?? new Uint8Array();
  const count = (EXTENT / INNER) ** 3;
  const index = new DataView(shard.buffer, shard.byteOffset + shard.length - 16 * count - 4, 16 * count);
  let sum = 0;
  for (let i = 0; i < count; i += EXTENT / INNER) sum += Number(index.getBigUint64(16 * i + 8, true));
  return sum;
}

test("one inner chunk: two requests cold, one warm", async () => {
  const { copy, array } = await fresh();
  const chunk = [slice(32, 64), slice(0, 32), slice(64, 96)];
  await get(array, chunk);
  expect(copy.requests.length).toBe(2);
  copy.reset();
  await get(array, chunk);
  expect(copy.requests.length).toBe(1);
});

test("[:, :, 5] reads at most 1.2 times the bytes of the inner chunks it touches, index included", async () => {
  const { copy, array } = await fresh();
  await get(array, [null, null, 5]);
  const touched = bytesOfPlane();
  expect(touched).toBeGreaterThan(16 * 40_000);
  expect(copy.bytes).toBeGreaterThanOrEqual(touched);
  expect(copy.bytes).toBeLessThanOrEqual(1.2 * touched);
});
