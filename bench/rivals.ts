/** Rivals that read and write the arrays of workloads in Node: wazarr (WASM and JavaScript fallback), zarrita, and only Node's file functions. */
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

/** The operation on an array: `read` names the selection to read. Without it the whole array is written. */
export interface Errand {
  readonly workload: string;
  readonly read?: string | undefined;
}

/** Directory that all rivals write to. */
const TARGET = join(FOLDER, "written");

/** Removes the target directory. @returns TARGET */
export function emptyTarget(): string {
  rmSync(TARGET, { recursive: true, force: true });
  return TARGET;
}

/** @returns undefined if the library does not support the operation */
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
  // Prepare now, because kernels are bound at the first use of the array.
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

/** @param makeDirectory makes an empty directory, outside of the measured time */
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
