/**
 * Settings that matter for writing alone never block reading; numcodecs, too, finds them out when it encodes.
 */
import { describe, expect, it } from "vitest";
import { create, get, isZarrError, type JsonObject, open, set } from "../../../src/index.js";
import { copyNode } from "../../../src/main/copy.js";
import { toHex } from "../../data-types/support.js";
import { encodeStore } from "../../interop/wazarr.js";
import { ask, zarrPython } from "../../setup/python.js";

const python = zarrPython();

type MapStore = Map<string, Uint8Array>;
const ELEMENTS = Float32Array.from({ length: 64 }, (_, i) => i / 4);

/** An array whose document is given other settings once its elements are written. */
async function patched(id: string, good: JsonObject, bad: JsonObject, zarrFormat: 2 | 3): Promise<MapStore> {
  const store: MapStore = new Map();
  const isFilter = ["bitround", "quantize"].includes(id);
  const codecs =
    zarrFormat === 3
      ? [{ name: id, configuration: good }]
      : isFilter
        ? { filters: [{ id, ...good }] }
        : { compressor: { id, ...good } };
  const array = await create(store, { shape: [64], chunkShape: [16], dtype: "float32", codecs, zarrFormat });
  await set(array, null, ELEMENTS);
  const key = zarrFormat === 3 ? "/zarr.json" : "/.zarray";
  const text = new TextDecoder().decode(store.get(key));
  const document = JSON.parse(text, (_, value) =>
    value?.id === id
      ? { id, ...bad }
      : value?.name === id
        ? { name: id, configuration: { ...value.configuration, ...bad } }
        : value,
  );
  store.set(key, new TextEncoder().encode(JSON.stringify(document)));
  return store;
}

const cases: readonly (readonly [
  id: string,
  good: JsonObject,
  bad: JsonObject,
  formats: readonly (2 | 3)[],
])[] = [
  ["gzip", { level: 1 }, { level: 10 }, [2, 3]],
  ["gzip", { level: 1 }, { level: null }, [2, 3]],
  ["zlib", { level: 1 }, { level: "fast" }, [2]],
  ["numcodecs.zlib", { level: 1 }, { level: -2 }, [3]],
  ["zstd", { level: 1 }, { level: 1.5 }, [2, 3]],
  ["zstd", { level: 1 }, { checksum: "no" }, [2, 3]],
  ["lz4", { acceleration: 1 }, { acceleration: 1e12 }, [2]],
  ["blosc", {}, { clevel: 12 }, [2, 3]],
  ["blosc", {}, { cname: "brotli" }, [2, 3]],
  ["blosc", { cname: "zstd" }, { cname: "brotli", clevel: -1 }, [2, 3]],
  ["blosc", {}, { shuffle: 7 }, [2, 3]],
  ["blosc", {}, { blocksize: -4 }, [2, 3]],
  ["blosc", {}, { typesize: 0 }, [3]],
  ["bitround", { keepbits: 20 }, { keepbits: -1 }, [2, 3]],
  ["quantize", { digits: 2, dtype: "<f4" }, { digits: "x", dtype: "<f4" }, [2]],
];

describe.each(cases.flatMap(([id, good, bad, formats]) => formats.map((f) => ({ id, good, bad, f }))))(
  "$id $bad in v$f",
  ({ id, good, bad, f }) => {
    it("is read; writing is refused, and so is a new array", async () => {
      const store = await patched(id, good, bad, f);
      const before = new Map(store);
      const array = await open(store, { kind: "array" });
      expect((await get(array)).data).toEqual(ELEMENTS);
      const [member = ""] = Object.keys(bad).filter((name) => name !== "dtype");
      const refused = { tag: "InvalidMetadataError", member: `configuration.${member}` };
      const writing = await set(array, [3], 7).catch((error: unknown) => error);
      expect(isZarrError(writing) && String(writing)).toMatch(new RegExp(`expected .*${member}`));
      expect(store).toEqual(before);
      // Chunks that stay as they are can be copied, others have to be written.
      const copy: MapStore = new Map();
      await copyNode(store, copy);
      expect((await get(await open(copy, { kind: "array" }))).data).toEqual(ELEMENTS);
      await expect(copyNode(store, new Map(), { chunkShape: [8] })).rejects.toMatchObject(refused);
      const codecs = f === 3 ? [{ name: id, configuration: bad }] : { compressor: { id, ...bad } };
      const target: MapStore = new Map();
      const options = { shape: [4], dtype: "float32", codecs, zarrFormat: f } as const;
      await expect(create(target, options)).rejects.toMatchObject(refused);
      expect(target.size).toBe(0);
    });
  },
);

describe("levels that numcodecs knows and v3 does not", () => {
  it.each([
    ["gzip", -1, 6],
    ["zstd", 99, undefined],
    ["zstd", -200_000, undefined],
  ])("%s %d: written in v2, refused in a new array of v3", async (id, level, inV3) => {
    const store: MapStore = new Map();
    const options = { shape: [64], chunkShape: [64], dtype: "float32" } as const;
    const codecs = { compressor: { id, level } };
    await set(await create(store, { ...options, codecs, zarrFormat: 2 }), null, ELEMENTS);
    expect((await get(await open(store, { kind: "array" }))).data).toEqual(ELEMENTS);
    if (python.executable !== undefined) {
      const request = { store: encodeStore(store), path: "/", zarr_format: 2 as const };
      const { read } = await ask(python, { write: [], read: [request] });
      expect(read).toMatchObject([{ data: toHex(new Uint8Array(ELEMENTS.buffer)) }]);
    }
    if (level !== -200_000)
      await expect(
        create(new Map(), { ...options, codecs: [{ name: id, configuration: { level } }] }),
      ).rejects.toMatchObject({ tag: "InvalidMetadataError" });
    // A copy in v3 has a document that others read.
    const copy: MapStore = new Map();
    await copyNode(store, copy, { zarrFormat: 3 });
    const [, codec] = (await open(copy, { kind: "array" })).metadata.codecs;
    expect(codec).toMatchObject(
      inV3 === undefined
        ? { name: `numcodecs.${id}`, configuration: { level } }
        : { name: id, configuration: { level: inV3 } },
    );
    expect((await get(await open(copy, { kind: "array" }))).data).toEqual(ELEMENTS);
  });
});
