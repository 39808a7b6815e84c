/**
 * Damaged chunks of codecs that hold whole documents, or codecs of their own: a CodecError that says where,
 * and no memory for claims.
 */
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { create, get, isZarrError, open, set } from "../../../src/index.js";
import type { JsonObject } from "../../../src/metadata/json.js";
import { LITTLE } from "../../setup/codecs.js";
import { toBytes } from "./elements.js";

type Codecs = readonly { readonly name: string; readonly configuration: JsonObject }[];
const named = (name: string, configuration: JsonObject = {}) => ({ name, configuration });

async function arrayOf(codecs: Codecs, chunk: Uint8Array, dtype = "string", chunkShape = [3]) {
  const store = new Map<string, Uint8Array>();
  await create(store, { shape: [3], chunkShape, dtype, codecs });
  store.set("/c/0", chunk);
  return open(store, { kind: "array" });
}

/** An array of objects of v2 whose only chunk holds these bytes. */
async function objectsOf(filter: JsonObject, chunk: Uint8Array) {
  const zarray = {
    zarr_format: 2,
    shape: [3],
    chunks: [3],
    dtype: "|O",
    order: "C",
    fill_value: null,
    filters: [filter],
    compressor: null,
  };
  const store = new Map([
    ["/.zarray", toBytes(JSON.stringify(zarray))],
    ["/0", chunk],
  ]);
  return open(store, { kind: "array" });
}

async function failureOf(array: Parameters<typeof get>[0]) {
  const before = process.memoryUsage().arrayBuffers;
  const error: unknown = await get(array).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isZarrError(error, "CodecError")) throw new Error(`expected a CodecError, got ${String(error)}`);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 26);
  expect(error.chunk).toEqual([0]);
  return error;
}

function words(...values: readonly number[]): Uint8Array {
  return new Uint8Array(Int32Array.from(values).buffer);
}
function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

describe("vlen whose data are encoded", () => {
  const vlen = (type: string) =>
    named("zarrs.vlen", {
      index_codecs: [LITTLE],
      data_codecs: [named("bytes"), named("gzip", { level: 1 })],
      index_data_type: type,
      index_location: "start",
    });
  const data = new Uint8Array(gzipSync("thequick"));
  const narrow = (...offsets: readonly number[]) => join(words(16, 0), words(...offsets), data);
  const wide = (...offsets: readonly bigint[]) =>
    join(words(32, 0), new Uint8Array(BigInt64Array.from(offsets).buffer), data);

  it("reads what is whole", async () => {
    expect((await get(await arrayOf([vlen("uint32")], narrow(0, 3, 8, 8)))).data).toEqual([
      "the",
      "quick",
      "",
    ]);
  });

  it.each<[string, string, Uint8Array]>([
    ["a negative end", "uint32", narrow(0, 3, 8, -1)],
    ["an end of 2 GiB", "uint32", narrow(0, 3, 8, 2 ** 31 - 1)],
    ["an end beyond 2^53", "uint64", wide(0n, 3n, 8n, 2n ** 62n)],
    ["a negative end of 64 bits", "uint64", wide(0n, 3n, 8n, -1n)],
    ["less than the data", "uint64", wide(0n, 3n, 5n, 5n)],
    ["a decrease", "uint32", narrow(0, 8, 3, 8)],
  ])("%s", async (_, type, chunk) => {
    expect((await failureOf(await arrayOf([vlen(type)], chunk))).codec).toMatch(/zarrs\.vlen|gzip/);
  });

  const shards = (chunkShape: readonly number[]) =>
    named("sharding_indexed", {
      chunk_shape: [...chunkShape],
      codecs: [named("bytes")],
      index_codecs: [LITTLE],
      index_location: "end",
    });
  it.each<[string, readonly JsonObject[]]>([
    ["in shards", [shards([1])]],
    ["in shards behind reshape", [named("reshape", { shape: [1, -1] }), shards([1, 1])]],
    ["in shards that are checked", [shards([7]), named("crc32c")]],
    ["packed", [named("packbits", { padding_encoding: "none", last_bit: 6 })]],
    ["differences", [named("delta", { dtype: "|u1" }), named("bytes")]],
    ["other numbers", [named("cast_value", { data_type: "uint64" }), LITTLE, named("gzip", { level: 1 })]],
    ["in any shape", [named("reshape", { shape: [7, -1] }), named("bytes"), named("zstd", { level: 1 })]],
  ])("data %s that are only claimed", async (_, data) => {
    const codecs = [
      named("zarrs.vlen", {
        index_codecs: [LITTLE],
        data_codecs: [...data],
        index_data_type: "uint64",
        index_location: "end",
      }),
    ];
    // 7 divides the first of them.
    for (const end of [7n * 300_000_000n, 2n ** 31n - 1n, 2n ** 40n, 2n ** 63n - 1n, -1n]) {
      const index = new Uint8Array(BigInt64Array.of(0n, 0n, 5n, end).buffer);
      const chunk = join(toBytes("thequick".repeat(9)), index, words(32, 0));
      expect((await failureOf(await arrayOf(codecs, chunk))).codec).toBe("zarrs.vlen");
    }
  });

  it("data that are not gzip's", async () => {
    const chunk = join(words(16, 0), words(0, 3, 8, 8), toBytes("thequick"));
    await failureOf(await arrayOf([vlen("uint32")], chunk));
  });
});

