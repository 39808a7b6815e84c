/** What the viewer chooses by itself: the variable, its colours and range, and the steps of its timeline. */
import { expect, test } from "vitest";
import { bestOf } from "../../examples/viewer/src/data/choose.js";
import type { Dimension, Layer } from "../../examples/viewer/src/data/layers.js";
import { gapsOf, marksOf, rhythmOf } from "../../examples/viewer/src/data/steps.js";
import { partOf, valueAt } from "../../examples/viewer/src/picture/curve.js";
import { coloursFor, rangeFor } from "../../examples/viewer/src/picture/scales.js";
import { children, create, MemoryStore, open, root } from "../../src/index.js";

const LAYER: Layer = {
  title: "/a",
  dimensions: [],
  levels: [],
  factors: [],
  x: 1,
  y: 0,
  isFlipped: false,
  isMap: true,
  missing: [],
  scale: 1,
  offset: 0,
  dtype: "float32",
};

test("of a data set, a person looks at its data: not at masks, bounds and coordinates", async () => {
  const store = new MemoryStore();
  await create(store);
  const add = (name: string, dimensionNames: string[], attributes = {}, dtype = "float32") =>
    create(root(store).resolve(name), {
      ...{ shape: dimensionNames.map(() => 4), dimensionNames, attributes, dtype },
    });
  await add("area", ["time", "lat", "lon"]);
  await add("bnds", ["lat", "nv"]);
  await add("land", ["lat", "lon"], {}, "bool");
  await add("quality", ["time", "lat", "lon"], { long_name: "quality flag" }, "uint8");
  await add("height", ["lat", "lon"], { long_name: "height" });
  await add("where", ["time", "lat", "lon"], { long_name: "where" });
  await add("t2m", ["time", "lat", "lon"], { long_name: "2 metre temperature", coordinates: "where" });
  await add("time", ["time"]);
  const members = await children(await open(store));
  expect(bestOf(members)?.path).toBe("/t2m");
  // Whatever their order is.
  expect(bestOf(members.toReversed())?.path).toBe("/t2m");
  expect(bestOf(members.filter(({ path }) => path !== "/t2m"))?.path).toBe("/where");
});

test("colours fit what the values are", () => {
  const of = (layer: Partial<Layer>, range?: readonly [number, number]) =>
    coloursFor({ ...LAYER, ...layer }, { range });
  expect(of({ standardName: "air_temperature" })).toBe("inferno");
  expect(of({ standardName: "eastward_wind" })).toBe("RdBu_r");
  expect(of({ longName: "Total precipitation" })).toBe("Blues");
  expect(of({})).toBe("viridis");
  // A range around zero diverges from it.
  expect(of({}, [-5, 5])).toBe("RdBu_r");
  expect(coloursFor(LAYER, { colours: "magma", range: [-5, 5] })).toBe("magma");
});

test("the range leaves out two of a hundred values on either side, and has round ends", () => {
  const samples = Array.from({ length: 1001 }, (_, i) => 200.123 + i / 10);
  const [low, high] = rangeFor(LAYER, [...samples, 1e6, -1e6]) ?? [];
  expect(low).toBeLessThanOrEqual(202.2);
  expect(low).toBeGreaterThan(200);
  expect(high).toBeCloseTo(299, 0);
  expect(String(low).length).toBeLessThan(6);
  // Of values on both sides of zero, it is as wide on either.
  const [least = 0, most = 0] = rangeFor(LAYER, [-8, -3, 0, 2, 5]) ?? [];
  expect([least, most]).toEqual([-8, 8]);
  // Temperatures in degrees are below and above zero, and do not diverge from it.
  expect(rangeFor({ ...LAYER, standardName: "air_temperature" }, [-8, -3, 0, 2, 5])).toEqual([-8, 5]);
  expect(rangeFor(LAYER, [])).toBeUndefined();
  // Stored values of packed data.
  expect(rangeFor({ ...LAYER, scale: 0.5, offset: 10 }, [0, 10, 20])).toEqual([0, 20]);
});

test.each(["linear", "log", "symmetric"] as const)(
  "a %s scale has the same places there and back",
  (curve) => {
    const range = curve === "log" ? ([0.1, 1000] as const) : ([-20, 500] as const);
    expect(partOf(range[0], range, curve)).toBeCloseTo(0);
    expect(partOf(range[1], range, curve)).toBeCloseTo(1);
    for (const part of [0, 0.1, 0.5, 0.9, 1])
      expect(partOf(valueAt(part, range, curve), range, curve)).toBeCloseTo(part, 6);
  },
);

test("a logarithm begins above zero", () => {
  expect(valueAt(0, [-5, 1000], "log")).toBe(1);
  expect(valueAt(0.5, [1, 100], "log")).toBeCloseTo(10);
});

test("the timeline has dates, gaps and a rhythm", () => {
  const days = [1, 2, 3, 6, 7].map((day) => `2026-03-0${day}`);
  const time: Dimension = { name: "time", length: 5, labels: days, values: [0, 1, 2, 5, 6], isTime: true };
  expect(gapsOf(time)).toEqual([2]);
  expect(rhythmOf(time)).toBe("daily");
  expect(marksOf(time).map(({ words }) => words)).toEqual(["1 Mar", "2 Mar", "3 Mar", "6 Mar", "7 Mar"]);
  const plain: Dimension = { name: "z", length: 30 };
  expect(gapsOf(plain)).toEqual([]);
  expect(marksOf(plain).map(({ index }) => index)).toEqual([0, 5, 10, 15, 20, 25]);
});
