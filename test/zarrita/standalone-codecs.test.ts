/**
 * Codecs that programs take out of `registry` and call themselves, as libraries that decode in their own
 * workers do with zarrita's.
 */
import { expect, test } from "vitest";
import * as zarrita from "zarrita";
import { registry } from "../../src/index.js";
import type { ZarritaCodecEntry } from "../../src/main/codecs.js";

const meta = { dataType: "int16", shape: [2, 3], codecs: [], fillValue: 0 } as const;
const metaOf = (more: object = {}) => ({ ...meta, shape: [2, 3], codecs: [], ...more });

async function codecOf(name: string, configuration: unknown, more?: object) {
  const entry = await registry.get(name)?.();
  if (entry === undefined) throw new Error(`no codec ${name}`);
  return entry.fromConfig(configuration, metaOf(more));
}
async function zarritasOf(name: string, configuration: unknown, more?: object) {
  const entry = await zarrita.registry.get(name)?.();
  return entry?.fromConfig(configuration, Object(metaOf(more)));
}

const BYTES = Uint8Array.from({ length: 4000 }, (_, i) => (i * i) >> 5);

test.each([
  ["zstd", { level: 3 }],
  ["gzip", { level: 5 }],
  ["zlib", { level: 5 }],
  ["blosc", { cname: "lz4", clevel: 5, shuffle: "shuffle", typesize: 2, blocksize: 0 }],
  ["lz4", { acceleration: 1 }],
  ["crc32c", {}],
  ["numcodecs.zlib", { level: 1 }],
  ["numcodecs.shuffle", { elementsize: 2 }],
] as const)("%s makes bytes of bytes, and zarrita's the same of them", async (name, configuration) => {
  const codec = await codecOf(name, configuration);
  const other = await zarritasOf(name, configuration);
  expect(["bytes_to_bytes", undefined]).toContain(codec.kind);
  const encoded: Uint8Array = await codec.encode(BYTES);
  expect(await codec.decode(encoded)).toEqual(BYTES);
  expect(new Uint8Array(await other?.decode(encoded.slice()))).toEqual(BYTES);
  if (["zstd", "blosc", "lz4"].includes(name))
    expect(await codec.decode(await other?.encode(BYTES.slice()))).toEqual(BYTES);
  // The result is the caller's own memory.
  encoded.fill(0);
  expect(await codec.decode(await codec.encode(BYTES))).toEqual(BYTES);
});

const CHUNK = { data: Int16Array.of(1, 2, 3, 4, 500, -6), shape: [2, 3], stride: [3, 1] };

test.each([
  ["bytes", { endian: "little" }],
  ["bytes", { endian: "big" }],
] as const)("%s %o makes bytes of chunks", async (name, configuration) => {
  const codec = await codecOf(name, configuration);
  const other = await zarritasOf(name, configuration);
  expect(codec.kind).toBe("array_to_bytes");
  const encoded = await codec.encode(CHUNK);
  expect(encoded).toEqual(await Object(other).encode({ ...CHUNK, data: CHUNK.data.slice() }));
  expect(await codec.decode(encoded)).toEqual(CHUNK);
  expect(codec.computeEncodedSize?.(12)).toBe(12);
});

test("strings and objects", async () => {
  const texts = { data: ["a", "", "déjà", "x", "y", "z"], shape: [2, 3], stride: [3, 1] };
  for (const [name, dataType] of [
    ["vlen-utf8", "string"],
    ["vlen-utf8", "v2:object"],
    ["json2", "v2:object"],
  ] as const) {
    const codec = await codecOf(name, {}, { dataType, fillValue: "" });
    const other = await zarritasOf(name, {}, { dataType, fillValue: "" });
    const encoded = await codec.encode(texts);
    expect(await codec.decode(encoded)).toEqual(texts);
    expect((await Object(other).decode(encoded)).data).toEqual(texts.data);
  }
});

test("codecs that change arrays", async () => {
  const transpose = await codecOf("transpose", { order: [1, 0] });
  const turned = await transpose.encode(CHUNK);
  expect(turned).toEqual({ data: Int16Array.of(1, 4, 2, 500, 3, -6), shape: [2, 3], stride: [1, 2] });
  const other = await zarritasOf("transpose", { order: [1, 0] });
  expect(turned).toEqual(Object(other).encode(CHUNK));
  expect(await transpose.decode(turned)).toEqual(CHUNK);
  expect(transpose.getEncodedMeta?.(metaOf())).toMatchObject({ dataType: "int16", shape: [2, 3] });

  const scale = { dataType: "float64", fillValue: 0 } as const;
  const cast = await codecOf("cast_value", { data_type: "int32" }, scale);
  expect(cast.getEncodedMeta?.({ ...metaOf(), ...scale })).toMatchObject({ dataType: "int32" });
  const whole = { data: Float64Array.of(1, 2, 3, 4, 5, 6), shape: [2, 3], stride: [3, 1] };
  const cut = await cast.encode(whole);
  expect(cut.data).toEqual(Int32Array.of(1, 2, 3, 4, 5, 6));
  expect(await cast.decode(cut)).toEqual(whole);
});

test("a whole chunk is decoded step by step, as zarrita's pipeline does it", async () => {
  const zstd = await codecOf("zstd", {});
  const bytes = await codecOf("bytes", { endian: "big" });
  const encoded = await zstd.encode(await bytes.encode(CHUNK));
  expect(await bytes.decode(await zstd.decode(encoded))).toEqual(CHUNK);
});

test("damaged bytes and missing metadata are errors", async () => {
  const zstd = await codecOf("zstd", {});
  await expect(zstd.decode(Uint8Array.of(1, 2, 3))).rejects.toMatchObject({
    tag: "CodecError",
    codec: "zstd",
  });
  const bytes = await registry.get("bytes")?.();
  const unknown = bytes?.fromConfig({}, Object({}));
  await expect(unknown?.decode(BYTES)).rejects.toThrow(
    "expected meta with dataType and shape (or data_type and chunk_shape), got {}",
  );
});

test("the registry has what can be read", () => {
  for (const name of [...zarrita.registry.keys(), "zlib", "lz4", "json2", "delta", "numcodecs.fletcher32"])
    expect(registry.has(name), name).toBe(true);
  expect([...registry.keys()]).toContain("fletcher32");
  for (const name of ["imagecodecs_jpegxl", "unknown"]) expect(registry.has(name)).toBe(false);
  expect(registry.get("unknown")).toBeUndefined();
});

test("what was taken out can be put back, and be wrapped under its own name", async () => {
  const before = registry.get("zstd");
  if (before === undefined) throw new Error("expected zstd");
  let decoded = 0;
  const counting: ZarritaCodecEntry = {
    fromConfig(configuration, told) {
      const inner = before().then((entry) => entry.fromConfig(configuration, told));
      return {
        kind: "bytes_to_bytes",
        encode: async (bytes) => (await inner).encode(bytes),
        async decode(bytes) {
          decoded++;
          return (await inner).decode(bytes);
        },
      };
    },
  };
  registry.set("zstd", () => counting);
  try {
    const zstd = await codecOf("zstd", {});
    expect(await zstd.decode(await zstd.encode(BYTES))).toEqual(BYTES);
    expect(decoded).toBe(1);
  } finally {
    registry.set("zstd", before);
  }
  const zstd = await codecOf("zstd", {});
  expect(await zstd.decode(await zstd.encode(BYTES))).toEqual(BYTES);
  expect(decoded).toBe(1);
});