describe("json2", () => {
  const filter = { id: "json2" };
  it.each<[string, string, RegExp]>([
    ["no JSON", '["a",', /expected/],
    ["no list", '{"a":1}', /a list of 3 values/],
    ["too few values", '[1,2,"|O",[3]]', /expected 3 values, got 2/],
    ["too many values", '[1,2,3,4,"|O",[3]]', /expected 3 values, got 4/],
    ["another shape", '[1,2,3,"|O",[4]]', /a shape of 3 elements/],
    ["a shape of a great many", '[1,2,3,"|O",[9007199254740991,3]]', /a shape of 3 elements/],
    ["no shape", '[1,2,3,"|O","x"]', /a shape of 3 elements/],
    ["a shape that the values do not have", '[1,2,3,"|O",[1,3]]', /lists nested/],
    ["trailing bytes", '[1,2,3,"|O",[3]]x', /expected/],
    ["lists in lists without end", "[".repeat(200_000), /expected/],
    ["text that is not UTF-8", '["\xff"]', /expected/],
  ])("%s", async (_, text, message) => {
    const chunk = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const error = await failureOf(await objectsOf(filter, chunk));
    expect(error.message).toMatch(message);
    expect(error.codec).toBe("numcodecs.json2");
  });
});

describe("msgpack2", () => {
  const filter = { id: "msgpack2" };
  it.each<[string, readonly number[], RegExp]>([
    ["nothing", [], /expected/],
    ["a list of four billion values", [0xdd, 255, 255, 255, 255, 1], /expected/],
    ["a map of four billion", [0xdf, 255, 255, 255, 255, 1], /expected/],
    ["text of four billion bytes", [0xdb, 255, 255, 255, 255, 0x61], /expected/],
    ["bytes of four billion", [0xc6, 255, 255, 255, 255, 0x61], /expected/],
    ["too few values", [0x94, 1, 2, 0xa2, 0x7c, 0x4f, 0x91, 3], /expected 3 values, got 2/],
    ["trailing bytes", [0x95, 1, 2, 3, 0xa2, 0x7c, 0x4f, 0x91, 3, 0], /1 more bytes after it/],
    ["text that is not UTF-8", [0x95, 0xa1, 0xff, 2, 3, 0xa2, 0x7c, 0x4f, 0x91, 3], /expected/],
    ["lists in lists without end", new Array<number>(200_000).fill(0x91), /nested/],
    ["an extension", [0x95, 0xd4, 1, 0, 2, 3, 0xa2, 0x7c, 0x4f, 0x91, 3], /expected/],
  ])("%s", async (_, bytes, message) => {
    const error = await failureOf(await objectsOf(filter, Uint8Array.from(bytes)));
    expect(error.message).toMatch(message);
    expect(error.codec).toBe("numcodecs.msgpack2");
  });
});

describe("vlen-array", () => {
  const filter = { id: "vlen-array", dtype: "<i4" };
  it.each<[string, Uint8Array, number | undefined, RegExp]>([
    [
      "an element of another length",
      join(words(3, 4, 1, 3), new Uint8Array(3), words(0)),
      1,
      /a multiple of 4 bytes in element 1/,
    ],
    ["another count", words(2, 0, 0, 0), undefined, /expected 3 elements, got a chunk of 2/],
    ["a truncated element", words(3, 4, 1, 8, 1), 1, /end of element 1/],
    ["a length of four billion", words(3, 0, -1, 0), 1, /end of element 1/],
    ["trailing bytes", words(3, 0, 0, 0, 0), 16, /expected 16 bytes/],
  ])("%s", async (_, chunk, offset, message) => {
    const error = await failureOf(await objectsOf(filter, chunk));
    expect(error.message).toMatch(message);
    expect([error.codec, error.offset]).toEqual(["numcodecs.vlen-array", offset]);
  });
});

describe("chunks that their metadata make enormous", () => {
  const HUGE = [2 ** 45];
  const codecs = [
    [named("vlen-utf8")],
    [named("bytes", { endian: "little" })],
    [
      named("zarrs.vlen", {
        index_codecs: [LITTLE],
        data_codecs: [named("bytes")],
        index_data_type: "uint64",
        index_location: "end",
      }),
    ],
    [named("json2")],
    [named("msgpack2")],
  ];

  it.each(codecs.map((list) => [list[0]?.name ?? "", list] as const))("%s", async (_, list) => {
    const array = await arrayOf(list, toBytes("a few bytes of anything"), "string", HUGE);
    await failureOf(array);
    array.store.delete("/c/0");
    expect((await get(array)).data).toEqual(["", "", ""]);
    const error: unknown = await set(array, null, Object(["a", "b", "c"])).catch((reason: unknown) => reason);
    expect(isZarrError(error, "UnsupportedError"), String(error)).toBe(true);
  });
});
