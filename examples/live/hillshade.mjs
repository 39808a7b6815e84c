// A picture without a browser: `npm install wazarr fast-png && node hillshade.mjs [ADDRESS]` writes hillshade.png.
import { writeFileSync } from "node:fs";
import { encode } from "fast-png";
import { get, open } from "wazarr";
import { openLocation } from "wazarr/stores/open-store";

const address =
  process.argv[2] ??
  "https://raw.githubusercontent.com/OWNER/wazarr/main/examples/data/jacksboro.zarr|zarr3:elevation";
const array = await open(await openLocation(address), { kind: "array" });
const {
  data,
  shape: [height, width],
  statistics,
} = await get(array, null, { as: "float32", statistics: true });

const METRES = 85; // from cell to cell
const at = (y, x) => data[Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x))];
const pixels = new Uint8Array(width * height);
for (let y = 0; y < height; y++)
  for (let x = 0; x < width; x++) {
    const east = (at(y, x + 1) - at(y, x - 1)) / (2 * METRES);
    const south = (at(y + 1, x) - at(y - 1, x)) / (2 * METRES);
    // The sun is in the north-west, 45 degrees high.
    const light = (Math.SQRT1_2 + (east + south) / 2) / Math.hypot(1, east, south);
    pixels[y * width + x] = 255 * Math.max(0, Math.min(1, light));
  }

writeFileSync("hillshade.png", encode({ data: pixels, width, height, channels: 1, depth: 8 }));
console.log(
  `hillshade.png: ${width} x ${height}, ${statistics.minimum} to ${statistics.maximum} ${array.attrs.units}`,
);
