import { describe, expect, test } from "vitest";
import { boxShape } from "../../src/grid/box-planning.js";
import { boxesOfChunks } from "../../src/grid/boxes.js";
import { regularRuns } from "../../src/grid/chunk-grid.js";
import {
  type AbsolutePath,
  create,
  isZarrError,
  MemoryStore,
  members,
  root,
  type Store,
  set,
} from "../../src/index.js";
import { copyNode } from "../../src/main/copy.js";
import { rejection } from "../array/untyped.js";
import fixture3 from "../fixtures/zarr-python.json?raw";
import fixture2 from "../fixtures/zarr-python-2.json?raw";
import { bytesFromBase64 } from "../interop/elements.js";
import { readOnly, SlowStore } from "../setup/stores.js";
import { contents, document, type MapStore, sample } from "./copy-support.js";

function parseStore(text: string): MapStore {
  const { store }: { store: Record<string, string> } = JSON.parse(text);
  return new Map(Object.entries(store).map(([key, value]) => [key, bytesFromBase64(value)]));
}

/** A store that tells which keys were read and does nothing else. */
function watched(map: MapStore): { store: Store; chunksRead: string[] } {
  const chunksRead: string[] = [];
  const store: Store = {
    get(key: AbsolutePath) {
      if (/\/\d+[/.]\d+$/.test(key)) chunksRead.push(key);
      return map.get(key);
    },
    list: () => [],
    listPrefix: (prefix) =>
      [...map.keys()].flatMap((key) => (key.startsWith(prefix) ? [`/${key.slice(1)}` as const] : [])),
    listDir: () => ({ keys: [], prefixes: [] }),
  };
  return { store, chunksRead };
}

/** What v2 has as its fill value. */
const MISSING = { _FillValue: -1 };

describe("chunks are copied as they are where their bytes stay valid", () => {
  const gzip = [{ name: "gzip", configuration: { level: 4 } }];
  const cases = [
    ["v2 to v3", 2, { codecs: { compressor: { id: "gzip", level: 4 } } }, { zarrFormat: 3 }],
    ["v3 to v2", 3, { codecs: gzip, attributes: MISSING }, { zarrFormat: 2 }],
    [
      "v2 to v3, big-endian, F, zlib",
      2,
      { codecs: { compressor: { id: "zlib", level: 1 } }, order: "F", endian: "big" },
      { zarrFormat: 3 },
    ],
    [
      "v3 to v2, big-endian, F",
      3,
      { codecs: gzip, order: "F", endian: "big", attributes: MISSING },
      { zarrFormat: 2 },
    ],
    ["v3 to v3", 3, { codecs: gzip }, {}],
    [
      "v2 to v2, attributes",
      2,
      { codecs: { filters: [{ id: "shuffle", elementsize: 2 }] } },
      { attributes: { other: 1 } },
    ],
    ["same codecs asked for", 3, { codecs: gzip }, { codecs: gzip, chunkShape: [7, 6] }],
  ] as const;
  test.each(cases)("%s", async (_, zarrFormat, options, conversion) => {
    const source = await sample(zarrFormat, options);
    const chunkOf = (store: MapStore, at: string) =>
      store.get(`/a/c/${at}`) ?? store.get(`/a/${at.replace("/", ".")}`);
    const target: MapStore = new Map();
    await copyNode(root(source).resolve("a"), root(target).resolve("a"), conversion);
    for (const at of ["0/0", "4/2", "2/1"]) {
      expect(chunkOf(target, at)).toBeDefined();
      expect(chunkOf(target, at)).toEqual(chunkOf(source, at));
    }
    expect(chunkOf(target, "0/3")).toBeUndefined();
    expect(await contents(root(target).resolve("a"))).toEqual(await contents(root(source).resolve("a")));
  });

  test("with a codec that nobody knows", async () => {
    const source = await sample(3);
    const metadata = document(source, "/a/zarr.json");
    metadata.codecs.push({ name: "example.unknown", configuration: { a: 1 } });
    source.set("/a/zarr.json", new TextEncoder().encode(JSON.stringify(metadata)));
    const target: MapStore = new Map();
    await copyNode(source, target);
    expect(target.get("/a/c/1/1")).toEqual(source.get("/a/c/1/1"));
    expect(
      isZarrError(
        await rejection(copyNode, [source, new Map(), { chunkShape: [5, 5] }]),
        "UnknownCodecError",
      ),
    ).toBe(true);
  });

  test("each is read once, and only those that are there", async () => {
    const { store, chunksRead } = watched(await sample(3, { attributes: MISSING }));
    const target: MapStore = new Map();
    const progress: string[] = [];
    await copyNode(root(store).resolve("a"), target, {
      zarrFormat: 2,
      onProgress: ({ chunksDone, chunksTotal }) => progress.push(`${chunksDone}/${chunksTotal}`),
    });
    expect(chunksRead.length).toBe(15);
    expect(new Set(chunksRead).size).toBe(15);
    expect(progress.at(-1)).toBe("20/20");
  });
});

