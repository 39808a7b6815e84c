/**
 * The maps of examples/maps in Chromium: colours at known places against values computed here, at the
 * dateline and the poles.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumLaunchOptions } from "../setup/chromium.js";
import {
  type Camera,
  flat,
  globe,
  type Library,
  type MapData,
  ShownMap,
  utmData,
  worldData,
} from "./maps.js";

/** OpenLayers reprojects tiles itself, and is off by up to a pixel of the data (packages/openlayers/test). */
type Exact = Exclude<Library, "openlayers">;

interface Shown {
  readonly query: string;
  readonly camera: Camera;
  /** Places that are compared at least. */
  readonly least: number;
}

const WORLD: Readonly<Record<Exact, readonly Shown[]>> = {
  maplibre: [{ query: "#2/75/170", camera: flat([170, 75], 2048), least: 30 }],
  deckgl: [
    { query: "", camera: flat([0, 0], 1024), least: 100 },
    { query: "&place=170,75,2", camera: flat([170, 75], 2048), least: 30 },
  ],
};
const UTM: Readonly<Record<Exact, readonly Shown[]>> = {
  maplibre: [
    { query: "#4/63/179", camera: flat([179, 63], 8192), least: 10 },
    { query: "&globe#4/63/179", camera: globe([179, 63], 8192), least: 10 },
  ],
  deckgl: [{ query: "&place=179,63,4", camera: flat([179, 63], 8192), least: 10 }],
};

describe.skipIf(chromiumLaunchOptions() === undefined)("the maps", () => {
  describe.each(["maplibre", "deckgl"] as const)("in %s", (library) => {
    describe.each([
      ["a world from 0 to 360", worldData, WORLD],
      ["UTM over the dateline", utmData, UTM],
    ] as const)("of %s", (_, dataOf: () => Promise<MapData>, views) => {
      let map: ShownMap;
      beforeAll(async () => {
        map = await ShownMap.open(library, await dataOf());
      });
      afterAll(() => map?.close());

      test.each(views[library])("have the colours of the values at their places: $query", async (shown) => {
        const { query, camera, least } = shown;
        await map.goto(query);
        const first = await map.compare(0, camera);
        expect(first.wrong.join("\n")).toBe("");
        expect(first.compared).toBeGreaterThan(least);
        await map.page.locator("input").fill("4");
        await map.shows("4");
        expect((await map.compare(4, camera)).wrong.join("\n")).toBe("");
        expect(map.errors).toEqual([]);
      });
    });
  });

  test("in OpenLayers shows step after step, around the pole too", async () => {
    const map = await ShownMap.open("openlayers", await worldData());
    try {
      for (const query of ["&x=0&y=0&z=2", "&view=EPSG:3413&x=0&y=0&z=2"]) {
        await map.goto(query);
        await map.page.locator("input").fill("4");
        await map.shows("4");
      }
      expect(map.errors).toEqual([]);
    } finally {
      await map.close();
    }
  });
});
