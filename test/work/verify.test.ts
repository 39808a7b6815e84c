import { mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { create, isZarrError, root, type Store, set, type ZarrError } from "../../src/index.js";
import { verify } from "../../src/main/copy.js";
import type { OnProgress } from "../../src/main/reading.js";
import { rejection } from "../array/untyped.js";
import { readOnly, WatchedMap } from "../setup/stores.js";

type MapStore = Map<string, Uint8Array>;

async function sample(): Promise<MapStore> {
  const store: MapStore = new Map();
  const at = root(store);
  const a = await create(at.resolve("a"), {
    shape: [10, 4],
    chunkShape: [4, 4],
    dtype: "int32",
    codecs: ["crc32c"],
  });
  await set(a, ["..."], 5);
  const b = await create(at.resolve("g/b"), {
    shape: [6],
    chunkShape: [2],
    dtype: "float64",
    zarrFormat: 2,
    codecs: { compressor: { id: "gzip" } },
  });
  await set(b, ["..."], 1.5);
  await create(at.resolve("g/empty"), { shape: [1000000000, 1000000], chunkShape: [1, 1], dtype: "int8" });
  return store;
}

async function run(where: Parameters<typeof verify>[0]) {
  const problems: ZarrError[] = [];
  const steps: Parameters<OnProgress>[0][] = [];
  const report = await verify(where, {
    onProblem: (problem) => problems.push(problem),
    onProgress: (progress) => steps.push(progress),
  });
  return { report, problems, steps };
}

test("counts what it has seen when all is well", async () => {
  const { report, problems, steps } = await run(await sample());
  expect(problems).toEqual([]);
  expect(report).toEqual({
    groups: 2,
    arrays: 3,
    chunks: 6,
    chunksInGrid: 1_000_000_000_000_006,
    problems: 0,
  });
  expect(steps.map(({ chunksDone, chunksTotal }) => [chunksDone, chunksTotal])).toEqual(
    [1, 2, 3, 4, 5, 6].map((done) => [done, 6]),
  );
});

test("reports every damaged chunk, once, with its key and coordinates", async () => {
  const store = await sample();
  const flipped = store.get("/a/c/1/0")?.slice() ?? new Uint8Array();
  flipped[3] = (flipped[3] ?? 0) ^ 1;
  store.set("/a/c/1/0", flipped);
  store.set("/a/c/2/0", new Uint8Array(3));
  store.set("/g/b/1", new Uint8Array(0));
  const { report, problems } = await run(store);
  expect(report).toEqual({
    groups: 2,
    arrays: 3,
    chunks: 6,
    chunksInGrid: 1_000_000_000_000_006,
    problems: 3,
  });
  expect(problems.map(({ tag, key, chunk }) => ({ tag, key, chunk }))).toEqual([
    { tag: "CodecError", key: "/a/c/1/0", chunk: [1, 0] },
    { tag: "CodecError", key: "/a/c/2/0", chunk: [2, 0] },
    { tag: "CodecError", key: "/g/b/1", chunk: [1] },
  ]);
});

test("reports documents that cannot be read, and goes on", async () => {
  const store = await sample();
  store.set("/a/zarr.json", new TextEncoder().encode("{}"));
  const unknown = new TextDecoder().decode(store.get("/g/b/.zarray")).replace('"gzip"', '"nope"');
  store.set("/g/b/.zarray", new TextEncoder().encode(unknown));
  const { report, problems } = await run(store);
  expect(report).toEqual({
    groups: 2,
    arrays: 2,
    chunks: 0,
    chunksInGrid: 1_000_000_000_000_003,
    problems: 2,
  });
  expect(problems.map(({ tag }) => tag)).toEqual(["InvalidMetadataError", "UnknownCodecError"]);
});

test("keys that are no chunks of the array are left alone", async () => {
  const store = await sample();
  for (const key of ["/a/c/9/9", "/a/c/0/0/0", "/a/c/00/0", "/a/c/x", "/a/d/0/0", "/a/note"])
    store.set(key, new Uint8Array(1));
  expect((await run(store)).report).toEqual({
    groups: 2,
    arrays: 3,
    chunks: 6,
    chunksInGrid: 1_000_000_000_000_006,
    problems: 0,
  });
});

test("an array in a store that cannot be listed: all chunks of the grid are asked for", async () => {
  const map = new WatchedMap(await sample());
  map.delete("/a/c/1/0");
  const { report } = await run(root(readOnly(map)).resolve("a"));
  expect(report).toEqual({ groups: 0, arrays: 1, chunks: 2, chunksInGrid: 3, problems: 0 });
  const chunks = new Set(map.requests.filter((key) => key.startsWith("/a/c/")));
  expect([...chunks]).toEqual(["/a/c/0/0", "/a/c/1/0", "/a/c/2/0"]);
});

test("a group in a store that cannot be listed is a problem", async () => {
  const map = await sample();
  const store: Store = { get: (key) => map.get(key) };
  const { report, problems } = await run(store);
  expect(report.problems).toBe(1);
  expect(problems[0]?.tag).toBe("UnsupportedError");
});

test("nothing there", async () => {
  const error = await rejection(verify, [new Map(), { onProblem: () => {} }]);
  expect(isZarrError(error, "NotFoundError")).toBe(true);
});

const folder = mkdtempSync(join(tmpdir(), "wazarr-verify-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a truncated file, and a directory where a chunk should be", async () => {
  const store = new FileSystemStore(join(folder, "s.zarr"));
  const array = await create(store, { shape: [8], chunkShape: [2], dtype: "int16" });
  await set(array, ["..."], 3);
  truncateSync(join(folder, "s.zarr/c/1"), 1);
  await store.delete("/c/2");
  await store.set("/c/2/inner", new Uint8Array(1));
  const { report, problems } = await run(store);
  // The directory has no key of its own, so that only reading the chunk would find it.
  expect(report).toEqual({ groups: 0, arrays: 1, chunks: 3, chunksInGrid: 4, problems: 1 });
  expect(problems[0]?.key).toBe("/c/1");
});

test("an aborted verification", async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(verify(await sample(), { onProblem: () => {}, signal })).rejects.toThrow("enough");
});
