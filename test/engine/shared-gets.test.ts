/** Reads that want the same chunk at the same time. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Readable } from "../../src/core/stores/store.js";
import { create, get, open, registry, set, slice } from "../../src/index.js";
import { LITTLE } from "../setup/codecs.js";
import { HeldStore, readOnly } from "../setup/stores.js";

const values = new Map<string, Uint8Array>();
const elements = Float32Array.from({ length: 16 }, (_, i) => i);

beforeEach(async () => {
  values.clear();
  const array = await create(values, { codecs: [], shape: [16], chunkShape: [4], dtype: "float32" });
  await set(array, null, elements);
});

function later(): { readonly promise: Promise<void>; readonly settle: () => void } {
  let settle = (): void => {};
  const promise = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}

async function opened(store: Readable) {
  const array = await open(store, { kind: "array" });
  await array.prepare();
  return array;
}

/** What becomes of a promise: its array's elements, or what it rejects with. */
const outcome = (result: Promise<{ readonly data: unknown }>): Promise<unknown> =>
  result.then(
    ({ data }) => data,
    (error: unknown) => error,
  );

describe("a store that cannot be written", () => {
  test("is asked once for a missing chunk that it answers at once, before the read is ready", async () => {
    values.delete("/c/0");
    const asked: string[] = [];
    const array = await open(
      {
        get(key) {
          asked.push(key);
          return values.get(key);
        },
      },
      { kind: "array" },
    );
    expect((await get(array, [slice(0, 4)])).data).toEqual(new Float32Array(4));
    expect(asked.filter((key) => key === "/c/0")).toEqual(["/c/0"]);
  });

  test("is asked for a chunk once, by two arrays of one store and three reads", async () => {
    const store = new HeldStore(values);
    const view = readOnly(store);
    const arrays = [await opened(view), await opened(view)] as const;
    const reads = [get(arrays[0]), get(arrays[1]), get(arrays[0])].map(outcome);
    await store.untilAsked(4);
    store.answer();
    expect(await Promise.all(reads)).toEqual([elements, elements, elements]);
    expect(store.requests.sort()).toEqual(["/c/0", "/c/1", "/c/2", "/c/3"]);
    const again = get(arrays[0]);
    await store.untilAsked(8);
    store.answer();
    expect((await again).data).toEqual(elements);
  });

  test("one read's abort is not the other's failure", async () => {
    const store = new HeldStore(values);
    const array = await opened(readOnly(store));
    const abort = new AbortController();
    const first = outcome(get(array, null, { signal: abort.signal }));
    await store.untilAsked(4);
    const second = outcome(get(array));
    await new Promise((resolve) => setTimeout(resolve, 5));
    const reason = new Error("no longer wanted");
    abort.abort(reason);
    expect(await first).toBe(reason);
    expect(store.aborted).toEqual([]);
    store.answer();
    expect(await second).toEqual(elements);
    expect(store.requests.length).toBe(4);
  });

  test("a request that nobody waits for any more is aborted, and made anew for the next read", async () => {
    const store = new HeldStore(values);
    const array = await opened(readOnly(store));
    const aborts = [new AbortController(), new AbortController()];
    const reads = aborts.map(({ signal }) => outcome(get(array, null, { signal })));
    await store.untilAsked(4);
    await new Promise((resolve) => setTimeout(resolve, 5));
    for (const abort of aborts) abort.abort(new Error("enough"));
    expect(await Promise.all(reads)).toEqual(aborts.map(({ signal }) => signal.reason));
    expect(store.aborted).toHaveLength(4);
    const next = get(array);
    await store.untilAsked(8);
    store.answer();
    expect((await next).data).toEqual(elements);
  });

  test("many requests of one read are no leak of listeners", async () => {
    const many = await create(values, {
      codecs: [],
      shape: [64],
      chunkShape: [4],
      dtype: "float32",
      overwrite: true,
    });
    await set(many, null, new Float32Array(64).fill(1));
    const listen = vi.spyOn(AbortSignal.prototype, "addEventListener");
    const store = new HeldStore(values);
    const read = get(await opened(readOnly(store)));
    await store.untilAsked(16);
    store.answer();
    await read;
    const signals = listen.mock.contexts;
    listen.mockRestore();
    for (const signal of signals) expect(signals.filter((other) => other === signal).length).toBeLessThan(4);
  });

  test("a failure is everybody's, and is not kept", async () => {
    const store = new HeldStore(values);
    const array = await opened(readOnly(store));
    const reads = [get(array), get(array)].map(outcome);
    await store.untilAsked(4);
    store.answer(new Error("the cable is cut"));
    for (const failure of await Promise.all(reads)) expect(failure).toMatchObject({ tag: "StoreError" });
    const next = get(array);
    await store.untilAsked(8);
    store.answer();
    expect((await next).data).toEqual(elements);
  });
});

