/**
 * Constructors and methods of stores with arguments that their types refuse: none ends in an error of the
 * engine.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { HttpStore } from "../../src/core/stores/http/http.js";
import { CheckedStore } from "../../src/extend.js";
import {
  MemoryStore,
  type Store,
  withByteCaching,
  withMaybeConsolidatedMetadata,
  withRangeCoalescing,
  withRetry,
} from "../../src/index.js";
import { withRequests } from "../../src/main/stores.js";
import { openStore } from "../../src/stores/addresses/open-store.js";
import { ReferenceStore } from "../../src/stores/references/reference.js";
import { packZip, ZipStore } from "../../src/stores/zip/zip.js";
import { errorOf, type JunkCase, untypedErrors } from "../setup/junk.js";

const folder = mkdtempSync(join(tmpdir(), "wazarr-junk-"));
afterAll(() => rmSync(folder, { recursive: true }));

const bytes = () => Uint8Array.of(1, 2, 3);
const values = () => new Map<string, Uint8Array>([["/a", bytes()]]);
const files = new FileSystemStore(folder);
await files.set("/a", bytes());
const http = () => new HttpStore("https://example.com/", { fetch: async () => new Response(bytes()) });
const document = () => ({ a: "text" });
const pieces: Uint8Array<ArrayBuffer>[] = [];
for await (const piece of packZip(values())) pieces.push(new Uint8Array(piece));
const archive = new Blob(pieces);

const STORES: readonly [name: string, make: () => Store][] = [
  ["MemoryStore", () => new MemoryStore(values())],
  ["FileSystemStore", () => files],
  ["HttpStore", http],
  ["ZipStore", () => ZipStore.fromBlob(archive)],
  ["ReferenceStore", () => new ReferenceStore(document())],
  ["CheckedStore", () => new CheckedStore(values())],
  ["withByteCaching", () => withByteCaching(http())],
  ["withRangeCoalescing", () => withRangeCoalescing(new MemoryStore(values()))],
  ["withRetry", () => withRetry(new MemoryStore(values()), { writes: true })],
  ["withRequests", () => withRequests(http(), () => undefined)],
];

/** Keys, prefixes, ranges and values. */
const METHODS: readonly [name: string, args: () => readonly unknown[]][] = [
  ["get", () => ["/a"]],
  ["getRange", () => ["/a", { offset: 0, length: 1 }]],
  ["getRange", () => ["/a", { suffixLength: 1 }]],
  ["has", () => ["/a"]],
  ["set", () => ["/b", bytes()]],
  ["delete", () => ["/b"]],
  ["list", () => []],
  ["listPrefix", () => ["/"]],
  ["listDir", () => ["/"]],
  ["deletePrefix", () => ["/c/"]],
];

/** A call of a method, whose answer is taken to its end. */
const calling =
  (store: Store, name: string) =>
  async (...given: never[]) => {
    const answer: unknown = await Reflect.apply(Reflect.get(store, name), store, given);
    if (isAsyncIterable(answer)) for await (const _ of answer);
  };

function isAsyncIterable(given: unknown): given is AsyncIterable<unknown> {
  return typeof given === "object" && given !== null && Symbol.asyncIterator in given;
}

const METHOD_CASES: readonly JunkCase[] = STORES.flatMap(([store, make]) =>
  METHODS.filter(([method]) => typeof Reflect.get(make(), method) === "function").map(
    ([method, args]): JunkCase => [`${store}.${method}`, calling(make(), method), args],
  ),
);

const CONSTRUCTORS: readonly JunkCase[] = [
  ["MemoryStore", (given: never) => new MemoryStore(given), () => [new Map()]],
  ["FileSystemStore", (...given: [never, never]) => new FileSystemStore(...given), () => [folder, {}]],
  ["HttpStore", (...given: [never, never]) => new HttpStore(...given), () => ["https://example.com/", {}]],
  ["ZipStore", (...given: [never, never]) => new ZipStore(...given), () => [files, "/a.zip"]],
  ["ZipStore.fromBlob", (given: never) => ZipStore.fromBlob(given), () => [archive]],
  [
    "ZipStore.fromUrl",
    (...given: [never, never]) => ZipStore.fromUrl(...given),
    () => ["https://example.com/a.zip", {}],
  ],
  ["ReferenceStore", (...given: [never, never]) => new ReferenceStore(...given), () => [document(), {}]],
  [
    "ReferenceStore.fromSpec",
    (...given: [never]) => ReferenceStore.fromSpec(...given),
    () => [document(), {}],
  ],
  [
    "ReferenceStore.fromUrl",
    (url: never) => ReferenceStore.fromUrl(url, { fetch: async () => Response.json(document()) }),
    () => ["https://example.com/a.json"],
  ],
  ["CheckedStore", (given: never) => new CheckedStore(given), () => [values()]],
  ["openStore", openStore, () => [folder, {}]],
  ["withMaybeConsolidatedMetadata", withMaybeConsolidatedMetadata, () => [values(), { format: "v3" }]],
];

test.each([...CONSTRUCTORS, ...METHOD_CASES])("%s", async (_name, call, make) => {
  expect(await errorOf(call, make())).toBe(undefined);
  expect(await untypedErrors(call, make)).toEqual([]);
});

test.each(STORES.filter(([, make]) => typeof make().set === "function"))(
  "%s refuses a value that is not bytes, and keeps the old one",
  async (_name, make) => {
    const store = make();
    for (const junk of [undefined, null, 7, "junk", {}, [1], new ArrayBuffer(2), Float32Array.of(1)])
      await expect(Reflect.apply(calling(store, "set"), undefined, ["/a", junk])).rejects.toMatchObject({
        tag: "InvalidArgumentError",
        message: expect.stringContaining("value: expected a Uint8Array, got"),
      });
    expect(await store.get("/a")).toEqual(bytes());
  },
);
