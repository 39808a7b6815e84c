/**
 * Documents that ask for too much, or say what cannot be: refused by name, before anything large is made of
 * them.
 */
import { describe, expect, test } from "vitest";
import type { AbsolutePath } from "../../src/core/stores/store.js";
import { create, get, open, set } from "../../src/index.js";
import { LITTLE } from "../setup/codecs.js";

type Values = Map<AbsolutePath, Uint8Array>;

function storeOf(document: object, key: AbsolutePath = "/a/zarr.json"): Values {
  return new Map([[key, new TextEncoder().encode(JSON.stringify(document))]]);
}

const openA = async (values: Values) => {
  const { root } = await import("../../src/index.js");
  return open(root(values).resolve("a"), { kind: "array" });
};

const v3 = (members: object) => ({
  zarr_format: 3,
  node_type: "array",
  shape: [4],
  data_type: "uint8",
  chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } },
  chunk_key_encoding: { name: "default" },
  fill_value: 0,
  codecs: [{ name: "bytes" }],
  ...members,
});
const ones = (rank: number) => new Array<number>(rank).fill(1);
const ofRank = (rank: number) =>
  v3({ shape: ones(rank), chunk_grid: { name: "regular", configuration: { chunk_shape: ones(rank) } } });

describe("dimensions", () => {
  test("64 are read and written", async () => {
    const values: Values = new Map();
    const array = await create(values, { shape: ones(64), dtype: "uint8" });
    await set(array, null, 3);
    expect(Array.from((await get(array)).data)).toEqual([3]);
    await expect(openA(storeOf(ofRank(64)))).resolves.toMatchObject({ kind: "array" });
  });

  test.each([65, 10_000])("%i are refused", async (rank) => {
    await expect(openA(storeOf(ofRank(rank)))).rejects.toMatchObject({
      tag: "UnsupportedError",
      key: "/a/zarr.json",
      member: "shape",
      message: expect.stringContaining(`at most 64 dimensions, got ${rank}`),
    });
    const v2 = {
      zarr_format: 2,
      shape: ones(rank),
      chunks: ones(rank),
      dtype: "|u1",
      compressor: null,
      filters: null,
      fill_value: 0,
      order: "C",
    };
    await expect(openA(storeOf(v2, "/a/.zarray"))).rejects.toMatchObject({
      tag: "UnsupportedError",
      key: "/a/.zarray",
      member: "shape",
    });
    await expect(create(new Map(), { shape: ones(rank), dtype: "uint8" })).rejects.toMatchObject({
      tag: "UnsupportedError",
    });
  });

  test("a codec makes no more of them", async () => {
    const array = await openA(
      storeOf(
        v3({
          codecs: [{ name: "reshape", configuration: { shape: [4, ...ones(10_000)] } }, { name: "bytes" }],
        }),
      ),
    );
    await expect(get(array)).rejects.toMatchObject({
      tag: "InvalidMetadataError",
      path: "/a",
      message: expect.stringContaining("at most 64 dimensions"),
    });
  });
});

test.each([
  ["gzip", { name: "gzip", configuration: { level: 5, unknown: 1 } }, "InvalidMetadataError"],
  ["a codec that nobody knows", { name: "nobody-knows" }, "UnknownCodecError"],
])("what is wrong with codecs names the node: %s", async (_, codec, tag) => {
  const array = await openA(storeOf(v3({ codecs: [{ name: "bytes" }, codec] })));
  const error = { tag, path: "/a", message: expect.stringContaining('node "/a"') };
  await expect(get(array)).rejects.toMatchObject(error);
  await expect(set(array, null, 1)).rejects.toMatchObject(error);
});

test("2^52 inner chunks in a shard are refused", async () => {
  const array = await openA(
    storeOf(
      v3({
        shape: [2 ** 52],
        chunk_grid: { name: "regular", configuration: { chunk_shape: [2 ** 52] } },
        codecs: [
          {
            name: "sharding_indexed",
            configuration: {
              chunk_shape: [1],
              codecs: [{ name: "bytes" }],
              index_codecs: [LITTLE],
            },
          },
        ],
      }),
    ),
  );
  await expect(get(array, [0])).rejects.toMatchObject({
    tag: "UnsupportedError",
    path: "/a",
    message: expect.stringContaining(`at most ${2 ** 26} inner chunks in a shard, got ${2 ** 52}`),
  });
});

test("fill values of 40 MB of base64 are read, or refused by name", async () => {
  const document = (fill: string) =>
    v3({ data_type: { name: "raw_bytes", configuration: { length_bytes: 8 } }, fill_value: fill });
  const text = "QUJD".repeat(10 << 20);
  for (const fill of [text, `${text}!`]) {
    await expect(openA(storeOf(document(fill)))).rejects.toMatchObject({
      tag: expect.stringMatching(/^(InvalidMetadata|UnknownDataType)Error$/),
      key: "/a/zarr.json",
    });
  }
  const { fromBase64 } = await import("../../src/data-types/extra/byte-scalars.js");
  expect(fromBase64(text)?.length).toBe(30 << 20);
  expect(fromBase64("QUI=")).toEqual(Uint8Array.of(65, 66));
  expect(fromBase64("QQ==")).toEqual(Uint8Array.of(65));
  expect(fromBase64("")).toEqual(new Uint8Array());
  for (const wrong of ["QUJ", "QUJ=Q", "====", "Q===", "QU=J", "QUJD\n", "QU\nD"])
    expect(fromBase64(wrong)).toBeUndefined();
});
