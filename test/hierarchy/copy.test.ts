import { describe, expect, test } from "vitest";
import { boxes, boxShape } from "../../src/hierarchy/boxes.js";
import {
  type AbsolutePath,
  copyNode,
  create,
  get,
  isZarrError,
  members,
  open,
  root,
  type Store,
  set,
  slice,
} from "../../src/index.js";
import fixture3 from "../fixtures/zarr-python.json?raw";
import fixture2 from "../fixtures/zarr-python-2.json?raw";
import { bytesFromBase64 } from "../interop/elements.js";
import { rejection } from "./untyped.js";

type MapStore = Map<string, Uint8Array>;

function parseStore(text: string): MapStore {
  const { store }: { store: Record<string, string> } = JSON.parse(text);
  return new Map(Object.entries(store).map(([key, value]) => [key, bytesFromBase64(value)]));
}

function document(store: MapStore, key: string) {
  return JSON.parse(new TextDecoder().decode(store.get(key)));
}

/** An array's elements as bytes, and what else a copy has to keep. */
async function contents(location: Parameters<typeof open>[0]) {
  const array = await open(location, { kind: "array" });
  const chunk = await get(array, ["..."]);
  const data: unknown = array.shape.length === 0 ? chunk : chunk.data;
  return {
    shape: array.shape,
    dtype: array.dtype,
    bytes: array.shape.length === 0 ? data : array.dataType.bytesOf(data),
    names: array.dimensionNames,
    fill: array.fillValue === undefined ? undefined : String(array.fillValue),
  };
}

