import { describe, expect, expectTypeOf, test } from "vitest";
import {
  type AbsolutePath,
  create,
  defineStoreExtension,
  extendStore,
  type FlushReport,
  get,
  HttpStore,
  isZarrError,
  MemoryStore,
  open,
  type Store,
  type StoreOptions,
  set,
  slice,
  updateAttributes,
  withByteCaching,
  withRangeCoalescing,
} from "../../../src/index.js";
import { RangeStore, rangeOf } from "../../setup/stores.js";
import { noteWarnings } from "../../setup/warnings.js";

/** A class with private fields, which a proxy must not get in the way of. */
class CountingStore extends RangeStore {
  readonly url = "test:counting";
  isBroken = false;

  override async get(key: AbsolutePath, options?: StoreOptions): Promise<Uint8Array | undefined> {
    const value = await super.get(key, options);
    if (this.isBroken) throw new Error("broken");
    return value;
  }
}

const bytes = Uint8Array.from({ length: 100 }, (_, i) => i);
const values = () => new Map([["/value", bytes]]);

test("onFlush that throws is warned of, and reads go on", async () => {
  const warnings = noteWarnings();
  const failure = new Error("no report");
  const store = withRangeCoalescing(new CountingStore(values()), {
    onFlush() {
      throw failure;
    },
  });
  expect(await store.getRange("/value", { offset: 3, length: 2 })).toEqual(Uint8Array.of(3, 4));
  warnings.restore();
  expect(warnings.noted).toEqual([failure]);
});

describe("defineStoreExtension and extendStore", () => {
  test("members may be getters, of a class, or assigned later", () => {
    class Count {
      [member: string]: unknown;
      asked = 0;
      get count() {
        this.asked++;
        return this.asked;
      }
      twice() {
        return 2 * this.asked;
      }
    }
    const store = defineStoreExtension(() => new Count())(new CountingStore(values()));
    expect([store.count, store.count, store.twice()]).toEqual([1, 2, 4]);
    store.twice = () => 0;
    expect([store.twice(), "twice" in store, "toString" in store]).toEqual([0, true, true]);
    expect(String(store)).toBe("[object Object]");
  });

  test("five of them, of which one comes later", async () => {
    const tagged = (tag: string) => defineStoreExtension(() => ({ [tag]: true }));
    const later = defineStoreExtension(async () => ({ later: true }));
    const store = extendStore(
      new CountingStore(values()),
      tagged("a"),
      tagged("b"),
      later,
      tagged("c"),
      tagged("d"),
    );
    expect(store).toBeInstanceOf(Promise);
    const extended: object = await store;
    expect(["a", "b", "later", "c", "d"].filter((tag) => tag in extended)).toHaveLength(5);
  });
  const withLog = defineStoreExtension((store, log: string[] = []) => ({
    async get(key: AbsolutePath) {
      log.push(key);
      return store.get(key);
    },
    log,
  }));

  test("methods in front, everything else of the store itself", async () => {
    const inner = new CountingStore(values());
    const store = withLog(inner);
    expectTypeOf(store.log).toEqualTypeOf<string[]>();
    expect(await store.get("/value")).toBe(bytes);
    expect(await store.getRange("/value", { offset: 1, length: 2 })).toEqual(Uint8Array.of(1, 2));
    expect(store.log).toEqual(["/value"]);
    expect(store.url).toBe("test:counting");
    expect("url" in store && "log" in store).toBe(true);
    expect(store).toBeInstanceOf(CountingStore);
  });

  test("get cannot be gone round by the faster ways that a store has", async () => {
    const memory = new MemoryStore();
    const array = await create(memory, { shape: [4], chunkShape: [2], dtype: "uint8" });
    await set(array, null, 1);
    const log: string[] = [];
    await get(await open(withLog(memory, log), { kind: "array" }));
    expect(log).toEqual(["/zarr.json", "/c/0", "/c/1"]);
    // A store that answers straight into memory of the engine's.
    const quick = Object.assign(new MemoryStore(memory.values), {
      getInto: (): Uint8Array => Uint8Array.of(99, 99),
    });
    expect((await get(await open(withLog(quick), { kind: "array" }))).data).toEqual(
      Uint8Array.of(1, 1, 1, 1),
    );
  });

  test("extensions one in front of the other, asynchronous ones too", async () => {
    const later = defineStoreExtension(async () => ({ isLater: true }));
    const first: string[] = [];
    const inner = new CountingStore(values());
    expect(extendStore(inner)).toBe(inner);
    const now = extendStore(inner, (store) => withLog(store, first));
    expectTypeOf(now.log).toEqualTypeOf<string[]>();
    expect(now.log).toBe(first);
    const soon = extendStore(
      inner,
      (store) => withLog(store, first),
      (store) => later(store),
      (store) => withByteCaching(store),
    );
    expect(soon).toBeInstanceOf(Promise);
    const store = await soon;
    expectTypeOf(store.isLater).toEqualTypeOf<boolean>();
    expect(store.isLater).toBe(true);
    await store.get("/value");
    await store.get("/value");
    expect(first).toEqual(["/value"]);
  });
});

