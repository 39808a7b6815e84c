/** Appends of several processes to one array in a bucket: what is committed never changes. */
import { describe, expect, test } from "vitest";
import { append, create, get, open, root, set } from "../../src/index.js";
import { S3Store } from "../../src/stores/buckets/s3.js";
import { memoryBucket } from "../stores/buckets/memory-bucket.js";

const LAYOUTS = [
  ["chunks", { chunkShape: [4], codecs: [] }],
  ["shards", { chunkShape: [2], shards: [4], codecs: [] }],
  ["Zarr 2", { chunkShape: [4], codecs: [], zarrFormat: 2 }],
] as const;

/** A bucket, and a store of it for each name, as another process would have: with locks of its own. */
function bucketOf(before: (who: string, request: Request) => Promise<void> = async () => {}) {
  const bucket = memoryBucket();
  const storeOf = (who: string) =>
    new S3Store("s3://b/p", {
      endpoint: `https://${who}.test`,
      retry: false,
      async fetch(request) {
        await before(who, request);
        return bucket.fetch(request);
      },
    });
  const arrayOf = (who: string) => open(root(storeOf(who)).resolve("a"), { kind: "array" });
  const appendAs = async (who: string, ...values: number[]) =>
    append(await arrayOf(who), { data: Int32Array.from(values), shape: [values.length] });
  const elements = async () => Array.from((await get(await arrayOf("reader"))).data, Number);
  return { bucket, storeOf, arrayOf, appendAs, elements };
}

describe.each(LAYOUTS)("%s", (_, layout) => {
  const made = async (options: ReturnType<typeof bucketOf>, ...values: number[]) => {
    const at = root(options.storeOf("maker")).resolve("a");
    const array = await create(at, { shape: [values.length], dtype: "int32", ...layout });
    if (values.length > 0) await set(array, null, { data: Int32Array.from(values), shape: [values.length] });
  };

  test("many at the same time: all elements are there, each append in one piece", async () => {
    let seed = 5;
    const bucket = bucketOf(async () => {
      seed = (seed * 48271) % 2147483647;
      await new Promise((resolve) => setTimeout(resolve, seed % 4));
    });
    await made(bucket);
    const expected: number[][] = [];
    const writers = ["x", "y", "z"].map(async (who, w) => {
      for (let i = 0; i < 6; i++) {
        // Also elements that are all fill value.
        const values = i === 3 ? [0, 0, 0, 0, 0] : new Array<number>(3).fill(100 * (w + 1) + i);
        await bucket.appendAs(who, ...values);
        expected.push(values);
      }
    });
    await Promise.all(writers);
    const found = await bucket.elements();
    expect(found.length).toBe(3 * (5 * 3 + 5));
    for (const [value = 0, ...rest] of expected) {
      if (value === 0) continue;
      const first = found.indexOf(value);
      expect(found.slice(first, first + 1 + rest.length)).toEqual([value, ...rest]);
    }
    expect(found.filter((value) => value === 0).length).toBe(15);
  });

  test.each([
    ["beyond the old end", [1, 2, 3, 4]],
    ["in the chunk at the old end", [1, 2]],
  ])("who is overtaken before it writes a chunk %s begins again", async (_name, old) => {
    let isArmed = false;
    let isOvertaken = false;
    const bucket = bucketOf(async (who, { method, url }) => {
      if (
        !isArmed ||
        who !== "slow" ||
        method !== "PUT" ||
        url.includes("zarr.json") ||
        url.endsWith(".zarray")
      )
        return;
      isArmed = false;
      await bucket.appendAs("quick", 10, 11, 12);
      isOvertaken = true;
    });
    await made(bucket, ...old);
    isArmed = true;
    await bucket.appendAs("slow", 20, 21, 22);
    expect(isOvertaken).toBe(true);
    expect(await bucket.elements()).toEqual([...old, 10, 11, 12, 20, 21, 22]);
  });

  test("what a failed append left is overwritten", async () => {
    let isBroken = false;
    const bucket = bucketOf(async (_who, { method, url }) => {
      if (isBroken && method === "PUT" && /zarr\.json|\.zarray/.test(url)) {
        if (++writes > 1) throw new TypeError("fetch failed");
      }
    });
    let writes = 0;
    await made(bucket, 1, 2, 3, 4);
    isBroken = true;
    await expect(bucket.appendAs("x", 7, 7, 7, 7, 7)).rejects.toMatchObject({ tag: "StoreError" });
    isBroken = false;
    expect(await bucket.elements()).toEqual([1, 2, 3, 4]);
    await bucket.appendAs("y", 5, 0);
    await bucket.appendAs("y", 6);
    expect(await bucket.elements()).toEqual([1, 2, 3, 4, 5, 0, 6]);
  });
});
