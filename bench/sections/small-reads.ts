/**
 * Cost per call of very small reads and writes: elements, rows and tiles one after the other, as in viewers
 * and time series.
 */
import { rmSync } from "node:fs";
import { FileSystemStore as ZarritaFiles } from "@zarrita/storage";
import * as zarrita from "zarrita";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { type CreateArrayOptions, create, get, open, type Selection, set, slice } from "../../src/index.js";
import { type FieldArray, fieldOf } from "../fields.js";
import { FOLDER } from "../folder.js";
import { type ZarritaStore, zarritaRead } from "../peers/zarrita.js";
import { type Care, type Effort, here, median, race } from "../race.js";
import { against, figure, type Section } from "../table.js";

/** Sequential calls per turn: a single call is as short as the resolution of the clock. */
const CALLS = 200;
const SHAPE = [1024, 1024];
const CHUNK_SHAPE = [256, 256];
const ELEMENT = [5, 5];

const SELECTIONS: readonly { readonly name: string; readonly selection: Selection }[] = [
  { name: "read one element", selection: ELEMENT },
  { name: "read 10 elements of a row", selection: [slice(0, 1), slice(0, 10)] },
  { name: "read 64 x 64", selection: [slice(0, 64), slice(0, 64)] },
  { name: "read one chunk", selection: [slice(0, 256), slice(0, 256)] },
];

const CODECS = [
  { name: "raw", codecs: ["bytes"] },
  {
    name: "blosc-lz4-shuffle",
    codecs: ["bytes", { name: "blosc", configuration: { cname: "lz4", clevel: 5, shuffle: "shuffle" } }],
  },
];

export async function benchSmallReads({ effort }: Care): Promise<Section> {
  const { data } = fieldOf(FOLDER, SHAPE, "float32");
  const rows: string[][] = [];
  for (const { name, codecs } of CODECS) {
    const map = new Map<string, Uint8Array>();
    const folder = `${FOLDER}/small-${name}`;
    rmSync(folder, { recursive: true, force: true });
    rows.push(...(await rowsOf(`${name}, Map`, map, map, codecs, data, effort)));
    const [ours, theirs] = [new FileSystemStore(folder), new ZarritaFiles(folder)];
    rows.push(...(await rowsOf(`${name}, files`, ours, theirs, codecs, data, effort)));
  }
  return {
    title: "Small reads",
    text: `The array is float32, 1024 x 1024 in chunks of 256 x 256 (256 KiB). A turn is the same call ${CALLS} times in a row, and its mean counts. TensorStore is not here, because a call from Python takes longer than what is measured. If an element of an uncompressed chunk is written into a \`Map\`, zarrita changes the stored bytes in place, which also changes them for every other holder. wazarr stores a new chunk.`,
    tables: [{ header: ["data", "call", "wazarr us", "zarrita us", "against zarrita"], rows }],
  };
}

async function rowsOf(
  name: string,
  store: Map<string, Uint8Array> | FileSystemStore,
  theirs: ZarritaStore,
  codecs: CreateArrayOptions<"float32">["codecs"],
  data: FieldArray,
  effort: Effort,
): Promise<string[][]> {
  const written = await create(store, { shape: SHAPE, dtype: "float32", chunkShape: CHUNK_SHAPE, codecs });
  await set(written, null, { data, shape: SHAPE });
  const array = await open(store, { kind: "array" });
  const rows: string[][] = [];
  for (const { name: call, selection } of SELECTIONS) {
    const read = await zarritaRead(theirs);
    const [ours, peer] = [() => get(array, selection), () => read(selection)];
    rows.push([name, call, ...(await cells(ours, peer, effort))]);
  }
  const peer = await zarrita.open.v3(theirs, { kind: "array" });
  if (!peer.is("float32")) throw new Error(`expected float32, got ${peer.dtype}`);
  const [ours, writer] = [() => set(array, ELEMENT, 1), () => zarrita.set(peer, ELEMENT, 1)];
  rows.push([name, "write one element", ...(await cells(ours, writer, effort))]);
  return rows;
}

type Call = () => Promise<unknown>;

async function cells(ours: Call, theirs: Call, effort: Effort): Promise<string[]> {
  const repeated = (call: Call): Call => {
    return async () => {
      for (let i = 0; i < CALLS; i++) await call();
    };
  };
  const [wazarr, zarrita] = await race([here(repeated(ours)), here(repeated(theirs))], effort);
  const microseconds = [wazarr, zarrita].map((turns) => figure((1000 * Number(median(turns))) / CALLS));
  return [...microseconds, against(zarrita, wazarr)];
}
