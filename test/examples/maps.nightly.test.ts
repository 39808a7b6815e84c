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
  polar,
  ShownMap,
  utmData,
  worldData,
} from "./maps.js";

interface Shown {
  readonly query: string;
  readonly camera: Camera;
  /** Places that are compared at least. */
  readonly least: number;
}

const AROUND_POLE: Shown = {
  query: "&view=EPSG:3413&x=0&y=0&z=2",
  camera: polar((360 * 111_319.49079327358) / 1024),
  least: 100,
};
const [X, Y] = [(170 / 180) * Math.PI * 6378137, 6378137 * Math.asinh(Math.tan((75 * Math.PI) / 180))];

const WORLD: Readonly<Record<Library, readonly Shown[]>> = {
  maplibre: [{ query: "#2/75/170", camera: flat([170, 75], 2048), least: 30 }],
  openlayers: [
    { query: "&x=0&y=0&z=2", camera: flat([0, 0], 1024), least: 100 },
    { query: `&x=${X}&y=${Y}&z=3`, camera: flat([170, 75], 2048), least: 30 },
    AROUND_POLE,
  ],
  deckgl: [
    { query: "", camera: flat([0, 0], 1024), least: 100 },
    { query: "&place=170,75,2", camera: flat([170, 75], 2048), least: 30 },
  ],
};
const UTM: Readonly<Record<Library, readonly Shown[]>> = {
  maplibre: [
    { query: "#4/63/179", camera: flat([179, 63], 8192), least: 10 },
    { query: "&globe#4/63/179", camera: globe([179, 63], 8192), least: 10 },
  ],
  openlayers: [
    {
      query: `&x=${X + 9 * 111_319.49}&y=${6378137 * Math.asinh(Math.tan((63 * Math.PI) / 180))}&z=5`,
      camera: flat([179, 63], 8192),
      least: 10,
    },
  ],
  deckgl: [{ query: "&place=179,63,4", camera: flat([179, 63], 8192), least: 10 }],
};

describe.skipIf(chromiumLaunchOptions() === undefined)("the maps", () => {
  describe.each(["maplibre", "openlayers", "deckgl"] as const)("in %s", (library) => {
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
        const slack = library === "openlayers" ? 3 : 0;
        const first = await map.compare(0, camera, slack);
        expect(first.wrong.join("\n")).toBe("");
        expect(first.compared).toBeGreaterThan(least);
        await map.page.locator("input").fill("4");
        await map.shows("4");
        expect((await map.compare(4, camera, slack)).wrong.join("\n")).toBe("");
        expect(map.errors).toEqual([]);
      });
    });
  });
});
