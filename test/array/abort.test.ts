/** Every operation ends when its signal aborts, whatever the store does. */
import { beforeEach, expect, test } from "vitest";
import * as wazarr from "../../src/index.js";
import { copyNode, verify } from "../../src/main/copy.js";
import { ZipStore } from "../../src/stores/zip/zip.js";

/** A store that heeds no signal, and from some time on never answers. */
class SilentStore {
  readonly values = new Map<string, Uint8Array>();
  isSilent = false;
  asked = 0;

  #answer<Result>(give: () => Result): Promise<Result> {
    this.asked++;
    return this.isSilent ? new Promise(() => {}) : Promise.resolve(give());
  }
  get(key: string) {
    return this.#answer(() => this.values.get(key));
  }
  set(key: string, value: Uint8Array) {
    return this.#answer(() => this.values.set(key, value.slice()));
  }
  delete(key: string) {
    return this.#answer(() => this.values.delete(key));
  }
  list() {
    return this.#answer(() => []);
  }
  listPrefix() {
    return this.#answer(() => []);
  }
  listDir() {
    return this.#answer(() => ({ keys: [], prefixes: [] }));
  }
}

let store: SilentStore;
let array: wazarr.Array<"int32", SilentStore>;
let sharded: wazarr.Array<"int32", SilentStore>;
let strings: wazarr.Array<"string", SilentStore>;
let group: wazarr.Group<SilentStore>;
beforeEach(async () => {
  store = new SilentStore();
  group = await wazarr.create(store);
  const shape = [64];
  array = await wazarr.create(group.resolve("a"), { shape, dtype: "int32", chunkShape: [8] });
  sharded = await wazarr.create(group.resolve("s"), {
    shape,
    dtype: "int32",
    chunkShape: [8],
    shards: [32],
  });
  strings = await wazarr.create(group.resolve("t"), { shape, dtype: "string", chunkShape: [8] });
  store.isSilent = true;
  store.asked = 0;
});

const part = wazarr.slice(3, 13);
const elements = { data: new Int32Array(10), shape: [10] };
async function all(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items) {
    // Each is asked for.
  }
}

type Operation = (options: { readonly signal: AbortSignal }) => Promise<unknown>;
const OPERATIONS: Readonly<Record<string, Operation>> = {
  open: (options) => wazarr.open(group.resolve("a"), options),
  "open.v2": (options) => wazarr.open.v2(group.resolve("a"), options),
  "open.v3": (options) => wazarr.open.v3(group.resolve("a"), options),
  "open.draft": (options) => wazarr.open.draft(group.resolve("a"), options),
  get: (options) => wazarr.get(array, null, options),
  "get with opts": ({ signal }) => wazarr.get(array, null, { opts: { signal } }),
  "get of one element": (options) => wazarr.get(array, [3], options),
  "get from shards": (options) => wazarr.get(sharded, [part], options),
  "get of strings": (options) => wazarr.get(strings, [part], options),
  getOrthogonal: (options) => wazarr.getOrthogonal(array, [[1, 40]], options),
  "getOrthogonal from shards": (options) => wazarr.getOrthogonal(sharded, [[1, 40]], options),
  getCoordinates: (options) => wazarr.getCoordinates(array, [[1, 40]], options),
  "getCoordinates of strings": (options) => wazarr.getCoordinates(strings, [[1, 40]], options),
  getChunk: (options) => wazarr.getChunk(array, [1], options),
  "getChunk of a shard": (options) => sharded.getChunk([1], options),
  set: (options) => wazarr.set(array, [part], elements, options),
  "set of whole chunks": (options) => wazarr.set(array, null, 5, options),
  "set in shards": (options) => wazarr.set(sharded, [part], elements, options),
  "set of strings": (options) => wazarr.set(strings, [part], "a", options),
  setOrthogonal: (options) => wazarr.setOrthogonal(array, [[1, 40]], 5, options),
  setCoordinates: (options) => wazarr.setCoordinates(array, [[1, 40]], 5, options),
  read: (options) => all(wazarr.read(array, null, options)),
  "create of a group": (options) => wazarr.create(group.resolve("new"), options),
  "create of an array": (options) =>
    wazarr.create(group.resolve("new"), { ...options, shape: [4], dtype: "int8" }),
  resize: (options) => wazarr.resize(array, [20], options),
  append: (options) => wazarr.append(array, elements, options),
  updateAttributes: (options) => wazarr.updateAttributes(array, { unit: "K" }, options),
  copyNode: (options) => copyNode(array, new Map(), options),
  verify: (options) => verify(array, options),
  children: (options) => wazarr.children(group, options),
  members: (options) => all(wazarr.members(group, options)),
  tree: (options) => wazarr.tree(group, options),
  exists: (options) => wazarr.exists(group.resolve("a"), options),
  deleteNode: (options) => wazarr.deleteNode(group.resolve("a"), options),
  consolidateMetadata: (options) => wazarr.consolidateMetadata(store, options),
  withConsolidatedMetadata: (options) => wazarr.withConsolidatedMetadata(store, options),
  withMaybeConsolidatedMetadata: (options) => wazarr.withMaybeConsolidatedMetadata(store, options),
  "get from a zip archive": ({ signal }) => wazarr.open(new ZipStore(store, "/a.zip"), { signal }),
};

test.each(Object.entries(OPERATIONS))("%s", async (_, operation) => {
  const abort = new AbortController();
  const reason = new Error("enough");
  const result = operation({ signal: abort.signal });
  const told = expect(result).rejects.toBe(reason);
  // Aborted while the store is asked.
  while (store.asked === 0) await new Promise((next) => setTimeout(next));
  abort.abort(reason);
  await told;
});

test("an operation that waits for another one's lock ends too", async () => {
  const waiting = wazarr.updateAttributes(array, { unit: "K" });
  const abort = new AbortController();
  const told = expect(wazarr.updateAttributes(array, { unit: "m" }, abort)).rejects.toBe("enough");
  while (store.asked === 0) await new Promise((next) => setTimeout(next));
  abort.abort("enough");
  await told;
  expect(waiting).toBeInstanceOf(Promise);
});

test("nothing is asked of a store after the abort", async () => {
  const abort = new AbortController();
  abort.abort(new Error("enough"));
  await expect(wazarr.get(array, null, abort)).rejects.toBe(abort.signal.reason);
  await expect(wazarr.open(store, abort)).rejects.toBe(abort.signal.reason);
  expect(store.asked).toBe(0);
});
