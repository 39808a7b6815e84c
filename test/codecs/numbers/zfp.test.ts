/** zfp: the data of scripts/oracles/make_zfp_fixtures.py, which zfpy read, and damaged ones. */
import { describe, expect, it } from "vitest";
import { get, isZarrError, open } from "../../../src/index.js";
import { encodeJson } from "../../../src/metadata/json-text.js";
import { vectorSpec } from "../../core/codecs/array-harness.js";
import { expectSame, fromBase64 } from "../../core/codecs/harness.js";
import { loadEntry } from "../../core/codecs/load-entry.js";
import fixtures from "../../fixtures/codecs/zfp.json" with { type: "json" };
import { LITTLE } from "../../setup/codecs.js";
import { decode } from "./zfp-decode.js";

const CASES = fixtures.cases.map(({ data, numbers, ...rest }) => ({
  ...rest,
  data: fromBase64(data),
  numbers: fromBase64(numbers),
}));
/** Those whose header ends with a whole byte, so that the blocks can stand alone. */
const SHORT = CASES.filter(({ data }) => (data[11] ?? 0) < 0xff || (data[10] ?? 0) < 0xf0);
const HEADER_LENGTH = 12;

function caseOf(type: string, mode: string) {
  const found = CASES.find((each) => each.type === type && each.name.startsWith(mode));
  if (found === undefined) throw new Error(`no data ${mode} of ${type}`);
  return found;
}

it.each(CASES)("zfpy, $name: the numbers of zfpy, to the bit", async ({ type, shape, data, numbers }) => {
  expectSame(await decode("zfpy", {}, data, type, shape), numbers);
  // What counts is how many numbers there are.
  expectSame(
    await decode("zfpy", {}, data, type, [numbers.length / 4 / (type.endsWith("64") ? 2 : 1)]),
    numbers,
  );
});

it.each(SHORT)("zfp, $name", async ({ type, shape, configuration, data, numbers }) => {
  expectSame(await decode("zfp", configuration, data.slice(HEADER_LENGTH), type, shape), numbers);
});

it("the expert mode, with the limits of others", async () => {
  const wide = { mode: "expert", minbits: 1, maxbits: 16658, maxprec: 64, minexp: -1074 };
  const modes = [
    ["reversible", () => ({ minexp: -1075 })],
    ["fixed_rate", (bits: number) => ({ minbits: bits, maxbits: bits })],
    ["fixed_precision", (_: number, precision: number) => ({ maxprec: Math.min(precision, 64) })],
  ] as const;
  for (const [mode, limitsOf] of modes) {
    const { type, shape, configuration, data, numbers } = caseOf("float64", mode);
    const { rate = 0, precision = 0 } = configuration;
    const limits = limitsOf(Math.floor(rate * 4 ** shape.length + 0.5), precision);
    expectSame(await decode("zfp", { ...wide, ...limits }, data.slice(HEADER_LENGTH), type, shape), numbers);
  }
});

it("the lowest exponent of the reversible mode says that all is 0, even of negative integers", async () => {
  const limits = { mode: "expert", minbits: 64, maxbits: 64, maxprec: 64, minexp: -1075 };
  for (const [type, bits] of [
    ["float32", 8],
    ["float64", 11],
  ] as const) {
    // There is a block, it has an exponent, that is 0, and ones follow.
    const block = new BigUint64Array([((2n ** 64n - 1n) << BigInt(2 + bits)) | 1n]);
    const numbers = await decode("zfp", limits, new Uint8Array(block.buffer), type, [4]);
    expectSame(numbers, new Uint8Array(numbers.length));
  }
});

