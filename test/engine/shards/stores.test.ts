/** What reading shards asks of the stores that there are: exact requests and bytes. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { checkedWrappers } from "../../../src/core/stores/faster-ways.js";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import type { OpenValue } from "../../../src/core/stores/store.js";
import {
  type AbsolutePath,
  create,
  get,
  HttpStore,
  MemoryStore,
  open,
  type Selection,
  type Store,
  set,
  slice,
} from "../../../src/index.js";
import { serve } from "../../core/stores/server.js";

/** Eight shards [8, 8, 8] of eight inner chunks [4, 4, 4] of uint8, none of them fill value. */
const INNER = 64;
const INDEX = 8 * 16 + 4;
const SHARD = 8 * INNER + INDEX;
const SHAPE = [16, 16, 16];

const values = new Map<string, Uint8Array>();
const written = create(values, {
  codecs: [],
  shape: SHAPE,
  chunkShape: [4, 4, 4],
  shards: [8, 8, 8],
  dtype: "uint8",
}).then((array) =>
  set(
    array,
    null,
    Uint8Array.from({ length: 16 ** 3 }, (_, i) => (i % 251) + 1),
  ),
);

interface Asked {
  readonly key: string;
  /** The store's method, or the HTTP method. */
  readonly method: string;
  /** [first, length] or [-length] of each range; none for the whole value. */
  readonly ranges: readonly (readonly number[])[];
}

interface Watched {
  readonly store: Store;
  readonly asked: Asked[];
  /** Bytes handed out since the last call. */
  bytes(): number;
}

type Range = { readonly offset: number; readonly length: number } | { readonly suffixLength: number };

const describeRange = (range: Range): number[] =>
  "offset" in range ? [range.offset, range.length] : range.suffixLength > SHARD ? [] : [-range.suffixLength];

/**
 * Writes down the calls of a store's own methods, and of the values that it opens.
 * @param answersLater whether it opens none, as a file system on a slow disk
 */
function watch<S extends Store & object>(inner: S, answersLater = false): Watched {
  const asked: Asked[] = [];
  let bytes = 0;
  const note = (answer: unknown): void => {
    if (answer instanceof Uint8Array) bytes += answer.length;
    else if (
      typeof answer === "object" &&
      answer !== null &&
      "parts" in answer &&
      Array.isArray(answer.parts)
    )
      answer.parts.forEach(note);
  };
  const reads = ["get", "getRange", "getParts", "has"];
  const store = new Proxy<S>(inner, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name, target);
      if (typeof method !== "function") return method;
      if (name === "openNow" && answersLater) return () => "later";
      if (name === "openNow") {
        return (key: AbsolutePath): ReturnType<NonNullable<Store["openNow"]>> => {
          const value = target.openNow?.(key);
          if (value === undefined || value === "later") return value;
          const read: OpenValue["read"] = (range, allocate) => {
            asked.push({ key, method: "read", ranges: [describeRange(range)] });
            const part = value.read(range, allocate);
            note(part);
            return part;
          };
          const { byteLength, version } = value;
          return {
            byteLength,
            version,
            read,
            whole: (allocate) => value.whole(allocate),
            close: () => value.close(),
          };
        };
      }
      if (typeof name !== "string" || !reads.includes(name)) return method.bind(target);
      return (key: string, ...rest: unknown[]) => {
        const [given] = rest;
        const ranges = name.startsWith("getRange") ? [given] : Array.isArray(given) ? given : [];
        asked.push({
          key,
          method: name,
          ranges: ranges.map(describeRange).filter(({ length }) => length > 0),
        });
        const answer: unknown = Reflect.apply(method, target, [key, ...rest]);
        if (answer instanceof Promise) answer.then(note, () => {});
        else note(answer);
        return answer;
      };
    },
  });
  // All of its methods are those of the store inside.
  checkedWrappers.add(store);
  return {
    store,
    asked,
    bytes() {
      const count = bytes;
      bytes = 0;
      return count;
    },
  };
}

