/** What reads and writes the arrays of workloads with Node: wazarr with WASM and with its TypeScript twin, zarrita, and Node's file functions alone. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { FileSystemStore as ZarritaFileSystemStore } from "@zarrita/storage";
import { create, get, open, type Selection, set, setKernels } from "../src/index.js";
import { FileSystemStore } from "../src/stores/file-system.js";
import { type FieldArray, writtenField } from "./fields.js";
import { filesReader, filesWriter } from "./files-alone.js";
import { directoryOf, FOLDER } from "./folder.js";
import { type Rival, timed } from "./race.js";
import { GROUPS, type Workload } from "./workloads.js";
import { zarritaReader, zarritaWriter } from "./zarrita-peer.js";

export const LIBRARIES = ["wasm", "javascript", "zarrita", "files"] as const;
export type Library = (typeof LIBRARIES)[number];

/** What is read of an array, by its name; without one everything is written. */
export interface Errand {
  readonly workload: string;
  readonly read?: string | undefined;
}

/** Where everybody writes. */
const TARGET = join(FOLDER, "written");

/** An empty directory, or none. @returns TARGET */
export function emptyTarget(): string {
  rmSync(TARGET, { recursive: true, force: true });
  return TARGET;
}

/** @returns undefined of what a library cannot do */
export async function rivalOf(library: Library, errand: Errand): Promise<Rival | undefined> {
  const group = GROUPS.find(({ workloads }) => workloads.some(({ name }) => name === errand.workload));
  const workload = group?.workloads.find(({ name }) => name === errand.workload);
  if (group === undefined || workload === undefined) throw new Error(`no workload "${errand.workload}"`);
  if (errand.read === undefined) return writer(library, workload);
  const operation = group.reads.find(({ name }) => name === errand.read);
  if (operation === undefined) throw new Error(`nothing is read by "${errand.read}"`);
  return reader(library, directoryOf(workload), operation.selection);
}

function reader(library: Library, directory: string, selection: Selection): Promise<Rival> {
  switch (library) {
    case "files":
      return filesReader(directory, selection);
    case "zarrita":
      return zarritaReader(new ZarritaFileSystemStore(directory), selection);
    default:
      return ownReader(library, directory, selection);
  }
}

async function ownReader(
  kernels: "wasm" | "javascript",
  directory: string,
  selection: Selection,
): Promise<Rival> {
  setKernels(kernels);
  const array = await open(new FileSystemStore(directory), { kind: "array" });
  // Kernels are bound when the array is first used.
  await array.prepare();
  return { run: timed(() => get(array, selection)) };
}

function writer(library: Library, workload: Workload): Rival | undefined {
  if (library === "files") return filesWriter(directoryOf(workload), emptyTarget);
  const data = writtenField(FOLDER, workload.shape, workload.dtype);
  return library === "zarrita"
    ? zarritaWriter(() => new ZarritaFileSystemStore(emptyTarget()), workload, data)
    : ownWriter(library, emptyTarget, workload, data);
}

/** @param makeDirectory an empty one, which does not count */
export function ownWriter(
  kernels: "wasm" | "javascript",
  makeDirectory: () => string,
  { shape, dtype, chunkShape, codecs }: Workload,
  data: FieldArray,
): Rival {
  setKernels(kernels);
  const run = async (): Promise<number> => {
    const array = await create(new FileSystemStore(makeDirectory()), { shape, dtype, chunkShape, codecs });
    return timed(() => set(array, null, { data, shape }))();
  };
  return { run };
}