describe("otherwise elements are decoded and encoded again", () => {
  const conversions = [
    { chunkShape: [10, 10] },
    { order: "F" },
    { endian: "big" },
    { codecs: ["gzip", "crc32c"] },
    {
      zarrFormat: 2,
      codecs: { compressor: { id: "zlib", level: 3 } },
      order: "F",
      endian: "big",
      chunkShape: [3, 20],
    },
  ] as const;
  for (const zarrFormat of [2, 3] as const) {
    test.each(conversions)(`v${zarrFormat} with %o`, async (conversion) => {
      const source = await sample(zarrFormat, zarrFormat === 3 ? { attributes: MISSING } : {});
      const before = new Map([...source].map(([key, value]) => [key, value.slice()]));
      const target: MapStore = new Map();
      await copyNode(source, target, { zarrFormat: 3, ...conversion });
      expect(await contents(root(target).resolve("a"))).toEqual(await contents(root(source).resolve("a")));
      expect(source).toEqual(before);
    });
  }

  test("a new fill value changes no element", async () => {
    const source = await sample(3);
    const target: MapStore = new Map();
    await copyNode(source, target, { fillValue: 7 });
    const [was, is] = [await contents(root(source).resolve("a")), await contents(root(target).resolve("a"))];
    expect(is.bytes).toEqual(was.bytes);
    expect([was.fill, is.fill]).toEqual(["-1", "7"]);
    // Absent before, all -1 now.
    expect(target.has("/a/c/0/3")).toBe(true);
  });

  test("NaN payloads survive, in arrays without dimensions too", async () => {
    const bytes = Uint8Array.of(1, 0, 0xa0, 0x7f);
    for (const shape of [[], [3]]) {
      const source: MapStore = new Map();
      const array = await create(source, { codecs: [], shape, dtype: "float32" });
      await set(array, ["..."], 1);
      for (const key of source.keys()) {
        if (key !== "/zarr.json")
          source.set(
            key,
            Uint8Array.from({ length: 4 * Math.max(1, ...shape) }, (_, i) => bytes[i % 4] ?? 0),
          );
      }
      const target: MapStore = new Map();
      await copyNode(source, target, { codecs: ["gzip"] });
      const back: MapStore = new Map();
      await copyNode(target, back, { codecs: ["bytes"] });
      expect(back.get(shape.length === 0 ? "/c" : "/c/0")).toEqual(
        source.get(shape.length === 0 ? "/c" : "/c/0"),
      );
    }
  });

  test("every chunk of the target is written once, in boxes within bounds", () => {
    const shape = [1000, 1000, 1000];
    const box = boxShape(shape, [64, 64, 64], [100, 100, 100], 4);
    expect(box.every((length) => length % 64 === 0)).toBe(true);
    expect(box.reduce((product, length) => product * length, 4)).toBeLessThanOrEqual(32 << 20);
    const all = [...boxesOfChunks(shape, regularRuns([64, 64, 64]), box)];
    expect(all.reduce((sum, { shape: [a = 0, b = 0, c = 0] }) => sum + a * b * c, 0)).toBe(1e9);
    expect(boxShape([10], [5000], [1], 8)).toEqual([5000]);
    expect([...boxesOfChunks([], [], [])]).toEqual([{ start: [], shape: [] }]);
    expect([...boxesOfChunks([3, 0], regularRuns([2, 2]), [2, 2])]).toEqual([]);
  });
});

