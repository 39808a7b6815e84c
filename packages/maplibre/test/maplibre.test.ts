/** The layer in Chromium: what is drawn, frame after frame, against values computed here. */
import { colorScale } from "@wazarr/colors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumLaunchOptions } from "../../../test/setup/chromium.js";
import { type Driven, openPage } from "./driven.js";

describe.skipIf(chromiumLaunchOptions() === undefined)("a ZarrLayer in MapLibre", () => {
  let page: Driven;
  beforeAll(async () => {
    page = await openPage();
  });
  afterAll(() => page?.close());
  const run: Driven["run"] = (name, ...given) => page.run(name, ...given);

  const patternAt = (row: number, column: number) => (row * 3 + column) % 251;
  const otherAt = (row: number, column: number) => (row + column * 7) % 83;
  const [row, column] = [Math.floor((90 - 20.2) / (180 / 256)), Math.floor((180 + 10.1) / (360 / 1024))];

  test("shows 40 steps, none of them mixed with another", { timeout: 200_000 }, async () => {
    const { mixed, seen, last, step } = await run("steps", 40);
    expect(mixed).toEqual([]);
    expect(seen).toBeGreaterThan(30);
    expect({ last, step }).toEqual({ last: [40, 40, 40, 255], step: { time: 39 } });
  });

  test("plays from a date on, step by step, and after the last the first", async () => {
    const { mixed, steps } = await run("play");
    expect(mixed).toEqual([]);
    expect(steps.slice(0, 8)).toEqual([195, 196, 197, 198, 199, 0, 1, 2]);
  });

  test("says the value at a point, in a polygon and in the view, and the dates", async () => {
    const { point, around, area, statistics, labels, dimensions, unit } = await run("values");
    const value = patternAt(row, column);
    expect(point).toMatchObject({ values: { value }, label: `${value} °C`, row, column });
    expect(around).toMatchObject({ values: { value }, row, column });
    const inside = Array.from({ length: 256 }, (_, y) => y).flatMap((y) =>
      Array.from({ length: 1024 }, (_, x) => x).flatMap((x) => {
        const [longitude, latitude] = [-180 + (x + 0.5) * (360 / 1024), 90 - (y + 0.5) * (180 / 256)];
        return longitude > 0 && longitude < 20 && latitude > 0 && latitude < 20 ? [patternAt(y, x)] : [];
      }),
    );
    expect(area.count).toBe(inside.length);
    expect(area.mean).toBeCloseTo(inside.reduce((sum, each) => sum + each, 0) / inside.length, 6);
    expect(statistics).toMatchObject({ minimum: 0, maximum: 250 });
    expect(labels?.map((text) => text.slice(0, 10))).toEqual(["2026-01-01", "2026-01-02"]);
    expect({ dimensions, unit }).toEqual({ dimensions: { time: 200 }, unit: "degC" });
  });

  test("has opacity, visibility and an order as other layers, and can be added again", async () => {
    const { half, whole, hidden, above, below, viridis, before, again } = await run("asLayers");
    expect(Math.abs((half[0] ?? 0) - (100 + 255) / 2)).toBeLessThanOrEqual(1);
    expect(whole).toEqual([100, 100, 100, 255]);
    expect(hidden).toEqual([255, 255, 255, 255]);
    expect(above).toEqual([100, 100, 100, 255]);
    expect(below).toEqual([0, 0, 0, 255]);
    expect(viridis).toEqual([...(await colorScale("viridis", { range: [0, 100] })).colorAt(100)]);
    expect(before).toEqual([0, 0, 0, 255]);
    // The options have the colours with which it starts again.
    expect(again).toEqual([100, 100, 100, 255]);
  });

  test("calculates with several variables, and shows three as red, green and blue", async () => {
    const { values, seen, weighted, color, later } = await run("severalVariables");
    const [a, b] = [patternAt(row, column), otherAt(row, column)];
    expect(values).toEqual({ a, b });
    const grey = a - b + 100;
    expect(seen).toEqual([grey, grey, grey, 255]);
    expect(Math.abs((weighted[0] ?? 0) - (a - b / 2 + 100))).toBeLessThanOrEqual(1);
    expect(color).toEqual([10, 100, 200, 255]);
    expect(later).toEqual([10, 100, 150, 255]);
  });

  test("lets a finer level appear slowly over the coarser one", async () => {
    const grey = (value: number) => [value, value, value, 255];
    expect(await run("fading")).toEqual({
      coarse: grey(200),
      start: grey(200),
      half: grey(125),
      fine: grey(50),
    });
  });

  test("has no more textures after 80 pans than after 15", { timeout: 200_000 }, async () => {
    const [some, many] = await run("pans", [15, 80]);
    expect(some?.textures).toBeGreaterThan(4);
    // Those that wait for tiles of their size are at most 32.
    expect(many?.textures).toBeLessThanOrEqual((some?.textures ?? 0) + 16);
  });

  test("tells the map its errors, and shows the rest", async () => {
    const { messages, progress, failures, rest } = await run("errors");
    expect(messages[0]).toMatch(/^no Zarr array or group/);
    expect(messages.slice(1)).toEqual([expect.stringContaining("no such chunk")]);
    expect(progress.at(-1)).toBe("4 of 4");
    const value = patternAt(Math.floor(80 / (180 / 256)), Math.floor(190 / (360 / 1024)));
    expect({ failures, rest: rest[0] }).toEqual({ failures: 1, rest: value });
  });
});
