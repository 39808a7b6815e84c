/**
 * What every store has to do, as a suite that any store can be run through. It speaks to the store through
 * src/core/stores/capabilities.ts, so what a store lacks is made of what it has, or is refused with
 * UnsupportedError.
 */
import { describe, expect, it, onTestFinished } from "vitest";
import {
  canList,
  deleteKey,
  deletePrefix,
  exists,
  listDir,
  listPrefix,
  readRange,
} from "../../src/core/stores/capabilities.js";
import {
  type AbsolutePath,
  isWritable,
  type Store,
  type WritableStore,
} from "../../src/core/stores/store.js";
import { askParts } from "../../src/core/stores/values.js";
import { checkStore } from "../../src/stores/check.js";

export interface Conformance {
  /** Every capability that is not claimed must be absent, so that nothing goes untested by mistake. */
  readonly canWrite: boolean;
  readonly canDelete: boolean;
  readonly canList: boolean;
  /**
   * False for other libraries' stores that fail for ranges beyond the end, keys below values, races, or
   * deleting nothing.
   */
  readonly isExact: boolean;
  /** What it tells about a value while it reads from it; nothing unless said. */
  readonly tells?: readonly ("length" | "version")[];
  readonly close?: (store: Store) => Promise<void>;
}

/** Makes a store that holds exactly these values. */
export type MakeStore = (values: ReadonlyMap<AbsolutePath, Uint8Array>) => Store | Promise<Store>;

/** Bytes that differ from any shifted copy of themselves. */
export function pattern(byteLength: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(byteLength);
  for (let index = 0, state = seed; index < byteLength; index++) {
    state = Math.imul(state, 1664525) + 1013904223;
    bytes[index] = state >>> 24;
  }
  return bytes;
}

/** `toEqual` takes seconds for values of a megabyte. */
export function expectBytes(actual: Uint8Array | undefined, expected: Uint8Array, message = "value"): void {
  expect(actual?.byteLength, `${message}: length in bytes`).toBe(expected.byteLength);
  if (actual === undefined) return;
  let offset = 0;
  while (offset < expected.byteLength && actual[offset] === expected[offset]) offset++;
  expect(offset, `${message}: offset of the first wrong byte`).toBe(expected.byteLength);
}

/** Keys that need escaping somewhere: in URLs, in paths, in shells. */
export const STRANGE_KEYS: readonly AbsolutePath[] = [
  "/with space/and\ttab",
  "/ünïcode/☃/𝄞",
  "/100%/%41",
  "/a%2Fb",
  "/a?b=c&d",
  "/a#b",
  "/a+b;c,d@e=f$g!h'(i)*~[j]{k}|^`",
  "/.hidden/...",
  "/CON",
  "/__proto__",
];

