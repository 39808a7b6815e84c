/** Shards in files, whose inner chunks workers decode: the same elements and errors as without workers. */
import { readFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/index.js";
import { LITTLE } from "../setup/codecs.js";
import { expectSameBytes, loadApi, loadFiles, useWorkersOnFiles } from "./dist.js";

const api = await loadApi();
const { FileSystemStore } = await loadFiles();
const { pool, folder } = await useWorkersOnFiles();
type Store = InstanceType<typeof FileSystemStore>;

// Noise, so that shards are longer than those that are read in one request.
const SIDE = 1024;
const noise = (seed: number): Float32Array =>
  Float32Array.from({ length: SIDE * SIDE }, (_, i) => Math.fround(Math.sin(i * i + seed) * 1e9));
const data = noise(0);
const INNER = [128, 128];
const SHARD = [512, 1024];
const sharding = (chunkShape: readonly number[], codecs: readonly JsonObject[]) => ({
  name: "sharding_indexed",
  configuration: {
    chunk_shape: chunkShape,
    codecs,
    index_codecs: [LITTLE, { name: "crc32c" }],
    index_location: "end",
  },
});
const CONFIGURATIONS: Readonly<Record<string, JsonObject>> = {
  zstd: { level: 1, checksum: false },
  gzip: { level: 1 },
};
const inner = (codec: string) =>
  sharding(INNER, [LITTLE, { name: codec, configuration: CONFIGURATIONS[codec] ?? {} }]);

async function write(codec: ReturnType<typeof sharding>, elements = data, into = folder()) {
  const array = await api.create(new FileSystemStore(into), {
    shape: [SIDE, SIDE],
    chunkShape: SHARD,
    dtype: "float32",
    fillValue: 7,
    codecs: [codec],
  });
  await api.set(array, null, elements);
  return array;
}

/**
 * The array as one opens it, and the lengths of what workers say they have read: whether that was slow on
 * this machine is no matter.
 */
async function watched() {
  const store: Store = new FileSystemStore(folder());
  const read: number[] = [];
  /** Called when workers are to read a file. */
  const before = { read() {} };
  Object.defineProperty(store, "files", {
    value: {
      pathOf(key: string) {
        before.read();
        return join(store.root, key);
      },
      measured: (_: number, byteLength: number) => read.push(byteLength),
    },
  });
  return { array: await api.open(store, { kind: "array" }), read, before };
}

const failure = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

describe.each([{}, { shared: true }])("into %o", (where) => {
  const options = { workers: pool, ...where };

  test.each(["zstd", "gzip", "crc32c"])("%s: all inner chunks, twice", async (codec) => {
    await write(inner(codec));
    const { array } = await watched();
    for (let twice = 1; twice <= 2; twice++) {
      expectSameBytes((await api.get(array, null, options)).data, data);
    }
  });

  test("those of shards in shards, too", async () => {
    // Long enough not to be read whole.
    await write(sharding([512, 512], [inner("crc32c")]));
    const { array } = await watched();
    expectSameBytes((await api.get(array, null, options)).data, data);
  });

  test("no others than those of which something is selected", async () => {
    const alone = await write(inner("zstd"));
    const { array } = await watched();
    const selection = [api.slice(140, 900, 3), api.slice(130, 700)];
    const { data: expected } = await api.get(alone, selection);
    expectSameBytes((await api.get(array, selection, options)).data, expected);
  });

  test("inner chunks and shards that are absent are the fill value", async () => {
    const holed = data
      .slice()
      .fill(7, SIDE * 128, SIDE * 256)
      .fill(7, SIDE * 512);
    await write(inner("zstd"), holed);
    const { array } = await watched();
    expectSameBytes((await api.get(array, null, options)).data, holed);
  });

  test("inner chunks that were missing from a shard until it was replaced", async () => {
    const elsewhere = `${folder()}-new`;
    await write(inner("zstd"), data.slice().fill(7, SIDE * 128));
    await write(inner("zstd"), data, elsewhere);
    const { array } = await watched();
    const selection = [api.slice(128, 512), null];
    const before = await api.get(array, selection, options);
    expectSameBytes(before.data, data.slice(0, SIDE * 384).fill(7));
    renameSync(join(elsewhere, "c/0/0"), join(folder(), "c/0/0"));
    expectSameBytes((await api.get(array, selection, options)).data, data.slice(SIDE * 128, SIDE * 512));
  });

  test("a shard that is truncated is the same error as without workers", async () => {
    const alone = await write(inner("zstd"));
    const { array } = await watched();
    // The index is known by now.
    await api.get(array, [5, null], options);
    await api.get(alone, [5, null]);
    truncateSync(join(folder(), "c", "0", "0"), 500);
    const error = await failure(api.get(array, null, options));
    expect(error).toMatchObject({ key: "/c/0/0" });
    expect(error).toEqual(await failure(api.get(alone)));
  });
});

test("a damaged inner chunk is the same error as without workers", async () => {
  const alone = await write(inner("crc32c"));
  const { array } = await watched();
  const path = join(folder(), "c", "1", "0");
  const bytes = readFileSync(path);
  bytes[100] = (bytes[100] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  const error = await failure(api.get(array, null, { workers: pool }));
  expect(error).toMatchObject({ tag: "CodecError", key: "/c/1/0", chunk: [4, 0] });
  expect(error).toEqual(await failure(api.get(alone)));
});

test("workers read nothing of a store with ranges of its own in front", async () => {
  const array = await write(inner("zstd"));
  const ranges: string[] = [];
  const inFront = api.extendStore(new FileSystemStore(folder()), (store) =>
    api.defineStoreExtension((own) => ({
      getRange(key: `/${string}`, range: Parameters<Store["getRange"]>[1]) {
        ranges.push(key);
        return own.getRange?.(key, range);
      },
    }))(store),
  );
  const opened = await api.open(inFront, { kind: "array" });
  const selection = [null, api.slice(800)];
  expectSameBytes(
    (await api.get(opened, selection, { workers: pool })).data,
    (await api.get(array, selection)).data,
  );
  expect(new Set(ranges)).toEqual(new Set(["/c/0/0", "/c/1/0"]));
});
