/** Arrays as applications wrap them without an extension: a Proxy, an object that inherits, a subclass. */
import { expect, test } from "vitest";
import { create, get, getChunk, root, set, slice, Array as ZarrArray } from "../../src/index.js";

type Wrap = (array: ZarrArray<"int16">) => ZarrArray<"int16">;

async function made() {
  const store = new Map<string, Uint8Array>();
  const array = await create(root(store), { shape: [4, 3], dtype: "int16", chunkShape: [2, 2] });
  await set(array, null, {
    data: Int16Array.from({ length: 12 }, (_, i) => i),
    shape: [4, 3],
    stride: [3, 1],
  });
  return array;
}

const WRAPS: readonly (readonly [string, Wrap])[] = [
  ["a Proxy", (array) => new Proxy(array, {})],
  ["a Proxy that answers for its target", (array) => new Proxy(array, { get: (t, p) => Reflect.get(t, p) })],
  ["an object that inherits", (array) => Object.create(array)],
  [
    "a subclass",
    (array) => new (class extends ZarrArray<"int16"> {})(array.store, array.path, array.metadata),
  ],
];

test.each(WRAPS)("%s is an array", async (_, wrap) => {
  const plain = await made();
  const array = wrap(plain);
  expect(array).toBeInstanceOf(ZarrArray);
  expect([array.shape, array.chunks, array.dtype, array.shards, array.is("number")]).toEqual([
    ...[[4, 3], [2, 2], "int16", undefined, true],
  ]);
  const expected = await get(plain, [slice(1, 3), null]);
  expect(await get(array, [slice(1, 3), null])).toEqual(expected);
  expect(await array.getChunk([1, 0])).toEqual(await plain.getChunk([1, 0]));
  expect(await getChunk(array, [1, 0])).toEqual(await plain.getChunk([1, 0]));
  await set(array, [3, 2], 70);
  expect(await get(plain, [3, 2])).toBe(70);
  expect(array.resolve("/x").path).toBe("/x");
});

class Counting extends ZarrArray<"int16"> {
  readonly calls: number[][] = [];
  override async getChunk(...[coordinates, ...options]: Parameters<ZarrArray<"int16">["getChunk"]>) {
    this.calls.push([...coordinates]);
    const chunk = await super.getChunk(coordinates, ...options);
    return { ...chunk, data: chunk.data.map((value) => value + 100) };
  }
}

test("reads go through the `getChunk` of a subclass, writes do not", async () => {
  const plain = await made();
  const array = new Counting(plain.store, plain.path, plain.metadata);
  expect((await get(array, [1, slice(0, 3)])).data).toEqual(Int16Array.of(103, 104, 105));
  expect(array.calls).toEqual([
    [0, 0],
    [0, 1],
  ]);
  await set(array, [1, 1], 7);
  expect(await get(plain, [1, slice(0, 3)])).toMatchObject({ data: Int16Array.of(3, 7, 5) });
  expect(await get(array, [1, 1])).toBe(107);
});

test("reads go through the `getChunk` of a Proxy", async () => {
  const plain = await made();
  const calls: unknown[] = [];
  const array = new Proxy(plain, {
    get(target, name) {
      if (name !== "getChunk") return Reflect.get(target, name);
      return async (...[coordinates, options]: Parameters<typeof target.getChunk>) => {
        calls.push(coordinates);
        return target.getChunk(coordinates, options);
      };
    },
  });
  expect(await get(array)).toEqual(await get(plain));
  expect(calls).toHaveLength(4);
});

test("an array shows none of what it keeps for itself", async () => {
  const array = await made();
  expect(Reflect.ownKeys({ ...array }).filter((key) => typeof key === "symbol")).toEqual([]);
});
