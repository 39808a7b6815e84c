/** Files of other formats: NetCDF-4 beside h5wasm, a COG beside geotiff.js, and requests until there are data. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromUrl, Pool } from "geotiff";
import { File, ready } from "h5wasm/node";
import { get, open, root } from "../../src/index.js";
import { openVirtual } from "../../src/stores/virtual/index.js";
import { WorkerPool } from "../../src/workers/pool.js";
import { readOracles } from "../../test/setup/oracles.js";
import { type Care, here, race } from "../race.js";
import { against, milliseconds, type Section, type Table } from "../table.js";
import { buildWorker } from "./cores.js";
import { serveSlowly } from "./slow-server.js";

const LATENCY = 100;
/** Bytes a second: 400 Mbit/s. */
const BANDWIDTH = 50e6;
/** Columns and rows of the scene that are read: they touch four tiles. */
const WINDOW = { left: 1900, top: 1900, size: 256 };

/** Needs h5py, netCDF4 and rasterio to write the files. */
export async function benchVirtual(care: Care): Promise<Section | undefined> {
  const python = readOracles().files?.executable;
  if (python === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "wazarr-virtual-"));
  try {
    execFileSync(python, ["scripts/oracles/make_virtual_bench.py", folder]);
    return {
      title: "Files of other formats",
      text: `A whole variable of a local NetCDF-4 file of 16 x 721 x 1440 elements, shuffled and deflated: h5wasm opens the file and reads it on one thread, wazarr opens it and reads it on one thread, and with two workers. Then a window of ${WINDOW.size} x ${WINDOW.size} of a COG (deflate, predictor 2, tiles of 512) behind ${LATENCY} ms of latency and 400 Mbit/s, opened anew each time: geotiff.js with its pool of workers, wazarr on one thread. Requests are counted from opening the address to the elements.`,
      tables: [await wholeVariables(folder, care), await windows(folder, care), await requests(folder)],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A file of this machine, as `openVirtual` takes it in a bundle. */
async function storedFile(folder: string, name: string) {
  const { FileSystemStore } = await import("../../src/core/stores/files/file-system.js");
  return { store: new FileSystemStore(folder), key: `/${name}` } as const;
}

async function wholeVariables(folder: string, { effort }: Care): Promise<Table> {
  await ready;
  await buildWorker();
  const workers = new WorkerPool({ size: 2 });
  const source = await storedFile(folder, "weather.nc");
  const rows: string[][] = [];
  try {
    for (const [name, title] of [
      ["t2m", "float32, 16 chunks of 4 MB"],
      ["packed", "int16, 64 chunks of 0.5 MB"],
    ] as const) {
      const read = async (options: { readonly workers?: WorkerPool }) => {
        const array = await open(root(await openVirtual(source)).resolve(name), { kind: "array" });
        await get(array, null, { ...options, shared: options.workers !== undefined });
      };
      const theirs = async () => {
        const file = new File(join(folder, "weather.nc"), "r");
        const found = file.get(name);
        if (found === null || !("value" in found)) throw new Error(`expected a dataset ${name}`);
        if (found.value === null) throw new Error(`expected elements of ${name}`);
        file.close();
      };
      const [h5wasm, own, ofWorkers] = await race(
        [here(theirs), here(() => read({})), here(() => read({ workers }))],
        effort,
      );
      rows.push([
        title,
        ...[milliseconds(h5wasm), milliseconds(own), against(h5wasm, own)],
        ...[milliseconds(ofWorkers), against(h5wasm, ofWorkers)],
      ]);
    }
  } finally {
    await workers.close();
  }
  return { header: ["variable", "h5wasm ms", "wazarr ms", "ratio", "2 workers ms", "ratio"], rows };
}

async function windows(folder: string, { effort }: Care): Promise<Table> {
  const values = new Map([["/scene.tif", new Uint8Array(readFileSync(join(folder, "scene.tif")))]]);
  const server = await serveSlowly(values, LATENCY, BANDWIDTH);
  const pool = new Pool();
  const { left, top, size } = WINDOW;
  const url = `${server.url}/scene.tif`;
  try {
    const theirs = async () => {
      const image = await (await fromUrl(url)).getImage();
      await image.readRasters({ window: [left, top, left + size, top + size], pool });
    };
    const own = async () => {
      const array = await open(root(await openVirtual(url)).resolve("image"), { kind: "array" });
      await get(array, [
        { start: top, stop: top + size, step: 1 },
        { start: left, stop: left + size, step: 1 },
      ]);
    };
    const [geotiff, wazarr] = await race([here(theirs), here(own)], effort);
    return {
      header: ["COG, 100 ms latency", "geotiff.js ms", "wazarr ms", "ratio"],
      rows: [
        [
          `window of ${size} x ${size}`,
          milliseconds(geotiff),
          milliseconds(wazarr),
          against(geotiff, wazarr),
        ],
      ],
    };
  } finally {
    pool.destroy();
    server.close();
  }
}

async function requests(folder: string): Promise<Table> {
  const rows: string[][] = [];
  for (const [file, name, title] of [
    ["weather.nc", "packed", "the first chunk of a variable of two"],
    ["many.nc", "v250", "the first chunk of a variable of 500"],
    ["scene.tif", "image", "the first tile of a COG"],
  ] as const) {
    const values = new Map([[`/${file}`, new Uint8Array(readFileSync(join(folder, file)))]]);
    const server = await serveSlowly(values, 0, 1e12);
    try {
      const array = await open(root(await openVirtual(`${server.url}/${file}`)).resolve(name), {
        kind: "array",
      });
      await get(
        array,
        array.shape.map(() => 0),
      );
      rows.push([title, String(server.requests())]);
    } finally {
      server.close();
    }
  }
  return { header: ["until there is", "requests"], rows };
}
