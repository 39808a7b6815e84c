/** Chunk key encodings: those of the core, of zarr-extensions, and one that is registered. */
import { describe, expect, test } from "vitest";
import { parseChunkKey } from "../../src/grid/parse-chunk-key.js";
import { type AbsolutePath, create, deleteNode, get, open, resize, set } from "../../src/index.js";
import { registerChunkKeyEncoding } from "../../src/main/codecs.js";
import { verify } from "../../src/main/copy.js";
import {
  chunkKeysOf,
  loadChunkKeyEncoding,
  parseChunkKeyEncoding,
} from "../../src/metadata/chunk-key-encodings.js";
import type { Json } from "../../src/metadata/json.js";
import { Member } from "../../src/metadata/member.js";

describe("chunk keys", () => {
  // v3 core specification, "Chunk key encoding"; v2 specification, "Storing chunks"; 2020 draft, "Chunk
  // identifiers".
  test.each([
    ["default", "/", [], "c"],
    ["default", "/", [0], "c/0"],
    ["default", "/", [1, 23, 45], "c/1/23/45"],
    ["default", ".", [1, 23, 45], "c.1.23.45"],
    ["v2", ".", [], "0"],
    ["v2", "/", [], "0"],
    ["v2", ".", [0], "0"],
    ["v2", ".", [1, 23, 45], "1.23.45"],
    ["v2", "/", [1, 23, 45], "1/23/45"],
    ["draft", "/", [], "c"],
    ["draft", "/", [0], "c0"],
    ["draft", "/", [1, 23, 45], "c1/23/45"],
    ["draft", ".", [1, 23, 45], "c1.23.45"],
    ["draft", "--", [1, 23], "c1--23"],
    ["default", "/", [9007199254740991], "c/9007199254740991"],
  ] as const)("%s %j %j is %j", (name, separator, coordinates, key) => {
    expect(chunkKeysOf({ name, separator }, coordinates.length).keyOf(coordinates)).toBe(key);
    const grid = coordinates.map((index) => index + 1);
    expect(parseChunkKey({ name, separator }, grid, key)).toEqual(coordinates);
    expect(parseChunkKey({ name, separator }, grid, `${key}x`)).toBeUndefined();
  });
});

async function parse(json: Json, rank: number) {
  await loadChunkKeyEncoding(json);
  return parseChunkKeyEncoding(new Member(json, {}, "chunk_key_encoding"), rank);
}

const templated = (format: string, separator?: string) => ({
  name: "template",
  configuration: { format, ...(separator === undefined ? {} : { separator }) },
});
const fanout = (max_children?: number) => ({
  name: "fanout",
  configuration: max_children === undefined ? {} : { max_children },
});
const suffixed = (suffix: string, base: Json) => ({
  name: "suffix",
  configuration: { suffix, base_encoding: base },
});
const prefixed = (prefix: string, base: Json) => ({
  name: "prefix",
  configuration: { prefix, base_encoding: base },
});

