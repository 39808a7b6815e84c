/**
 * Shards of any kind that somebody else replaces at any moment: a read that begins after that finds the new
 * version alone, one that is under way finds every inner chunk in one of the versions.
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import type { ValueParts } from "../../../src/core/stores/store.js";
import {
  type AbsolutePath,
  create,
  get,
  getCoordinates,
  getOrthogonal,
  HttpStore,
  MemoryStore,
  open,
  type RangeQuery,
  type Store,
  type StoreOptions,
  set,
  slice,
} from "../../../src/index.js";
import type { CodecOption } from "../../../src/main/codecs.js";
import { serve } from "../../core/stores/server.js";
import { GZIP, LITTLE } from "../../setup/codecs.js";

type Values = ReadonlyMap<string, Uint8Array>;

const scratch = mkdtempSync(join(tmpdir(), "wazarr-replaced-random-"));
afterAll(() => rmSync(scratch, { recursive: true }));
let count = 0;

/** The same numbers in every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Place {
  readonly openStore: () => Store;
  readonly replace: (next: Values) => void;
  /** Lets the reader go on for a moment. */
  readonly wait: () => Promise<unknown>;
  /** Reads of each layout. */
  readonly rounds: number;
}

function copyInto(target: Map<string, Uint8Array>, next: Values): void {
  for (const key of target.keys()) if (!next.has(key)) target.delete(key);
  for (const [key, value] of next) target.set(key, value.slice());
}

const turn = () => new Promise(setImmediate);

function files(): Pick<Place, "replace"> & { readonly root: string } {
  const root = join(scratch, String(count++));
  return {
    root,
    replace(next) {
      for (let shard = 0; shard < SHARDS; shard++) {
        if (!next.has(`/c/${shard}`)) rmSync(join(root, `/c/${shard}`), { force: true });
      }
      for (const [key, value] of next) {
        const path = join(root, key);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(`${path}.new`, value);
        renameSync(`${path}.new`, path);
      }
    },
  };
}

/** A directory whose answers take a while. */
function lateStore(root: string): Store {
  const store = new FileSystemStore(root);
  return {
    async get(key: AbsolutePath, options?: StoreOptions) {
      await turn();
      return store.get(key, options);
    },
    async getRange(key: AbsolutePath, range: RangeQuery, options?: StoreOptions) {
      await turn();
      const bytes = await store.getRange(key, range, options);
      await turn();
      return bytes;
    },
    async getParts(
      key: AbsolutePath,
      ranges: readonly RangeQuery[] | undefined,
      options?: StoreOptions,
    ): Promise<ValueParts | undefined> {
      await turn();
      const found = await store.getParts(key, ranges, options);
      await turn();
      return found;
    },
  };
}

const places: Record<string, () => Promise<Place>> = {
  async "a directory"() {
    const { root, replace } = files();
    return { openStore: () => new FileSystemStore(root), replace, wait: async () => {}, rounds: 25 };
  },
  async "a directory that answers late"() {
    const { root, replace } = files();
    return { openStore: () => lateStore(root), replace, wait: turn, rounds: 15 };
  },
  async "a URL with ETags"() {
    const values = new Map<string, Uint8Array>();
    const server = await serve(values);
    server.versionHeader = "etag";
    onTestFinished(() => server.close());
    return {
      openStore: () => new HttpStore(server.url),
      replace: (next) => copyInto(values, next),
      wait: turn,
      rounds: 10,
    };
  },
  async "a MemoryStore"() {
    const values = new Map<string, Uint8Array>();
    return {
      openStore: () => new MemoryStore(values),
      replace: (next) => copyInto(values, next),
      wait: async () => {},
      rounds: 40,
    };
  },
};
const crc32c = { name: "crc32c" };
const sharding = (length: number, location: string, codecs: readonly CodecOption[]): CodecOption => ({
  name: "sharding_indexed",
  configuration: { chunk_shape: [length], codecs, index_codecs: [LITTLE, crc32c], index_location: location },
});

interface Layout {
  readonly inner: number;
  readonly codecs: readonly CodecOption[];
}
const SHARD = 32;
const SHARDS = 2;

const layouts: Record<string, Layout> = {};
for (const [name, codecs] of Object.entries({
  raw: [LITTLE],
  gzip: [LITTLE, GZIP],
  crc32c: [LITTLE, crc32c],
})) {
  for (const location of ["start", "end"]) {
    layouts[`${name}, index at the ${location}`] = { inner: 4, codecs: [sharding(4, location, codecs)] };
    layouts[`${name}, shards in shards, index at the ${location}`] = {
      inner: 2,
      codecs: [sharding(8, location, [sharding(2, "end", codecs)])],
    };
  }
}
layouts["gzip around shards in shards"] = {
  inner: 2,
  codecs: [sharding(8, "end", [sharding(2, "end", [LITTLE]), GZIP])],
};

