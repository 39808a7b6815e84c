// Makes jacksboro.tif, the file of geotiff.html: the elevations of examples/data as a cloud-optimized GeoTIFF, by
// GDAL 3.6. `npm run build && node examples/live/make-geotiff.mjs`
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { get, open, root } from "wazarr";
import { FileSystemStore } from "wazarr/stores/file-system";

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const source = root(new FileSystemStore(pathOf("../data/jacksboro.zarr")));
const read = async (name) => get(await open(source.resolve(name), { kind: "array" }));
const [{ data, shape }, y, x] = await Promise.all(["elevation", "latitude", "longitude"].map(read));
const [rows, columns] = shape;
const step = (axis) => Math.abs(axis.data.at(-1) - axis.data[0]) / (axis.data.length - 1);

const folder = mkdtempSync(join(tmpdir(), "wazarr-geotiff-"));
writeFileSync(join(folder, "elevation.bil"), data);
writeFileSync(
  join(folder, "elevation.hdr"),
  `NROWS ${rows}\nNCOLS ${columns}\nNBITS 16\nPIXELTYPE SIGNEDINT\nBYTEORDER I\nLAYOUT BIL\nULXMAP ${x.data[0]}\nULYMAP ${Math.max(...y.data)}\nXDIM ${step(x)}\nYDIM ${step(y)}\n`,
);
const options = ["COMPRESS=DEFLATE", "PREDICTOR=YES", "BLOCKSIZE=128"].flatMap((option) => ["-co", option]);
execFileSync("gdal_translate", [
  ...["-q", "-a_srs", "EPSG:4326", "-of", "COG", ...options],
  ...[join(folder, "elevation.bil"), pathOf("jacksboro.tif")],
]);
rmSync(folder, { recursive: true });