describe("encodings of zarr-extensions", () => {
  // The examples of their specifications, and more.
  const cases: readonly (readonly [Json, readonly number[], string])[] = [
    [templated("c/{*}", "/"), [11, 22, 33], "c/11/22/33"],
    [templated("{*}", "."), [11, 22, 33], "11.22.33"],
    [templated("prefix/{*}", "/"), [11, 22, 33], "prefix/11/22/33"],
    [templated("{*}.suffix", "_"), [11, 22, 33], "11_22_33.suffix"],
    [templated("{2}/{0}/{1}", "."), [11, 22, 33], "33/11/22"],
    [templated("{-1}/{*}", "/"), [11, 22, 33], "33/11/22"],
    [templated("{*:04}", "/"), [11, 22, 33], "0011/0022/0033"],
    [templated("{*:02}", "/"), [111, 2, 33], "111/02/33"],
    [templated("images/{-1}/{*:04}.jpeg", "_"), [1, 2, 3], "images/3/0001_0002.jpeg"],
    [templated("{{a}}/{0}.+"), [7], "{a}/7.+"],
    [{ name: "template", configuration: { template: "{0}x" } }, [7], "7x"],
    [fanout(101), [], "c"],
    [fanout(101), [123], "d0/1/23/c"],
    [fanout(101), [1234, 5, 67890], "d0/12/34/d1/5/d2/6/78/90/c"],
    [fanout(101), [0, 100], "d0/0/d1/1/0/c"],
    ["fanout", [1000, 999], "d0/1/0/d1/999/c"],
    [suffixed(".tiff", { name: "default" }), [1, 2], "c/1/2.tiff"],
    [suffixed(".shard.zip", "v2"), [1, 2], "1.2.shard.zip"],
    [suffixed("", "v2"), [], "0"],
    [{ name: "suffix", configuration: { suffix: ".a", "base-encoding": fanout() } }, [5], "d0/5/c.a"],
    [{ name: "suffix", configuration: { suffix: ".a" } }, [5], "c/5.a"],
    [prefixed("x/", "v2"), [0, 0, 0], "x/0.0.0"],
    [
      prefixed("x/", suffixed(".a", { name: "default", configuration: { separator: "." } })),
      [4, 2],
      "x/c.4.2.a",
    ],
  ];

  test.each(cases)("%j of %j is %j", async (json, coordinates, key) => {
    const encoding = await parse(json, coordinates.length);
    expect(chunkKeysOf(encoding, coordinates.length).keyOf(coordinates)).toBe(key);
    const grid = coordinates.map((index) => index + 1);
    expect(parseChunkKey(encoding, grid, key)).toEqual(coordinates);
    // A copy of the metadata makes the same keys.
    expect(chunkKeysOf(structuredClone(encoding), coordinates.length).keyOf(coordinates)).toBe(key);
    for (const other of [`${key}/`, `0${key}`, `${key}0`, "", "zarr.json"])
      expect(parseChunkKey(encoding, grid, other)).toBeUndefined();
    if (coordinates.length > 0) expect(parseChunkKey(encoding, [...coordinates], key)).toBeUndefined();
  });

  const refused: readonly (readonly [Json, number, string])[] = [
    [templated("{0}/{1}"), 1, "each of 1 dimensions once"],
    [templated("{0}"), 2, "each of 2 dimensions once"],
    [templated("{0}-{-1}"), 1, "each of 1 dimensions once"],
    [templated("{-3}-{0}"), 2, "each of 2 dimensions once"],
    [templated("{0}-{*}", "-"), 1, "a dimension for *"],
    [templated("{*}/{*}", "-"), 2, "at most one *"],
    [templated("{*}"), 2, "separator"],
    [templated("a"), 0, "each of 0 dimensions once"],
    [templated("{0"), 1, "only an index or * in single braces"],
    [templated("{a}"), 1, "only an index or * in single braces"],
    [templated("{0:5}"), 1, "only an index or * in single braces"],
    [templated("{0:0999999999}"), 1, "at most 255 digits"],
    [templated("{0}{1}"), 2, "a separator other than digits"],
    [templated("{0}1{1}"), 2, "a separator other than digits"],
    [templated("{*}", "0"), 2, "a separator other than digits"],
    [templated("/{0}"), 1, "segments"],
    [templated("../{0}"), 1, "segments"],
    [templated("a//{0}"), 1, "segments"],
    [templated("{0}/zarr.json"), 1, "zarr.json"],
    [templated("{0}\\"), 1, "segments"],
    [fanout(3), 1, "from 4"],
    [{ name: "fanout", configuration: { max: 5 } }, 1, "configuration.max"],
    [suffixed("/../x", "v2"), 1, "segments"],
    [suffixed("/zarr.json", "v2"), 1, "zarr.json"],
    [prefixed("", suffixed("/", "v2")), 1, "segments"],
    [{ name: "suffix", configuration: { suffix: 5 } }, 1, "configuration.suffix"],
    [suffixed(".a", { name: "unknown" }), 1, "registerChunkKeyEncoding"],
    ["constructor", 1, "registerChunkKeyEncoding"],
  ];
  test.each(refused)("%j of rank %j is refused", async (json, rank, message) => {
    await expect(parse(json, rank)).rejects.toMatchObject({
      tag: "InvalidMetadataError",
      message: expect.stringContaining(message),
    });
  });

  test("nested without end is an error, and no overflow of the stack", async () => {
    let json: Json = "default";
    for (let i = 0; i < 100_000; i++)
      json = { name: "suffix", configuration: { suffix: "", base_encoding: json } };
    await expect(parse(json, 1)).rejects.toMatchObject({ tag: "InvalidMetadataError" });
  });

  test.each([
    ["suffix", suffixed(".tiff", "default"), "/c/1/0.tiff"],
    ["fanout", fanout(4), "/d0/1/d1/0/c"],
    ["template", templated("{1:03}/{0}.bin"), "/000/1.bin"],
  ] as const)("arrays with %s are written, read, verified and removed", async (_, chunkKeyEncoding, key) => {
    const map = new Map<AbsolutePath, Uint8Array>();
    const array = await create(map, { shape: [4, 6], chunkShape: [2, 3], dtype: "int16", chunkKeyEncoding });
    const data = Int16Array.from({ length: 24 }, (__, i) => i + 1);
    await set(array, null, { data, shape: [4, 6] });
    expect([...map.keys()]).toContain(key);
    const opened = await open(map, { kind: "array" });
    expect(opened.chunkKeyEncoding).toMatchObject(chunkKeyEncoding);
    expect((await get(opened)).data).toEqual(data);
    expect(await verify(opened)).toMatchObject({ arrays: 1, chunks: 4, problems: 0 });
    await resize(opened, [2, 6]);
    await deleteNode(map);
    expect([...map.keys()]).toEqual([]);
  });
});

