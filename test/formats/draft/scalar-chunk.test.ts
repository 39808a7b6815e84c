/** Arrays without dimensions, whose chunk zarr-python and GDAL store as "c0" where the draft says "c". */
import { describe, expect, test } from "vitest";
import { type AbsolutePath, create, get, getChunk, open, root, type Store, set } from "../../../src/index.js";
import { copyNode, verify } from "../../../src/main/copy.js";
import { arrayDocument, failure, hierarchy, keysOf, RecordingStore } from "./hierarchy.js";

const document = arrayDocument({
  shape: [],
  chunk_grid: { type: "regular", chunk_shape: [], separator: "/" },
});
const withChunks = (chunks: Record<string, readonly number[]>) =>
  hierarchy({ "meta/root/a.array.json": document }, chunks);

async function openScalar(store: Store) {
  const array = await open(root(store).resolve("a"), { kind: "array" });
  if (!array.is("uint8")) throw new Error("expected uint8");
  return array;
}

const [C, C0] = ["data/root/a/c", "data/root/a/c0"];
const chunksOf = (store: RecordingStore) =>
  Object.fromEntries(
    [...store.values].filter(([key]) => key.startsWith("/data/")).map(([key, [byte]]) => [key, byte]),
  );

test("is read from c, else from c0, else is the fill value", async () => {
  for (const [chunks, value] of [
    [{ [C]: [5] }, 5],
    [{ [C0]: [6] }, 6],
    [{ [C]: [5], [C0]: [6] }, 5],
    [{}, 0],
  ] as const) {
    const store = withChunks(chunks);
    const array = await openScalar(store);
    store.reset();
    expect(await get(array, [])).toBe(value);
    expect(store.requests).toEqual(C in chunks ? [`get /${C}`] : [`get /${C}`, `get /${C0}`]);
    expect((await getChunk(array, [])).data).toEqual(Uint8Array.of(value));
  }
});

describe("is written", () => {
  test("to c when it is new", async () => {
    const store = new RecordingStore();
    const options = { zarrFormat: "draft", shape: [], dtype: "uint8" } as const;
    await set(await create(root(store).resolve("a"), options), [], 7);
    expect(chunksOf(store)).toEqual({ [`/${C}`]: 7 });
  });

  test("to where it is", async () => {
    for (const [before, after] of [
      [{ [C]: [5] }, { [`/${C}`]: 7 }],
      [{ [C0]: [5] }, { [`/${C0}`]: 7 }],
      [
        { [C]: [5], [C0]: [6] },
        { [`/${C}`]: 7, [`/${C0}`]: 6 },
      ],
    ] as const) {
      const store = withChunks(before);
      const array = await openScalar(store);
      await set(array, [], 7);
      expect(chunksOf(store)).toEqual(after);
      expect(await get(array, [])).toBe(7);
    }
  });

  test("nowhere when it is the fill value", async () => {
    const store = withChunks({ [C]: [5], [C0]: [6] });
    await set(await openScalar(store), [], 0);
    expect(chunksOf(store)).toEqual({});
  });

  test("also in a store that only reads and writes", async () => {
    const values = new Map([...withChunks({ [C0]: [5] }).values]);
    const store: Store = {
      get: (key: AbsolutePath) => values.get(key),
      set: (key: AbsolutePath, value: Uint8Array) => values.set(key, value),
    };
    const array = await openScalar(store);
    await set(array, [], 0);
    expect(values.get(`/${C0}`)).toEqual(Uint8Array.of(0));
    const readable: Store = { get: (key: AbsolutePath) => values.get(key) };
    expect(await failure(set(await openScalar(readable), [], 1))).toBe("UnsupportedError");
  });
});

test("is copied and verified under either key", async () => {
  for (const key of [C, C0]) {
    const store = withChunks({ [key]: [5] });
    const array = await openScalar(store);
    const target = new RecordingStore();
    await copyNode(array, root(target).resolve("a"));
    expect(keysOf(target)).toEqual(["/data/root/a/c", "/meta/root/a.array.json", "/zarr.json"]);
    expect(await get(await openScalar(target), [])).toBe(5);
    expect((await verify(store, { onProblem: () => undefined })).chunks).toBe(1);
  }
  expect((await verify(withChunks({}), { onProblem: () => undefined })).chunks).toBe(0);
});