describe("hierarchies that others wrote", () => {
  for (const [name, text] of [
    ["zarr-python 2", fixture2],
    ["zarr-python 3", fixture3],
  ] as const) {
    for (const zarrFormat of [2, 3] as const) {
      test(`${name} to v${zarrFormat}`, async () => {
        const source = parseStore(text);
        const target: MapStore = new Map();
        let copied = 0;
        const refused: string[] = [];
        for await (const node of members(source)) {
          if (node.kind === "group") continue;
          try {
            await copyNode(node, root(target).resolve(node.path), { zarrFormat });
          } catch (error) {
            if (!isZarrError(error, "UnsupportedError")) throw error;
            refused.push(error.message);
            continue;
          }
          copied++;
          const [was, is] = [await contents(node), await contents(root(target).resolve(node.path))];
          // v3 has no null, and v2 says that there are no dimensions.
          const names = was.shape.length === 0 ? is.names : was.names;
          const fill = was.fill ?? is.fill;
          expect({ ...is, fill }).toEqual({ ...was, fill, names });
        }
        expect(copied).toBeGreaterThan(50);
        for (const message of refused) expect(message).toMatch(/order C or F/);
        if (zarrFormat === 3) expect(refused).toEqual([]);
      });
    }
  }

  test("all at once, and back again", async () => {
    const source = parseStore(fixture2);
    const [middle, back]: MapStore[] = [new Map(), new Map()];
    if (middle === undefined || back === undefined) throw new Error("unreachable");
    await copyNode(source, middle, { zarrFormat: 3 });
    await copyNode(middle, back, { zarrFormat: 2 });
    const paths = async (store: MapStore) => {
      const found: string[] = [];
      for await (const node of members(store))
        found.push(`${node.kind} ${node.path} ${node.metadata.zarrFormat}`);
      return found;
    };
    expect(await paths(back)).toEqual(await paths(source));
    expect((await paths(middle)).every((path) => path.endsWith(" 3"))).toBe(true);
    for await (const node of members(source)) {
      if (node.kind === "array") {
        expect((await contents(root(back).resolve(node.path))).bytes).toEqual((await contents(node)).bytes);
      }
    }
  });
});

test("options that do not fit, and codecs that are only read, leave the target as it is", async () => {
  const array = await create(new Map<string, Uint8Array>(), {
    codecs: [],
    shape: [4],
    chunkShape: [2],
    dtype: "int8",
  });
  for (const [options, tag] of [
    [{ order: "f" }, "InvalidArgumentError"],
    [{ attributes: "x" }, "InvalidArgumentError"],
    [{ attributes: { a: () => 1 } }, "InvalidArgumentError"],
    [{ codecs: ["lzma"] }, "UnsupportedError"],
  ] as const) {
    const target = new Map<string, Uint8Array>();
    await create(target, { attributes: { kept: true } });
    const before = [...target];
    expect(await rejection(copyNode, [array, target, { overwrite: true, ...options }])).toMatchObject({
      tag,
    });
    expect([...target]).toEqual(before);
  }
});

test("a target that is the source, also by way of another store of the same values, is refused", async () => {
  const map = await sample(3);
  const before = [...map];
  const array = root(map).resolve("a");
  for (const target of [root(map), array, array.resolve("b"), root(new MemoryStore(map)).resolve("a")]) {
    expect(await rejection(copyNode, [array, target, { overwrite: true }])).toMatchObject({
      tag: "InvalidArgumentError",
    });
  }
  expect([...map]).toEqual(before);
});

describe("progress", () => {
  test("inside one huge shard: its inner chunks, and bytes that only grow", async () => {
    const source = await sample(3);
    const told: { chunksDone: number; chunksTotal: number; bytes: number }[] = [];
    await copyNode(root(source).resolve("a"), new Map(), {
      chunkShape: [2, 2],
      shards: [30, 20],
      onProgress: (progress) => told.push(progress),
    });
    expect(told.at(-1)).toEqual({ chunksDone: 150, chunksTotal: 150, bytes: 1200 });
    expect(new Set(told.map(({ chunksDone }) => chunksDone)).size).toBeGreaterThan(100);
    for (const member of ["chunksDone", "bytes"] as const) {
      const values = told.map((progress) => progress[member]);
      expect(values).toEqual(values.toSorted((a, b) => a - b));
    }
    // What is read counts, too, before anything is encoded.
    expect(told.some(({ chunksDone, bytes }) => chunksDone === 0 && bytes > 0)).toBe(true);
  });

  test("shards that are copied as they are count as their inner chunks", async () => {
    const source = await sample(3, { chunkShape: [5, 5], shards: [15, 10] });
    const told: string[] = [];
    await copyNode(root(source).resolve("a"), new Map(), {
      onProgress: ({ chunksDone, chunksTotal, bytes }) => told.push(`${chunksDone}/${chunksTotal} ${bytes}`),
    });
    expect(told.at(-1)).toBe("24/24 1200");
  });
});

