/** The source in Chromium, beside OpenLayers' own source of GeoZarr, and against values computed here. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { create, root, set } from "wazarr";
import { chromiumLaunchOptions } from "../../../test/setup/chromium.js";
import { bundled, type DrawnPage, openDrawnPage } from "../../../test/setup/drawn-page.js";
import type { Scenarios } from "./page.js";

const [STEPS, ROWS, COLUMNS] = [3, 180, 360];
const MISSING_COLUMN = 205;
const valueAt = (step: number, row: number, column: number): number =>
  column === MISSING_COLUMN ? -1 : (step * 40 + row + column) % 200;

/** A world in pixels of a degree, with the conventions that both sources read. */
async function world(): Promise<Map<string, Uint8Array>> {
  const store = new Map<string, Uint8Array>();
  const attributes = {
    "proj:code": "EPSG:4326",
    "spatial:bbox": [-180, -90, 180, 90],
    "spatial:dimensions": ["y", "x"],
    "spatial:shape": [ROWS, COLUMNS],
    "spatial:transform": [1, 0, -180, 0, -1, 90],
  };
  const group = root(store);
  await create(group, { attributes });
  const array = await create(group.resolve("data"), {
    shape: [STEPS, ROWS, COLUMNS],
    chunkShape: [1, 180, 180],
    dtype: "int16",
    fillValue: -1,
    dimensionNames: ["time", "y", "x"],
    attributes: { ...attributes, units: "m", _FillValue: -1 },
  });
  const data = Int16Array.from({ length: STEPS * ROWS * COLUMNS }, (_, i) =>
    valueAt(Math.floor(i / (ROWS * COLUMNS)), Math.floor(i / COLUMNS) % ROWS, i % COLUMNS),
  );
  await set(array, null, { data, shape: [STEPS, ROWS, COLUMNS] });
  return store;
}

describe.skipIf(chromiumLaunchOptions() === undefined)("a ZarrSource in OpenLayers", () => {
  let drawn: DrawnPage;
  beforeAll(async () => {
    const scripts = await bundled("packages/openlayers/test/page.ts");
    drawn = await openDrawnPage({ scripts, store: await world() }, [420, 700]);
    await drawn.page.goto(drawn.server.url);
    await drawn.page.waitForFunction(() => "scenarios" in globalThis);
  });
  afterAll(() => drawn?.close());

  async function run<Name extends keyof Scenarios>(
    name: Name,
    ...given: Parameters<Scenarios[Name]>
  ): Promise<Awaited<ReturnType<Scenarios[Name]>>> {
    const result = await drawn.page.evaluate(`scenarios.${name}(...${JSON.stringify(given)})`);
    expect(drawn.errors).toEqual([]);
    // A page gives back JSON of what its function returns.
    return result as Awaited<ReturnType<Scenarios[Name]>>;
  }

  test.each([
    ["EPSG:4326", [20, 10], 0.25],
    ["EPSG:4326", [-100, 45], 0.3],
    ["EPSG:3857", [2_000_000, 5_000_000], 20_000],
  ] as const)(
    "has the pixels of OpenLayers' own source in %s at %s",
    async (projection, center, resolution) => {
      const {
        different,
        drawn: count,
        theirs,
      } = await run("beside", { projection, center: [...center], resolution }, 1);
      expect(count).toBeGreaterThan(50_000);
      expect({ different, theirs }).toEqual({ different: 0, theirs: count });
    },
  );

  test("gives the values of places, of the step that is selected", async () => {
    const places: [number, number][] = [
      [0.5, 0.5],
      [-20.5, 40.5],
      [65.5, -20.5],
      [MISSING_COLUMN - 180 + 0.5, 3.5],
    ];
    const cells = places.map(([x, y]) => [Math.floor(90 - y), Math.floor(x + 180)] as const);
    const { first, later, greys, dimensions, step, unit } = await run("values", places);
    const expected = (time: number) =>
      cells.map(([row, column]) => (column === MISSING_COLUMN ? [0, 0] : [valueAt(time, row, column), 1]));
    expect(first).toEqual(expected(0));
    expect(later).toEqual(expected(2));
    expect(greys.slice(0, 3)).toEqual(
      expected(2)
        .slice(0, 3)
        .map(([value]) => value),
    );
    expect({ dimensions, step, unit }).toEqual({ dimensions: { time: 3 }, step: { time: 2 }, unit: "m" });
  });

  test("has the values beyond the dateline", async () => {
    const longitudes = [-268.5, -200.5, -181.5, -178.5, -80.5];
    const places = longitudes.map((longitude): [number, number] => [longitude, 40.5]);
    const greys = await run(
      "greys",
      { projection: "EPSG:4326", center: [-170, 45], resolution: 0.5 },
      places,
    );
    expect(greys).toEqual(longitudes.map((x) => valueAt(0, 49, Math.floor((x + 180 + 360) % 360))));
  });

  test("has a band for each variable, of which a layer makes an expression", async () => {
    const { data, grey } = await run("bands", [0.5, 0.5]);
    expect(data).toEqual([valueAt(2, 89, 180), valueAt(0, 89, 180), 1]);
    expect(grey).toBe(80);
  });

  test("says why it cannot be opened", async () => {
    const { reason, state } = await run("missing");
    expect(reason).toMatch(/nothing/);
    expect(state).toBe("error");
  });
});
