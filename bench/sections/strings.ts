/**
 * Elements of variable length: whole reads and writes of one chunk of a million short strings, compared with
 * zarrita and (if installed) zarr-python; cost of columns by length; kernels.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as zarrita from "zarrita";
import { setKernels } from "../../src/extend.js";
import { create, get, open, set } from "../../src/index.js";
import { FOLDER } from "../folder.js";
import { type KernelChoice, openWith } from "../peers/own.js";
import { Python } from "../peers/python.js";
import { type Care, type Effort, here, median, type Rival, race } from "../race.js";
import { against, figure, milliseconds, type Section, type Table } from "../table.js";
import { stringKernels } from "./strings-kernels.js";

type MapStore = Map<string, Uint8Array>;
const COUNT = 1_000_000;
const QUICK_COUNT = 20_000;

/** Seeded ASCII strings of 5 to 30 characters. */
function shortStrings(count: number): string[] {
  let state = 12345;
  return Array.from({ length: count }, (_, i) => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    const length = 5 + ((state >> 8) % 26);
    return `${i}-station-of-somewhere-in-the-world`.slice(0, length);
  });
}

async function written(codec: string, texts: readonly string[]): Promise<MapStore> {
  const store: MapStore = new Map();
  const shape = [texts.length];
  const options = { shape, chunkShape: shape, dtype: "string", codecs: [codec] } as const;
  await set(await create(store, options), null, texts);
  return store;
}

async function reader(store: MapStore, kernels: KernelChoice, isColumn: boolean): Promise<Rival> {
  const array = await openWith(kernels, store);
  return here(() => (isColumn ? get(array, null, { as: "column" }) : get(array)));
}

/** @param given a list of strings, or a column */
async function writer(
  codec: string,
  kernels: KernelChoice,
  count: number,
  given: Parameters<typeof set>[2],
): Promise<Rival> {
  setKernels(kernels);
  const options = { shape: [count], chunkShape: [count], dtype: "string", codecs: [codec] };
  const array = await create(new Map(), options);
  await array.prepare();
  setKernels("auto");
  return here(() => set(array, null, given));
}

async function wholeChunks(count: number, effort: Effort): Promise<Table> {
  const texts = shortStrings(count);
  const file = join(FOLDER, "strings.json");
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(file, JSON.stringify(texts));
  const [legacy, zep7] = [await written("vlen-utf8", texts), await written("bytes", texts)];
  const theirs = await zarrita.open.v3(legacy, { kind: "array" });
  const { data: column } = await get(await open(legacy, { kind: "array" }), null, { as: "column" });
  const python = Python.start("zarr");
  const reads = [here(() => zarrita.get(theirs)), python?.rival({ kind: "readStrings", texts: file })];
  const writes = [undefined, python?.rival({ kind: "writeStrings", texts: file })];
  const rows: string[][] = [];
  const compete = async (
    name: string,
    own: (kernels: KernelChoice) => Promise<Rival>,
    peers: readonly (Rival | undefined)[],
  ): Promise<void> => {
    const [wasm, ...others] = await race([await own("wasm"), await own("javascript"), ...peers], effort);
    const ratios = others.map((turns) => against(turns, wasm));
    rows.push([name, milliseconds(wasm), ...others.map(milliseconds), ...ratios]);
  };
  try {
    for (const [name, store] of [
      ["vlen-utf8", legacy],
      ["ZEP 7", zep7],
    ] as const) {
      await compete(`${name} to string[]`, (kernels) => reader(store, kernels, false), reads);
      await compete(`${name} to a column`, (kernels) => reader(store, kernels, true), reads);
    }
    for (const [name, codec] of [
      ["vlen-utf8", "vlen-utf8"],
      ["ZEP 7", "bytes"],
    ] as const) {
      await compete(`string[] to ${name}`, (kernels) => writer(codec, kernels, count, texts), writes);
      await compete(`a column to ${name}`, (kernels) => writer(codec, kernels, count, column), writes);
    }
  } finally {
    python?.close();
  }
  return {
    header: [
      "one chunk",
      "ms",
      "its fallback ms",
      "zarrita ms",
      "zarr-python ms",
      "against its fallback",
      "against zarrita",
      "against zarr-python",
    ],
    rows,
  };
}

/** A chunk of strings in the layout of ZEP 7, with 16 bytes per string. */
async function columnsByLength(effort: Effort, isQuick: boolean): Promise<Table> {
  const rows: string[][] = [];
  for (const count of [100_000, 1_000_000, 8_000_000].slice(0, isQuick ? 1 : 3)) {
    const store: MapStore = new Map();
    const options = { shape: [count], chunkShape: [count], dtype: "string", codecs: ["bytes"] } as const;
    const array = await create(store, options);
    const dataStart = Math.ceil((4 * (count + 1)) / 64) * 64;
    const chunk = new Uint8Array(dataStart + 16 * count).fill(97, dataStart);
    new Int32Array(chunk.buffer, 0, count + 1).set(Int32Array.from({ length: count + 1 }, (_, i) => 16 * i));
    store.set("/c/0", chunk);
    // Several reads per run, because a single read is too short for the clock.
    const repeats = Math.max(1, Math.round(1e6 / count));
    const reads = async (): Promise<void> => {
      for (let i = 0; i < repeats; i++) await get(array, null, { as: "column" });
    };
    const [turns] = await race([here(reads)], effort);
    const microseconds = (1000 * Number(median(turns))) / repeats;
    const rate = (4 * count) / microseconds / 1000;
    rows.push([count.toLocaleString("en"), figure(microseconds), figure(rate)]);
  }
  return { header: ["strings in one chunk", "microseconds to a column", "GB/s of offsets"], rows };
}

export async function benchStrings({ isQuick, effort }: Care): Promise<Section> {
  return {
    title: "Elements of variable length",
    text: `The data are a million strings of 5 to 30 ASCII characters in one chunk, in memory. zarrita and zarr-python read and write them as vlen-utf8. Rows of ZEP 7 are compared with that, too. zarr-python's strings are a numpy array. A column is \`get(array, null, { as: "column" })\`: offsets and data, without decoding. In the layout of ZEP 7, a column is the chunk itself, and only the offsets are checked.`,
    tables: [
      await wholeChunks(isQuick ? QUICK_COUNT : COUNT, effort),
      await columnsByLength(effort, isQuick),
      await stringKernels(isQuick),
    ],
  };
}
