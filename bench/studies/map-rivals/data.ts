/**
 * A world over time, as all libraries of maps read it: pixels tell step and level, so that pictures can be
 * counted.
 */
import { consolidateMetadata } from "../../../src/array/hierarchy/consolidated.js";
import { writeGeoZarr } from "../../../src/formats/geozarr.js";
import { create, root, set } from "../../../src/index.js";

export const STEPS = 201;
/** Steps that have colours of their own; the next one looks like the first again. */
const CODES = 16;
const [ROWS, COLUMNS, CHUNK] = [1024, 2048, 256];
const LEVELS = [1, 2, 4];

/** What colours are scaled by: grey is white at this value. See `codeOf` in probe.js. */
export const WHITE = 64;

/** The value of a step in a level, without noise. Steps that follow each other are far apart. */
const valueIn = (step: number, level: number): number => 8 + 3 * ((step * 7) % CODES) + level;

/** @returns values by path, from `/data.zarr` on */
export async function worldOverTime(): Promise<Map<string, Uint8Array>> {
  const levels = await Promise.all(
    Array.from({ length: CODES }, (_, step) => Promise.all(LEVELS.map((_, level) => chunkOf(step, level)))),
  );
  const store = new Map<string, Uint8Array>();
  const grid = { crs: "EPSG:4326", transform: [360 / COLUMNS, 0, -180, 0, -180 / ROWS, 90] } as const;
  const source = { data: new Float32Array(ROWS * COLUMNS), shape: [1, ROWS, COLUMNS] };
  const dimensions = ["time", "y", "x"];
  const chunkShape = [1, CHUNK, CHUNK];
  const variable = { variable: "data", dimensions, chunkShape, codecs: ["zstd"], fillValue: -9999 } as const;
  await writeGeoZarr(store, source, { ...variable, grid, scaleFactors: LEVELS.slice(1) });
  for (const level of LEVELS.keys()) {
    const options = { shape: [STEPS], dtype: "int32", dimensionNames: ["time"] } as const;
    const time = await create(root(store).resolve(`${level}/time`), options);
    await set(time, null, { data: Int32Array.from({ length: STEPS }, (_, step) => step), shape: [STEPS] });
  }
  await consolidateMetadata(store);
  const files = new Map<string, Uint8Array>();
  for (const [key, value] of store)
    files.set(`/data.zarr${key}`, key.endsWith("zarr.json") ? longer(value) : value);
  for (const [level, factor] of LEVELS.entries())
    for (let step = 0; step < STEPS; step++)
      for (let y = 0; y < ROWS / factor / CHUNK; y++)
        for (let x = 0; x < COLUMNS / factor / CHUNK; x++) {
          const chunk = levels[step % CODES]?.[level];
          if (chunk !== undefined) files.set(`/data.zarr/${level}/data/c/${step}/${y}/${x}`, chunk);
        }
  return files;
}

/** A document with arrays of as many steps as there are. */
function longer(document: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(document);
  return new TextEncoder().encode(text.replace(/"shape":\s*\[\s*1,/g, `"shape":[${STEPS},`));
}

/** An encoded chunk: noise that is a quarter of the distance of two levels makes it about 50 kB. */
async function chunkOf(step: number, level: number): Promise<Uint8Array> {
  const store = new Map<string, Uint8Array>();
  const shape = [1, CHUNK, CHUNK];
  const array = await create(store, { shape, chunkShape: shape, dtype: "float32", codecs: ["zstd"] });
  let seed = 1 + step;
  const data = Float32Array.from({ length: CHUNK * CHUNK }, () => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return valueIn(step, level) + ((seed >> 24) & 63) / 256;
  });
  await set(array, null, { data, shape });
  const chunk = store.get("/c/0/0/0");
  if (chunk === undefined) throw new Error("expected a chunk");
  return chunk;
}