test("an encoding of one's own", async () => {
  registerChunkKeyEncoding({
    name: "test.hexadecimal",
    fromConfig(configuration, rank) {
      configuration.ignorable([]);
      return {
        keyOf: (coordinates) => ["x", ...coordinates.map((index) => index.toString(16))].join("-"),
        coordinatesOf: (key) =>
          rank === 0
            ? []
            : key
                .split("-")
                .slice(1)
                .map((digits) => Number.parseInt(digits, 16)),
      };
    },
  });
  const map = new Map<AbsolutePath, Uint8Array>();
  const chunkKeyEncoding = { name: "test.hexadecimal" };
  const array = await create(map, { shape: [20], chunkShape: [1], dtype: "int8", chunkKeyEncoding });
  await set(array, null, 3);
  expect([...map.keys()].at(-1)).toBe("/x-13");
  expect((await get(await open(map, { kind: "array" }))).data).toEqual(new Int8Array(20).fill(3));
  for (const name of ["default", "v2", "draft"])
    expect(() =>
      registerChunkKeyEncoding({ name, fromConfig: () => chunkKeysOf(array.chunkKeyEncoding, 1) }),
    ).toThrow("a name of your own");
  await expect(
    create(new Map(), {
      shape: [1],
      dtype: "int8",
      chunkKeyEncoding: { ...chunkKeyEncoding, configuration: { a: 1 } },
    }),
  ).rejects.toThrow("expected only an extension with must_understand: false, got 1");
  await expect(
    create(new Map(), {
      shape: [1],
      dtype: "int8",
      chunkKeyEncoding: { name: "fanout", ...{ max_children: 9 } },
    }),
  ).rejects.toThrow('chunkKeyEncoding has no option "max_children": expected one of name, configuration');
  await expect(
    Reflect.apply(create, undefined, [new Map(), { shape: [1], dtype: "int8", chunkKeyEncoding: "fanout" }]),
  ).rejects.toThrow('expected "default" or "v2" or { name: "fanout" } and the like, got "fanout"');
  for (const options of [{ zarrFormat: 2 }, { chunkSeparator: "/" }] as const)
    await expect(
      create(new Map(), { shape: [1], dtype: "int8", chunkKeyEncoding, ...options }),
    ).rejects.toThrow("needs zarrFormat: 3");
});

test.each<readonly [string, unknown, RegExp]>([
  ["nothing", undefined, /name: expected a name of your own, got undefined/],
  ["no name", { fromConfig: () => ({}) }, /name: expected a name of your own, got undefined/],
  ["a number", { name: 5, fromConfig: () => ({}) }, /name: .*got 5/],
  ["no function", { name: "test.none" }, /fromConfig of "test\.none": expected a function, got undefined/],
])("%s is no encoding", (_, entry, message) => {
  expect(() => Reflect.apply(registerChunkKeyEncoding, undefined, [entry])).toThrow(message);
});

const joined = (separator: string) => (coordinates: readonly number[]) => coordinates.join(separator);
const split = (separator: string) => (key: string) => key.split(separator).map(Number);
test.each<readonly [string, unknown, RegExp]>([
  ["gives nothing", undefined, /expected fromConfig to return keyOf and coordinatesOf, got undefined/],
  ["has one direction", { keyOf: joined("-") }, /to return keyOf and coordinatesOf/],
  [
    "gives numbers",
    { keyOf: () => 1, coordinatesOf: split("-") },
    /expected keyOf\(\[0, 0\]\) to be a string/,
  ],
  [
    "forgets a dimension",
    { keyOf: ([first]: readonly number[]) => `${first}-0`, coordinatesOf: split("-") },
    /a key for each chunk, got "0-0" for \[0, 0\] and \[0, 1\]/,
  ],
  [
    "separates nothing",
    { keyOf: joined(""), coordinatesOf: split("") },
    /expected coordinatesOf\("111"\) to be \[1, 11\]/,
  ],
  [
    "reads other coordinates",
    { keyOf: joined("-"), coordinatesOf: (key: string) => split("-")(key).reverse() },
    /expected coordinatesOf\("1-0"\) to be \[1, 0\], got \[0,1\]/,
  ],
])("an encoding that %s", async (_, keys, message) => {
  const entry = { name: "test.wrong", fromConfig: () => keys };
  Reflect.apply(registerChunkKeyEncoding, undefined, [entry]);
  const created = create(new Map(), {
    shape: [1, 1],
    dtype: "int8",
    chunkKeyEncoding: { name: "test.wrong" },
  });
  await expect(created).rejects.toMatchObject({
    tag: "InvalidArgumentError",
    message: expect.stringMatching(message),
  });
});