describe("withByteCaching", () => {
  test("values, ranges and absences are asked for once", async () => {
    const inner = new CountingStore(values());
    const store = withByteCaching(inner);
    for (let i = 0; i < 2; i++) {
      expect(await store.get("/value")).toBe(bytes);
      expect(await store.get("/nothing")).toBeUndefined();
      expect(await store.getRange("/value", { offset: 3, length: 2 })).toEqual(Uint8Array.of(3, 4));
      expect(await store.getRange("/value", { suffixLength: 1 })).toEqual(Uint8Array.of(99));
    }
    expect(inner.requests).toEqual(["/value", "/nothing", "/value 3+2", "/value -1"]);
  });

  test("at the same time, too; errors are not kept", async () => {
    const inner = new CountingStore(values());
    const store = withByteCaching(inner);
    inner.isBroken = true;
    await expect(Promise.all([store.get("/value"), store.get("/value")])).rejects.toThrow("broken");
    inner.isBroken = false;
    const [a, b] = await Promise.all([store.get("/value"), store.get("/value")]);
    expect(a).toBe(b);
    expect(inner.requests).toEqual(["/value", "/value"]);
  });

  test("one caller's abort is not another's", async () => {
    const inner = new CountingStore(values());
    const store = withByteCaching(inner);
    const { signal } = new AbortController();
    await Promise.all([store.get("/value", { signal }), store.get("/value")]);
    expect(inner.requests).toEqual(["/value", "/value"]);
    await store.get("/value", { signal });
    expect(inner.requests).toHaveLength(2);
  });

  test("in a cache and by names of the application's own", async () => {
    const inner = new CountingStore(values());
    const cache = new Map<string, Uint8Array | undefined>();
    const store = withByteCaching(inner, {
      cache,
      keyFor: (key, range) => (range === undefined ? `kept ${key}` : undefined),
    });
    await store.get("/value");
    await store.getRange("/value", { offset: 0, length: 1 });
    await store.getRange("/value", { offset: 0, length: 1 });
    expect([...cache.keys()]).toEqual(["kept /value"]);
    expect(inner.requests).toHaveLength(3);
    cache.clear();
    await store.get("/value");
    expect(inner.requests).toHaveLength(4);
  });

  test("what is asked for as it is stored now is read from the store, and kept", async () => {
    const map = values();
    const inner = new CountingStore(map);
    const store = withByteCaching(inner);
    const range = { offset: 0, length: 1 };
    await Promise.all([store.get("/value"), store.getRange("/value", range), store.get("/nothing")]);
    map.set("/value", Uint8Array.of(7)).set("/nothing", Uint8Array.of(8));
    expect(await store.get("/value")).toBe(bytes);
    expect(await store.get("/value", { current: true })).toEqual(Uint8Array.of(7));
    expect(await store.getRange("/value", range, { current: true })).toEqual(Uint8Array.of(7));
    expect(await store.get("/nothing", { current: true })).toEqual(Uint8Array.of(8));
    const count = inner.requests.length;
    expect(await store.get("/value")).toEqual(Uint8Array.of(7));
    expect(await store.get("/nothing")).toEqual(Uint8Array.of(8));
    expect(inner.requests).toHaveLength(count);
  });

  test("a request that began before is not shared with it, and does not undo it", async () => {
    const answers: ((value: Uint8Array) => void)[] = [];
    const asked: (boolean | undefined)[] = [];
    const store = withByteCaching({
      get: (_: AbsolutePath, options?: StoreOptions) => {
        asked.push(options?.current);
        return new Promise<Uint8Array>((resolve) => answers.push(resolve));
      },
    });
    const before = store.get("/value");
    const now = store.get("/value", { current: true });
    answers[1]?.(Uint8Array.of(2));
    await new Promise((resolve) => setTimeout(resolve));
    answers[0]?.(Uint8Array.of(1));
    expect(await Promise.all([before, now])).toEqual([Uint8Array.of(1), Uint8Array.of(2)]);
    expect(await store.get("/value")).toEqual(Uint8Array.of(2));
    expect(asked).toEqual([undefined, true]);
  });

  test("attributes that others wrote stay when a document is changed through it", async () => {
    const memory = new MemoryStore();
    await create(memory, { shape: [2], dtype: "uint8", attributes: { units: "m" } });
    const writable = defineStoreExtension(() => ({ set: memory.set.bind(memory) }));
    const cached = await open(writable(withByteCaching(memory)), { kind: "array" });
    await updateAttributes(await open(memory, { kind: "array" }), { title: "theirs" });
    const changed = await updateAttributes(cached, { units: "K" });
    expect(changed.attrs).toEqual({ units: "K", title: "theirs" });
    expect((await open(memory, { kind: "array" })).attrs).toEqual({ units: "K", title: "theirs" });
  });

  test("arrays are read through it, and not written", async () => {
    const memory = new MemoryStore();
    const made = await create(memory, { shape: [5], chunkShape: [2], dtype: "int16" });
    await set(made, null, { data: Int16Array.of(1, 2, 3, 4, 5), shape: [5] });
    const inner = new CountingStore(memory.values);
    const array = await open(withByteCaching(inner), { kind: "array" });
    expect((await get(array)).data).toEqual(Int16Array.of(1, 2, 3, 4, 5));
    const count = inner.requests.length;
    expect((await get(array, [slice(1, 4)])).data).toEqual(Int16Array.of(2, 3, 4));
    expect(inner.requests).toHaveLength(count);
    const cachedMemory = await open(withByteCaching(memory), { kind: "array" });
    const error = await set(cachedMemory, null, 1).catch((error: unknown) => error);
    expect(isZarrError(error) && error.message).toMatch(/write to the store itself/);
    expect((await get(made)).data).toEqual(Int16Array.of(1, 2, 3, 4, 5));
  });
});

