/** The maps of examples/maps in Firefox and WebKit, which nobody drives: colours at known places. */
import { describe, expect, test } from "vitest";
import { installedBrowsers } from "../setup/browser-processes.js";
import { compare, degrees, flat, globe, type Library, picturesIn, utmData, worldData } from "./maps.js";

const installed = installedBrowsers();
const MAPS = [
  ["maplibre", "a world", worldData, "#2/75/170", flat([170, 75], 2048), 30],
  ["maplibre", "UTM on a globe", utmData, "&globe#4/63/179", globe([179, 63], 8192), 10],
  ["deckgl", "a world", worldData, "&place=170,75,2", flat([170, 75], 2048), 30],
  ["openlayers", "a world", worldData, "&view=EPSG:4326&x=170&y=0&z=3", degrees([170, 0], 45 / 256), 30],
] as const satisfies readonly (readonly [Library, ...unknown[]])[];

describe.each(["firefox", "webkit"] as const)("in %s", (name) => {
  test.for(MAPS)(
    "%s shows %s",
    { timeout: 300_000 },
    async ([library, , dataOf, query, camera, least], { skip }) => {
      const browser = installed.find((each) => each.name === name);
      if (browser === undefined) return skip();
      const data = await dataOf();
      const { pictures, problems } = await picturesIn(browser, library, data, query);
      expect(problems).toEqual([]);
      expect(pictures).toHaveLength(2);
      for (const [i, step] of [0, 4].entries()) {
        const { compared, wrong } = compare(pictures[i] ?? new Uint8Array(), data, step, camera);
        expect(wrong.join("\n")).toBe("");
        expect(compared).toBeGreaterThan(least);
      }
    },
  );
});
