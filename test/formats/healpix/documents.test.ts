/** Documents with any value in any place: a grid, or an error of this library. */
import { expect, test } from "vitest";
import { openHealpix } from "../../../src/formats/healpix.js";
import { create, isZarrError, type Json, type JsonObject, root } from "../../../src/index.js";

const JUNK: readonly Json[] = [
  ...[null, true, "", "x", "ring", "../a", "__proto__", 0, -1, 0.5, 29, 30, 2 ** 53, 1e300, 10n ** 30n],
  ...[[], [1], {}, { semimajor_axis: 1 }, { name: "healpix" }],
];
const CONVENTIONS: Readonly<Record<string, JsonObject>> = {
  dggs: {
    name: "healpix",
    refinement_level: 1,
    indexing_scheme: "nested",
    spatial_dimension: "cells",
    coordinate: "ids",
    compression: "none",
    ellipsoid: { semimajor_axis: 6378137, inverse_flattening: 298 },
  },
  crs: {
    grid_mapping_name: "healpix",
    refinement_level: 1,
    indexing_scheme: "nested",
    healpix_nside: 2,
    healpix_order: "nest",
    semi_major_axis: 6378137,
    earth_radius: 6378137,
  },
  cell_ids: {
    grid_name: "healpix",
    level: 1,
    nside: 2,
    nest: true,
    indexing_scheme: "nested",
    ellipsoid: "WGS84",
  },
};

test.each(Object.keys(CONVENTIONS))("%s", async (where) => {
  const described = CONVENTIONS[where] ?? {};
  let opened = 0;
  for (const member of Object.keys(described))
    for (const junk of JUNK) {
      const attributes: JsonObject = { ...described, [member]: junk };
      const store = new Map<string, Uint8Array>();
      await create(store, { attributes: where === "dggs" ? { dggs: attributes } : {} });
      const dimensionNames = ["cells"];
      await create(root(store).resolve("t"), { shape: [48], dtype: "float32", dimensionNames });
      if (where !== "dggs") {
        const isIndex = where === "cell_ids";
        const shape = isIndex ? [48] : [];
        const names = isIndex ? dimensionNames : [];
        await create(root(store).resolve(where), {
          shape,
          dtype: "int64",
          dimensionNames: names,
          attributes,
        });
      }
      try {
        const { grid } = await openHealpix(store, { variable: "t" });
        expect(grid.level).toBeLessThanOrEqual(29);
        opened++;
      } catch (error) {
        if (!isZarrError(error)) throw error;
      }
    }
  if (where !== "dggs") expect(opened).toBeGreaterThan(0);
});