test("a store that can be written is asked by every read: what was asked for before a write is old", async () => {
  const store = new HeldStore(values);
  const array = await opened(store);
  const reads = [get(array), get(array)].map(outcome);
  await store.untilAsked(8);
  store.answer();
  expect(await Promise.all(reads)).toEqual([elements, elements]);
});

describe("the first read of an array", () => {
  /** A codec whose code arrives when told to. */
  async function slowCodec(name: string) {
    const { promise, settle } = later();
    registry.set(name, async () => {
      await promise;
      return { codecKind: "bytes_to_bytes", fromConfig: () => identity };
    });
    const plain = new Map(values);
    const document = JSON.parse(new TextDecoder().decode(values.get("/zarr.json")));
    document.codecs = [LITTLE, { name }];
    values.set("/zarr.json", new TextEncoder().encode(JSON.stringify(document)));
    return { load: settle, plain };
  }
  const identity = {
    kind: "bytes_to_bytes",
    synchronous: true,
    encode: (bytes: Uint8Array) => bytes,
    decode: (bytes: Uint8Array) => bytes,
  } as const;

  test("asks for chunks while the code of the codecs is on its way, and for each once", async () => {
    const { load } = await slowCodec("test.slow-once");
    const store = new HeldStore(values);
    const array = await open(readOnly(store), { kind: "array" });
    const read = get(array, [slice(0, 8)]);
    await store.untilAsked(2);
    expect(store.requests).toEqual(["/c/0", "/c/1"]);
    // Answered before anybody reads them.
    store.answer();
    await new Promise((resolve) => setTimeout(resolve, 5));
    load();
    expect((await read).data).toEqual(elements.subarray(0, 8));
    expect(store.requests).toHaveLength(2);
    // They were kept for that read alone.
    const again = get(array, [slice(0, 8)]);
    await store.untilAsked(4);
    store.answer();
    await again;
  });

  test("asks for no more chunks than may be under way", async () => {
    const { load } = await slowCodec("test.slow-bounded");
    const store = new HeldStore(values);
    const read = get(await open(readOnly(store), { kind: "array" }), null, { concurrency: 1 });
    await store.untilAsked(1);
    load();
    for (let answered = 1; answered <= 4; answered++) {
      await store.untilAsked(answered);
      expect(store.requests).toHaveLength(answered);
      store.answer();
    }
    expect((await read).data).toEqual(elements);
  });

  test("that is aborted aborts what it asked for", async () => {
    const { load } = await slowCodec("test.slow-aborted");
    const store = new HeldStore(values);
    const abort = new AbortController();
    const read = outcome(get(await open(readOnly(store), { kind: "array" }), null, { signal: abort.signal }));
    await store.untilAsked(4);
    abort.abort(new Error("enough"));
    load();
    expect(await read).toEqual(new Error("enough"));
    expect(store.aborted).toHaveLength(4);
  });

  test("fails as the store does", async () => {
    const { load } = await slowCodec("test.slow-failed");
    const store = new HeldStore(values);
    const read = outcome(get(await open(readOnly(store), { kind: "array" })));
    await store.untilAsked(4);
    store.answer(new Error("no more"));
    load();
    expect(await read).toMatchObject({ name: "StoreError", message: expect.stringContaining("no more") });
  });
});