it("blocks of one dimension that end after any bit, and any plane: both kernels alike", async () => {
  let state = 7;
  const noise = Uint8Array.from({ length: 800 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
  for (const type of ["int32", "int64", "float32", "float64"]) {
    for (let bits = 13; bits < 110; bits++) {
      const limits = {
        minbits: 1 + (bits % 13),
        maxbits: bits,
        maxprec: 1 + ((bits * 7) % 64),
        minexp: -1074,
      };
      const decoded = await decode("zfp", { mode: "expert", ...limits }, noise, type, [40]);
      expect(new Set(decoded).size).toBeGreaterThan(2);
    }
  }
});

describe("other types", () => {
  const { data, numbers, shape } = caseOf("int32", "random");
  const integers = Array.from(new Int32Array(numbers.slice().buffer));
  const clamp = (value: number, least: number, greatest: number) =>
    Math.min(Math.max(value, least), greatest);

  it("are promoted as zfp does", async () => {
    const promoted = [
      ["int8", Int8Array.from(integers, (n) => clamp(Math.floor(n / 2 ** 23), -128, 127))],
      ["uint8", Uint8Array.from(integers, (n) => clamp(Math.floor(n / 2 ** 23) + 128, 0, 255))],
      ["int16", Int16Array.from(integers, (n) => clamp(Math.floor(n / 2 ** 15), -32768, 32767))],
      ["uint16", Uint16Array.from(integers, (n) => clamp(Math.floor(n / 2 ** 15) + 32768, 0, 65535))],
      ["uint32", Uint32Array.from(integers, (n) => Math.max(n, 0))],
    ] as const;
    for (const [type, elements] of promoted) {
      expectSame(await decode("zfpy", {}, data, type, shape), new Uint8Array(elements.buffer));
    }
  });

  it("of 64 bits", async () => {
    const one = caseOf("int64", "fixed_precision");
    const ticks = { name: "numpy.datetime64", configuration: { unit: "s", scale_factor: 1 } };
    expectSame(await decode("zfpy", {}, one.data, ticks, one.shape), one.numbers);
    const elements = BigUint64Array.from(new BigInt64Array(one.numbers.slice().buffer), (n) =>
      n < 0n ? 0n : n,
    );
    expect(elements).toContain(0n);
    expectSame(await decode("zfpy", {}, one.data, "uint64", one.shape), new Uint8Array(elements.buffer));
  });
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
  const { data, type, shape } = caseOf("float32", "fixed_rate");
  const changed = (at: number, ...bytes: number[]): Uint8Array => {
    const copy = data.slice();
    copy.set(bytes, at);
    return copy;
  };

  it.each([
    ["other data", data.slice(1), "at byte 0: expected 122, 102, 112, 5"],
    ["another version", changed(3, 4), "at byte 0"],
    ["another type", changed(4, (data[4] ?? 0) ^ 1), "float64"],
    ["other lengths", changed(5, 255), "at byte 4: expected 30 float32, got ["],
    ["a block without room for an exponent", changed(10, (data[10] ?? 0) & 15, 0), "no block of float32"],
    ["an early end of the header", data.slice(0, 11), "at byte 11: the header ends too early"],
    ["an early end of a long header", changed(10, 0xff, 0xff).slice(0, 18), "at byte 18: the header"],
    ["an early end", data.slice(0, 40), "at byte 40: the data end too early"],
  ])("%s", async (_, bytes, expected) => {
    const text = await messageOf(() => decode("zfpy", {}, bytes, type, shape));
    expect(text).toContain("CodecError: damaged data of zfp ");
    expect(text).toContain(expected);
  });

  it("every truncation", async () => {
    for (const { type, shape, data } of CASES) {
      // Data end with a whole word, and those by hand with more.
      const whole = await decode("zfpy", {}, data, type, shape);
      for (let end = 0; end < data.length; end += 7) {
        const text = await messageOf(async () =>
          expectSame(await decode("zfpy", {}, data.slice(0, end), type, shape), whole),
        );
        expect(text).toMatch(end < HEADER_LENGTH ? /^CodecError/ : /^CodecError|^no error$/);
      }
    }
  });

  it.each([
    [{}, "mode"],
    [{ mode: 4 }, "mode"],
    [{ mode: "reversible", header: true }, 'got "header"'],
    [{ mode: "fixed_rate" }, "rate"],
    [{ mode: "fixed_rate", rate: 1e300 }, "rate"],
    [{ mode: "fixed_precision", precision: 1.5 }, "precision"],
    [{ mode: "fixed_accuracy", tolerance: "1" }, "tolerance"],
    [{ mode: "expert", minbits: 1 }, "maxbits"],
    [{ mode: "expert", minbits: 1, maxbits: 8, maxprec: 64, minexp: 0 }, "at least 9"],
    [{ mode: "expert", minbits: 20, maxbits: 19, maxprec: 64, minexp: 0 }, "at least 20"],
    [{ mode: "expert", minbits: 1, maxbits: 99, maxprec: 0, minexp: 0 }, "maxprec"],
  ])("the configuration %j", async (configuration, expected) => {
    const { fromConfig } = await loadEntry("zfp");
    expect(() => fromConfig(configuration, vectorSpec("float32", 4))).toThrow(expected);
  });

  it("other data types, five dimensions, unknown settings of zfpy, and writing", async () => {
    const { fromConfig, checkWriting } = await loadEntry("zfp");
    const reversible = { mode: "reversible" };
    expect(() => fromConfig(reversible, vectorSpec("bool", 4))).toThrow(/got data type bool/);
    const spec = { ...vectorSpec("float32", 4), shape: [1, 1, 1, 1, 4] };
    expect(() => fromConfig(reversible, spec)).toThrow(/at most four dimensions, got 5/);
    expect(() => checkWriting?.({}, "zfp")).toThrow(/does not write/);
    const zfpy = await loadEntry("numcodecs.zfpy");
    expect(() => zfpy.fromConfig({ level: 1 }, vectorSpec("float32", 4))).toThrow(/got "level"/);
  });
});

describe("in arrays", () => {
  const { data, numbers, shape, configuration } = caseOf("float64", "fixed_accuracy");
  const expected = Array.from(new Float64Array(numbers.slice().buffer));
  const [length = 0] = shape;
  const zfpy = { id: "zfpy", mode: 4, tolerance: 0.25, rate: -1, precision: -1, compression_kwargs: null };
  const v2 = {
    zarr_format: 2, shape, chunks: shape, dtype: "<f8", fill_value: 0, order: "C", filters: null,
    compressor: zfpy,
  }; // biome-ignore format: a document
  const v3 = {
    zarr_format: 3, node_type: "array", shape, data_type: "float64", fill_value: 0,
    chunk_grid: { name: "regular", configuration: { chunk_shape: shape } },
    chunk_key_encoding: { name: "default" }, codecs: [{ name: "zfp", configuration }],
  }; // biome-ignore format: a document
  const key = `/c/${shape.map(() => 0).join("/")}`;

  async function read(entries: Record<string, Uint8Array>): Promise<number[]> {
    const array = await open(new Map(Object.entries(entries)), { kind: "array" });
    return Array.from((await get(array)).data, Number);
  }

  it("v2, as the compressor and as a filter; v3, with and without a header", async () => {
    for (const document of [v2, { ...v2, compressor: null, filters: [zfpy] }]) {
      expect(
        await read({ "/.zarray": encodeJson(document), [`/${shape.map(() => 0).join(".")}`]: data }),
      ).toEqual(expected);
    }
    expect(await read({ "/zarr.json": encodeJson(v3), [key]: data.slice(HEADER_LENGTH) })).toEqual(expected);
    for (const name of ["numcodecs.zfpy", "zfpy"]) {
      const document = { ...v3, codecs: [{ name, configuration: { mode: 4, tolerance: 0.25 } }] };
      expect(await read({ "/zarr.json": encodeJson(document), [key]: data })).toEqual(expected);
    }
  });

  it("a shard", async () => {
    const index = [LITTLE];
    const sharding = { chunk_shape: shape, codecs: v3.codecs, index_codecs: index };
    const twice = [2 * length, ...shape.slice(1)];
    const document = {
      ...v3,
      shape: twice,
      chunk_grid: { name: "regular", configuration: { chunk_shape: twice } },
      codecs: [{ name: "sharding_indexed", configuration: sharding }],
    };
    const blocks = data.slice(HEADER_LENGTH);
    const end = BigInt(blocks.length);
    const table = new Uint8Array(BigUint64Array.of(0n, end, end, end).buffer);
    const shard = Uint8Array.of(...blocks, ...blocks, ...table);
    expect(await read({ "/zarr.json": encodeJson(document), [key]: shard })).toEqual([
      ...expected,
      ...expected,
    ]);
  });

  it("damaged data say which chunk and where", async () => {
    const store = { "/zarr.json": encodeJson(v3), [key]: data.slice(HEADER_LENGTH, 20) };
    await expect(read(store)).rejects.toMatchObject({ tag: "CodecError", codec: "zfp", key });
  });
});