const elementOf = (version: number, i: number): number => 1 + ((i * 31 + version * 1009) % 65000);

interface Version {
  readonly values: Values;
  readonly elements: Uint16Array;
}

async function makeVersion(
  { inner, codecs }: Layout,
  version: number,
  below: (n: number) => number,
): Promise<Version> {
  const values = new Map<string, Uint8Array>();
  const elements = new Uint16Array(SHARD * SHARDS);
  let sparse = 0;
  for (let start = 0; start < elements.length; start += inner) {
    if (start % SHARD === 0) sparse = below(5);
    // Of some shards nothing but the index is read, and some are missing.
    if (below(4) < sparse) continue;
    for (let i = start; i < start + inner; i++) elements[i] = elementOf(version, i);
  }
  const array = await create(values, {
    shape: [elements.length],
    chunkShape: [SHARD],
    dtype: "uint16",
    codecs,
  });
  await set(array, null, elements);
  return { values, elements };
}

/** Which elements, and the read that gives them. */
function anyRead(below: (n: number) => number, length: number) {
  const start = below(length);
  const stop = start + 1 + below(length - start);
  const step = 1 + below(4);
  const slices = Array.from({ length: Math.ceil((stop - start) / step) }, (_, i) => start + i * step);
  const some = Array.from({ length: 1 + below(3) }, () => below(length));
  const reads = [
    { at: slices, read: "slice" },
    { at: [start], read: "element" },
    { at: some, read: "coordinates" },
    { at: some, read: "orthogonal" },
    { at: Array.from({ length }, (_, i) => i), read: "all" },
  ] as const;
  const { at, read } = reads[below(reads.length)] ?? reads[0];
  return {
    at,
    async from(store: Store): Promise<readonly number[]> {
      const array = await open(store, { kind: "array" });
      if (!array.is("uint16")) throw new Error("expected uint16");
      const apart = { coalesce: { maximumGap: below(2) * 64, maximumSize: 16 } };
      if (read === "slice") return [...(await get(array, [slice(start, stop, step)], apart)).data];
      if (read === "element") return [await get(array, [start], apart)];
      if (read === "coordinates") return [...(await getCoordinates(array, [some], apart)).data];
      if (read === "orthogonal") return [...(await getOrthogonal(array, [some], apart)).data];
      return [...(await get(array, null, apart)).data];
    },
  };
}

describe.each(Object.keys(places))("%s", (placeName) => {
  test.each(Object.keys(layouts))("%s", async (layoutName) => {
    const place = await places[placeName]?.();
    const layout = layouts[layoutName];
    if (place === undefined || layout === undefined) throw new Error("no such place");
    const below = random(placeName.length * 1000 + layoutName.length);
    const versions: Version[] = [];
    for (let version = 0; version < 5; version++) versions.push(await makeVersion(layout, version, below));
    const anyVersion = (): Version =>
      versions[below(versions.length)] ?? { values: new Map(), elements: new Uint16Array() };
    let current = anyVersion();
    place.replace(current.values);
    const kept = place.openStore();
    for (let round = 0; round < place.rounds; round++) {
      if (below(2) === 0) {
        current = anyVersion();
        place.replace(current.values);
      }
      const { at, from } = anyRead(below, current.elements.length);
      const allowed = [current];
      const reading = from(below(4) === 0 ? place.openStore() : kept);
      const replacements = below(3);
      for (let i = 0; i < replacements; i++) {
        for (let wait = below(24); wait > 0; wait--) await place.wait();
        current = anyVersion();
        place.replace(current.values);
        allowed.push(current);
      }
      const found = await reading;
      // Every inner chunk is of one of the versions as a whole.
      for (const chunk of new Set(at.map((i) => Math.floor(i / layout.inner)))) {
        const inChunk = (of: (i: number, position: number) => number | undefined): string =>
          at.map((i, position) => (Math.floor(i / layout.inner) === chunk ? of(i, position) : "")).join();
        const expected = allowed.map(({ elements }) => inChunk((i) => elements[i]));
        expect(expected, `round ${round}, inner chunk ${chunk}`).toContain(
          inChunk((_, position) => found[position]),
        );
      }
    }
  });
});
