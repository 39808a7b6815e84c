/** Writes to buckets that are stored although their answer is lost. */
import { describe, expect, it } from "vitest";
import { append, create, get, isZarrError, open, resize, root, set } from "../../../src/index.js";
import { AzureStore } from "../../../src/stores/buckets/azure.js";
import { GcsStore } from "../../../src/stores/buckets/gcs.js";
import { S3Store } from "../../../src/stores/buckets/s3.js";
import { memoryBucket } from "../../stores/buckets/memory-bucket.js";

const ENDPOINT = "https://bucket.test";
const retry = { baseDelay: 0 };

describe.each([
  ["S3", (fetch) => new S3Store("s3://b/p", { endpoint: ENDPOINT, fetch, retry })],
  ["Google", (fetch) => new GcsStore("gs://b/p", { endpoint: ENDPOINT, fetch, retry })],
  ["Azure", (fetch) => new AzureStore("az://b/p", { endpoint: ENDPOINT, fetch, retry })],
] as const satisfies readonly (readonly [
  string,
  (fetch: (request: Request) => Promise<Response>) => S3Store | GcsStore | AzureStore,
])[])("%s", (_, storeOf) => {
  /** An array [1, 1, 1, 1], and a bucket that loses the answer to the next write of its document. */
  async function arrayOf(zarrFormat: 2 | 3) {
    let isArmed = false;
    let lost = 0;
    const { fetch } = memoryBucket((name) => {
      const isLost = isArmed && /zarr\.json|\.zarray/.test(name);
      isArmed &&= !isLost;
      lost += Number(isLost);
      return isLost;
    });
    const at = root(storeOf(fetch)).resolve("a");
    const array = await create(at, { shape: [4], chunkShape: [4], dtype: "int32", zarrFormat });
    await set(array, null, 1);
    isArmed = true;
    return { array, reopened: async () => open(at, { kind: "array" }), lost: () => lost };
  }

  it.each([2, 3] as const)("an append is said to be done, and is done once: Zarr %i", async (zarrFormat) => {
    const { array, reopened, lost } = await arrayOf(zarrFormat);
    const longer = await append(array, { data: Int32Array.of(5, 6, 7, 8), shape: [4] });
    expect([longer.shape, lost()]).toEqual([[8], 1]);
    expect((await get(await reopened())).data).toEqual(Int32Array.of(1, 1, 1, 1, 5, 6, 7, 8));
  });

  it("so is a resize", async () => {
    const { array, reopened, lost } = await arrayOf(3);
    expect([(await resize(array, [9])).shape, lost()]).toEqual([[9], 1]);
    expect((await reopened()).shape).toEqual([9]);
  });

  it("a write that another one overtook is a conflict all the same", async () => {
    const { fetch, objects } = memoryBucket(() => true);
    const store = storeOf(async (request) => {
      if (request.method === "GET" || request.method === "HEAD") return fetch(request);
      // The answer is lost, and before the write is done again, somebody else writes.
      const answer = await fetch(request).catch((error: unknown) => error);
      if (answer instanceof Response) return answer;
      for (const [name, { version }] of objects)
        objects.set(name, { body: Uint8Array.of(9), version: `${version}0` });
      throw answer;
    });
    const error = await store.set("/k", Uint8Array.of(1), { ifVersion: null }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(isZarrError(error, "ConflictError")).toBe(true);
    expect(await store.get("/k")).toEqual(Uint8Array.of(9));
  });

  it("without retries, what is stored decides, too", async () => {
    const { fetch } = memoryBucket(() => true);
    const store = storeOf(fetch);
    const once = Reflect.construct(store.constructor, [
      ...(store instanceof S3Store ? ["s3://b/p"] : store instanceof GcsStore ? ["gs://b/p"] : ["az://b/p"]),
      { endpoint: ENDPOINT, fetch, retry: false },
    ]);
    await once.set("/k", Uint8Array.of(1), { ifVersion: null });
    expect(await store.get("/k")).toEqual(Uint8Array.of(1));
    await expect(once.set("/k", Uint8Array.of(1))).rejects.toMatchObject({ isTransient: true });
  });
});

it("S3: the end of an upload in parts", async () => {
  let lost = 0;
  const { fetch, requests } = memoryBucket(
    (_, { method, url }) => method === "POST" && url.includes("uploadId") && ++lost > 0,
  );
  const store = new S3Store("s3://b/p", { endpoint: ENDPOINT, fetch, retry, partBytes: 5 << 20 });
  const value = new Uint8Array(6 << 20).fill(3);
  await store.set("/long", value);
  expect(lost).toBe(1);
  expect(requests.map(({ method }) => method)).toEqual([
    "POST",
    "PUT",
    "PUT",
    "POST",
    "POST",
    "DELETE",
    "GET",
  ]);
  expect((await store.get("/long"))?.length).toBe(value.length);
});