/** 30 x 20 in chunks of 7 x 6, the chunks of the last column absent. */
async function sample(zarrFormat: 2 | 3, options = {}): Promise<MapStore> {
  const store: MapStore = new Map();
  const array = await create(root(store).resolve("a"), {
    shape: [30, 20],
    chunkShape: [7, 6],
    dtype: "int16",
    fillValue: -1,
    zarrFormat,
    attributes: { units: "m" },
    dimensionNames: ["y", "x"],
    ...options,
  });
  const data = Int16Array.from({ length: 540 }, (_, i) => i * 37);
  await set(array, ["...", slice(18)], { data, shape: [30, 18] });
  return store;
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

describe("chunks are copied as they are where their bytes stay valid", () => {
  const gzip = [{ name: "gzip", configuration: { level: 4 } }];
  const cases = [
    ["v2 to v3", 2, { codecs: { compressor: { id: "gzip", level: 4 } } }, { zarrFormat: 3 }],
    ["v3 to v2", 3, { codecs: gzip }, { zarrFormat: 2 }],
    [
      "v2 to v3, big-endian, F, zlib",
      2,
      { codecs: { compressor: { id: "zlib", level: 1 } }, order: "F", endian: "big" },
      { zarrFormat: 3 },
    ],
    ["v3 to v2, big-endian, F", 3, { codecs: gzip, order: "F", endian: "big" }, { zarrFormat: 2 }],
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
    const { store, chunksRead } = watched(await sample(3));
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
      const source = await sample(zarrFormat);
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
      const array = await create(source, { shape, dtype: "float32" });
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
    const all = [...boxes(shape, box)];
    expect(all.reduce((sum, { shape: [a = 0, b = 0, c = 0] }) => sum + a * b * c, 0)).toBe(1e9);
    expect(boxShape([10], [5000], [1], 8)).toEqual([5000]);
    expect([...boxes([], [])]).toEqual([{ start: [], shape: [] }]);
    expect([...boxes([3, 0], [2, 2])]).toEqual([]);
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
          // v3 has no null.
          expect({ ...is, fill: was.fill ?? is.fill }).toEqual({ ...was, fill: was.fill ?? is.fill });
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

describe("metadata", () => {
  test("dimension names and attributes go where the format has them", async () => {
    const source = await sample(2);
    expect(document(source, "/a/.zattrs")).toEqual({ units: "m", _ARRAY_DIMENSIONS: ["y", "x"] });
    const v3: MapStore = new Map();
    await copyNode(source, v3, { zarrFormat: 3 });
    expect(document(v3, "/a/zarr.json")).toMatchObject({
      attributes: { units: "m" },
      dimension_names: ["y", "x"],
    });
    expect(document(v3, "/a/zarr.json").attributes).toEqual({ units: "m" });
    const v2: MapStore = new Map();
    await copyNode(v3, v2, { zarrFormat: 2, dimensionNames: ["row", null] });
    expect(document(v2, "/a/.zattrs")).toEqual({ units: "m", _ARRAY_DIMENSIONS: ["row", null] });
  });

  test("attributes given are those of the node that is copied", async () => {
    const target: MapStore = new Map();
    await copyNode(await sample(3), target, { attributes: { title: "t" } });
    expect(document(target, "/zarr.json").attributes).toEqual({ title: "t" });
    expect(document(target, "/a/zarr.json").attributes).toEqual({ units: "m" });
  });

  test("consolidated metadata, which would be out of date, stay behind", async () => {
    const source = await sample(3);
    const group = {
      ...document(source, "/zarr.json"),
      consolidated_metadata: { kind: "inline", metadata: {}, must_understand: false },
    };
    source.set("/zarr.json", new TextEncoder().encode(JSON.stringify(group)));
    const target: MapStore = new Map();
    await copyNode(source, target);
    expect(document(target, "/zarr.json")).not.toHaveProperty("consolidated_metadata");
  });

  test("codecs are written as their format has them", async () => {
    const source: MapStore = new Map();
    const compressor = { id: "blosc", cname: "zstd", clevel: 3, shuffle: -1, blocksize: 0 };
    await create(source, {
      shape: [4],
      dtype: ">i4",
      zarrFormat: 2,
      codecs: { filters: [{ id: "crc32c" }], compressor },
    });
    const v3: MapStore = new Map();
    await copyNode(source, v3, { zarrFormat: 3 });
    expect(document(v3, "/zarr.json").codecs).toEqual([
      { name: "bytes", configuration: { endian: "big" } },
      { name: "crc32c" },
      {
        name: "blosc",
        configuration: { typesize: 4, cname: "zstd", clevel: 3, shuffle: "shuffle", blocksize: 0 },
      },
    ]);
    const v2: MapStore = new Map();
    await copyNode(v3, v2, { zarrFormat: 2 });
    expect(document(v2, "/.zarray")).toMatchObject({
      dtype: ">i4",
      filters: [{ id: "crc32c" }],
      compressor: { id: "blosc", cname: "zstd", clevel: 3, shuffle: 1, blocksize: 0 },
    });
  });

  test("v2's null fill value stays null in v2 and reads as zeros in v3", async () => {
    const source: MapStore = new Map();
    await create(source, { shape: [4], dtype: "float32", zarrFormat: 2, fillValue: null });
    const [v2, v3]: MapStore[] = [new Map(), new Map()];
    if (v2 === undefined || v3 === undefined) throw new Error("unreachable");
    await copyNode(source, v2);
    await copyNode(source, v3, { zarrFormat: 3 });
    expect(document(v2, "/.zarray").fill_value).toBe(null);
    expect(document(v3, "/zarr.json").fill_value).toBe(0);
  });
});

/** An array that v2 cannot hold, behind one that it can. */
async function transposed(): Promise<MapStore> {
  const store: MapStore = new Map();
  const codecs = [{ name: "transpose", configuration: { order: [2, 0, 1] } }];
  await create(root(store).resolve("a"), { shape: [3, 2, 1], dtype: "int8", codecs });
  await create(root(store).resolve("A"), { shape: [1], dtype: "int8" });
  return store;
}

describe("refused before anything is written", () => {
  const refusals: readonly (readonly [string, () => Promise<MapStore>, object, string, RegExp])[] = [
    [
      "a transposition that v2 lacks",
      transposed,
      { zarrFormat: 2 },
      "UnsupportedError",
      /order C or F.*"\/a"/,
    ],
    [
      "chunks for arrays of another rank",
      () => sample(3),
      { chunkShape: [2] },
      "InvalidArgumentError",
      /chunkShape: expected 2 items/,
    ],
    [
      "names for arrays of another rank",
      () => sample(3),
      { dimensionNames: ["x"] },
      "InvalidArgumentError",
      /dimensionNames/,
    ],
    [
      "chunks of no length",
      () => sample(3),
      { chunkShape: [0, 1] },
      "InvalidArgumentError",
      /positive integers/,
    ],
    [
      "a fill value that does not fit",
      () => sample(3),
      { fillValue: 1.5 },
      "InvalidArgumentError",
      /fill value.*1.5/,
    ],
    ["an unknown codec", () => sample(3), { codecs: ["nope"] }, "UnknownCodecError", /nope/],
    ["no concurrency", () => sample(3), { concurrency: 0 }, "InvalidArgumentError", /concurrency/],
  ];
  test.each(refusals)("%s", async (_, makeSource, conversion, tag, message) => {
    const source = await makeSource();
    const target: MapStore = new Map();
    const error = await rejection(copyNode, [source, target, conversion]);
    expect(isZarrError(error) ? error.tag : error).toBe(tag);
    expect(String(error)).toMatch(message);
    expect(target.size).toBe(0);
  });

  test("a source that is not there", async () => {
    expect(isZarrError(await rejection(copyNode, [new Map(), new Map()]), "NotFoundError")).toBe(true);
  });

  test("a target that is there, unless it may be replaced", async () => {
    const [source, target] = [await sample(3), await sample(2, { dtype: "float64" })];
    const before = new Map(target);
    expect(isZarrError(await rejection(copyNode, [source, target]), "AlreadyExistsError")).toBe(true);
    expect(target).toEqual(before);
    // Not even then when the copy turns out to be impossible.
    await rejection(copyNode, [source, target, { overwrite: true, codecs: ["nope"] }]);
    expect(target).toEqual(before);
    await copyNode(source, target, { overwrite: true });
    expect([...target.keys()].sort()).toEqual([...source.keys()].sort());
  });

  test("a target that is the source, around it or within it", async () => {
    const store = await sample(3);
    for (const [from, to] of [
      ["/", "/a"],
      ["/a", "/"],
      ["/a", "/a"],
      ["/a", "/a/b"],
    ]) {
      const error = await rejection(copyNode, [
        root(store).resolve(from ?? ""),
        root(store).resolve(to ?? ""),
        { overwrite: true },
      ]);
      expect(isZarrError(error, "InvalidArgumentError")).toBe(true);
    }
    await copyNode(root(store).resolve("a"), root(store).resolve("ab"));
    expect(await contents(root(store).resolve("ab"))).toEqual(await contents(root(store).resolve("a")));
  });

  test("a damaged chunk, by name", async () => {
    const source = await sample(3);
    source.set("/a/c/1/1", new Uint8Array(5));
    const error = await rejection(copyNode, [source, new Map(), { chunkShape: [5, 5] }]);
    expect(isZarrError(error, "CodecError")).toBe(true);
    expect(String(error)).toMatch(/\/a\/c\/1\/1/);
  });

  test("an aborted copy", async () => {
    const error = await rejection(copyNode, [
      await sample(3),
      new Map(),
      { signal: AbortSignal.abort(new Error("enough")) },
    ]);
    expect(String(error)).toMatch(/enough/);
  });
});
