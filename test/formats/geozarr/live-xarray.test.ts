/** Rasters of `writeGeoZarr` as xarray opens them. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import { writeGeoZarr } from "../../../src/formats/geozarr.js";
import { consolidateMetadata } from "../../../src/index.js";
import { readOracles } from "../../setup/oracles.js";

const { python } = readOracles();
const folder = mkdtempSync(join(tmpdir(), "wazarr-geozarr-xarray-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SCRIPT = `
import json, sys, xarray as xr
ds = xr.open_zarr(sys.argv[1], chunks=None)
print(json.dumps({"dtype": str(ds.v.dtype), "v": [str(x) for x in ds.v.values.ravel()], "x": ds.x.values.tolist(), "crs": int(ds.spatial_ref)}))
`;

describe.skipIf(!python?.xarray)("writeGeoZarr, as xarray opens it", () => {
  test.each([2, 3] as const)("zeros are values, v%i", async (zarrFormat) => {
    const at = join(folder, `v${zarrFormat}`);
    const store = new FileSystemStore(at);
    // The middle of the third column is at 0.
    const grid = { crs: "EPSG:32633", transform: [10, 0, -25, 0, -10, 5e6] } as const;
    const source = { data: Int16Array.of(0, 1, -999, 3, 4, 5), shape: [2, 3] };
    const attributes = { _FillValue: -999 };
    await writeGeoZarr(store, source, { variable: "v", grid, zarrFormat, attributes });
    await consolidateMetadata(store);
    const read = JSON.parse(
      execFileSync(python?.executable ?? "", ["-W", "ignore", "-c", SCRIPT, at]).toString(),
    );
    expect(read).toEqual({
      dtype: "float32",
      v: ["0.0", "1.0", "nan", "3.0", "4.0", "5.0"],
      x: [-20, -10, 0],
      crs: 0,
    });
  });
});
