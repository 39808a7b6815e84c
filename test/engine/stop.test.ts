/** The signal of a read, which is made when somebody wants it. */
import { describe, expect, test, vi } from "vitest";
import { createStop, StoreRead } from "../../src/engine/stop.js";
import { create, get, open, type Store, set, slice } from "../../src/index.js";

describe("what ends a read", () => {
  test("is the caller's signal, though nobody asked for one", () => {
    const caller = new AbortController();
    const stop = createStop(caller.signal);
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
      const stop = createStop(caller.signal);
      const made = isMade ? stop.signal() : undefined;
      stop.abort(reason);
      expect(() => stop.check()).toThrow(reason);
      expect(stop.signal().reason).toBe(reason);
      if (made !== undefined) expect(stop.signal()).toBe(made);
      expect(caller.signal.aborted).toBe(false);
    }
  });

  test("reaches a store by way of its options", () => {
    const stop = createStop(undefined);
    const { signal, byteLength, later } = new StoreRead(stop, undefined, 12);
    expect([byteLength, later, signal.aborted]).toEqual([12, undefined, false]);
    stop.abort(new Error("failed"));
    expect(signal.aborted).toBe(true);
  });
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
  const intoArena: Store = {
    get: (key) => map.get(key),
    getInto: (key, allocate) => {
      const value = map.get(key);
      if (value === undefined) return undefined;
      const copy = allocate(value.length);
      copy.set(value);
      return copy;
    },
  };
  const failing: Store = {
    get: async (key, options) => {
      if (key.endsWith("zarr.json")) return map.get(key);
      signals.push(options?.signal);
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
