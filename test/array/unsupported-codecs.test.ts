/** What an array is made of: `codecs`, `chunkKeyEncoding`, and the codecs that nobody has registered. */
import { describe, expect, test } from "vitest";
import { create, open, registry, root } from "../../src/index.js";
import { unsupportedCodecs } from "../../src/main/codecs.js";

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

function v3(codecs: readonly unknown[]) {
  const document = {
    zarr_format: 3,
    node_type: "array",
    shape: [8],
    data_type: "uint8",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } },
    chunk_key_encoding: { name: "v2", configuration: { separator: "/" } },
    fill_value: 0,
    codecs,
  };
  return open(new Map([["/zarr.json", encode(document)]]), { kind: "array" });
}

describe("unsupportedCodecs", () => {
  test("names those inside of shards, each once, and no codec that may be skipped", async () => {
    const bytes = { name: "bytes" };
    const strange = { name: "strange", configuration: { codecs: 3 } };
    const codecs = [strange, bytes, { name: "imagecodecs_jpegxl" }, strange];
    const sharding = {
      name: "sharding_indexed",
      configuration: { chunk_shape: [2], codecs, index_codecs: [bytes, { name: "odd" }] },
    };
    const array = await v3([sharding, { name: "note", must_understand: false }]);
    expect(unsupportedCodecs(array)).toEqual(["strange", "imagecodecs_jpegxl", "odd"]);
    expect(array.codecs.map(({ name }) => name)).toEqual(["sharding_indexed", "note"]);
    expect(array.chunkKeyEncoding).toEqual({ name: "v2", separator: "/" });
    registry.set("strange", () => {
      throw new Error("loaded");
    });
    expect(unsupportedCodecs(array)).toEqual(["imagecodecs_jpegxl", "odd"]);
    registry.delete("strange");
  });

  test("v2: names of numcodecs; nothing if all are there", async () => {
    const document = {
      ...{ zarr_format: 2, shape: [4], chunks: [4], dtype: "|u1", fill_value: 0, order: "C" },
      ...{ filters: [{ id: "delta", dtype: "|u1" }], compressor: { id: "jetraw", quality: 1 } },
    };
    const array = await open(new Map([["/.zarray", encode(document)]]), { kind: "array" });
    expect(unsupportedCodecs(array)).toEqual(["numcodecs.jetraw"]);
    const shards = { chunkShape: [2], shards: [4], shape: [8], dtype: "uint8" } as const;
    const sharded = await create(root(), shards);
    expect([unsupportedCodecs(sharded), sharded.chunks, sharded.shards]).toEqual([[], [2], [4]]);
  });
});
