// own process: it registers data types.
/**
 * The public functions of `wazarr` with arguments that their types refuse: none ends in an error of the
 * engine.
 */
import { expect, test } from "vitest";
import { setKernels } from "../../src/extend.js";
import * as wazarr from "../../src/index.js";
import { ChunkCache, LruCache } from "../../src/main/caches.js";
import { registerChunkKeyEncoding, unsupportedCodecs } from "../../src/main/codecs.js";
import { copyNode, verify } from "../../src/main/copy.js";
import {
  fromFloat32Array,
  parseDataType,
  registerDataType,
  resolveDataType,
  ticksFrom,
  ticksToDate,
  ticksToISOString,
  ticksToMilliseconds,
  toFloat32Array,
  toStrings,
} from "../../src/main/data-types.js";
import { RequestQueue, withRequests } from "../../src/main/stores.js";
import { errorOf, type JunkCase, untypedErrors } from "../setup/junk.js";

const store = new Map<string, Uint8Array>();
const array = await wazarr.create(store, {
  shape: [4, 4],
  chunkShape: [2, 2],
  dtype: "int32",
  dimensionNames: ["y", "x"],
});
const long = await wazarr.create(new Map(), { shape: [4], dtype: "int64" });
const text = await wazarr.create(new Map(), { shape: [4], dtype: "string" });
const fresh = () => wazarr.create(new Map(), { shape: [4, 4], dtype: "int32" });
const group = await wazarr.create(new Map());
const http = new wazarr.HttpStore("https://example.com/");
const ofArray = () => ({ shape: [4, 4], dtype: "int32" });
const part = () => ({ data: new Int32Array(16), shape: [4, 4] });

let registered = 0;

