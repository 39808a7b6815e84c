/**
 * Coordinates of GRIB grids, which eccodes and gribberish calculate: `grids` of
 * scripts/oracles/make_grib_fixtures.py.
 */
import { describe, expect, it } from "vitest";
import { isZarrError } from "../../src/index.js";
import type { JsonObject } from "../../src/metadata/json.js";
import fixtures from "../fixtures/codecs/grib.json" with { type: "json" };
import { vectorSpec } from "./array-harness.js";
import { bothKernels, fromBase64 } from "./harness.js";
import { loadEntry } from "./load-entry.js";

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

describe.each(GRIDS)("$name", ({ name, message, eccodes, gribberish }) => {
  // Programs iterate to 10 digits on an ellipsoid, and add up increments, which have six.
  const bound = name.includes("ellipsoid") ? 1e-7 : name === "thirds" ? 1e-6 : 1e-9;

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
    ["rotated", 12, [0, 1], points, "template 3.1 (rotated latitudes and longitudes)"],
    ["unknown", 12, [3, 9], points, "template 3.777"],
    ["in columns", 71, [0x20], points, "scanning mode 32"],
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

  it("edition 1, and a message that ends in its grid", async () => {
    const first = fromBase64(fixtures.cases.find(({ name }) => name === "edition 1")?.message ?? "");
    await expect(decode("grib", { var: "latitude" }, first, 45)).rejects.toThrow(/edition 2, got edition 1/);
    await expect(decode("grib", { var: "latitude" }, message.slice(0, 80), 45)).rejects.toThrow(/byte 8/);
  });
});
