/**
 * Whole reads and writes on a file system: wazarr with WASM and with its TypeScript twin, zarrita, and TensorStore on one core
 * when Python has it, on the same files in one run.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FileSystemStore as ZarritaFileSystemStore } from "@zarrita/storage";
import * as zarrita from "zarrita";
import { get, open, type Selection, type SelectionEntry, setKernels } from "../src/index.js";
import { FileSystemStore } from "../src/stores/file-system.js";
import { formatTable, median } from "./harness.js";
import { BYTES, directoryOf, prepareData, SELECTIONS, type Workload, writeWorkload } from "./workloads.js";

export interface EndToEndResult {
  readonly workload: string;
  readonly operation: string;
  /** Median milliseconds; undefined where an implementation cannot do it or is not there. */
  readonly wasm: number;
  readonly javascript: number;
  readonly zarrita: number | undefined;
  readonly tensorstore: number | undefined;
}

interface Runs {
  readonly reads: number;
  readonly writes: number;
  /** Only workloads whose name contains this. */
  readonly only?: string | undefined;
}

const DATA = "build/bench-data";
const PYTHON = ".oracles/python/bin/python";

/** Median milliseconds of each of several rivals, a round of all of them at a time so that drift hits them alike. */
async function race(rivals: readonly (() => Promise<unknown>)[], rounds: number): Promise<number[]> {
  const samples: number[][] = rivals.map(() => []);
  for (let round = -1; round < rounds; round++) {
    for (const [i, run] of rivals.entries()) {
      const began = performance.now();
      await run();
      // Round -1 warms up.
      if (round >= 0) samples[i]?.push(performance.now() - began);
    }
  }
  return samples.map(median);
}

export async function benchEndToEnd({ reads, writes, only = "" }: Runs): Promise<EndToEndResult[]> {
  mkdirSync(DATA, { recursive: true });
  const python = existsSync(PYTHON) ? PYTHON : undefined;
  const prepared = await prepareData(DATA, python);
  const { data } = prepared;
  const workloads = prepared.workloads.filter(({ name }) => name.includes(only));
  const results: EndToEndResult[] = [];
  const readTimes = tensorstoreTimes(readCases(workloads, reads));
  const writeTimes = tensorstoreTimes(writeCases(workloads, writes));
  for (const workload of workloads) {
    const directory = directoryOf(DATA, workload);
    const arrays = {
      wasm: await openWith("wasm", directory),
      javascript: await openWith("javascript", directory),
    };
    const peer = await zarrita.open.v3(new ZarritaFileSystemStore(directory), { kind: "array" });
    for (const { name, selection } of SELECTIONS) {
      const [wasm = Number.NaN, javascript = Number.NaN, peerTime] = await race(
        [
          () => get(arrays.wasm, selection),
          () => get(arrays.javascript, selection),
          () => zarrita.get(peer, zarritaSelection(selection)),
        ],
        reads,
      );
      const tensorstore = readTimes?.shift();
      results.push({
        workload: workload.name,
        operation: `read ${name}`,
        wasm,
        javascript,
        zarrita: peerTime,
        tensorstore,
      });
    }
    const target = join(DATA, "written");
    const writeWith = (kernels: "wasm" | "javascript") => async (): Promise<void> => {
      setKernels(kernels);
      await writeWorkload(target, workload, data);
    };
    const [wasm = Number.NaN, javascript = Number.NaN, peerTime] = await race(
      [writeWith("wasm"), writeWith("javascript"), ...zarritaWriter(target, directory, data)],
      writes,
    );
    rmSync(target, { recursive: true, force: true });
    const tensorstore = writeTimes?.shift();
    results.push({
      workload: workload.name,
      operation: "write whole",
      wasm,
      javascript,
      zarrita: peerTime,
      tensorstore,
    });
  }
  setKernels("auto");
  return results;
}

async function openWith(kernels: "wasm" | "javascript", directory: string) {
  setKernels(kernels);
  const array = await open(new FileSystemStore(directory), { kind: "array" });
  // Kernels are bound when the array is first used.
  await array.prepare();
  return array;
}