async function all(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

/** A call whose first argument is an array made for it, which the call may change. */
const onFresh =
  (call: (...given: never[]) => unknown) =>
  async (...given: unknown[]) =>
    Reflect.apply(call, undefined, [await fresh(), ...given]);

const CALLS: readonly JunkCase[] = [
  ["root", wazarr.root, () => [store]],
  ["open", wazarr.open, () => [store, {}]],
  ["open.v3", wazarr.open.v3, () => [store, { kind: "array" }]],
  ["location.resolve", (path: never) => wazarr.root(store).resolve(path), () => ["a"]],
  ["create", wazarr.create, () => [new Map(), ofArray()]],
  ["create of v2", wazarr.create, () => [new Map(), { ...ofArray(), zarrFormat: 2 }]],
  [
    "create with shards",
    wazarr.create,
    () => [new Map(), { ...ofArray(), chunkShape: [2, 2], shards: [4, 4] }],
  ],
  ["create of a group", wazarr.create, () => [new Map(), { attributes: {} }]],
  ["get", wazarr.get, () => [array, [0, wazarr.slice(2)], {}]],
  ["get as", wazarr.get, () => [array, null, { as: "float32" }]],
  ["get as uint8", wazarr.get, () => [array, null, { as: "uint8", window: [0, 1] }]],
  [
    "get with statistics",
    wazarr.get,
    () => [array, null, { as: "float32", statistics: { bins: 2, range: [0, 1] } }],
  ],
  [
    "get as into",
    wazarr.get,
    () => [array, null, { as: "float32", out: { data: new Float32Array(16), stride: [4, 1] } }],
  ],
  ["get of safe integers", wazarr.get, () => [long, null, { safeIntegers: true }]],
  ["get of a column", wazarr.get, () => [text, null, { as: "column" }]],
  ["get into", wazarr.get, () => [array, null, { out: new Int32Array(16) }]],
  ["getChunk", wazarr.getChunk, () => [array, [0, 0], {}]],
  ["array.getChunk", (...given: [never, never]) => array.getChunk(...given), () => [[0, 0], {}]],
  ["select", wazarr.select, () => [array, { y: 1 }]],
  ["slice", wazarr.slice, () => [1, 2, 1]],
  ["getOrthogonal", wazarr.getOrthogonal, () => [array, [[0], null], {}]],
  ["getCoordinates", wazarr.getCoordinates, () => [array, [[0], [1]], {}]],
  [
    "getCoordinates of a mask",
    wazarr.getCoordinates,
    () => [array, { data: new Uint8Array(16), shape: [4, 4] }],
  ],
  [
    "getCoordinates of a mask with strides",
    (mask: never) => wazarr.getCoordinates(array, mask),
    () => [{ data: new Uint8Array(16), shape: [4, 4], stride: [4, 1] }],
  ],
  ["set", wazarr.set, () => [array, [0, 0], 1, {}]],
  ["set of elements", (value: never) => wazarr.set(array, null, value), () => [part()]],
  ["set of strings", wazarr.set, () => [text, null, ["a", "b", "c", "d"], {}]],
  ["setOrthogonal", wazarr.setOrthogonal, () => [array, [[0], [0]], 1, {}]],
  ["setCoordinates", wazarr.setCoordinates, () => [array, [[0], [0]], 1, {}]],
  ["read", (...given: [never, never, never]) => all(wazarr.read(...given)), () => [array, null, {}]],
  ["prefetch", wazarr.prefetch, () => [array, null, { cache: new ChunkCache({ maxBytes: 1000 }) }]],
  ["append", onFresh(wazarr.append), () => [part(), { axis: 0 }]],
  ["append to", wazarr.append, () => [array, { data: new Int32Array(0), shape: [0, 4] }]],
  ["resize", onFresh(wazarr.resize), () => [[2, 2], {}]],
  ["resize of", wazarr.resize, () => [array, [4, 4]]],
  ["updateAttributes", wazarr.updateAttributes, () => [array, { a: 1 }, {}]],
  ["children", wazarr.children, () => [group, {}]],
  ["members", wazarr.members, () => [group, {}]],
  ["tree", wazarr.tree, () => [group, {}]],
  ["exists", wazarr.exists, () => [group, {}]],
  ["deleteNode", (...given: [never]) => wazarr.deleteNode(...given), () => [wazarr.root(new Map(store)), {}]],
  ["consolidateMetadata", wazarr.consolidateMetadata, () => [group.store, {}]],
  ["withConsolidatedMetadata", wazarr.withMaybeConsolidatedMetadata, () => [store, {}]],
  ["copyNode", copyNode, () => [array, wazarr.root(new Map()), {}]],
  ["verify", verify, () => [array, {}]],
  ["unsupportedCodecs", unsupportedCodecs, () => [array]],
  ["ChunkCache", (given: never) => new ChunkCache(given), () => [{ maxBytes: 1 }]],
  ["LruCache", (given: never) => new LruCache(given), () => [{ maxBytes: 1 }]],
  ["MemoryStore", (given: never) => new wazarr.MemoryStore(given), () => [new Map()]],
  ["RequestQueue", (given: never) => new RequestQueue(given), () => [{}]],
  ["withByteCaching", wazarr.withByteCaching, () => [http, {}]],
  ["withRangeCoalescing", wazarr.withRangeCoalescing, () => [http, {}]],
  ["withRetry", wazarr.withRetry, () => [http, {}]],
  ["parseDataType", parseDataType, () => ["int32"]],
  ["resolveDataType", resolveDataType, () => ["int32"]],
  [
    "registerChunkKeyEncoding",
    registerChunkKeyEncoding,
    () => [{ name: `own.keys-${registered++}`, fromConfig: () => ({ encode: () => "a" }) }],
  ],
  ["toFloat32Array", toFloat32Array, () => [new Uint16Array(2)]],
  ["toStrings", toStrings, () => [["a"]]],
  ["ticksFrom", ticksFrom, () => ["2020-01-01", { unit: "s", scaleFactor: 1 }]],
  ["ticksToDate", ticksToDate, () => [1n, { unit: "s", scaleFactor: 1 }]],
  ["ticksToISOString", ticksToISOString, () => [1n, { unit: "s", scaleFactor: 1 }]],
  ["ticksToMilliseconds", ticksToMilliseconds, () => [1n, { unit: "s", scaleFactor: 1 }]],
  ["withRequests", withRequests, () => [http, () => undefined]],
  ["extendArray", wazarr.extendArray, () => [array, (each: unknown) => each]],
  ["extendStore", wazarr.extendStore, () => [store, (each: unknown) => each]],
  ["defineArrayExtension", wazarr.defineArrayExtension, () => [() => ({})]],
  ["defineStoreExtension", wazarr.defineStoreExtension, () => [() => ({})]],
  ["setKernels", setKernels, () => ["auto"]],
  ["fromFloat32Array", fromFloat32Array, () => [new Float32Array(2), "float16"]],
  [
    "registerDataType",
    registerDataType,
    () => [{ name: "own.type", fromV2: () => undefined, fromV3: () => undefined }],
  ],
];

test.each(CALLS)("%s", async (_name, call, make) => {
  expect(await errorOf(call, make())).toBe(undefined);
  expect(await untypedErrors(call, make)).toEqual([]);
});