describe("withRangeCoalescing", () => {
  test("ranges asked for in one turn are one request where they are close", async () => {
    const inner = new CountingStore(values());
    const reports: FlushReport[] = [];
    const store = withRangeCoalescing(inner, {
      coalesceSize: 10,
      onFlush: (report) => reports.push(report),
    });
    const ranges = [
      { offset: 50, length: 5 },
      { offset: 0, length: 4 },
      { offset: 13, length: 2 },
      { offset: 25, length: 2 },
      { offset: 98, length: 50 },
    ];
    const parts = await Promise.all(ranges.map((range) => store.getRange("/value", range)));
    expect(parts).toEqual(ranges.map(({ offset, length }) => bytes.slice(offset, offset + length)));
    expect(inner.requests).toEqual(["/value 0+15", "/value 25+2", "/value 50+5", "/value 98+50"]);
    expect(reports).toEqual([{ path: "/value", groupCount: 4, requestCount: 5, bytesFetched: 72 }]);
  });

  test("a range that is asked for as it is stored now passes caches", async () => {
    const memory = values();
    const store = withRangeCoalescing(withByteCaching(new CountingStore(memory)));
    const range = { offset: 0, length: 1 };
    await store.getRange("/value", range);
    memory.set("/value", Uint8Array.of(7));
    expect(await store.getRange("/value", range)).toEqual(Uint8Array.of(0));
    expect(await store.getRange("/value", range, { current: true })).toEqual(Uint8Array.of(7));
  });

  test.each([
    { offset: -1, length: 10 },
    { offset: 0, length: -1 },
    { offset: 0.5, length: 1 },
    { offset: Number.NaN, length: 1 },
    { offset: 1, length: Number.POSITIVE_INFINITY },
    { offset: 2 ** 53, length: 1 },
  ])("an invalid range fails alone: %o", async (invalid) => {
    const store = withRangeCoalescing(new MemoryStore(values()));
    const valid = (offset: number) => ({ offset, length: 2 });
    const outcomes = await Promise.allSettled(
      [valid(0), invalid, valid(4)].map((range) => store.getRange("/value", range)),
    );
    expect(outcomes).toMatchObject([
      { status: "fulfilled", value: Uint8Array.of(0, 1) },
      { status: "rejected", reason: { tag: "InvalidArgumentError" } },
      { status: "fulfilled", value: Uint8Array.of(4, 5) },
    ]);
  });

  test("a range to the end of the longest value does not fail others", async () => {
    const store = withRangeCoalescing(new MemoryStore(values()));
    const ranges = [
      { offset: 0, length: 1 },
      { offset: 98, length: Number.MAX_SAFE_INTEGER },
    ];
    const parts = await Promise.all(ranges.map((range) => store.getRange("/value", range)));
    expect(parts).toEqual([Uint8Array.of(0), Uint8Array.of(98, 99)]);
  });

  test("suffixes and ranges that can be aborted are requests of their own; no such key", async () => {
    const inner = new CountingStore(values());
    const store = withRangeCoalescing(inner);
    const { signal } = new AbortController();
    const [suffix, abortable, nothing] = await Promise.all([
      store.getRange("/value", { suffixLength: 2 }),
      store.getRange("/value", { offset: 0, length: 1 }, { signal }),
      store.getRange("/nothing", { offset: 0, length: 1 }),
    ]);
    expect([suffix, abortable, nothing]).toEqual([Uint8Array.of(98, 99), Uint8Array.of(0), undefined]);
    expect(inner.requests).toEqual(["/value -2", "/value 0+1", "/nothing 0+1"]);
  });

  /** Notes the options of every range that is asked for. */
  const noting = (asked: StoreOptions[]): Store => ({
    get: () => undefined,
    async getRange(_, range, options: StoreOptions = {}) {
      asked.push(options);
      return rangeOf(bytes, range);
    },
  });

  test.each([
    ["the largest of the bounds", [30, 50, 40], [50]],
    ["at least its own length, gaps included", [4, 4, 4], [24]],
    ["none where none has one", [undefined, undefined, undefined], [undefined]],
    ["none of a range without one", [30, undefined, 40], [40, undefined]],
    ["that of a range that is longer, in a request of its own", [30, 3, 40], [3, 40]],
  ])("the bound of a merged request: %s", async (_, bounds, expected) => {
    const asked: StoreOptions[] = [];
    const reports: FlushReport[] = [];
    const store = withRangeCoalescing(noting(asked), { onFlush: (report) => reports.push(report) });
    const parts = await Promise.all(
      bounds.map((maximumBytes, i) =>
        store.getRange("/value", { offset: 10 * i, length: 4 }, { maximumBytes }),
      ),
    );
    expect(parts).toEqual(bounds.map((_, i) => bytes.slice(10 * i, 10 * i + 4)));
    expect(asked.map(({ maximumBytes }) => maximumBytes)).toEqual(expected);
    expect(reports).toHaveLength(1);
  });

  test("a server that sends an endless value in place of a range is cut off", async () => {
    let sent = 0;
    const endless = (): Response =>
      new Response(
        new ReadableStream({
          pull(controller) {
            sent += 1000;
            controller.enqueue(new Uint8Array(1000));
            if (sent > 1e6) controller.close();
          },
        }),
      );
    const store = withRangeCoalescing(
      new HttpStore("https://example.com", { fetch: async () => endless(), retry: false }),
    );
    const outcomes = await Promise.allSettled(
      [0, 10].map((offset) => store.getRange("/value", { offset, length: 4 }, { maximumBytes: 5000 })),
    );
    expect(outcomes).toMatchObject([
      { status: "rejected", reason: { tag: "StoreError" } },
      { status: "rejected", reason: { tag: "StoreError" } },
    ]);
    expect(sent).toBeLessThan(20_000);
  });

  test("a failure is every caller's", async () => {
    const inner = new CountingStore(values());
    const store = withRangeCoalescing(
      defineStoreExtension(() => ({
        async getRange(): Promise<Uint8Array | undefined> {
          throw new Error("broken");
        },
      }))(inner),
    );
    const range = { offset: 0, length: 1 };
    const outcomes = await Promise.allSettled([store.getRange("/a", range), store.getRange("/a", range)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});
