/**
 * Checks that a store of your own does what wazarr expects of one.
 *
 * ```ts
 * import { checkStore } from "wazarr/stores/check";
 *
 * const problems = await checkStore((values) => ({ get: async (key) => values.get(key) }));
 * if (problems.length > 0) throw new Error(problems.join());
 * ```
 * @module
 */
import {
  type AbsolutePath,
  type Awaitable,
  askParts,
  deleteKeys,
  exists,
  invalid,
  isListable,
  isWritable,
  isZarrError,
  listDir,
  listPrefix,
  type RangeQuery,
  readRange,
  type Store,
  sliceRange,
} from "../core/for-stores.js";

/** Makes a store that holds these values and no others. */
export type MakeStore = (values: ReadonlyMap<AbsolutePath, Uint8Array>) => Awaitable<Store>;

interface Check {
  /** What a store does that passes. */
  readonly name: string;
  /** Whether it is expected of this store. */
  applies?(store: Store): boolean;
  /** @throws when the store does something else */
  run(store: Store): Promise<void>;
}

/** Bytes that differ from any shifted copy of themselves. */
function pattern(byteLength: number, seed = 1): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length: byteLength }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state >>> 24;
  });
}

const LONG = 100_000;

/** Values that each store holds before it is checked. Some keys need escapes in URLs, paths or shells. */
const VALUES: ReadonlyMap<AbsolutePath, Uint8Array> = new Map<AbsolutePath, Uint8Array>([
  ["/zarr.json", pattern(40, 1)],
  ["/empty", new Uint8Array(0)],
  ["/a/zarr.json", pattern(50, 2)],
  ["/a/c/0/0", pattern(300, 3)],
  ["/a/c/0/1", pattern(LONG, 4)],
  ["/ab/zarr.json", pattern(60, 5)],
  ["/with space/100%/%41", pattern(20, 6)],
  ["/ünïcode/☃/𝄞", pattern(21, 7)],
  ["/a?b=c&d#e+f", pattern(22, 8)],
]);

const RANGES: readonly RangeQuery[] = [
  { offset: 0, length: 300 },
  { offset: 17, length: 100 },
  { offset: 299, length: 1 },
  { offset: 290, length: 20 },
  { offset: 300, length: 5 },
  { offset: 5, length: 0 },
  { suffixLength: 4 },
  { suffixLength: 1000 },
];

