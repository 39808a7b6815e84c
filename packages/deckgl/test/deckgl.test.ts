/** The layer in Chromium: what is drawn and picked, against values computed here. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumLaunchOptions } from "../../../test/setup/chromium.js";
import { bundled, type DrawnPage, openDrawnPage } from "../../../test/setup/drawn-page.js";
import type { Scenarios } from "./page.js";

const valueAt = (step: number, row: number, column: number): number => (step * 40 + row + column) % 200;
const PAGE = `<!doctype html><meta charset="utf-8"><div id="map" style="position: relative; width: 400px; height: 300px"></div>
<script type="module" src="/main.js"></script>`;

describe.skipIf(chromiumLaunchOptions() === undefined)("a ZarrLayer in deck.gl", () => {
  let drawn: DrawnPage;
  beforeAll(async () => {
    const scripts = await bundled("packages/deckgl/test/page.ts");
    drawn = await openDrawnPage({ scripts, page: PAGE, store: new Map() }, [420, 400]);
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

  test("has the colours of the values, of the step that the props select, and picks them", async () => {
    const places: [number, number][] = [
      [0.5, 0.5],
      [-20.5, 10.5],
      [20.5, -10.5],
    ];
    const cells = places.map(([x, y]) => [Math.floor(90 - y), Math.floor(x + 180)] as const);
    const { first, later, picked, failures } = await run("map", places);
    expect(failures).toEqual([]);
    const expected = (step: number) => cells.map(([row, column]) => valueAt(step, row, column));
    expect({ first, later }).toEqual({ first: expected(0), later: expected(2) });
    expect(picked).toMatchObject(
      expected(2).map((value, i) => ({
        ...{ values: { value }, label: `${value} m`, row: cells[i]?.[0], column: cells[i]?.[1] },
      })),
    );
  });

  test("shows channels of an image as red, green and blue, and picks all", async () => {
    const { color, picked, failures } = await run("image");
    expect(failures).toEqual([]);
    expect(color).toEqual([64, 128, 191, 255]);
    expect(picked).toMatchObject({ values: { red: 1000, green: 2000, blue: 3000 }, row: 256, column: 256 });
  });

  test("gives a TileLayer values in Mercator's projection", async () => {
    const { width, height, first, last } = await run("tiles");
    expect({ width, height }).toEqual({ width: 256, height: 256 });
    expect({ first, last }).toEqual({ first: valueAt(1, 49, 180), last: valueAt(1, 89, 224) });
  });

  test("says what went wrong", async () => {
    expect(await run("failure")).toEqual([expect.stringContaining("no Zarr array or group")]);
  });
});
