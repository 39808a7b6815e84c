/**
 * Coordinates of GRIB grids, which eccodes and gribberish calculate: `grids` of
 * scripts/oracles/make_grib_fixtures.py.
 */
import { describe, expect, it } from "vitest";
import { isZarrError } from "../../../src/index.js";
import type { JsonObject } from "../../../src/metadata/json.js";
import { vectorSpec } from "../../core/codecs/array-harness.js";
import { bothKernels, fromBase64 } from "../../core/codecs/harness.js";
import { loadEntry } from "../../core/codecs/load-entry.js";
import fixtures from "../../fixtures/codecs/grib.json" with { type: "json" };

const numbersOf = (text: string) => new Float64Array(fromBase64(text).slice().buffer);

const GRIDS = fixtures.grids.map(({ name, message, eccodes, gribberish }) => ({
  name,
  message: fromBase64(message),
  eccodes: eccodes.map(numbersOf),
  gribberish: gribberish?.map((pair) => pair.map(numbersOf)),
}));
const [kernels] = await bothKernels();

async function decode(
  codec: string,
  configuration: JsonObject,
  message: Uint8Array,
  points: number,
  type = "float64",
) {
  const entry = await loadEntry(codec);
  if (kernels === undefined) throw new Error("no kernels");
  await entry.load?.(kernels);
  const instance = entry.fromConfig(configuration, vectorSpec(type, points));
  const byteLength = points * (type === "float32" ? 4 : 8);
  kernels.begin(4 * byteLength + 4096);
  if (instance.kind !== "array_to_bytes") throw new Error("expected a codec of arrays");
  const decoded = instance.decode?.(message, { kernels, byteLength, maximumByteLength: byteLength });
  if (decoded === undefined) throw new Error("expected bytes");
  const { buffer } = decoded.slice();
  return type === "float32" ? new Float32Array(buffer) : new Float64Array(buffer);
}

function expectNear(got: ArrayLike<number>, expected: ArrayLike<number>, bound: number): void {
  expect(got.length).toBe(expected.length);
  for (let i = 0; i < got.length; i++) {
    expect(
      Math.abs(Number(got[i]) - Number(expected[i])),
      `number ${i}: ${got[i]}, ${expected[i]}`,
    ).toBeLessThan(bound);
  }
}

const NAMES = ["latitude", "longitude"] as const;

/** How far other programs are from us, in degrees, by name. */
const BOUNDS: readonly (readonly [RegExp, number])[] = [
  // They iterate to 10 digits.
  [/ellipsoid/, 1e-7],
  // They add up increments, which have six digits, in edition 1 three.
  [/^thirds$/, 1e-6],
  // eccodes rounds them as float32 in millionths of a degree.
  [/rotated/, 1e-5],
];

describe.each(GRIDS)("$name", ({ name, message, eccodes, gribberish }) => {
  const bound = BOUNDS.find(([of]) => of.test(name))?.[1] ?? 1e-9;

  it.each(NAMES)("%s of every point, as eccodes has it", async (variable) => {
    const given = eccodes[NAMES.indexOf(variable)] ?? new Float64Array();
    // eccodes gives the last longitude of a row as 350, after -3.3.
    const expected = name === "westward" ? given.map((degrees) => (degrees === 350 ? -10 : degrees)) : given;
    const configuration = { var: variable, dtype: "float64" };
    expectNear(await decode("grib", configuration, message, expected.length), expected, bound);
    const single = await decode("grib", configuration, message, expected.length, "float32");
    expectNear(single, Float32Array.from(expected), 1e-4);
  });

  it.skipIf(gribberish === undefined).each(NAMES)(
    "%s as gribberish has it, also in its other order",
    async (variable) => {
      for (const [i, adjusted] of (name === "westward" ? [false] : [false, true]).entries()) {
        const expected = gribberish?.[i]?.[NAMES.indexOf(variable)] ?? new Float64Array();
        const configuration = { var: variable, adjust_longitude_range: adjusted, north_up: adjusted };
        const sum = name === "westward" || name === "thirds" ? 1e-5 : bound;
        const got = await decode("gribberish", configuration, message, expected.length);
        expectNear(got, expected, sum);
      }
    },
  );
});