function zarritaSelection(selection: Selection): (number | ReturnType<typeof zarrita.slice> | null)[] | null {
  const translate = (entry: SelectionEntry): number | ReturnType<typeof zarrita.slice> | null => {
    if (entry === null || typeof entry === "number" || typeof entry === "string")
      return typeof entry === "number" ? entry : null;
    return zarrita.slice(entry.start, entry.stop, entry.step);
  };
  return selection === null ? null : selection.map(translate);
}

/** zarrita writes what it has encoders for: no gzip, no shards. */
function zarritaWriter(target: string, like: string, data: Float32Array): (() => Promise<void>)[] {
  const metadata: {
    shape: number[];
    chunk_grid: { configuration: { chunk_shape: number[] } };
    codecs: zarrita.CodecMetadata[];
  } = JSON.parse(readFileSync(join(like, "zarr.json"), "utf8"));
  if (metadata.codecs.some(({ name }) => name === "gzip" || name === "sharding_indexed")) return [];
  const { shape } = metadata;
  return [
    async () => {
      rmSync(target, { recursive: true, force: true });
      const array = await zarrita.create(new ZarritaFileSystemStore(target), {
        shape,
        chunkShape: metadata.chunk_grid.configuration.chunk_shape,
        dtype: "float32" as const,
        fillValue: 0,
        codecs: metadata.codecs,
      });
      const stride = shape.map((_, d) => shape.slice(d + 1).reduce((product, length) => product * length, 1));
      await zarrita.set(array, null, { data: Float32Array.from(data), shape, stride });
    },
  ];
}

function readCases(workloads: readonly Workload[], repeats: number): object[] {
  return workloads.flatMap((workload) =>
    SELECTIONS.map(({ selection }) => ({
      kind: "read",
      directory: directoryOf(DATA, workload),
      repeats,
      selection: (selection ?? []).map((entry) =>
        typeof entry === "number"
          ? { index: entry }
          : entry === null || typeof entry === "string"
            ? {}
            : { step: entry.step },
      ),
    })),
  );
}

function writeCases(workloads: readonly Workload[], repeats: number): object[] {
  return workloads.map((workload) => ({
    kind: "write",
    like: directoryOf(DATA, workload),
    directory: join(DATA, "written-by-tensorstore"),
    data: join(DATA, "field.f32"),
    repeats,
  }));
}

/** Milliseconds, or undefined where there is no TensorStore. */
function tensorstoreTimes(cases: readonly object[]): number[] | undefined {
  if (!existsSync(PYTHON)) return undefined;
  const output = execFileSync("taskset", ["-c", "0", PYTHON, "bench/tensorstore_bench.py"], {
    input: JSON.stringify(cases),
    encoding: "utf8",
  });
  const { seconds }: { seconds: number[] } = JSON.parse(output);
  return seconds.map((second) => second * 1000);
}

export function formatEndToEnd(results: readonly EndToEndResult[]): string {
  const milliseconds = (value: number | undefined): string => (value === undefined ? "-" : value.toFixed(1));
  const ratio = (peer: number | undefined, own: number): string =>
    peer === undefined ? "-" : `${(peer / own).toFixed(2)}x`;
  return formatTable(
    [
      "workload",
      "operation",
      "WASM ms",
      "TypeScript ms",
      "zarrita ms",
      "TensorStore ms",
      "vs zarrita",
      "vs TensorStore",
      "GB/s",
    ],
    results.map((row) => [
      row.workload,
      row.operation,
      milliseconds(row.wasm),
      milliseconds(row.javascript),
      milliseconds(row.zarrita),
      milliseconds(row.tensorstore),
      ratio(row.zarrita, row.wasm),
      ratio(row.tensorstore, row.wasm),
      payload(row.operation) === undefined
        ? "-"
        : ((payload(row.operation) ?? 0) / row.wasm / 1e6).toFixed(2),
    ]),
  );
}

/** Bytes of elements that an operation moves. */
function payload(operation: string): number | undefined {
  if (operation.endsWith("whole")) return BYTES;
  if (operation.includes("::2")) return BYTES / 8;
  return operation.includes("5]") ? BYTES / 256 : undefined;
}
