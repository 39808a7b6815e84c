/** Names that lead to no codec: misspelt ones, and what an application registered that is none. */
import { afterEach, describe, expect, it } from "vitest";
import { create, get, open, registry, root } from "../../../src/index.js";

const NAME = "test.mine";
afterEach(() => {
  registry.delete(NAME);
});

const createWith = (name: string) =>
  create(new Map(), { shape: [1], dtype: "int8", codecs: [{ name, configuration: {} }] });

it.each([
  ["gzpi", ': did you mean "gzip"?'],
  ["Zstandard", "; "],
  ["zst", ': did you mean "zstd"?'],
  ["numcodecs.bitrund", ': did you mean "numcodecs.bitround"?'],
  ["numcodecs.zstdd", ': did you mean "numcodecs.zstd"?'],
  ["numcodecs.delt", ': did you mean "numcodecs.delta"?'],
  ["numcodecs.oops", "; "],
  ["crc32d", ': did you mean "crc32c" or "crc32"?'],
])("%s is not registered, and a name that is near is told", async (name, advice) => {
  await expect(createWith(name)).rejects.toMatchObject({
    tag: "UnknownCodecError",
    codec: name,
    message: expect.stringContaining(`Unknown codec: ${name}${advice}`),
  });
});

it("an unknown codec of v2 has a name that is near", async () => {
  const document = {
    ...{ zarr_format: 2, shape: [1], chunks: [1], dtype: "|i1", order: "C", fill_value: 0, filters: null },
    compressor: { id: "zstdd" },
  };
  const array = await open(new Map([["/.zarray", new TextEncoder().encode(JSON.stringify(document))]]), {
    kind: "array",
  });
  await expect(get(array)).rejects.toThrow('did you mean "numcodecs.zstd"?');
});

describe("what was registered is no codec", () => {
  it.each([
    ["an object", {}, "an object with no members"],
    ["an entry in place of its loader", { fromConfig() {} }, "an object with fromConfig"],
    ["undefined", undefined, "undefined"],
    ["a number", 3, "3"],
    ["a loader of nothing", () => undefined, "one that gives undefined"],
    ["a loader of an object", async () => ({ kind: "bytes_to_bytes" }), "one that gives an object with kind"],
    [
      "a loader of a module",
      () => import("../../../src/core/codecs/gzip/gzip.js"),
      "one that gives a Module",
    ],
  ])("%s", async (_, loader, got) => {
    Reflect.apply(registry.set, registry, [NAME, loader]);
    await expect(createWith(NAME)).rejects.toMatchObject({
      tag: "InvalidArgumentError",
      codec: NAME,
      reason: `registry.set("${NAME}", loader): expected a function that gives an entry with fromConfig, got ${got}`,
    });
  });

  it("by its name of v2", async () => {
    Reflect.apply(registry.set, registry, [NAME, {}]);
    const store = new Map<string, Uint8Array>();
    const options = { shape: [1], dtype: "int8", zarrFormat: 2, codecs: { compressor: null } } as const;
    await create(root(store).resolve("a"), options);
    const document = new TextDecoder().decode(store.get("/a/.zarray"));
    const changed = document.replace(/"compressor": *null/, `"compressor":{"id":"${NAME}"}`);
    store.set("/a/.zarray", new TextEncoder().encode(changed));
    const array = await open(root(store).resolve("a"), { kind: "array" });
    await expect(array.getChunk([0])).rejects.toMatchObject({ tag: "InvalidArgumentError" });
  });
});