describe("what is refused", () => {
  const [{ message, eccodes } = { message: new Uint8Array(), eccodes: [] }] = GRIDS;
  const points = eccodes[0]?.length ?? 0;
  const grid = 16 + 21;

  it.each([
    ["rotated Gaussian", 12, [0, 41], points, "template 3.41 (rotated Gaussian)"],
    ["unknown", 12, [3, 9], points, "template 3.777"],
    ["with a basic angle", 38, [0, 0, 0, 1], points, "a basic angle"],
    ["of another size", 30, [0, 0, 0, 2], points, "5 rows of 2"],
    ["read as another size", 71, [0], points + 1, `expected a grid of ${points + 1} points`],
    ["of very many parallels", 12, [0, 40], 5, "parallels"],
  ])("a grid %s", async (_, at, bytes, count, expected) => {
    const copy = message.slice();
    copy.set(bytes, grid + at);
    for (const variable of NAMES) {
      // Longitudes need no parallels.
      if (expected === "parallels" && variable === "longitude") continue;
      const error: unknown = await decode("grib", { var: variable }, copy, count).catch((thrown) => thrown);
      if (!isZarrError(error, "CodecError", "UnsupportedError")) throw error;
      expect(error.message).toContain(expected);
    }
  });

  it("a rotated grid with an angle of rotation", async () => {
    const { message: rotated } = gridNamed("rotated");
    const copy = rotated.slice();
    new DataView(copy.buffer).setFloat32(grid + 80, 30);
    await expect(decode("grib", { var: "latitude" }, copy, 72)).rejects.toThrow(
      /an angle of rotation, got one of 30/,
    );
  });

  it("a grid of WMO's catalogue, and a message that ends in its grid", async () => {
    const first = fromBase64(fixtures.cases.find(({ name }) => name === "edition 1")?.message ?? "");
    const copy = first.slice();
    copy[8 + 7] = 0;
    await expect(decode("grib", { var: "latitude" }, copy, 45)).rejects.toThrow(/a catalogue of edition 1/);
    await expect(decode("grib", { var: "latitude" }, message.slice(0, 80), 45)).rejects.toThrow(/byte 8/);
  });
});

function gridNamed(name: string) {
  const found = GRIDS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no grid ${name}`);
  return found;
}

describe("points in another order are those of the grid in the order of eccodes", () => {
  const columns = 9;
  const rows = 6;
  const [WEST, NORTH, IN_COLUMNS, IN_TURN] = [0x80, 0x40, 0x20, 0x10];

  /** Where the message of a projection has its scanning mode, within its section, by its template. */
  it.each([
    ["lambert", 64],
    ["mercator", 59],
  ])("%s", async (name, at) => {
    const { message, eccodes } = gridNamed(name);
    const [latitudes = [], longitudes = []] = eccodes;
    for (let flags = 0; flags < 0x100; flags += 0x10) {
      const [east, south] = [(flags & WEST) !== 0, (flags & NORTH) === 0];
      const place = (i: number): number => {
        const [line, length] =
          (flags & IN_COLUMNS) === 0 ? [Math.floor(i / columns), columns] : [Math.floor(i / rows), rows];
        const step = i - line * length;
        const within = (flags & IN_TURN) !== 0 && line % 2 === 1 ? length - 1 - step : step;
        const [row, column] = (flags & IN_COLUMNS) === 0 ? [line, within] : [within, line];
        return (south ? rows - 1 - row : row) * columns + (east ? columns - 1 - column : column);
      };
      const copy = message.slice();
      const view = new DataView(copy.buffer, 16 + 21);
      const corner = place(0);
      view.setInt32(38, signed(Number(latitudes[corner])));
      view.setInt32(42, signed(Number(longitudes[corner])));
      view.setUint8(at, flags);
      for (const [values, variable] of [
        [latitudes, "latitude"],
        [longitudes, "longitude"],
      ] as const) {
        const expected = Array.from(values, (_, i) => Number(values[place(i)]));
        expectNear(await decode("grib", { var: variable }, copy, expected.length), expected, 1e-5);
      }
    }
  });

  /** Millionths of a degree; the first bit is the sign. */
  const signed = (degrees: number): number => {
    const millionths = Math.round(Math.abs(degrees) * 1e6);
    return degrees < 0 ? (millionths | 0x80000000) >>> 0 : millionths;
  };
});
