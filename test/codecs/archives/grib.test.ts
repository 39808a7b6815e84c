/**
 * GRIB: the messages of scripts/oracles/make_grib_fixtures.py, which say what eccodes reads, and damaged
 * ones.
 */
import { describe, expect, it } from "vitest";
import { get, isZarrError, open, root } from "../../../src/index.js";
import { ReferenceStore } from "../../../src/stores/references/reference.js";
import { vectorSpec } from "../../core/codecs/array-harness.js";
import { expectSame, fromBase64 } from "../../core/codecs/harness.js";
import { loadEntry } from "../../core/codecs/load-entry.js";
import fixtures from "../../fixtures/codecs/grib.json" with { type: "json" };
import { LITTLE } from "../../setup/codecs.js";
import { bitsOf, decode } from "./grib-decode.js";

const CASES = fixtures.cases.map(({ name, message, values }) => ({
  name,
  message: fromBase64(message),
  values: new Float64Array(fromBase64(values).slice().buffer),
}));

function caseOf(name: string) {
  const found = CASES.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no message ${name}`);
  return found;
}

const isLogarithmic = ({ name }: { readonly name: string }): boolean => name.startsWith("logarithms");

it.each(CASES.filter((each) => !isLogarithmic(each)))(
  "$name: the values of eccodes, to the bit",
  async ({ message, values }) => {
    const points = values.length;
    expectSame(bitsOf(await decode(message, points)), bitsOf(values));
    expectSame(bitsOf(await decode(message, points, "float32")), bitsOf(Float32Array.from(values)));
  },
);

it.each(CASES.filter(isLogarithmic))(
  "$name: the values of eccodes, whose exp rounds in another way",
  async ({ message, values }) => {
    // Of a logarithm, before a number is subtracted.
    const greatest = values.reduce((most, value) => (Math.abs(value) > most ? Math.abs(value) : most), 0);
    for (const type of ["float64", "float32"] as const) {
      const got = await decode(message, values.length, type);
      for (const [i, value] of values.entries()) {
        const expected = type === "float32" ? Math.fround(value) : value;
        const bound = greatest * (type === "float32" ? 2 ** -23 : 2 ** -51);
        if (Number.isNaN(value)) expect(got[i]).toBeNaN();
        else expect(Math.abs(Number(got[i]) - expected), `value ${i}`).toBeLessThanOrEqual(bound);
      }
    }
  },
);

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
  const { message, values } = caseOf("simple 12 bits");
  const points = values.length;
  /** The message with other bytes in a section, from position `at` on. */
  function changed(section: number, at: number, ...bytes: number[]): Uint8Array {
    const copy = message.slice();
    copy.set(bytes, findSection(message, section) + at);
    return copy;
  }

  it.each([
    [1, "5.1 (matrices of values)"],
    [50, "5.50 (spectral data)"],
    [777, "5.777"],
  ])("template 5.%i, by name", async (template, name) => {
    const text = await messageOf(() => decode(changed(5, 9, template >> 8, template & 255), points));
    expect(text).toContain("UnsupportedError");
    expect(text).toContain(`template ${name}`);
  });

  it.each([
    ["no GRIB", message.slice(1), "CodecError", "at byte 0"],
    [
      "edition 3",
      Uint8Array.from(message, (byte, i) => (i === 7 ? 3 : byte)),
      "UnsupportedError",
      "edition 3",
    ],
    ["a section of no length", changed(4, 0, 0, 0, 0, 0), "CodecError", `at byte ${findSection(message, 4)}`],
    ["a section beyond the end", changed(4, 0, 255), "CodecError", `at byte ${findSection(message, 4)}`],
    ["section 9", changed(4, 4, 9), "CodecError", "got 9"],
    ["fewer points", changed(3, 6, 0, 0, 0, 1), "CodecError", "expected a field of 45 points"],
    ["very many points", changed(3, 6, 255, 255, 255, 255), "CodecError", "expected a field of 45 points"],
    ["fewer values", changed(5, 5, 0, 0, 0, 1), "CodecError", "for each point, got 1"],
    ["wider values", changed(5, 19, 13), "CodecError", "45 x 13 bits"],
    ["values of 33 bits", changed(5, 19, 33), "CodecError", "at most 32 bits"],
    ["an infinite reference value", changed(5, 11, 127, 128, 0, 0), "CodecError", "Infinity"],
    ["a vast scale factor", changed(5, 15, 127, 255), "CodecError", "scale factors"],
    ["a predefined bitmap", changed(6, 5, 254), "UnsupportedError", "254"],
    ["a bitmap that is not there", changed(6, 5, 0), "CodecError", "a bitmap of 6 bytes"],
  ])("%s", async (_, damagedMessage, tag, expected) => {
    const text = await messageOf(() => decode(damagedMessage, points));
    expect(text).toContain(tag);
    expect(text).toContain(expected);
  });

  it.each([
    ["second-order packing", 3, 0x40, "second-order"],
    ["spherical harmonics", 3, 0x80, "spherical"],
    ["values of 40 bits", 10, 40, "at most 32 bits"],
    ["wider values", 10, 13, "45 x 13 bits"],
  ])("of edition 1: %s", async (_, at, byte, expected) => {
    const { message: first } = caseOf("edition 1");
    const copy = first.slice();
    // Sections 1 and 2 begin with lengths of three bytes.
    const grid = 8 + (copy[10] ?? 0);
    copy[grid + (copy[grid + 2] ?? 0) + at] = byte;
    expect(await messageOf(() => decode(copy, points))).toContain(expected);
  });

  it("a bitmap with another number of values", async () => {
    const { message: mapped, values: all } = caseOf("simple bitmap");
    const copy = mapped.slice();
    const map = findSection(copy, 6) + 6;
    copy[map] = (copy[map] ?? 0) ^ 0x80;
    expect(await messageOf(() => decode(copy, all.length))).toMatch(/expected a bitmap of \d+ values/);
  });

  it("every truncation of every kind of packing", async () => {
    for (const name of ["simple bitmap", "ieee 64", "groups 2 1", "ccsds 12 bits"]) {
      const { message: whole, values: all } = caseOf(name);
      for (let length = 0; length < whole.length; length += 7) {
        // With a right length and end, so that sections and values are what is short.
        const copy = whole.slice(0, length);
        if (length >= 20) {
          new DataView(copy.buffer).setUint32(12, length);
          copy.fill(55, length - 4);
          shortenLast(copy);
        }
        expect(await messageOf(() => decode(copy, all.length))).toContain("CodecError");
      }
    }
  });

  it("other data types, other orders and writing", async () => {
    const entry = await loadEntry("grib");
    expect(() => entry.fromConfig({}, vectorSpec("int16", 4))).toThrow(/float32 and float64/);
    const { fromConfig } = await loadEntry("gribberish");
    expect(() => fromConfig({ north_up: 1 }, vectorSpec("float64", 4))).toThrow(/north_up/);
    expect(() => fromConfig({ level: 1 }, vectorSpec("float64", 4))).toThrow(/only/);
    for (const name of ["grib", "gribberish", "gribscan.rawgrib"]) {
      const { checkWriting } = await loadEntry(name);
      expect(() => checkWriting?.({}, name)).toThrow(/does not write/);
    }
  });
});

function findSection(message: Uint8Array, number: number): number {
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  for (let at = 16; at + 5 < message.length; at += view.getUint32(at)) {
    if (message[at + 4] === number) return at;
  }
  throw new Error(`no section ${number}`);
}

/** Gives the section that a truncated message ends in the length that is left of it. */
function shortenLast(message: Uint8Array): void {
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  for (let at = 16; at + 5 <= message.length - 4; ) {
    const length = view.getUint32(at);
    if (at + length > message.length - 4) view.setUint32(at, message.length - 4 - at);
    at += Math.max(view.getUint32(at), 5);
  }
}

it("points without a value are 9999 in gribscan.rawgrib, as in Python", async () => {
  const { message, values } = caseOf("groups 1 bitmap");
  const raw = await decode(message, values.length, "float64", "gribscan.rawgrib");
  expect(values.some(Number.isNaN)).toBe(true);
  expectSame(bitsOf(raw), bitsOf(values.map((value) => (Number.isNaN(value) ? 9999 : value))));
});

describe("the order of gribberish, as gribberish 1.9 has it", () => {
  const { message, values } = caseOf("simple 9 bits");
  const columns = 9;
  const rows = 5;

  /** The message on another grid: its longitudes, and the bits of its scanning mode. */
  function on(first: number, last: number, mode: number): Uint8Array {
    const copy = message.slice();
    const view = new DataView(copy.buffer, findSection(copy, 3));
    view.setInt32(50, first * 1e6);
    view.setInt32(59, last * 1e6);
    view.setUint8(71, mode);
    return copy;
  }

  const indices = (row: (i: number) => number, column: (i: number) => number) =>
    Array.from(
      { length: rows * columns },
      (_, i) => row(Math.floor(i / columns)) * columns + column(i % columns),
    );
  const same = (i: number) => i;
  const turned = (i: number) => rows - 1 - i;

  it.each([
    ["global", on(0, 320, 0), same, (i: number) => (i + 5) % 9],
    ["global, northward", on(0, 320, 0x40), turned, (i: number) => (i + 5) % 9],
    ["global from 20", on(20, 340, 0), same, (i: number) => (i + 4) % 9],
    ["global from 180", on(180, 140, 0), same, same],
    ["global from 240", on(240, 200, 0), same, (i: number) => (i + 8) % 9],
    ["the first longitude twice", on(0, 360, 0), same, same],
    ["a part of the globe", on(150, 230, 0x40), turned, same],
  ])("%s", async (_, grid, north, west) => {
    for (const [northUp, fromWest] of [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ] as const) {
      const configuration = { north_up: northUp, adjust_longitude_range: fromWest };
      const read = await decode(grid, values.length, "float64", "gribberish", configuration);
      const expected = indices(northUp ? north : same, fromWest ? west : same).map((i) => values[i]);
      expect(Array.from(read)).toEqual(expected);
    }
  });

  it("of other grids is refused, unless no order is wanted", async () => {
    for (const mode of [0x80, 0x20, 0x10]) {
      const grid = on(0, 320, mode);
      expect(Array.from(await decode(grid, values.length, "float64", "gribberish"))).toEqual(
        Array.from(values),
      );
      const text = await messageOf(() =>
        decode(grid, values.length, "float64", "gribberish", { north_up: true }),
      );
      expect(text).toContain(`UnsupportedError`);
      expect(text).toContain(`scanning mode ${mode}`);
    }
    const gaussian = message.slice();
    new DataView(gaussian.buffer, findSection(gaussian, 3)).setUint16(12, 40);
    const text = await messageOf(() =>
      decode(gaussian, values.length, "float64", "gribberish", { north_up: true }),
    );
    expect(text).toContain("template 3.40");
  });
});

describe("in arrays", () => {
  const [first, second] = ["simple 9 bits", "simple 30 bits"].map(caseOf);
  if (first === undefined || second === undefined) throw new Error("no messages");
  const attributes = { _ARRAY_DIMENSIONS: ["time", "latitude", "longitude"] };
  const v2 = {
    zarr_format: 2, shape: [2, 5, 9], chunks: [1, 5, 9], dtype: "<f4", fill_value: null, order: "C",
    compressor: null, filters: [{ id: "grib", var: "t2m", dtype: "float32" }],
  }; // biome-ignore format: a document
  const expected = Array.from(Float32Array.of(...first.values, ...second.values));

  it("a reference document of kerchunk's form", async () => {
    const file = Uint8Array.of(...first.message, ...second.message);
    const { length } = first.message;
    const store = new ReferenceStore(
      {
        version: 1,
        refs: {
          ".zgroup": '{"zarr_format": 2}',
          "t2m/.zarray": JSON.stringify(v2),
          "t2m/.zattrs": JSON.stringify(attributes),
          "t2m/0.0.0": ["http://files.test/a.grib2", 0, length],
          "t2m/1.0.0": ["http://files.test/a.grib2", length, second.message.length],
        },
      },
      { open: () => ({ store: new Map([["/a.grib2", file]]), key: "/a.grib2" }) },
    );
    const array = await open(root(store).resolve("t2m"), { kind: "array" });
    expect(Array.from((await get(array)).data, Number)).toEqual(expected);
    const row = await get(array, [1, 2, null]);
    expect(Array.from(row.data, Number)).toEqual(expected.slice(45 + 18, 45 + 27));
  });

  it("a compressor of gribscan's form, big-endian too", async () => {
    for (const dtype of ["<f8", ">f8"]) {
      const document = { ...v2, dtype, filters: null, compressor: { id: "gribscan.rawgrib" } };
      const store = new Map([
        ["/.zarray", new TextEncoder().encode(JSON.stringify(document))],
        ["/0.0.0", first.message],
        ["/1.0.0", second.message],
      ]);
      const { data } = await get(await open(store, { kind: "array" }));
      expect(Array.from(data, Number)).toEqual([...first.values, ...second.values]);
    }
  });

  const inner = [{ name: "gribberish", configuration: { var: "TMP" } }];
  const index = [LITTLE];
  const v3 = {
    zarr_format: 3, node_type: "array", shape: [2, 5, 9], data_type: "float64", fill_value: "NaN",
    chunk_grid: { name: "regular", configuration: { chunk_shape: [1, 5, 9] } },
    chunk_key_encoding: { name: "default" }, codecs: inner,
  }; // biome-ignore format: a document

  it("v3, and messages of a shard", async () => {
    const document = (metadata: object) => new TextEncoder().encode(JSON.stringify(metadata));
    const plain = new Map([
      ["/zarr.json", document(v3)],
      ["/c/0/0/0", first.message],
      ["/c/1/0/0", second.message],
    ]);
    const all = [...first.values, ...second.values];
    expect(Array.from((await get(await open(plain, { kind: "array" }))).data, Number)).toEqual(all);
    const sharded = {
      ...v3,
      chunk_grid: { name: "regular", configuration: { chunk_shape: [2, 5, 9] } },
      codecs: [
        {
          name: "sharding_indexed",
          configuration: { chunk_shape: [1, 5, 9], codecs: inner, index_codecs: index },
        },
      ],
    };
    const table = BigUint64Array.of(
      0n,
      BigInt(first.message.length),
      BigInt(first.message.length),
      BigInt(second.message.length),
    );
    const shard = Uint8Array.of(...first.message, ...second.message, ...new Uint8Array(table.buffer));
    const store = new Map([
      ["/zarr.json", document(sharded)],
      ["/c/0/0/0", shard],
    ]);
    expect(Array.from((await get(await open(store, { kind: "array" }))).data, Number)).toEqual(all);
  });

  it("a damaged message says which chunk and where", async () => {
    const store = new Map([
      ["/.zarray", new TextEncoder().encode(JSON.stringify(v2))],
      ["/0.0.0", first.message],
      ["/1.0.0", second.message.slice(0, 100)],
    ]);
    const array = await open(store, { kind: "array" });
    await expect(get(array)).rejects.toMatchObject({
      tag: "CodecError",
      codec: "numcodecs.grib",
      key: "/1.0.0",
      offset: 8,
    });
  });
});
