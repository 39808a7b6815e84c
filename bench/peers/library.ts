/**
 * The libraries of JavaScript in a race on files: each has a process of its own (helper.ts), in which it
 * takes its turns.
 */
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { FileSystemStore as ZarritaFiles } from "@zarrita/storage";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { setKernels } from "../../src/extend.js";
import { type ArrayToWrite, arrayNamed } from "../arrays.js";
import { writtenField } from "../fields.js";
import { directoryOf, FOLDER } from "../folder.js";
import { Helper } from "../helper.js";
import { here, type Rival, type Turn } from "../race.js";
import { ownReader, ownWriter, reusingReader } from "./own.js";
import { shareCore } from "./python.js";
import { zarritaReader, zarritaWriter } from "./zarrita.js";

/**
 * "out" is wazarr reading whole arrays into memory that is there already. "files" is a floor: Node's file
 * functions alone, for the same files, whole.
 */
export const LIBRARIES = ["wasm", "out", "javascript", "zarrita", "files"] as const;
export type Library = (typeof LIBRARIES)[number];

/** What a library does: `read` names the selection to read; without it the whole array is written. */
export interface Errand {
  readonly library: Library;
  readonly array: string;
  readonly read?: string | undefined;
}

interface Question extends Errand {
  /** Without it the answer says whether the library can do that at all: null or 0. */
  readonly turn?: Turn;
  /** Whether the process runs on the core of Python. */
  readonly isPinned: boolean;
}

/** A library's process. */
export class LibraryProcess {
  readonly #helper = new Helper<Question, number | null>("library");

  constructor(
    private readonly library: Library,
    private readonly isPinned: boolean,
  ) {}

  /** @returns undefined if the library cannot do that */
  async rival(errand: Omit<Errand, "library">, rounds?: number): Promise<Rival | undefined> {
    const question = { ...errand, library: this.library, isPinned: this.isPinned };
    if ((await this.#helper.ask(question)) === null) return undefined;
    return {
      takeTurn: async (turn) => (await this.#helper.ask({ ...question, turn })) ?? Number.NaN,
      rounds,
    };
  }

  close(): void {
    this.#helper.close();
  }
}

const rivals = new Map<string, Promise<Rival | undefined>>();

/** The job of a library's process. */
export async function answerErrand({ turn, isPinned, ...errand }: Question): Promise<number | null> {
  if (isPinned && rivals.size === 0) shareCore();
  const key = JSON.stringify(errand);
  const pending = rivals.get(key) ?? rivalOf(errand);
  rivals.set(key, pending);
  const rival = await pending;
  if (rival === undefined) return null;
  return turn === undefined ? 0 : rival.takeTurn(turn);
}

/** Directory that all rivals write to. */
const TARGET = join(FOLDER, "written");

/** Removes the target directory. @returns TARGET */
export function emptyTarget(): string {
  rmSync(TARGET, { recursive: true, force: true });
  return TARGET;
}

async function rivalOf({ library, array: name, read }: Errand): Promise<Rival | undefined> {
  const { group, array } = arrayNamed(name);
  if (read === undefined) return writerOf(library, array);
  const selection = group.reads.find((each) => each.name === read)?.selection;
  if (selection === undefined) throw new Error(`nothing is read by "${read}"`);
  const directory = directoryOf(array);
  if (library === "zarrita") return zarritaReader(new ZarritaFiles(directory), selection);
  if (library === "wasm" || library === "javascript")
    return ownReader(library, new FileSystemStore(directory), selection);
  if (selection !== null) return undefined;
  return library === "files" ? filesReader(directory) : reusingReader(new FileSystemStore(directory));
}

function writerOf(library: Library, array: ArrayToWrite): Rival | undefined {
  if (library === "files") return filesWriter(directoryOf(array));
  if (library === "out") return undefined;
  const data = writtenField(FOLDER, array.shape, array.dtype);
  if (library === "zarrita") return zarritaWriter(() => new ZarritaFiles(emptyTarget()), array, data);
  setKernels(library);
  return ownWriter(() => new FileSystemStore(emptyTarget()), array, data);
}

function chunksIn(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" }).filter(
    (name) => !name.endsWith(".json") && statSync(join(directory, name)).isFile(),
  );
}

function filesReader(directory: string): Rival {
  const paths = chunksIn(directory).map((name) => join(directory, name));
  return here(async () => {
    for (const path of paths) readFileSync(path);
  });
}

/** Writes as many files of the same lengths. */
function filesWriter(directory: string): Rival {
  const files = chunksIn(directory).map((name) => ({ name, bytes: readFileSync(join(directory, name)) }));
  return here(
    async () => {
      for (const folder of new Set(files.map(({ name }) => dirname(name)))) {
        mkdirSync(join(TARGET, folder), { recursive: true });
      }
      for (const { name, bytes } of files) {
        const descriptor = openSync(join(TARGET, name), "wx");
        writeSync(descriptor, bytes);
        closeSync(descriptor);
      }
    },
    async () => void emptyTarget(),
  );
}
