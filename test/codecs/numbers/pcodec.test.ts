/**
 * pcodec: the data of scripts/oracles/make_pcodec_fixtures.py and make_pcodec_older_fixtures.py, which
 * Python's pcodec wrote, and damaged ones.
 */
import { describe, expect, it } from "vitest";
import { get, isZarrError, open } from "../../../src/index.js";
import { encodeJson } from "../../../src/metadata/json-text.js";
import { vectorSpec } from "../../core/codecs/array-harness.js";
import { expectSame, fromBase64 } from "../../core/codecs/harness.js";
import { loadEntry } from "../../core/codecs/load-entry.js";
import fixtures from "../../fixtures/codecs/pcodec.json" with { type: "json" };
import older from "../../fixtures/codecs/pcodec-older.json" with { type: "json" };
import { LITTLE } from "../../setup/codecs.js";
import { decode, itemSizeOf } from "./pcodec-decode.js";

const CASES = [...fixtures.cases, ...older.cases].map(({ name, type, data, numbers }) => ({
  name,
  type,
  data: fromBase64(data),
  numbers: fromBase64(numbers),
}));

function caseOf(name: string) {
  const found = CASES.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no data ${name}`);
  return found;
}

it.each(CASES)("$name: the numbers of pcodec, to the bit", async ({ type, data, numbers }) => {
  expectSame(await decode(data, type, numbers.length / itemSizeOf(type)), numbers);
});

it("times are integers, complex numbers two floats each", async () => {
  const ticks = caseOf("deltas of order 1: int64");
  expectSame(await decode(ticks.data, "datetime64[s]", ticks.numbers.length / 8), ticks.numbers);
  const floats = caseOf("classic: float32");
  expectSame(await decode(floats.data, "complex64", floats.numbers.length / 8), floats.numbers);
});

async function messageOf(run: () => Promise<unknown>): Promise<string> {
  try {
    await run();
  } catch (error) {
    if (isZarrError(error)) return `${error.tag}: ${error.message}`;
    throw error;
  }
  return "no error";
}

describe("what is refused", () => {
  const { data, type, numbers } = caseOf("classic: int32");
  const count = numbers.length / 4;
  /** Where the chunk begins: after the header with its hint of 9 bits. */
  const CHUNK = 10;
  const changed = (at: number, ...bytes: number[]): Uint8Array => {
    const copy = data.slice();
    copy.set(bytes, at);
    return copy;
  };

  it.each([
    ["other data", data.slice(1), "CodecError", "at byte 0"],
    ["a later standalone format", changed(4, 4), "UnsupportedError", "version 4.0"],
    ["a later format", changed(8, 5), "UnsupportedError", "version 5.1"],
    ["an unknown type", changed(CHUNK, 99), "CodecError", "expected int32, got type 99"],
    ["another type", changed(CHUNK, 1), "CodecError", "expected int32, got uint32"],
    ["more numbers", changed(CHUNK + 1, 255, 255, 255), "CodecError", "got at least 16777216"],
    ["fewer numbers", changed(CHUNK + 1, 0, 0, 0), "CodecError", "at byte"],
    ["an unknown mode", changed(CHUNK + 4, 9), "UnsupportedError", "mode 9"],
    ["a mode of floats", changed(CHUNK + 4, 2), "CodecError", "the numbers are int32"],
    ["an unknown delta encoding", changed(CHUNK + 4, 0xf0), "UnsupportedError", "delta encoding 15"],
    ["deltas of order 0", changed(CHUNK + 4, 0x10, 0), "CodecError", "order 1 to 7"],
    ["a vast window", changed(CHUNK + 4, 0x20, 0xff, 0xff), "CodecError", "at most 2^24"],
    ["very many bins", changed(CHUNK + 5, 0xff, 0xff, 0xff), "CodecError", "32767 bins"],
    ["an early end of the header", data.slice(0, 16), "CodecError", "bits of"],
    ["an early end", data.slice(0, 40), "CodecError", "the data end too early"],
  ])("%s", async (_, bytes, tag, expected) => {
    const text = await messageOf(() => decode(bytes, type, count));
    expect(text).toContain(tag);
    expect(text).toContain(expected);
  });

  it("another count of numbers than the chunk has", async () => {
    expect(await messageOf(() => decode(data, type, count + 1))).toContain(
      `expected ${count + 1} numbers, got`,
    );
    expect(await messageOf(() => decode(data, type, count - 1))).toContain("got at least");
  });

  it("every truncation, in every mode and delta encoding", async () => {
    for (const name of [
      "int mult: uint16",
      "float mult: float64",
      "float quant: float32",
      "dict and lookbacks: int64",
      "convolution of order 6: int16",
      "deltas of order 7: float64",
    ]) {
      const one = caseOf(name);
      const length = one.numbers.length / itemSizeOf(one.type);
      for (let end = 0; end < one.data.length; end += 11) {
        expect(await messageOf(() => decode(one.data.slice(0, end), one.type, length))).toContain(
          "CodecError",
        );
      }
    }
  });

  it("other data types, unknown settings, and writing", async () => {
    const { fromConfig, checkWriting } = await loadEntry("numcodecs.pcodec");
    expect(() => fromConfig({}, vectorSpec("bool", 4))).toThrow(/got data type bool/);
    expect(() => fromConfig({ preset: 1 }, vectorSpec("int32", 4))).toThrow(/got "preset"/);
    expect(() => checkWriting?.({}, "pcodec")).toThrow(/does not write/);
  });
});

describe("in arrays", () => {
  const { data, numbers } = caseOf("float mult: float64");
  const expected = Array.from(new Float64Array(numbers.slice().buffer));
  const length = expected.length;
  const configuration = { level: 8, mode_spec: "auto", delta_spec: "auto", paging_spec: "equal_pages_up_to" };
  const v2 = {
    zarr_format: 2, shape: [length], chunks: [length], dtype: "<f8", fill_value: 0, order: "C", filters: null,
    compressor: { id: "pcodec", delta_encoding_order: null, equal_pages_up_to: 262144, ...configuration },
  }; // biome-ignore format: a document
  const v3 = {
    zarr_format: 3, node_type: "array", shape: [length], data_type: "float64", fill_value: 0,
    chunk_grid: { name: "regular", configuration: { chunk_shape: [length] } },
    chunk_key_encoding: { name: "default" }, codecs: [{ name: "numcodecs.pcodec", configuration }],
  }; // biome-ignore format: a document

  async function read(entries: Record<string, Uint8Array>): Promise<number[]> {
    return Array.from(
      (await get(await open(new Map(Object.entries(entries)), { kind: "array" }))).data,
      Number,
    );
  }

  it("v2, as the compressor and as a filter; v3", async () => {
    const filtered = { ...v2, compressor: null, filters: [v2.compressor] };
    for (const document of [v2, filtered]) {
      expect(await read({ "/.zarray": encodeJson(document), "/0": data })).toEqual(expected);
    }
    expect(await read({ "/zarr.json": encodeJson(v3), "/c/0": data })).toEqual(expected);
  });

  it("a shard", async () => {
    const index = [LITTLE];
    const sharding = { chunk_shape: [length], codecs: v3.codecs, index_codecs: index };
    const document = {
      ...v3,
      shape: [2 * length],
      chunk_grid: { name: "regular", configuration: { chunk_shape: [2 * length] } },
      codecs: [{ name: "sharding_indexed", configuration: sharding }],
    };
    const end = BigInt(data.length);
    const table = new Uint8Array(BigUint64Array.of(0n, end, end, end).buffer);
    const shard = Uint8Array.of(...data, ...data, ...table);
    expect(await read({ "/zarr.json": encodeJson(document), "/c/0": shard })).toEqual([
      ...expected,
      ...expected,
    ]);
  });

  it("damaged data say which chunk and where", async () => {
    const store = { "/zarr.json": encodeJson(v3), "/c/0": data.slice(0, 60) };
    await expect(read(store)).rejects.toMatchObject({
      tag: "CodecError",
      codec: "numcodecs.pcodec",
      key: "/c/0",
    });
  });
});
