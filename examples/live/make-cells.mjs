// Makes cells.zarr, the data of microscope.html: made-up cells in two channels, an OME-Zarr image of three levels.
// `npm run build && node examples/live/make-cells.mjs`
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { writeCells } from "../../scripts/viewer-picture-data.mjs";

const path = fileURLToPath(new URL("cells.zarr", import.meta.url));
rmSync(path, { recursive: true, force: true });
await writeCells(path, 512);
