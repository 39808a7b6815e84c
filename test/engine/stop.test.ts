/** The signal of a read, which is made when somebody wants it. */
import { getEventListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import { Stop } from "../../src/base/abort.js";
import { create, get, open, type Store, set, slice } from "../../src/index.js";
import { LITTLE } from "../setup/codecs.js";
import { opened } from "./opened.js";

describe("what ends a read", () => {
  test("is the caller's signal, though nobody asked for one", () => {
    const caller = new AbortController();
    const stop = new Stop(caller.signal);
    stop.check();
    const reason = new Error("enough");
    caller.abort(reason);
    expect(() => stop.check()).toThrow(reason);
    expect(stop.signal().reason).toBe(reason);
  });

  test("is a failure of its own, whether a signal was made before it or after", () => {
    const reason = new Error("failed");
    for (const isMade of [true, false]) {
      const caller = new AbortController();
      const stop = new Stop(caller.signal);
      const made = isMade ? stop.signal() : undefined;
      stop.abort(reason);
      expect(() => stop.check()).toThrow(reason);
      expect(stop.signal().reason).toBe(reason);
      if (made !== undefined) expect(stop.signal()).toBe(made);
      expect(caller.signal.aborted).toBe(false);
    }
  });

  test.each([true, false])(
    "is the caller's signal no more after its end (a signal was made before: %s)",
    (isMade) => {
      const caller = new AbortController();
      const stop = new Stop(caller.signal);
      if (isMade) stop.signal();
      stop.end();
      expect(getEventListeners(caller.signal, "abort")).toEqual([]);
      caller.abort();
      expect(stop.signal().aborted).toBe(false);
    },
  );
});

test("reads at once make no signal, and others abort theirs when a part fails", async () => {
  const map = new Map<string, Uint8Array>();
  const shape = [8];
  await set(await create(map, { shape, chunkShape: [2], dtype: "uint8" }), null, {
    data: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8),
    shape,
  });
  const made = vi.spyOn(AbortController.prototype, "signal", "get");
  const signals: (AbortSignal | undefined)[] = [];
  const counts = { bytes: 0, open: 0 };
  const intoArena: Store = {
    kind: "files",
    get: (key) => map.get(key),
    openNow: (key) => {
      const value = map.get(key);
      return value && opened(value, counts);
    },
  };
  const failing: Store = {
    get: async (key, options) => {
      if (key.endsWith("zarr.json")) return map.get(key);
      signals.push(options?.signal ?? undefined);
      if (key.endsWith("0")) throw new Error("lost");
      return new Promise(() => {});
    },
    // A store that is only read has a signal for every request that several reads share.
    set: () => {},
  };
  try {
    for (const store of [map, intoArena]) {
      const array = await open(store, { kind: "array" });
      expect((await get(array)).data).toEqual(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
      expect(await get(array, [3])).toBe(4);
      expect((await get(array, [slice(1, 7)])).data).toEqual(Uint8Array.of(2, 3, 4, 5, 6, 7));
    }
    expect(made).not.toHaveBeenCalled();
    await expect(get(await open(failing, { kind: "array" }))).rejects.toThrow("lost");
    expect(signals.length).toBeGreaterThan(1);
    expect(signals.every((signal) => signal?.aborted === true)).toBe(true);
  } finally {
    made.mockRestore();
  }
});

test.each([undefined, [8]])(
  "an abort is the signal's reason, whatever the store makes of it (shards: %o)",
  async (shards) => {
    const map = new Map<string, Uint8Array>();
    await set(await create(map, { shape: [8], chunkShape: [2], shards, dtype: "uint8" }), null, 1);
    const caller = new AbortController();
    const store: Store = {
      get: (key, options) =>
        key.endsWith("zarr.json")
          ? map.get(key)
          : new Promise((_, reject) => {
              options?.signal?.addEventListener("abort", () =>
                reject(new Error("the connection was closed")),
              );
              setTimeout(() => caller.abort(new Error("enough")), 1);
            }),
      set() {},
    };
    const array = await open(store, { kind: "array" });
    await expect(get(array, null, { signal: caller.signal })).rejects.toThrow("enough");
  },
);

test("a read that failed leaves `out` alone: the caller may use it for something else", async () => {
  const map = new Map<string, Uint8Array>();
  // A chunk of 4 MiB is a band of its own.
  await set(await create(map, { shape: [2 << 22], chunkShape: [1 << 22], dtype: "uint8" }), null, 1);
  let arrived = false;
  const store: Store = {
    async get(key) {
      if (key === "/c/0") throw new Error("gone");
      if (key !== "/c/1") return map.get(key);
      await new Promise((resolve) => setTimeout(resolve, 10));
      arrived = true;
      return map.get(key);
    },
    // Of one that cannot be written nobody waits for the answer.
    set() {},
  };
  const out = new Uint8Array(2 << 22);
  const array = await open(store, { kind: "array" });
  await expect(get(array, null, { out })).rejects.toMatchObject({ tag: "StoreError", key: "/c/0" });
  expect(arrived).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(out.indexOf(1)).toBe(-1);
});

test("what failed at once is not tried again by the same read", async () => {
  const map = new Map<string, Uint8Array>();
  // Several bands, for each of which somebody is there.
  await create(map, { shape: [16 << 20], chunkShape: [1 << 20], dtype: "uint8" });
  let asked = 0;
  const store: Store = {
    kind: "memory",
    get: (key) => map.get(key),
    openNow() {
      asked++;
      throw new Error("gone");
    },
  };
  await expect(get(await open(store, { kind: "array" }))).rejects.toMatchObject({ tag: "StoreError" });
  expect(asked).toBe(1);
});
const VLEN = {
  name: "zarrs.vlen",
  configuration: { data_codecs: ["bytes"], index_codecs: [LITTLE], index_data_type: "uint32" },
};

test.each([
  { of: "chunks", isText: false, shards: undefined, length: 1 },
  { of: "inner chunks", isText: false, shards: [16], length: 1 },
  { of: "single strings", isText: true, shards: undefined, length: 1000 },
  { of: "single strings of shards", isText: true, shards: [16], length: 200_000 },
])("what arrives after an abort stays out of `out`: $of", async ({ isText, shards, length }) => {
  const map = new Map<string, Uint8Array>();
  const kind = isText ? { dtype: "string", codecs: [VLEN] } : { dtype: "uint8" };
  const array = await create(map, { shape: [16], chunkShape: [8], shards, ...kind });
  await set(array, null, isText ? Array.from({ length: 16 }, () => "x".repeat(length)) : 1);
  const waits: number[] = [];
  const later = async <Value>(value: Value): Promise<Value> => {
    // Longer than the read waits for a store that does not heed the signal; indexes are there.
    const wait = waits.shift() ?? 150;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    return value;
  };
  const store: Store = {
    get: (key) => (key.endsWith("zarr.json") ? map.get(key) : later(map.get(key))),
    getRange(key, range) {
      const value = map.get(key) ?? new Uint8Array();
      const from = "offset" in range ? range.offset : value.length - range.suffixLength;
      const end = "offset" in range ? from + range.length : value.length;
      return later(value.slice(from, end));
    },
    set() {},
  };
  const slow = await open(store, { kind: "array" });
  if (isText) waits.push(0);
  if (shards) waits.push(0);
  const out = isText ? ["mine"] : Uint8Array.of(7);
  const signal = AbortSignal.timeout(20);
  await expect(get(slow, [slice(3, 4)], { signal, out })).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(Array.from<unknown>(out)).toEqual([isText ? "mine" : 7]);
});
