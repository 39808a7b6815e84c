/**
 * Whole reads and writes on a file system: wazarr with WASM and with its TypeScript twin, zarrita, and TensorStore on one core,
 * on the same files, in turn.
 */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { FileSystemStore as ZarritaFileSystemStore } from "@zarrita/storage";
import { create, get, open, type Selection, set, setKernels } from "../src/index.js";
import { FileSystemStore } from "../src/stores/file-system.js";
import { type Field, fieldOf } from "./fields.js";
import { filesReader, filesWriter } from "./files-alone.js";
import { FOLDER } from "./folder.js";
import { type Effort, type Rival, race, timed } from "./race.js";
import { figure, ratio, type Table } from "./section.js";
import type { Tensorstore } from "./tensorstore.js";
import { documentOf, type Workload, type WorkloadGroup } from "./workloads.js";
import { zarritaReader, zarritaWriter } from "./zarrita-peer.js";

export interface EndToEndResult {
  readonly workload: Workload;
  readonly operation: string;
  /** Of reads. */
  readonly selection: Selection;
  /** Median milliseconds; undefined where an implementation cannot do it or is not there. */
  readonly wasm: number | undefined;
  readonly javascript: number | undefined;
  readonly zarrita: number | undefined;
  readonly tensorstore: number | undefined;
  /** Node's file functions alone. */
  readonly files: number | undefined;
}

export const WRITE = "write whole";
/** Rounds of the twin, which is slow where it has to decompress. */
const TWIN_ROUNDS = 2;

/** Measures one array. */
export async function benchWorkload(
  workload: Workload,
  { reads, withTwin }: WorkloadGroup,
  tensorstore: Tensorstore | undefined,
  effort: Effort,
): Promise<EndToEndResult[]> {
  const results: EndToEndResult[] = [];
  const field = fieldOf(FOLDER, workload.shape, workload.dtype);
  const directory = await prepare(workload, field, tensorstore);
  const add = async (operation: string, selection: Selection, rivals: readonly (Rival | undefined)[]) => {
    const [wasm, javascript, zarrita, peer, files] = await race(rivals, effort);
    results.push({ workload, operation, selection, wasm, javascript, zarrita, tensorstore: peer, files });
  };
  for (const { name, selection } of reads) {
    await add(`read ${name}`, selection, [
      await reader("wasm", directory, selection),
      withTwin ? await reader("javascript", directory, selection) : undefined,
      await zarritaReader(new ZarritaFileSystemStore(directory), selection),
      tensorstore?.reader({ driver: "file", path: directory }, selection),
      await filesReader(directory, selection),
    ]);
  }
  const target = join(FOLDER, "written");
  const empty = (): string => {
    rmSync(target, { recursive: true, force: true });
    return target;
  };
  const peer = tensorstore?.writer({ driver: "file", path: target }, documentOf(workload), field.file);
  await add(WRITE, null, [
    writer(empty, workload, field),
    undefined,
    zarritaWriter(() => new ZarritaFileSystemStore(empty()), workload, field.data),
    peer && {
      run() {
        empty();
        return peer.run();
      },
      runs(times) {
        empty();
        return peer.runs(times);
      },
    },
    filesWriter(directory, empty),
  ]);
  empty();
  setKernels("auto");
  return results;
}

/**
 * Writes the array that is read, unless it is there. TensorStore does where it can, so that its encoder decides how hard the
 * bytes are to decode.
 */
export async function prepare(
  workload: Workload,
  field: Field,
  tensorstore: Tensorstore | undefined,
): Promise<string> {
  const directory = directoryOf(workload);
  if (existsSync(join(directory, "zarr.json"))) return directory;
  rmSync(directory, { recursive: true, force: true });
  if (tensorstore === undefined) {
    await writer(() => directory, workload, field).run();
  } else {
    await tensorstore.writer({ driver: "file", path: directory }, documentOf(workload), field.file).run();
  }
  return directory;
}

export function directoryOf({ name }: Workload): string {
  return join(FOLDER, name.replaceAll(/[^a-z0-9]+/gi, "-"));
}

async function reader(
  kernels: "wasm" | "javascript",
  directory: string,
  selection: Selection,
): Promise<Rival> {
  setKernels(kernels);
  const array = await open(new FileSystemStore(directory), { kind: "array" });
  // Kernels are bound when the array is first used.
  await array.prepare();
  const run = timed(() => get(array, selection));
  return kernels === "wasm" ? { run } : { run, rounds: TWIN_ROUNDS };
}

function writer(empty: () => string, { shape, dtype, chunkShape, codecs }: Workload, { data }: Field): Rival {
  const run = async (): Promise<number> => {
    setKernels("wasm");
    const store = new FileSystemStore(empty());
    const array = await create(store, { shape, dtype, chunkShape, codecs });
    return timed(() => set(array, null, { data, shape }))();
  };
  return { run };
}

export function endToEndTable(results: readonly EndToEndResult[]): Table {
  const withTwin = results.some(({ javascript }) => javascript !== undefined);
  const twin = <Cell>(cell: Cell): Cell[] => (withTwin ? [cell] : []);
  return {
    header: [
      "data",
      "operation",
      "wazarr ms",
      ...twin("its twin ms"),
      "zarrita ms",
      "TensorStore ms",
      "against zarrita",
      "against TensorStore",
    ],
    rows: results.map(({ workload, operation, wasm, javascript, zarrita, tensorstore }) => [
      workload.name,
      operation,
      figure(wasm),
      ...twin(figure(javascript)),
      figure(zarrita),
      figure(tensorstore),
      ratio(zarrita, wasm),
      ratio(tensorstore, wasm),
    ]),
  };
}
