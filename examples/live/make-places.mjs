// Makes places.zarr, the data of query.html: every second cell of examples/data as a row of a table, with its
// slope and what covers it. `npm run build && node examples/live/make-places.mjs`
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { consolidateMetadata, create, get, open, root, set } from "wazarr";
import { FileSystemStore } from "wazarr/stores/file-system";

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const source = root(new FileSystemStore(pathOf("../data/jacksboro.zarr")));
const { data, shape } = await get(await open(source.resolve("elevation"), { kind: "array" }));
const [rows, columns] = shape;
/** Metres from cell to cell, and from one that is before the edge to one after it. */
const [north, east] = [92.5, 74.5];
const height = (y, x) =>
  data[Math.min(Math.max(y, 0), rows - 1) * columns + Math.min(Math.max(x, 0), columns - 1)];

const places = [];
for (let y = 0; y < rows; y += 2)
  for (let x = 0; x < columns; x += 2) {
    const toEast = (height(y, x + 1) - height(y, x - 1)) / (2 * east);
    const toNorth = (height(y - 1, x) - height(y + 1, x)) / (2 * north);
    const slope = (Math.atan(Math.hypot(toEast, toNorth)) / Math.PI) * 180;
    const downhill = (Math.atan2(-toEast, -toNorth) / Math.PI) * 180;
    const facing =
      slope < 2 ? "flat" : ["north", "east", "south", "west"][Math.round((downhill + 360) / 90) % 4];
    places.push({ elevation: height(y, x), slope: Math.round(slope * 10) / 10, facing });
  }

rmSync(pathOf("places.zarr"), { recursive: true, force: true });
const target = root(new FileSystemStore(pathOf("places.zarr")));
await create(target, { attributes: { title: "Places around the Jacksboro fault" } });
for (const [name, dtype, units] of [
  ["elevation", "int16", "m"],
  ["slope", "float32", "degree"],
  ["facing", "string", "1"],
]) {
  const array = await create(target.resolve(name), {
    shape: [places.length],
    chunkShape: [places.length],
    dtype,
    codecs: [{ name: "zstd", configuration: { level: 19, checksum: false } }],
    dimensionNames: ["place"],
    attributes: { units },
  });
  await set(array, null, { data: places.map((place) => place[name]), shape: [places.length] });
}
await consolidateMetadata(target.store);