const scratch = mkdtempSync(join(tmpdir(), "wazarr-shard-stores-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const stores: Record<string, () => Promise<Watched>> = {
  async "file system that answers later"() {
    const store = new FileSystemStore(mkdtempSync(join(scratch, "store-")));
    for (const [key, value] of values) await store.set(`/${key.slice(1)}`, value);
    return watch(store, true);
  },
  async HTTP() {
    const server = await serve(values);
    onTestFinished(() => server.close());
    server.versionHeader = "etag";
    const asked: Asked[] = [];
    server.onRequest = ({ key, method, range }) => {
      const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(range ?? "") ?? [];
      const described = first === "" ? [-Number(last)] : [Number(first), Number(last) + 1 - Number(first)];
      asked.push({ key, method, ranges: range === undefined ? [] : [described] });
    };
    let before = 0;
    return {
      store: new HttpStore(server.url),
      asked,
      bytes() {
        const count = server.bytesSent - before;
        before = server.bytesSent;
        return count;
      },
    };
  },
  MemoryStore: async () => watch(new MemoryStore(new Map(values))),
  Map: async () => watch(new Map(values)),
};

interface Read {
  readonly name: string;
  readonly selection: Selection;
  /** How many it touches. */
  readonly shards: number;
  readonly coalesce?: { readonly maximumGap: number };
  /** Ranges by request, in any order; "whole" for a whole value. */
  readonly cold: readonly (readonly (readonly number[])[] | "whole")[];
  readonly warm: readonly (readonly (readonly number[])[] | "whole")[];
}

const index = [[-INDEX]];
const everywhere = <T>(shards: number, requests: readonly T[]): T[] =>
  Array.from({ length: shards }, () => requests).flat();
const chunks = (...positions: number[]) => positions.map((position) => [position * INNER, INNER]);

/**
 * By ranges in one call, as file systems do it; over HTTP each range is a request. What is near is read by its
 * index, a whole shard, too.
 */
const reads: Read[] = [
  {
    name: "one inner chunk",
    selection: [slice(4, 8), slice(4), slice(4)],
    shards: 1,
    cold: [index, chunks(4)],
    warm: [chunks(4)],
  },
  {
    name: "one element",
    selection: [0, 0, 0],
    shards: 1,
    cold: [index, chunks(0)],
    warm: [chunks(0)],
  },
  {
    name: "one whole shard",
    selection: [slice(8), slice(8), slice(8, 16)],
    shards: 1,
    cold: ["whole"],
    warm: [[[0, 8 * INNER]]],
  },
  {
    name: "everything",
    selection: null,
    shards: 8,
    cold: everywhere(8, ["whole" as const]),
    warm: everywhere(8, [[[0, 8 * INNER]]]),
  },
  {
    name: "[:, :, 5], nothing read for nothing",
    selection: [null, null, 5],
    shards: 4,
    coalesce: { maximumGap: 0 },
    cold: everywhere(4, [index, chunks(1, 3, 5, 7)]),
    warm: everywhere(4, [chunks(1, 3, 5, 7)]),
  },
  {
    name: "[:, :, 5], gaps of 64 bytes read over",
    selection: [null, null, 5],
    shards: 4,
    coalesce: { maximumGap: 64 },
    cold: everywhere(4, [index, [[INNER, 7 * INNER]]]),
    warm: everywhere(4, [[[INNER, 7 * INNER]]]),
  },
  {
    name: "[1, :, :], whose inner chunks are neighbours",
    selection: [1, null, null],
    shards: 4,
    coalesce: { maximumGap: 0 },
    cold: everywhere(4, [index, [[0, 4 * INNER]]]),
    warm: everywhere(4, [[[0, 4 * INNER]]]),
  },
];

const inRequests = (expected: Read["cold"], perRange: boolean): string[] =>
  expected
    .flatMap((request) =>
      request === "whole" ? [[]] : perRange ? request.map((range) => [range]) : [request],
    )
    .map((request) => JSON.stringify(request))
    .sort();

const bytesOf = (expected: Read["cold"]): number =>
  expected.reduce(
    (sum, request) =>
      sum +
      (request === "whole"
        ? SHARD
        : request.reduce((total, range) => total + Math.abs(range.at(-1) ?? 0), 0)),
    0,
  );

describe.each(Object.keys(stores))("%s", (name) => {
  test.each(reads)("$name", async ({ selection, shards, coalesce, cold, warm }) => {
    await written;
    const watched = (await stores[name]?.()) ?? watch(new Map());
    const array = await open.v3(watched.store, { kind: "array" });
    // A whole shard that was read leaves its index, where the store tells versions; a Map gives whole values,
    // always.
    const isMap = name === "Map";
    const wholes = everywhere(shards, ["whole" as const]);
    const isNow = name === "MemoryStore";
    const opened = cold.flatMap((request) => (request === "whole" ? [index, [[0, 8 * INNER]]] : [request]));
    const expected = isMap ? [wholes, wholes] : [name === "HTTP" ? cold : opened, warm];
    for (const requests of expected) {
      watched.asked.length = 0;
      watched.bytes();
      await get(array, selection, { coalesce });
      expect(watched.asked.map(({ ranges }) => JSON.stringify(ranges)).sort()).toEqual(
        inRequests(requests, isNow || name === "HTTP"),
      );
      expect(watched.bytes()).toBe(bytesOf(requests));
    }
  });
});
