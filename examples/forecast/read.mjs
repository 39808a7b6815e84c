// Draws a step of a forecast that is a GRIB file behind a reference document, and prints the series of a
// place: `npm run build && node examples/forecast/read.mjs [PICTURE.png]`
import { writeFileSync } from "node:fs";
import { get, open, root } from "wazarr";
import { FileSystemStore } from "wazarr/stores/file-system";
import { ReferenceStore } from "wazarr/stores/reference";
import { encodePng } from "../png.mjs";

const folder = new FileSystemStore(new URL(".", import.meta.url));
const document = JSON.parse(new TextDecoder().decode(await folder.get("/forecast.json")));
// On the web this is `await ReferenceStore.fromUrl("https://example.com/forecast.json")`.
const store = new ReferenceStore(document, { open: (file) => ({ store: folder, key: `/${file}` }) });
const forecast = root(store);
const t2m = await open(forecast.resolve("t2m"), { kind: "array" });
const latitude = (await get(await open(forecast.resolve("latitude"), { kind: "array" }))).data;
const longitude = (await get(await open(forecast.resolve("longitude"), { kind: "array" }))).data;

const [row, column] = [latitude.indexOf(47.5), longitude.indexOf(7.5)];
const { data: series } = await get(t2m, [null, row, column]);
console.log(
  `47.5 N, 7.5 E: ${Array.from(series, (kelvin) => (kelvin - 273.15).toFixed(1)).join(", ")} degrees C`,
);

const { data, shape } = await get(t2m, [4, null, null]);
const [rows, columns] = shape;
const SCALE = 5;
const pixels = new Uint8Array(3 * rows * columns * SCALE ** 2);
for (let i = 0; i < pixels.length / 3; i++) {
  const [y, x] = [Math.floor(i / (columns * SCALE) / SCALE), Math.floor((i % (columns * SCALE)) / SCALE)];
  const warm = Math.min(1, Math.max(0, (data[y * columns + ((x + columns / 2) % columns)] - 240) / 70));
  // Isotherms of 5 degrees, as steps of the colour.
  const step = Math.round(warm * 14) / 14;
  pixels.set(
    [255 * Math.min(1, 2 * step), 255 * (1 - Math.abs(2 * step - 1) * 0.8), 255 * Math.min(1, 2 - 2 * step)],
    3 * i,
  );
}
const picture = process.argv[2] ?? "forecast.png";
writeFileSync(picture, encodePng(pixels, columns * SCALE, rows * SCALE));
console.log(`${picture}: the temperature at 12:00 UTC`);
