/**
 * Writers in several processes on a store with conditional writes. Each writer here has a store with a place
 * of its own, so that the locks within one process do not keep them apart.
 */
import { describe, expect, it } from "vitest";
import { ConflictError } from "../../src/base/errors.js";
import { partsOf } from "../../src/core/stores/open-bytes.js";
import type {
  AbsolutePath,
  PartsOptions,
  RangeQuery,
  StoreOptions,
  WritableStore,
  WriteOptions,
} from "../../src/core/stores/store.js";
import { append, create, get, open, resize, set, slice, updateAttributes } from "../../src/index.js";

class Objects {
  readonly values = new Map<string, { readonly bytes: Uint8Array; readonly version: string }>();
  conflicts = 0;
  #count = 0;

  set(key: string, bytes: Uint8Array, ifVersion: WriteOptions["ifVersion"]): void {
    if (ifVersion !== undefined && (this.values.get(key)?.version ?? null) !== ifVersion) {
      this.conflicts++;
      throw new ConflictError("changed", { key });
    }
    this.values.set(key, { bytes: bytes.slice(), version: String(this.#count++) });
  }
}

/** A process's view of the objects: it answers a few turns later, in any order. */
class Process implements WritableStore {
  readonly kind = "network";
  readonly conditionalWrites: boolean;
  readonly #objects: Objects;

  constructor(objects: Objects, conditionalWrites = true) {
    this.#objects = objects;
    this.conditionalWrites = conditionalWrites;
  }

  async #later(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
  }
  async get(key: AbsolutePath) {
    await this.#later();
    return this.#objects.values.get(key)?.bytes.slice();
  }
  async getParts(key: AbsolutePath, ranges: readonly RangeQuery[] | undefined, _options?: PartsOptions) {
    await this.#later();
    const found = this.#objects.values.get(key);
    return found && partsOf(found.bytes.slice(), ranges, found.version);
  }
  async set(key: AbsolutePath, value: Uint8Array, options?: WriteOptions) {
    await this.#later();
    this.#objects.set(key, value, options?.ifVersion);
  }
  async delete(key: AbsolutePath, _options?: StoreOptions) {
    await this.#later();
    this.#objects.values.delete(key);
  }
  async list() {
    await this.#later();
    return [...this.#objects.values.keys()] as AbsolutePath[];
  }
}

const kinds = {
  chunks: { chunkShape: [4, 4] },
  shards: { chunkShape: [2, 2], shards: [4, 4] },
  compressed: { chunkShape: [4, 4], codecs: ["gzip"] },
} as const;

describe.each(Object.entries(kinds))("%s", (_, layout) => {
  async function written(conditionalWrites: boolean) {
    const objects = new Objects();
    await create(new Process(objects), { shape: [8, 8], dtype: "int32", ...layout });
    // Each process writes a column of every chunk.
    const writers = Array.from({ length: 8 }, async (_, column) => {
      const array = await open(new Process(objects, conditionalWrites), { kind: "array", dtype: "int32" });
      for (let row = 0; row < 8; row += 2) await set(array, [slice(row, row + 2), column], 1 + column);
    });
    await Promise.all(writers);
    const array = await open(new Process(objects), { kind: "array", dtype: "int32" });
    return { objects, data: Array.from((await get(array)).data) };
  }

  it("loses no elements of writers that change one chunk", async () => {
    const { objects, data } = await written(true);
    expect(data).toEqual(Array.from({ length: 64 }, (_, i) => 1 + (i % 8)));
    expect(objects.conflicts).toBeGreaterThan(0);
  });

  it("would lose some without conditions", async () => {
    const { data } = await written(false);
    expect(data).not.toEqual(Array.from({ length: 64 }, (_, i) => 1 + (i % 8)));
  });

  it("replaces a chunk that becomes empty instead of deleting it, and reports each part once", async () => {
    const objects = new Objects();
    const array = await create(new Process(objects), { shape: [4, 4], dtype: "int32", ...layout });
    await set(array, [0, null], 5);
    const parts: number[] = [];
    const [key = ""] = [...objects.values.keys()].filter((each) => each !== "/zarr.json");
    const before = objects.values.get(key)?.version;
    const other = await open(new Process(objects), { kind: "array", dtype: "int32" });
    await Promise.all([
      set(array, [0, null], 0, { onProgress: ({ bytes }) => parts.push(bytes) }),
      set(other, [3, null], 7),
    ]);
    expect(Array.from((await get(array, [slice(0, 4), 0])).data)).toEqual([0, 0, 0, 7]);
    expect(objects.values.get(key)?.version).not.toBe(before);
    expect(parts.at(-1)).toBe(16);
  });
});

describe("documents", () => {
  it("keeps the attributes of all writers", async () => {
    const objects = new Objects();
    await create(new Process(objects), { shape: [1], dtype: "int8" });
    const names = Array.from({ length: 6 }, (_, i) => `name ${i}`);
    await Promise.all(
      names.map(async (name) => updateAttributes(await open(new Process(objects)), { [name]: 1 })),
    );
    const { attributes } = (await open(new Process(objects))).metadata;
    expect(Object.keys(attributes).sort()).toEqual(names);
    expect(objects.conflicts).toBeGreaterThan(0);
  });

  it("appends one after the other if two processes append at the same time, and tells the second that resizes", async () => {
    const objects = new Objects();
    await create(new Process(objects), { shape: [2], dtype: "int8", chunkShape: [2] });
    const opened = () => open(new Process(objects), { kind: "array", dtype: "int8" });
    const added = { data: new Int8Array(2).fill(1), shape: [2] };
    await Promise.all([append(await opened(), added), append(await opened(), added)]);
    expect((await get(await opened())).data).toEqual(Int8Array.of(0, 0, 1, 1, 1, 1));
    const [one, two] = [await opened(), await opened()];
    const resized = await Promise.allSettled([resize(one, [8]), resize(two, [9])]);
    expect(resized.filter(({ status }) => status === "rejected").length).toBe(1);
  });
});
