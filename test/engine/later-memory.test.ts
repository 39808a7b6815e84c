/** Memory that a store which answers later is lent. */
import { expect, test } from "vitest";
import type { AbsolutePath, PartsOptions, RangeQuery, ValueParts } from "../../src/core/stores/store.js";
import type { ChunkLengths } from "../../src/extend.js";
import { create, get, root, set, slice } from "../../src/index.js";
import { LITTLE } from "../setup/codecs.js";

/** Answers later, into memory that it is lent, a byte or two at a time. */
class BorrowingStore {
  readonly map = new Map<string, Uint8Array>();
  readonly lent = new Set<ArrayBufferLike>();
  asked = 0;
  wait = 1;

  get(key: AbsolutePath): Uint8Array | undefined {
    return this.map.get(key);
  }

  set(key: AbsolutePath, value: Uint8Array): void {
    this.map.set(key, value);
  }

  async getParts(
    key: AbsolutePath,
    _: readonly RangeQuery[] | undefined,
    options: PartsOptions = {},
  ): Promise<ValueParts | undefined> {
    const value = this.map.get(key);
    if (value === undefined || options.allocate === undefined) return value && { parts: [value] };
    this.asked++;
    const into = options.allocate(value.length);
    this.lent.add(into.buffer);
    const half = value.length >> 1;
    into.set(value.subarray(0, half));
    await new Promise((resolve) => setTimeout(resolve, this.wait + (this.asked % 3)));
    options.signal?.throwIfAborted();
    into.set(value.subarray(half), half);
    return { parts: [into] };
  }
}

async function sample(codecs: string[], chunkShape: readonly ChunkLengths[] = [100, 300]) {
  const store = new BorrowingStore();
  const array = await create(store, { shape: [1000, 600], chunkShape, dtype: "float32", codecs });
  const data = Float32Array.from({ length: 600_000 }, (_, i) => Math.sin(i) * 1000);
  await set(array, null, data);
  return { store, array, data };
}

const isSame = (a: Float32Array, b: Float32Array): boolean =>
  a.length === b.length && a.every((value, i) => Object.is(value, b[i]));

const lengths = Array.from({ length: 5 }, () => [90, 110]).flat();

test.each([
  [[], undefined],
  [["gzip"], undefined],
  [["crc32c"], undefined],
  [[], [lengths, 300]],
  [["gzip"], [lengths, [280, 320]]],
])("is used again, and nobody sees another's bytes: %o in chunks of %o", async (codecs, chunkShape) => {
  const { store, array, data } = await sample(codecs, chunkShape);
  for (let twice = 0; twice < 2; twice++) {
    const results = await Promise.all([get(array), get(array), get(array, null, { concurrency: 2 })]);
    for (const result of results) expect(isSame(result.data, data)).toBe(true);
    const part = await get(array, [slice(150, 450), slice(null, null, -1)]);
    const expected = Float32Array.from({ length: 180_000 }, (_, i) => {
      const row = 150 + Math.floor(i / 600);
      return data[row * 600 + 599 - (i % 600)] ?? 0;
    });
    expect(isSame(part.data, expected)).toBe(true);
  }
  expect(store.asked).toBeGreaterThan(120);
  expect(store.lent.size).toBeLessThan(store.asked / 2);
});

test("is not used again where a read failed while others were still under way", async () => {
  const { store, array, data } = await sample([]);
  for (let i = 0; i < 5; i++) {
    const controller = new AbortController();
    const failing = get(array, null, { signal: controller.signal }).catch((reason: unknown) => reason);
    setTimeout(() => controller.abort(new Error("enough")), 1);
    const damaged = store.map.get("/c/3/1") ?? new Uint8Array();
    store.map.set("/c/3/1", damaged.subarray(1));
    await expect(get(array)).rejects.toMatchObject({ tag: "CodecError" });
    store.map.set("/c/3/1", damaged);
    expect(isSame((await get(array)).data, data)).toBe(true);
    await failing;
  }
});

test("is not used again while a write that failed still reads into it", async () => {
  const store = new BorrowingStore();
  const options = { shape: [200_000], chunkShape: [100_000], dtype: "uint8", codecs: [] } as const;
  const sound = await create(root(store).resolve("sound"), options);
  const failing = await create(root(store).resolve("failing"), options);
  await set(sound, null, 1);
  await set(failing, null, 2);
  const borrow = store.getParts.bind(store);
  store.getParts = async (key, ranges, options) => {
    if (key === "/failing/c/0") throw new Error("the disk is gone");
    if (key !== "/failing/c/1") return borrow(key, ranges, options);
    const into = options?.allocate?.(100_000) ?? new Uint8Array(100_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { parts: [into.fill(3)] };
  };
  await expect(set(failing, [slice(1, 199_999)], 4)).rejects.toMatchObject({ tag: "StoreError" });
  // Reads that borrow memory before those 20 ms are over, and look at it afterwards.
  store.wait = 40;
  const { data } = await get(sound);
  expect(data.every((value) => value === 1)).toBe(true);
});

test("is not used again while ranges are read into it for a read that failed", async () => {
  const store = new BorrowingStore();
  const index = { index_codecs: [LITTLE], index_data_type: "uint32" };
  const vlen = { name: "zarrs.vlen", configuration: { data_codecs: ["bytes"], ...index } };
  const array = await create(store, { shape: [8], dtype: "string", codecs: [vlen] });
  const texts = Array.from("abcdefgh", (letter) => letter.repeat(100_000));
  await set(array, null, texts);
  let isBroken = true;
  store.getParts = async (key, ranges = [], options) => {
    const value = store.map.get(key) ?? new Uint8Array();
    const [range = { offset: 0, length: value.length }] = ranges;
    const offset = "offset" in range ? range.offset : value.length - range.suffixLength;
    const length = "offset" in range ? range.length : range.suffixLength;
    const part = value.subarray(offset, offset + length);
    const state = { byteLength: value.length, version: "one" };
    if (length < 100_000) return { parts: [part], ...state };
    if (isBroken && part[0] === 97) throw new Error("the network is gone");
    const into = options?.allocate?.(length) ?? new Uint8Array(length);
    into.set(part);
    // The other range of the read that failed arrives while the second read waits.
    const isLate = isBroken;
    await new Promise((resolve) => setTimeout(resolve, isLate ? 20 : 40));
    if (isLate) into.fill(63);
    return { parts: [into], ...state };
  };
  await expect(get(array, [slice(0, 8, 4)])).rejects.toMatchObject({ tag: "StoreError" });
  isBroken = false;
  const { data } = await get(array, [slice(0, 8, 4)]);
  expect(data.map((text) => [text.length, ...new Set(text)])).toEqual([
    [100_000, "a"],
    [100_000, "e"],
  ]);
});
