/**
 * Cost of the first calls, before the engine has compiled anything: labels, series and many small inner
 * chunks, where the work per chunk and row dominates, not the decoder. Every library starts in a new process
 * for every row, and reads one box after the other.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { FileSystemStore as ZarritaFiles } from "@zarrita/storage";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { type CreateArrayOptions, create, get, open, type Selection, set, slice } from "../../src/index.js";
import { type FieldArray, type FieldType, smoothField } from "../fields.js";
import { FOLDER } from "../folder.js";
import { askOnce } from "../helper.js";
import { Python } from "../peers/python.js";
import { zarritaRead } from "../peers/zarrita.js";
import { type Care, median } from "../race.js";
import { figure, type Section, times } from "../table.js";

const READS = 1000;
/** Milliseconds after which no further read begins. */
const BUDGET = 6000;
const PROCESSES = 3;

interface Case {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: FieldType;
  readonly chunkShape: readonly number[];
  readonly shards?: readonly number[];
  readonly codecs: CreateArrayOptions<"uint8">["codecs"];
  readonly isLabels?: boolean;
  /** Lengths of the boxes to read, at random places; or `"every second"` element of the whole array. */
  readonly box: readonly number[] | "every second";
}

const CASES: readonly Case[] = [
  {
    name: "labels, boxes of 64^3: uint8 256^3, 32^3 with gzip in shards of 128^3",
    shape: [256, 256, 256],
    dtype: "uint8",
    chunkShape: [32, 32, 32],
    shards: [128, 128, 128],
    codecs: [{ name: "gzip", configuration: { level: 5 } }],
    isLabels: true,
    box: [64, 64, 64],
  },
  {
    name: "series of one point: float32 2000 x 64^2, 500 x 16^2 with zstd",
    shape: [2000, 64, 64],
    dtype: "float32",
    chunkShape: [500, 16, 16],
    codecs: [{ name: "zstd", configuration: { level: 3 } }],
    box: [2000, 1, 1],
  },
  {
    name: "many inner chunks, boxes of 64^3: uint16 256^3, 16^3 with zstd in shards of 128^3",
    shape: [256, 256, 256],
    dtype: "uint16",
    chunkShape: [16, 16, 16],
    shards: [128, 128, 128],
    codecs: [{ name: "zstd", configuration: { level: 3 } }],
    box: [64, 64, 64],
  },
  {
    name: "[::2, ::2, ::2]: uint16 192^3, 48^3 raw",
    shape: [192, 192, 192],
    dtype: "uint16",
    chunkShape: [48, 48, 48],
    codecs: [],
    box: "every second",
  },
  {
    name: "a small array: float32 64^2, one chunk with zstd",
    shape: [64, 64],
    dtype: "float32",
    chunkShape: [64, 64],
    codecs: [{ name: "zstd", configuration: { level: 3 } }],
    box: [64, 64],
  },
];

/** The question to a process. */
interface Question {
  readonly library: "wazarr" | "zarrita";
  readonly index: number;
}

/** The job of a process: opens and reads. @returns milliseconds of each read */
export async function callFirst({ library, index }: Question): Promise<readonly number[]> {
  const row = caseAt(index);
  const folder = folderOf(index);
  const selections = selectionsOf(row);
  const milliseconds: number[] = [];
  const began = performance.now();
  const read = library === "zarrita" ? await zarritaRead(new ZarritaFiles(folder)) : await ownRead(folder);
  for (const selection of selections) {
    if (performance.now() - began > BUDGET) break;
    const start = performance.now();
    await read(selection);
    milliseconds.push(performance.now() - start);
  }
  return milliseconds;
}

async function ownRead(folder: string): Promise<(selection: Selection) => Promise<unknown>> {
  const array = await open(new FileSystemStore(folder), { kind: "array" });
  return (selection) => get(array, selection);
}