test.each([
  { concurrency: undefined, most: 4 },
  { concurrency: 7, most: 7 },
])("chunks of 16 MiB are copied as they are %o", async ({ concurrency, most }) => {
  const values: MapStore = new Map();
  const length = 2 ** 22;
  await create(values, { shape: [16 * length], chunkShape: [length], dtype: "float32", codecs: ["zstd"] });
  for (let i = 0; i < 16; i++) values.set(`/c/${i}`, new Uint8Array([i]));
  const source = new SlowStore(values);
  const target: MapStore = new Map();
  await copyNode(readOnly(source), target, { concurrency });
  expect(source.mostUnderWay).toBe(most);
  expect(target.get("/c/15")).toEqual(new Uint8Array([15]));
});

describe("a copy that is interrupted", () => {
  /** A store that fails after a number of writes, and those of all keys, in order. */
  function failingAfter(writes: number): { store: MapStore; keys: string[] } {
    const store: MapStore = new Map();
    const keys: string[] = [];
    const write = store.set.bind(store);
    store.set = (key, value) => {
      if (keys.length === writes) throw new Error("killed");
      keys.push(key);
      return write(key, value);
    };
    return { store, keys };
  }

  test.each([
    ["v3", 3, {}],
    ["v2 encoded again", 3, { zarrFormat: 2, chunkShape: [10, 20] }],
    ["the draft", 2, { zarrFormat: "draft" }],
  ] as const)("to %s opens as nothing, or as a whole, and may be repeated", async (_, format, conversion) => {
    const source = await sample(format);
    const inner = root(source).resolve("deep/b");
    const b = await create(inner, { shape: [4], chunkShape: [2], dtype: "uint8", zarrFormat: format });
    await set(b, null, 7);
    const whole = failingAfter(Number.POSITIVE_INFINITY);
    await copyNode(source, whole.store, conversion);
    const isPart = (error: unknown): boolean => isZarrError(error, "NotFoundError");
    for (let writes = 0; writes < whole.keys.length; writes++) {
      const { store } = failingAfter(writes);
      await expect(copyNode(source, store, conversion)).rejects.toThrow("killed");
      for (const path of ["a", "deep/b"]) {
        const there = await contents(root(store).resolve(path)).catch((error: unknown) => error);
        if (!isPart(there)) expect(there).toEqual(await contents(root(whole.store).resolve(path)));
      }
      const again: MapStore = new Map(store);
      await copyNode(source, again, { ...conversion, overwrite: true });
      expect(new Map([...again].sort())).toEqual(new Map([...whole.store].sort()));
    }
  });

  test("writes documents after all chunks, that of the target last", async () => {
    const { store, keys } = failingAfter(Number.POSITIVE_INFINITY);
    await copyNode(await sample(3), root(store).resolve("x/y"));
    const documents = ["/zarr.json", "/x/zarr.json", "/x/y/a/zarr.json", "/x/y/zarr.json"];
    expect(keys.slice(-4)).toEqual(documents);
    expect(keys.slice(0, -4).some((key) => key.endsWith(".json"))).toBe(false);
  });

  test("does not replace what another writer has created meanwhile", async () => {
    const source = await sample(3);
    const store: MapStore = new Map();
    const { set: write } = store;
    let isFirst = true;
    store.set = (key, value) => {
      if (isFirst) write.call(store, "/zarr.json", new TextEncoder().encode(OTHER));
      isFirst = false;
      return write.call(store, key, value);
    };
    await expect(copyNode(source, store)).rejects.toMatchObject({ tag: "AlreadyExistsError" });
    expect(new TextDecoder().decode(store.get("/zarr.json"))).toBe(OTHER);
  });
  const OTHER = JSON.stringify({ zarr_format: 3, node_type: "group", attributes: { by: "another" } });
});
