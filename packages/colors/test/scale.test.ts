/** Colours against d3-scale-chromatic, which has ColorBrewer and some of matplotlib from other sources. */
import * as d3 from "d3-scale-chromatic";
import { describe, expect, test } from "vitest";
import { type Colors, colorNames, colorScale } from "../src/index.js";

const hex = ([red, green, blue]: readonly number[]): string =>
  `#${[red, green, blue].map((part = 0) => part.toString(16).padStart(2, "0")).join("")}`;
const everyHex = (table: Uint8Array): string[] =>
  Array.from({ length: table.length / 4 }, (_, i) => hex([...table.subarray(4 * i, 4 * i + 3)]));

describe("colours", () => {
  test.each(["viridis", "magma", "inferno", "plasma"] as const)("of %s are those of d3", async (name) => {
    const { table } = await colorScale(name);
    const of = {
      viridis: d3.interpolateViridis,
      magma: d3.interpolateMagma,
      inferno: d3.interpolateInferno,
      plasma: d3.interpolatePlasma,
    };
    // d3 has rounded down.
    for (const [i, color] of everyHex(table).entries()) {
      const other = of[name]((i + 0.5) / 256);
      const parts = (text: string) => [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16));
      const [a, b] = [parts(color), parts(other)];
      expect(Math.max(...a.map((part, c) => Math.abs(part - (b[c] ?? 0))))).toBeLessThanOrEqual(1);
    }
  });

  test.each([
    ["Set1", d3.schemeSet1],
    ["Dark2", d3.schemeDark2],
    ["Paired", d3.schemePaired],
    ["Set3", d3.schemeSet3],
  ] as const)("of %s are those of d3, one after the other", async (name, colors) => {
    const classes = Array.from({ length: colors.length + 1 }, (_, i) => i);
    const { table } = await colorScale(name, { classes });
    expect(everyHex(table)).toEqual([...colors]);
  });

  test.each([
    ["RdBu", d3.schemeRdBu[11]],
    ["YlGnBu", d3.schemeYlGnBu[9]],
    ["BrBG", d3.schemeBrBG[11]],
    ["Blues", d3.schemeBlues[9]],
  ] as const)("of %s in as many classes as ColorBrewer has are those of d3", async (name, colors = []) => {
    const classes = Array.from({ length: colors.length + 1 }, (_, i) => i * 10);
    const { table } = await colorScale(name, { classes });
    const apart = everyHex(table).map((color, i) =>
      Math.max(
        ...[1, 3, 5].map((at) =>
          Math.abs(
            Number.parseInt(color.slice(at, at + 2), 16) -
              Number.parseInt((colors[i] ?? "").slice(at, at + 2), 16),
          ),
        ),
      ),
    );
    // The nearest of 256 colours.
    expect(Math.max(...apart)).toBeLessThanOrEqual(4);
  });

  test("every name has a table, and a reverse", async () => {
    const names = Object.values(colorNames).flat();
    expect(names.length).toBeGreaterThan(100);
    for (const name of names) {
      const [{ table }, { table: reverse }] = [await colorScale(name), await colorScale(`${name}_r`)];
      expect(everyHex(reverse)).toEqual(everyHex(table).reverse());
      expect(table.length === 4 * 256 || table.length <= 4 * 20).toBe(true);
    }
    const [ours, oceans] = [await colorScale("gray"), await colorScale("cmo.gray")];
    expect(everyHex(ours.table)).not.toEqual(everyHex(oceans.table));
  });

  test("may be given as a list", async () => {
    const scale = await colorScale(["#000", "#ff8800", "#ffffff80"], { range: [0, 2] });
    expect([0, 2].map(scale.colorAt)).toEqual([
      [0, 0, 0, 255],
      [255, 255, 255, 128],
    ]);
    const { table } = await colorScale(["#100000", "#200000"], { classes: [0, 1, 5] });
    expect(everyHex(table)).toEqual(["#100000", "#200000"]);
  });
});

describe("values", () => {
  test("between the ends of the range are between the ends of the table", async () => {
    const scale = await colorScale(["#000000", "#ffffff"], { range: [-38, 34] });
    const greys = [-1000, -38, -2, 34, 1000].map((value) => scale.colorAt(value)[0]);
    expect(greys).toEqual([0, 0, 128, 255, 255]);
    expect(scale.colorAt(Number.NaN)).toEqual([0, 0, 0, 0]);
  });

  test("equally far from the centre are equally far from the middle colour", async () => {
    const scale = await colorScale("RdBu_r", { range: [-5, 10], center: 0 });
    const whole = await colorScale("RdBu_r", { range: [-10, 10] });
    for (const value of [-4.9, -3, -0.1, 0.1, 3, 4.9, 9.9]) {
      const [a, b] = [scale.colorAt(value), whole.colorAt(value)];
      expect(Math.max(...a.map((part, c) => Math.abs(part - (b[c] ?? 0))))).toBeLessThanOrEqual(8);
    }
  });

  test("follow their logarithm", async () => {
    const scale = await colorScale(["#000000", "#ffffff"], { range: [0.01, 100], log: true });
    expect([-1, 0, 0.01, 1.01, 100].map((value) => scale.colorAt(value)[0])).toEqual([0, 0, 0, 128, 255]);
  });

  test("at a bound are in the class above it, beyond the bounds in the outer ones", async () => {
    const scale = await colorScale(["#010000", "#020000", "#030000"], { classes: [0, 0.1, 10, 50] });
    const values = [-1, 0, 0.0999, 0.1, 9.99, 10, 49, 50, 1000];
    expect(values.map((value) => scale.colorAt(value)[0])).toEqual([1, 1, 1, 2, 2, 3, 3, 3, 3]);
    expect(scale.range).toEqual([0, 50]);
  });
});

test.each<readonly [Colors, object, string]>([
  ["viridus", {}, 'colors: no scale "viridus"'],
  ["constructor", {}, 'colors: no scale "constructor"'],
  [["red", "blue"], {}, 'colors: expected a colour such as "#ff8800", got "red"'],
  [["#fff"], {}, "colors: expected two or more, got 1"],
  ["viridis", { range: [1, 1] }, "range: expected [low, high] with low below high, got [1,1]"],
  ["viridis", { range: [0, 1], log: true }, "range: expected values above 0"],
  ["viridis", { range: [0, 1], center: 2 }, "center: expected a value within the range 0 to 1, got 2"],
  ["viridis", { classes: [1] }, "classes: expected two bounds or more, ascending, got [1]"],
  ["viridis", { classes: [0, 2, 2] }, "classes: expected two bounds or more, ascending, got [0,2,2]"],
  ["viridis", { classes: [1, 2], log: true }, "classes: cannot be combined with center or log"],
])("%s with %o is refused", async (colors, options, message) => {
  await expect(colorScale(colors, options)).rejects.toThrow(message);
});
