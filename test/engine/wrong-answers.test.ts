/**
 * Stores that answer something else than bytes: told as what it is, with the key, not as damage of the data.
 */
import { describe, expect, test } from "vitest";
import {
  create,
  get,
  open,
  type Selection,
  type Store,
  set,
  slice,
  type WritableStore,
} from "../../src/index.js";
import { copyNode } from "../../src/main/copy.js";
import { packZip } from "../../src/stores/zip/zip.js";
import { rejection } from "../array/untyped.js";

const answers: readonly (readonly [name: string, answer: unknown, got: string])[] = [
  ["a string", "abc", '"abc"'],
  ["an empty string", "", '""'],
  ["a number", 5, "5"],
  ["zero", 0, "0"],
  ["a boolean", true, "true"],
  ["an ArrayBuffer", new ArrayBuffer(16), "an ArrayBuffer: wrap it, new Uint8Array(buffer)"],
  ["an array of numbers", [1, 2, 3], "an Array"],
  ["longer elements", new Uint16Array(8), "a Uint16Array"],
  ["a DataView", new DataView(new ArrayBuffer(16)), "a DataView"],
  ["a Response", new Response("abc"), "a Response"],
  ["an object", { type: "Buffer", data: [1] }, "an object with type, data"],
];

const layouts = {
  raw: {},
  gzip: { codecs: ["gzip"] },
  zstd: { codecs: ["zstd"] },
  blosc: { codecs: ["blosc"] },
  shards: { chunkShape: [2], shards: [4] },
  "several chunks": { chunkShape: [2] },
} as const;

describe.each(Object.entries(layouts))("%s", (_, layout) => {
  test.each(answers)("%s", async (_name, answer, got) => {
    const map = new Map<string, Uint8Array>();
    const array = await create(map, { shape: [4], dtype: "int32", ...layout });
    await set(array, null, 7);
    const expected = {
      tag: "StoreError",
      key: "/c/0",
      reason: `expected a Uint8Array (or undefined) from the store, got ${got}`,
    };
    const wrong = (key: string): unknown => (key === "/c/0" ? answer : map.get(key));
    const stores: Readonly<Record<string, object>> = {
      "at once": { get: wrong },
      later: { get: async (key: string) => wrong(key) },
      ranges: { get: async (key: string) => wrong(key), getRange: async () => answer },
      "several ranges": {
        get: async (key: string) => wrong(key),
        getParts: async () => ({ parts: [answer] }),
      },
      writable: { get: wrong, set: () => {} },
      "writable, later": { get: async (key: string) => wrong(key), set: async () => {} },
      Map: new Map<string, unknown>([...map, ["/c/0", answer]]),
    };
    for (const [name, store] of Object.entries(stores)) {
      for (const selection of [null, [1], [slice(0, 2)]]) {
        expect(await rejection(readFrom, [store, selection]), `${name}, ${selection}`).toMatchObject(
          expected,
        );
      }
      if ("set" in store) expect(await rejection(writeInto, [store]), name).toMatchObject(expected);
    }
    expect(await rejection(copyNode, [stores.later, new Map()]), "copy").toMatchObject(expected);
  });
});

test.each(answers)("a document that is %s", async (_, answer, got) => {
  const error = await rejection(open, [{ get: () => answer }]);
  const message = expect.stringContaining(`got ${got}`);
  expect(error).toMatchObject({ tag: "StoreError", key: "/zarr.json", message });
});

test("a store that is packed", async () => {
  const pack = (store: Store) => packZip(store).next();
  expect(await rejection(pack, [new Map([["/a", "text"]])])).toMatchObject({ tag: "StoreError", key: "/a" });
});

async function readFrom(store: Store, selection: Selection): Promise<void> {
  await get(await open(store, { kind: "array" }), selection);
}

async function writeInto(store: WritableStore): Promise<void> {
  await set(await open(store, { kind: "array" }), [slice(1, 3)], 5);
}
