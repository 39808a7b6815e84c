// Makes light.zarr, the data of series.html: the light on the hills of examples/data through the day of the
// equinox, with the shadows that ridges cast. `npm run build && node examples/live/make-light.mjs`
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { consolidateMetadata, create, get, open, root, set, slice } from "wazarr";
import { FileSystemStore } from "wazarr/stores/file-system";

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const source = root(new FileSystemStore(pathOf("../data/jacksboro.zarr")));
const read = async (name) => (await get(await open(source.resolve(name), { kind: "array" }))).data;
const elevation = await get(await open(source.resolve("elevation"), { kind: "array" }));
const [latitude, longitude] = [await read("latitude"), await read("longitude")];

/** Every second cell: rows, columns, and metres from cell to cell. */
const [rows, columns] = [172, 201];
const [north, east] = [185, 149];
/** Times from 06:15 to 17:45, in hours. */
const times = Array.from({ length: 24 }, (_, i) => 6.25 + i / 2);
const EXAGGERATION = 2;
const height = (y, x) =>
  EXAGGERATION * elevation.data[Math.max(0, Math.min(343, 2 * y)) * 403 + Math.max(0, Math.min(402, 2 * x))];

/** Light from 0 to 248, in 32 levels, which compress better. @param hour local solar time */
function light(hour) {
  // The sun of the equinox: on the celestial equator.
  const turn = ((hour - 12) / 12) * Math.PI;
  const place = (36.6 / 180) * Math.PI;
  const sun = [-Math.sin(turn), -Math.cos(turn) * Math.sin(place), Math.cos(turn) * Math.cos(place)];
  return Uint8Array.from({ length: rows * columns }, (_, i) => {
    const [y, x] = [Math.floor(i / columns), i % columns];
    const [dx, dy] = [
      (height(y, x + 1) - height(y, x - 1)) / (2 * east),
      (height(y - 1, x) - height(y + 1, x)) / (2 * north),
    ];
    const lit = (sun[2] - dx * sun[0] - dy * sun[1]) / Math.hypot(dx, dy, 1);
    const direct = lit > 0 && !isInShadow(y, x, sun) ? lit : 0;
    return 8 * Math.round(31 * Math.min(1, 0.12 + 0.2 * sun[2] + 0.7 * direct));
  });
}

/** Whether the ground rises above the line from a cell to the sun. */
function isInShadow(y, x, [sunEast, sunNorth, up]) {
  const step = 1 / Math.max(Math.abs(sunEast) / east, Math.abs(sunNorth) / north);
  const [toEast, toNorth, rise] = [(sunEast * step) / east, (sunNorth * step) / north, up * step];
  const from = height(y, x);
  for (let n = 1; n < 60; n++) {
    const [row, column] = [Math.round(y - n * toNorth), Math.round(x + n * toEast)];
    if (row < 0 || row >= rows || column < 0 || column >= columns) return false;
    if (height(row, column) > from + n * rise + 15) return true;
  }
  return false;
}

rmSync(pathOf("light.zarr"), { recursive: true, force: true });
const target = root(new FileSystemStore(pathOf("light.zarr")));
await create(target, {
  attributes: { title: "Light on the hills around the Jacksboro fault at the equinox" },
});
for (const [name, data, units] of [
  ["time", Float64Array.from(times), "hours since 2026-03-20"],
  ["latitude", latitude.filter((_, i) => i % 2 === 0), "degrees_north"],
  ["longitude", longitude.filter((_, i) => i % 2 === 0 && i < 402), "degrees_east"],
]) {
  const array = await create(target.resolve(name), {
    shape: [data.length],
    dtype: "float64",
    chunkShape: [data.length],
    dimensionNames: [name],
    attributes: { units, standard_name: name },
  });
  await set(array, null, { data, shape: [data.length] });
}
const shape = [times.length, rows, columns];
const array = await create(target.resolve("light"), {
  shape,
  dtype: "uint8",
  // One file. A page reads the time steps that it shows, by ranges of bytes.
  shards: shape,
  chunkShape: [1, rows, columns],
  codecs: [{ name: "zstd", configuration: { level: 19, checksum: false } }],
  dimensionNames: ["time", "latitude", "longitude"],
  attributes: { long_name: "light", units: "1" },
});
await set(array, [slice(0, times.length), null, null], {
  data: Uint8Array.from(times.flatMap((hour) => [...light(hour)])),
  shape,
});
await consolidateMetadata(target.store);