export async function benchFirstCalls({ isQuick }: Care): Promise<Section> {
  const rows: string[][] = [];
  for (const [index, row] of [...CASES.entries()].slice(isQuick ? -1 : 0)) {
    await write(row, folderOf(index));
    const runs: Record<"wazarr" | "zarrita" | "tensorstore", Calls[]> = {
      wazarr: [],
      zarrita: [],
      tensorstore: [],
    };
    for (let i = 0; i < (isQuick ? 1 : PROCESSES); i++) {
      runs.wazarr.push(callsOf(await calls({ library: "wazarr", index })));
      runs.zarrita.push(callsOf(await calls({ library: "zarrita", index })));
      const theirs = await tensorstoreReads(folderOf(index), selectionsOf(row));
      if (theirs !== undefined) runs.tensorstore.push(callsOf(theirs));
    }
    const [wazarr, zarrita, tensorstore] = [runs.wazarr, runs.zarrita, runs.tensorstore].map(middle);
    rows.push(
      [row.name, "wazarr", ...cells(wazarr), "", ""],
      ["", "zarrita", ...cells(zarrita), ...ratios(zarrita, wazarr)],
      ["", "TensorStore", ...cells(tensorstore), ...ratios(tensorstore, wazarr)],
    );
    rmSync(folderOf(index), { recursive: true, force: true });
  }
  return {
    title: "First calls",
    text: `Boxes at random places (the same ones for everybody) of an array in files, one after the other, in a process that has read nothing before; code is loaded and the array open. Median of ${PROCESSES} processes.
"tenth" is the median of the eighth to the twelfth call, "hundred" what the first hundred take together, "warm" a hundred times the median of the last tenth of ${READS} calls (fewer where they take more than ${BUDGET / 1000} s).
The last two columns say how many times as fast wazarr was in the first hundred calls, and warm.`,
    tables: [
      {
        header: ["data", "library", "first ms", "tenth ms", "hundred ms", "warm ms", "hundred", "warm"],
        rows,
      },
    ],
  };
}

interface Calls {
  readonly first: number;
  readonly tenth: number;
  readonly hundred: number;
  readonly warm: number;
}

function callsOf(milliseconds: readonly number[]): Calls {
  return {
    first: milliseconds[0] ?? Number.NaN,
    tenth: Number(median(milliseconds.slice(7, 12))),
    hundred: milliseconds.slice(0, 100).reduce((sum, each) => sum + each, 0),
    warm: 100 * Number(median(milliseconds.slice(-Math.ceil(milliseconds.length / 10)))),
  };
}

function middle(runs: readonly Calls[]): Calls | undefined {
  if (runs.length === 0) return undefined;
  const of = (member: keyof Calls): number => Number(median(runs.map((run) => run[member])));
  return { first: of("first"), tenth: of("tenth"), hundred: of("hundred"), warm: of("warm") };
}

const cells = (calls: Calls | undefined): string[] => [
  figure(calls?.first),
  figure(calls?.tenth),
  figure(calls?.hundred),
  figure(calls?.warm),
];

function ratios(theirs: Calls | undefined, own: Calls | undefined): string[] {
  if (theirs === undefined || own === undefined) return ["", ""];
  return [times(theirs.hundred / own.hundred), times(theirs.warm / own.warm)];
}

function caseAt(index: number): Case {
  const found = CASES[index];
  if (found === undefined) throw new Error(`no case ${index}`);
  return found;
}

const folderOf = (index: number): string => join(FOLDER, `first-calls-${index}`);

async function write(
  { shape, dtype, chunkShape, shards, codecs, isLabels }: Case,
  folder: string,
): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  const array = await create(new FileSystemStore(folder), {
    shape,
    dtype,
    chunkShape,
    ...(shards && { shards }),
    codecs,
  });
  const data = isLabels === true ? labels(shape) : smoothField(shape, dtype);
  await set(array, null, { data, shape });
}

/**
 * Regions of equal values like a segmentation: the number of the nearest of some random centres, in runs of 4
 * elements.
 */
function labels(shape: readonly number[]): FieldArray {
  const [depth = 1, height = 1, width = 1] = shape;
  const random = generator();
  const centres = Array.from({ length: 60 }, () => shape.map((length) => length * random()));
  const data = new Uint8Array(depth * height * width);
  for (let z = 0; z < depth; z++) {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x += 4) {
        let [label, least] = [0, Number.POSITIVE_INFINITY];
        for (const [i, [cz = 0, cy = 0, cx = 0]] of centres.entries()) {
          const distance = (z - cz) ** 2 + (y - cy) ** 2 + (x - cx) ** 2;
          if (distance < least) [label, least] = [i + 1, distance];
        }
        data.fill(label, (z * height + y) * width + x, (z * height + y) * width + x + 4);
      }
    }
  }
  return data;
}

function selectionsOf({ shape, box }: Case): Selection[] {
  const random = generator();
  return Array.from({ length: READS }, () =>
    shape.map((length, dimension) => {
      if (box === "every second") return slice(null, null, 2);
      const extent = box[dimension] ?? 1;
      const start = Math.floor(random() * (length - extent + 1));
      return slice(start, start + extent);
    }),
  );
}

/** Seeded, so that every process reads the same places. */
function generator(): () => number {
  let state = 20261124;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

async function tensorstoreReads(
  path: string,
  selections: readonly Selection[],
): Promise<readonly number[] | undefined> {
  const tensorstore = Python.start("tensorstore");
  if (tensorstore === undefined) return undefined;
  try {
    return await tensorstore.reads({ driver: "file", path: `${path}/` }, selections, BUDGET);
  } finally {
    tensorstore.close();
  }
}

const calls = (question: Question): Promise<readonly number[]> => askOnce("firstCalls", question);
