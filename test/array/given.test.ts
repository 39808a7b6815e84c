/**
 * What is given in the place of an array, a store or a pool of workers, mostly for want of an `await`, is
 * told as what it is.
 */
import { describe, expect, test } from "vitest";
import {
  append,
  children,
  consolidateMetadata,
  create,
  defineArrayExtension,
  defineStoreExtension,
  deleteNode,
  exists,
  get,
  getChunk,
  getCoordinates,
  getOrthogonal,
  members,
  read,
  resize,
  root,
  select,
  set,
  setCoordinates,
  setOrthogonal,
  tree,
  updateAttributes,
  withByteCaching,
  withConsolidatedMetadata,
  withRangeCoalescing,
} from "../../src/index.js";
import { copyNode, verify } from "../../src/main/copy.js";
import { rejection } from "./untyped.js";

const map = new Map<string, Uint8Array>();
const array = await create(map, { shape: [4], dtype: "int32", dimensionNames: ["x"] });
await set(array, null, 7);
const elements = { data: Int32Array.of(1), shape: [1] };

type Call = (given: never) => Promise<unknown>;

const ofArrays: Readonly<Record<string, Call>> = {
  get: (given) => get(given, [1]),
  getChunk: (given) => getChunk(given, [0]),
  getOrthogonal: (given) => getOrthogonal(given, [[0]]),
  getCoordinates: (given) => getCoordinates(given, [[0]]),
  set: (given) => set(given, null, 1),
  setOrthogonal: (given) => setOrthogonal(given, [[0]], 1),
  setCoordinates: (given) => setCoordinates(given, [[0]], 1),
  resize: (given) => resize(given, [8]),
  append: (given) => append(given, elements),
  read: (given) => read(given).next(),
  select: async (given) => select(given, { x: 1 }),
  updateAttributes: (given) => updateAttributes(given, { a: 1 }),
  "an extension of arrays": async (given) => defineArrayExtension(() => ({}))(given),
};

const ofStores: Readonly<Record<string, Call>> = {
  create: (given) => create(given),
  exists: (given) => exists(given),
  children: (given) => children(given),
  members: (given) => members(given).next(),
  tree: (given) => tree(given),
  verify: (given) => verify(given),
  deleteNode: (given) => deleteNode(given),
  "copyNode from": (given) => copyNode(given, new Map()),
  "copyNode to": (given) => copyNode(map, given),
  withConsolidatedMetadata: (given) => withConsolidatedMetadata(given),
  withByteCaching: async (given) => withByteCaching(given),
  withRangeCoalescing: async (given) => withRangeCoalescing(given),
  "an extension of stores": async (given) => defineStoreExtension(() => ({}))(given),
};

const nothing: readonly (readonly [unknown, string])[] = [
  [undefined, "got undefined"],
  [null, "got null"],
  [Promise.resolve(array), "got a Promise: did you forget `await`?"],
  ["a.zarr", 'got "a.zarr"'],
  [elements, "got an object with data, shape"],
];

describe.each(Object.entries(ofArrays))("%s of what is no array", (name, call) => {
  const others: readonly (readonly [unknown, string])[] = [
    [map, "got a store; open it first"],
    [root(map), "got a Location; open it first"],
  ];
  test.each([...nothing, ...others])("%o", async (given, got) => {
    const error = await rejection(call, [given]);
    expect(error).toMatchObject({ tag: "InvalidArgumentError", message: expect.stringContaining(got) });
    expect(error).toMatchObject({ message: expect.stringMatching(/^expected an array /) });
  });

  if (name === "updateAttributes") return;
  test("a group", async () => {
    const error = await rejection(call, [await create(new Map())]);
    expect(error).toMatchObject({
      tag: "InvalidArgumentError",
      message: expect.stringContaining("got a group; "),
    });
  });
});

describe.each(Object.entries(ofStores))("%s of what is no store", (_, call) => {
  test.each(nothing)("%o", async (given, got) => {
    const error = await rejection(call, [given]);
    expect(error).toMatchObject({ tag: "InvalidArgumentError", message: expect.stringContaining(got) });
    expect(error).toMatchObject({ message: expect.stringMatching(/^expected a store, /) });
  });
});

describe("what is no pool of workers", () => {
  const calls: Readonly<Record<string, Call>> = {
    get: (workers) => get(array, null, { workers }),
    "get of a chunk of a Map": (workers) => get(array, [1], { workers }),
    getChunk: (workers) => getChunk(array, [0], { workers }),
    getOrthogonal: (workers) => getOrthogonal(array, [[0]], { workers }),
    read: (workers) => read(array, null, { workers }).next(),
    set: (workers) => set(array, null, 7, { workers }),
    setCoordinates: (workers) => setCoordinates(array, [[0]], 7, { workers }),
    copyNode: (workers) => copyNode(array, new Map(), { workers, codecs: ["zstd"] }),
    verify: (workers) => verify(array, { workers }),
  };
  test.each(Object.entries(calls))("%s", async (_, call) => {
    for (const [given, got] of [
      [{}, "got an object with no members"],
      [Promise.resolve({}), "got a Promise: did you forget `await`?"],
    ]) {
      expect(await rejection(call, [given])).toMatchObject({
        tag: "InvalidArgumentError",
        message: `workers: expected a WorkerPool of wazarr/workers, ${got}`,
      });
    }
  });
});

test("verify needs no options: its report counts the problems", async () => {
  const broken = new Map(map).set("/c/0", new Uint8Array(3));
  expect(await verify(broken)).toEqual({ groups: 0, arrays: 1, chunks: 1, chunksInGrid: 1, problems: 1 });
  expect(await verify(map)).toEqual({ groups: 0, arrays: 1, chunks: 1, chunksInGrid: 1, problems: 0 });
});

test("an array with an extension in front is an array", async () => {
  const extended = await defineArrayExtension(() => ({ note: "mine" }))(array);
  expect(await get(extended, [1])).toBe(7);
  expect(await getOrthogonal(extended, [[1]])).toMatchObject({ data: Int32Array.of(7) });
});

test("a store that cannot be written, in the place of one that can", async () => {
  const group = new Map<string, Uint8Array>();
  await create(group);
  const readOnly = { get: (key: string) => group.get(key), list: () => [], listPrefix: () => [] };
  const listed = { ...readOnly, listDir: () => ({ keys: [], prefixes: [] }) };
  for (const [call, args] of [
    [create, [listed, {}]],
    [copyNode, [map, listed]],
    [consolidateMetadata, [listed]],
  ] as const) {
    expect(await rejection(call, args), call.name).toMatchObject({ tag: "UnsupportedError" });
  }
});

test("chunk coordinates that are no list", async () => {
  for (const given of [undefined, 0]) {
    expect(await rejection(getChunk, [array, given])).toMatchObject({ tag: "InvalidSelectionError" });
  }
});