const CHECKS: readonly Check[] = [
  {
    name: "get gives the bytes that were stored",
    async run(store) {
      for (const [key, value] of VALUES) same(await store.get(key), value, key);
    },
  },
  {
    name: "get gives undefined for what is missing",
    async run(store) {
      for (const key of ["/missing", "/a/missing", "/a/missing/x", "/b/zarr.json"] as const) {
        same((await store.get(key)) ?? undefined, undefined, key);
        is(await exists(store, key), false, `has(${JSON.stringify(key)})`);
      }
      is(await exists(store, "/empty"), true, 'has("/empty")');
    },
  },
  {
    name: "getRange gives the bytes of a range, cut at the end of the value",
    applies: (store) => store.getRange !== undefined,
    async run(store) {
      const value = storedAt("/a/c/0/0");
      for (const range of RANGES)
        same(await readRange(store, "/a/c/0/0", range), sliceRange(value, range), JSON.stringify(range));
      for (const range of RANGES)
        same((await readRange(store, "/missing", range)) ?? undefined, undefined, JSON.stringify(range));
    },
  },
  {
    name: "getParts gives several ranges in their order, and the same length and version each time",
    applies: (store) => store.getParts !== undefined,
    async run(store) {
      const value = storedAt("/a/c/0/0");
      const [some, whole] = [
        await askParts(store, "/a/c/0/0", RANGES),
        await askParts(store, "/a/c/0/0", undefined),
      ];
      is(some?.parts.length, RANGES.length, "number of parts");
      for (const [i, range] of RANGES.entries())
        same(some?.parts[i], sliceRange(value, range), JSON.stringify(range));
      same(whole?.parts[0], value, "whole value");
      is(some?.version, whole?.version, "version");
      for (const found of [some, whole])
        if (found?.byteLength !== undefined) is(found.byteLength, value.length, "byteLength");
      is(await askParts(store, "/missing", RANGES), undefined, "parts of a missing value");
    },
  },
  {
    name: "list and listPrefix give full names of all keys",
    applies: isListable,
    async run(store) {
      sameNames(await listPrefix(store, "/"), [...VALUES.keys()], "listPrefix of all");
      sameNames(
        await listPrefix(store, "/a/"),
        ["/a/zarr.json", "/a/c/0/0", "/a/c/0/1"],
        "listPrefix of /a/",
      );
      sameNames(await listPrefix(store, "/missing/"), [], "listPrefix of what is missing");
    },
  },
  {
    name: "listDir gives keys and prefixes one level down",
    applies: isListable,
    async run(store) {
      const { keys, prefixes } = await listDir(store, "/a/");
      sameNames(keys, ["/a/zarr.json"], "keys");
      sameNames(prefixes, ["/a/c/"], "prefixes");
      const missing = await listDir(store, "/missing/");
      sameNames([...missing.keys, ...missing.prefixes], [], "listDir of what is missing");
    },
  },
  {
    name: "set stores new values and replaces old ones, and leaves alone what was read before",
    applies: isWritable,
    async run(store) {
      const before = await store.get("/a/c/0/0");
      for (const byteLength of [0, 1, 300, LONG, 299]) {
        await store.set?.("/a/c/0/0", pattern(byteLength, 9));
        same(await store.get("/a/c/0/0"), pattern(byteLength, 9), `${byteLength} bytes`);
        await store.set?.(`/new/${byteLength}`, pattern(byteLength + 9, 10).subarray(9));
        same(await store.get(`/new/${byteLength}`), pattern(byteLength + 9, 10).slice(9), "part of a buffer");
      }
      same(before, storedAt("/a/c/0/0"), "what was read before");
    },
  },
  {
    name: "set no longer uses the caller's bytes once it has answered (copiesValues)",
    applies: (store) => store.copiesValues === true,
    async run(store) {
      const mine = pattern(LONG, 11);
      await store.set?.("/copied", mine);
      mine.fill(0);
      same(await store.get("/copied"), pattern(LONG, 11), "/copied");
    },
  },
  {
    name: "delete removes one value, and takes a missing one for done",
    applies: (store) => store.delete !== undefined,
    async run(store) {
      await deleteKeys(store, ["/a/c/0/1", "/missing", "/ab/zarr.json"]);
      for (const key of ["/a/c/0/1", "/ab/zarr.json"] as const)
        same((await store.get(key)) ?? undefined, undefined, key);
      same(await store.get("/a/c/0/0"), storedAt("/a/c/0/0"), "/a/c/0/0");
    },
  },
  {
    name: "deletePrefix removes what is below a prefix and nothing else",
    applies: (store) => store.deletePrefix !== undefined,
    async run(store) {
      await store.deletePrefix?.("/a/");
      await store.deletePrefix?.("/missing/");
      same((await store.get("/a/c/0/0")) ?? undefined, undefined, "/a/c/0/0");
      same(await store.get("/ab/zarr.json"), storedAt("/ab/zarr.json"), "/ab/zarr.json");
    },
  },
  {
    name: "set stores nothing and throws a ConflictError if the value has another version (conditionalWrites)",
    applies: (store) => store.conditionalWrites === true,
    async run(store) {
      const version = (await askParts(store, "/a/c/0/0", undefined))?.version;
      is(version === undefined, false, "whether reads tell no version");
      await conflict(store, "/a/c/0/0", null);
      await store.set?.("/once", pattern(1), { ifVersion: null });
      await conflict(store, "/once", null);
      await store.set?.("/a/c/0/0", pattern(5), { ifVersion: version });
      await conflict(store, "/a/c/0/0", version);
      same(await store.get("/a/c/0/0"), pattern(5), "/a/c/0/0");
    },
  },
];

/**
 * Runs all checks that apply to a store, each on a store of its own.
 * @param close called with each store at the end
 * @returns what is wrong, a sentence for each check that failed; empty if nothing is
 */
export async function checkStore(
  make: MakeStore,
  close?: (store: Store) => Awaitable<unknown>,
): Promise<readonly string[]> {
  if (typeof make !== "function") throw invalid("checkStore", "a function that makes a store", make);
  const findings: string[] = [];
  for (const { name, applies, run } of CHECKS) {
    const store = await make(new Map(Array.from(VALUES, ([key, value]) => [key, value.slice()])));
    try {
      if (applies?.(store) !== false) await run(store);
    } catch (error) {
      findings.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      await close?.(store);
    }
  }
  return findings;
}

function storedAt(key: AbsolutePath): Uint8Array {
  return VALUES.get(key) ?? new Uint8Array(0);
}

function is(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what}: expected ${String(expected)}, got ${String(actual)}`);
}

function same(actual: Uint8Array | undefined, expected: Uint8Array | undefined, what: string): void {
  is(actual?.length, expected?.length, `${what}: length in bytes`);
  const wrong = expected?.findIndex((byte, i) => actual?.[i] !== byte) ?? -1;
  is(wrong, -1, `${what}: offset of the first wrong byte`);
}

function sameNames(actual: readonly string[], expected: readonly string[], what: string): void {
  is([...actual].sort().join("\n"), [...expected].sort().join("\n"), what);
}

async function conflict(
  store: Store,
  key: AbsolutePath,
  ifVersion: string | number | null | undefined,
): Promise<void> {
  try {
    await store.set?.(key, pattern(7), { ifVersion });
  } catch (error) {
    if (isZarrError(error, "ConflictError")) return;
    throw error;
  }
  throw new Error(`set(${JSON.stringify(key)}) with another version: expected a ConflictError, got none`);
}
