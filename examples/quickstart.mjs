// What wazarr does, on real data: `npm run quickstart`. Reads a store that zarr-python wrote, checks the
// values, converts the store to another format, layout and codec, and draws what is in it.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { get, open, root, slice, tree } from "wazarr";
import { copyNode, verify } from "wazarr/copy";
import { FileSystemStore } from "wazarr/stores/file-system";
import { encodePng } from "./png.mjs";
import { drawRelief } from "./relief.mjs";

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const say = (text) => console.log(text.replace(/^/gm, "   "));
const heading = (text) => console.log(`\n${text}`);
function check(what, isTrue) {
  if (!isTrue) throw new Error(`${what}: NOT as expected`);
  say(`✓ ${what}`);
}

const known = JSON.parse(readFileSync(pathOf("data/known-values.json"), "utf8"));
const source = root(new FileSystemStore(pathOf("data/jacksboro.zarr")));

heading(
  "1. A hierarchy that zarr-python wrote: the hills around the Jacksboro fault, Tennessee (SRTM, NASA/USGS)",
);
say(await tree(source));

heading(`2. A region across chunk borders, elevation[${known.region.select}], in metres`);
const elevation = await open(source.resolve("elevation"), { kind: "array" });
const region = await get(elevation, [slice(126, 130), slice(254, 259)]);
for (let row = 0; row < region.shape[0]; row++) {
  say(Array.from(region.data.subarray(row * region.stride[0], (row + 1) * region.stride[0])).join("  "));
}
check(
  "the values that numpy found there",
  region.data.every((metres, i) => metres === known.region.data[i]),
);
const whole = await get(elevation);
const { index: summit, value: height } = known.maximum;
check(`the highest place is ${height} m`, (await get(elevation, summit)) === height);
check(
  `all ${whole.data.length.toLocaleString("en")} elevations, by their SHA-256`,
  sha256(whole.data) === known.sha256,
);

heading("3. The whole hierarchy as Zarr v2: big-endian, order F, chunks of 100 x 100, zlib");
const target = root(new FileSystemStore(pathOf("../out/jacksboro-v2.zarr")));
await copyNode(source, target, {
  zarrFormat: 2,
  endian: "big",
  order: "F",
  chunkShape: [100, 100],
  codecs: { compressor: { id: "zlib", level: 6 } },
  overwrite: true,
});
const copy = await open.v2(target.resolve("elevation"), { kind: "array" });
say(
  `out/jacksboro-v2.zarr: chunks of ${copy.chunks.join(" x ")}, dimensions ${copy.dimensionNames.join(" and ")}`,
);
check("read back, every elevation is the same", sha256((await get(copy)).data) === known.sha256);
const problems = [];
const report = await verify(target, { onProblem: (problem) => problems.push(problem) });
check(`${report.chunks} chunks of ${report.arrays} arrays decode without a problem`, problems.length === 0);

heading("4. A picture: shaded relief, lit from the north-west");
const cellSize = { x: await metresApart("longitude"), y: await metresApart("latitude") };
const { pixels, width, height: rows } = drawRelief(whole.data, whole.shape, cellSize, 3);
const picture = pathOf("../out/relief.png");
mkdirSync(pathOf("../out"), { recursive: true });
writeFileSync(picture, encodePng(pixels, width, rows));
say(`${relative(process.cwd(), picture)}, ${width} x ${rows} pixels`);

/** Distance of neighbouring cells, from the coordinates that belong to the elevations. */
async function metresApart(name) {
  const { data } = await get(await open(source.resolve(name), { kind: "array" }));
  const degrees = Math.abs(data.at(-1) - data[0]) / (data.length - 1);
  const METRES_PER_DEGREE = 111_320;
  if (name === "latitude") return degrees * METRES_PER_DEGREE;
  const { data: latitudes } = await get(await open(source.resolve("latitude"), { kind: "array" }));
  return degrees * METRES_PER_DEGREE * Math.cos((latitudes[latitudes.length >> 1] * Math.PI) / 180);
}

function sha256(array) {
  return createHash("sha256").update(array).digest("hex");
}