export function describeStore(name: string, makeStore: MakeStore, conformance: Conformance): void {
  async function make(values: Record<AbsolutePath, Uint8Array>): Promise<Store> {
    const entries = Object.entries(values).map(([key, value]): [AbsolutePath, Uint8Array] => [
      `/${key.slice(1)}`,
      value.slice(),
    ]);
    const store = await makeStore(new Map(entries));
    onTestFinished(async () => conformance.close?.(store));
    return store;
  }

  if (conformance.isExact)
    it(`${name} passes checkStore`, async () => {
      expect(await checkStore(makeStore, conformance.close)).toEqual([]);
    });

  describe(`${name}: reading`, () => {
    const value = pattern(300);
    const large = pattern(200_000, 2);

    it("returns the bytes that were stored, again and again", async () => {
      const store = await make({ "/a": value, "/b/c/d": large, "/b/one": pattern(1) });
      for (const _ of [1, 2]) {
        expectBytes(await store.get("/a"), value);
        expectBytes(await store.get("/b/c/d"), large);
        expectBytes(await store.get("/b/one"), pattern(1));
      }
    });

    it("tells an empty value from a missing one", async () => {
      const store = await make({ "/empty": new Uint8Array(0) });
      expectBytes(await store.get("/empty"), new Uint8Array(0));
      expect(await store.get("/missing")).toBeUndefined();
      expect(await exists(store, "/empty")).toBe(true);
      expect(await exists(store, "/missing")).toBe(false);
    });

    it("finds nothing below a missing prefix and below a value", async () => {
      const store = await make({ "/a/b": value });
      for (const key of ["/missing/b", "/a/c", "/b", "/a/b/c"] as const) {
        if (key === "/a/b/c" && !conformance.isExact) continue;
        expect(await store.get(key), key).toBeUndefined();
        expect(await exists(store, key), key).toBe(false);
        expect(await readRange(store, key, { offset: 0, length: 4 }), key).toBeUndefined();
        expect(await readRange(store, key, { suffixLength: 4 }), key).toBeUndefined();
        expect(await askParts(store, key, [{ suffixLength: 4 }]), key).toBeUndefined();
      }
    });

    it("tells strange keys apart", async () => {
      const entries = STRANGE_KEYS.map((key, index): [AbsolutePath, Uint8Array] => [
        key,
        pattern(20 + index, index),
      ]);
      const store = await make(Object.fromEntries(entries));
      for (const [key, expected] of entries) {
        expectBytes(await store.get(key), expected, key);
        expect(await exists(store, key), key).toBe(true);
      }
      expect(await store.get("/a")).toBeUndefined();
      expect(await store.get("/100%/A")).toBeUndefined();
    });

    it("reads ranges inside a value", async () => {
      const store = await make({ "/v": value });
      for (const [offset, length] of [
        [0, 300],
        [0, 1],
        [299, 1],
        [17, 100],
      ] as const) {
        const range = await readRange(store, "/v", { offset, length });
        expectBytes(range, value.subarray(offset, offset + length));
      }
      for (const suffixLength of [1, 100, 300]) {
        const range = await readRange(store, "/v", { suffixLength });
        expectBytes(range, value.subarray(300 - suffixLength));
      }
    });

    it("reads several ranges in the order asked for", async () => {
      const store = await make({ "/v": value });
      const ranges = [{ offset: 200, length: 50 }, { suffixLength: 4 }, { offset: 10, length: 230 }];
      const found = await askParts(store, "/v", ranges);
      expect(found?.parts.map((part) => Uint8Array.from(part))).toEqual([
        value.subarray(200, 250),
        value.subarray(296),
        value.subarray(10, 240),
      ]);
      expect((await askParts(store, "/v", []))?.parts).toEqual([]);
    });

    if (conformance.isExact) {
      it("cuts ranges off at the end of a value", async () => {
        const store = await make({ "/v": value, "/empty": new Uint8Array(0) });
        for (const [key, range, expected] of [
          ["/v", { offset: 290, length: 20 }, value.subarray(290)],
          ["/v", { offset: 300, length: 5 }, new Uint8Array(0)],
          ["/v", { offset: 1000, length: 5 }, new Uint8Array(0)],
          ["/v", { offset: 5, length: 0 }, new Uint8Array(0)],
          ["/v", { suffixLength: 301 }, value],
          ["/v", { suffixLength: 2 ** 40 }, value],
          ["/v", { suffixLength: 0 }, new Uint8Array(0)],
          ["/empty", { offset: 0, length: 1 }, new Uint8Array(0)],
          ["/empty", { suffixLength: 8 }, new Uint8Array(0)],
        ] as const) {
          const part = await readRange(store, key, range);
          expectBytes(part, expected, `${key} ${JSON.stringify(range)}`);
        }
      });
    }

    it(`tells ${conformance.tells?.join(" and ") ?? "nothing"} about a value`, async () => {
      const store = await make({ "/v": value, "/other": large });
      const answers = [
        await askParts(store, "/v", undefined),
        await askParts(store, "/v", [{ offset: 10, length: 20 }]),
        await askParts(store, "/v", [{ suffixLength: 20 }]),
        await askParts(store, "/v", [{ suffixLength: 4 }, { offset: 10, length: 1 }]),
      ];
      const tells = conformance.tells ?? [];
      const lengths = new Set(answers.map((answer) => answer?.byteLength));
      expect([...lengths]).toEqual(
        tells.includes("length") ? [300] : lengths.has(300) ? [300, undefined] : [undefined],
      );
      const versions = new Set(answers.map((answer) => answer?.version));
      expect([...versions].filter((version) => version !== undefined).length).toBe(
        tells.includes("version") ? 1 : 0,
      );
      if (!tells.includes("version") || !isWritable(store)) return;
      await store.set("/v", pattern(300, 9));
      const after = await askParts(store, "/v", [{ offset: 10, length: 20 }]);
      expect(versions.has(after?.version)).toBe(false);
    });

    it("answers many requests at once", async () => {
      const keys = Array.from({ length: 40 }, (_, index): AbsolutePath => `/many/c/${index}`);
      const store = await make(
        Object.fromEntries(keys.map((key, index) => [key, pattern(50 + index, index)])),
      );
      const values = await Promise.all(keys.map((key) => store.get(key)));
      for (const [index, value] of values.entries()) expectBytes(value, pattern(50 + index, index));
    });

    it("opens values for reading at once, where it offers that", async () => {
      const store = await make({ "/v": value, "/deep/v": value, "/empty": new Uint8Array(0) });
      const { openNow } = store;
      if (openNow === undefined) return expect("openNow" in store).toBe(false);
      const memory = new Uint8Array(1000);
      const allocate = (byteLength: number) => memory.subarray(7, 7 + byteLength);
      const opened = openNow.call(store, "/v");
      // A store may be too slow for it at any time.
      if (opened === "later") return;
      expect(opened?.byteLength).toBe(value.length);
      expect(opened?.read({ offset: 5, length: 7 }, allocate)).toEqual(value.subarray(5, 12));
      expect(opened?.read({ offset: 290, length: 50 }, allocate)).toEqual(value.subarray(290));
      expect(opened?.read({ offset: 1000, length: 2 ** 40 }, allocate)).toEqual(new Uint8Array(0));
      expect(opened?.read({ suffixLength: 2 ** 40 }, allocate)).toEqual(value);
      for (const probable of [undefined, 0, 299, 300, 301])
        expect(opened?.whole(allocate, probable)).toEqual(value);
      opened?.close();
      const whole = (key: AbsolutePath) => {
        const one = openNow.call(store, key);
        return one === undefined || one === "later" ? one : one.whole(allocate);
      };
      expect([new Uint8Array(0), "later"]).toContainEqual(whole("/empty"));
      for (const missing of ["/missing", "/v/below"] as const)
        expect([undefined, "later"]).toContain(whole(missing));
      const short = () => {
        const one = openNow.call(store, "/v", { maximumBytes: 299 });
        if (one === "later") throw new Error("at most 299 bytes");
        one?.whole(allocate);
      };
      expect(short).toThrow(/at most 299 bytes/);
    });

    it("reads parts into memory of the caller, where it offers that", async () => {
      const store = await make({ "/v": value });
      if (store.getParts === undefined) return expect("getParts" in store).toBe(false);
      const lent: ArrayBufferLike[] = [];
      const allocate = (byteLength: number) => {
        const memory = new Uint8Array(1000);
        lent.push(memory.buffer);
        return memory.subarray(7, 7 + byteLength);
      };
      const ranges = [{ offset: 290, length: 50 }, { suffixLength: 2 ** 40 }, { offset: 5, length: 0 }];
      const found = await store.getParts("/v", ranges, { allocate });
      expect(found?.parts).toEqual([value.subarray(290), value, new Uint8Array(0)]);
      if (lent.length > 0) expect(found?.parts.map(({ buffer }) => buffer)).toEqual(lent);
      expect((await store.getParts("/v", undefined, { allocate }))?.parts).toEqual([value]);
      expect(await store.getParts("/missing", ranges, { allocate })).toBeUndefined();
    });
  });

  describe(`${name}: writing`, () => {
    it(`${conformance.canWrite ? "can" : "cannot"} write`, async () => {
      expect(isWritable(await make({}))).toBe(conformance.canWrite);
    });
    if (!conformance.canWrite) return;

    async function makeWritable(values: Record<AbsolutePath, Uint8Array> = {}): Promise<WritableStore> {
      const store = await make(values);
      if (!isWritable(store)) throw new Error("expected a store with `set`");
      return store;
    }

    it("is done with what was stored once it has answered, where it says so", async () => {
      const store = await makeWritable();
      if (store.copiesValues !== true) return expect(store.copiesValues).toBeUndefined();
      for (const byteLength of [10, 100_000]) {
        const mine = pattern(byteLength);
        await store.set("/v", mine);
        mine.fill(0);
        expectBytes(await store.get("/v"), pattern(byteLength));
      }
    });

    it("stores at once, where it says so", async () => {
      const store = await makeWritable();
      for (const byteLength of [0, 10, 100_000]) {
        const mine = pattern(byteLength);
        const key: AbsolutePath = `/at/once/${byteLength}`;
        const answer = store.setNow?.(key, mine);
        mine.fill(0);
        const stored = await store.get(key);
        if (answer === true) expectBytes(stored, pattern(byteLength));
        else expect(stored).toBeUndefined();
      }
    });

    it("stores values of every size, and parts of larger buffers", async () => {
      const store = await makeWritable();
      for (const byteLength of [0, 1, 4096, 65_535, 65_536, 1 << 20]) {
        const key: AbsolutePath = `/sizes/${byteLength}/c/0`;
        const buffer = pattern(byteLength + 20, byteLength + 1);
        await store.set(key, buffer.subarray(7, 7 + byteLength));
        expectBytes(await store.get(key), buffer.slice(7, 7 + byteLength));
      }
    });

    it("replaces values, and leaves alone what was read before", async () => {
      const store = await makeWritable({ "/v": pattern(100, 1) });
      const before = await store.get("/v");
      for (const [byteLength, seed] of [
        [200, 2],
        [10, 3],
        [100_000, 4],
        [0, 5],
        [100, 6],
      ] as const) {
        await store.set("/v", pattern(byteLength, seed));
        expectBytes(await store.get("/v"), pattern(byteLength, seed));
      }
      expectBytes(before, pattern(100, 1));
    });

    if (conformance.isExact) {
      it("stores one whole value when several writers race", async () => {
        const store = await makeWritable();
        const values = Array.from({ length: 8 }, (_, index) => pattern(70_000 + index, index));
        await Promise.all(values.map((value) => store.set("/race/v", value)));
        const winner = await store.get("/race/v");
        const expected = values.find((value) => value.byteLength === winner?.byteLength);
        expectBytes(winner, expected ?? new Uint8Array(0));
      });
    }

    it("stores under strange keys", async () => {
      const store = await makeWritable();
      for (const [index, key] of STRANGE_KEYS.entries()) await store.set(key, pattern(30, index));
      for (const [index, key] of STRANGE_KEYS.entries()) {
        expectBytes(await store.get(key), pattern(30, index), key);
      }
    });

    it(`${conformance.canDelete ? "deletes values" : "refuses to delete"}`, async () => {
      const store = await makeWritable({ "/a/b": pattern(3), "/a/c": pattern(4) });
      if (!conformance.canDelete) {
        await expect(deleteKey(store, "/a/b")).rejects.toMatchObject({ tag: "UnsupportedError" });
        return;
      }
      await deleteKey(store, "/a/b");
      expect(await store.get("/a/b")).toBeUndefined();
      expectBytes(await store.get("/a/c"), pattern(4));
      await deleteKey(store, "/a/c");
      expect(await exists(store, "/a/c")).toBe(false);
      await store.set("/a/c", pattern(5));
      expectBytes(await store.get("/a/c"), pattern(5));
    });

    if (conformance.canDelete && conformance.canList) {
      it("deletes prefixes and nothing else", async () => {
        const kept = { "/ab": pattern(1), "/b/a/x": pattern(2) };
        const store = await makeWritable({
          ...kept,
          "/a/x": pattern(3),
          "/a/y/z": pattern(4),
          "/a/y/w/0": pattern(5),
        });
        await deletePrefix(store, "/a/y/");
        expect((await listPrefix(store, "/")).sort()).toEqual(["/a/x", "/ab", "/b/a/x"]);
        await deletePrefix(store, "/a/");
        await deletePrefix(store, "/a/");
        await deletePrefix(store, "/missing/at/all/");
        await deletePrefix(store, "/ab/");
        expect((await listPrefix(store, "/")).sort()).toEqual(["/ab", "/b/a/x"]);
        for (const [key, value] of Object.entries(kept))
          expectBytes(await store.get(`/${key.slice(1)}`), value, key);
        await deletePrefix(store, "/");
        expect(await listPrefix(store, "/")).toEqual([]);
        await store.set("/again/0", pattern(6));
        expect(await listPrefix(store, "/")).toEqual(["/again/0"]);
      });
    }

    if (conformance.canDelete) {
      it("takes deleting what is missing for done", async () => {
        const store = await makeWritable({ "/a/b": pattern(3) });
        for (const key of ["/missing", "/missing/deep", "/a/b/c"] as const) {
          if (conformance.isExact) await deleteKey(store, key);
        }
        expectBytes(await store.get("/a/b"), pattern(3));
      });
    }
  });

  describe(`${name}: listing`, () => {
    it(`${conformance.canList ? "can" : "cannot"} be listed`, async () => {
      const store = await make({ "/a": pattern(1) });
      expect(canList(store)).toBe(conformance.canList);
      if (conformance.canList) return;
      await expect(listPrefix(store, "/")).rejects.toMatchObject({ tag: "UnsupportedError" });
      await expect(listDir(store, "/")).rejects.toMatchObject({ tag: "UnsupportedError" });
    });
    if (!conformance.canList) return;

    const keys: readonly AbsolutePath[] = [
      "/zarr.json",
      "/foo/zarr.json",
      "/foo/c/0/0",
      "/foo/c/0/1",
      "/foo/c/1/0",
      "/foobar/zarr.json",
      "/.zgroup",
    ];
    const values = Object.fromEntries(keys.map((key, index) => [key, pattern(5, index)]));

    it("lists all keys, by full name", async () => {
      const store = await make(values);
      expect((await listPrefix(store, "/")).sort()).toEqual([...keys].sort());
      const everything: AbsolutePath[] = [];
      for await (const key of (await store.list?.()) ?? (await listPrefix(store, "/"))) everything.push(key);
      expect(everything.sort()).toEqual([...keys].sort());
    });

    it("lists the keys below a prefix, at any depth", async () => {
      const store = await make(values);
      expect((await listPrefix(store, "/foo/")).sort()).toEqual([
        "/foo/c/0/0",
        "/foo/c/0/1",
        "/foo/c/1/0",
        "/foo/zarr.json",
      ]);
      expect((await listPrefix(store, "/foo/c/1/")).sort()).toEqual(["/foo/c/1/0"]);
    });

    it("lists keys and prefixes one level down, by full name", async () => {
      const store = await make(values);
      const sorted = async (prefix: AbsolutePath) => {
        const listing = await listDir(store, prefix);
        return { keys: [...listing.keys].sort(), prefixes: [...listing.prefixes].sort() };
      };
      expect(await sorted("/")).toEqual({
        keys: ["/.zgroup", "/zarr.json"],
        prefixes: ["/foo/", "/foobar/"],
      });
      expect(await sorted("/foo/")).toEqual({ keys: ["/foo/zarr.json"], prefixes: ["/foo/c/"] });
      expect(await sorted("/foo/c/")).toEqual({ keys: [], prefixes: ["/foo/c/0/", "/foo/c/1/"] });
      expect(await sorted("/foo/c/0/")).toEqual({ keys: ["/foo/c/0/0", "/foo/c/0/1"], prefixes: [] });
    });

    it("lists strange keys as they are", async () => {
      const store = await make(Object.fromEntries(STRANGE_KEYS.map((key) => [key, pattern(3)])));
      expect((await listPrefix(store, "/")).sort()).toEqual([...STRANGE_KEYS].sort());
    });

    it("finds nothing, and no error, below what is missing and below a value", async () => {
      const store = await make(values);
      for (const prefix of ["/missing/", "/foo/missing/deep/", "/fo/", "/zarr.json/"] as const) {
        expect(await listPrefix(store, prefix), prefix).toEqual([]);
        expect(await listDir(store, prefix), prefix).toEqual({ keys: [], prefixes: [] });
      }
      expect(await listPrefix(await make({}), "/")).toEqual([]);
      expect(await listDir(await make({}), "/")).toEqual({ keys: [], prefixes: [] });
    });

    if (conformance.canDelete) {
      it("forgets a prefix with the last key below it", async () => {
        const store = await make({ "/a/b/c/d": pattern(1), "/a/e": pattern(2) });
        await deleteKey(store, "/a/b/c/d");
        expect(await listDir(store, "/a/")).toEqual({ keys: ["/a/e"], prefixes: [] });
        await deletePrefix(store, "/a/");
        expect(await listDir(store, "/")).toEqual({ keys: [], prefixes: [] });
      });
    }
  });
}
