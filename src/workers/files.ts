/**
 * Reading chunks from files in a worker, in Node: without the calling thread, and right into the memory they are decoded from. Not by
 * stores/files/read.ts, which imports node:fs: workers are bundled for browsers, too.
 */
import type * as NodeFs from "node:fs";
import { loadBuiltin } from "../loading.js";
import { isMissing } from "../stores/files/failure.js";
import type { Extent } from "../stores/keys-and-ranges.js";
import { fileVersion } from "../stores/storage-identity.js";
import type { KnownFile } from "./messages.js";

/** What is larger is read by the calling thread, in memory of its own. */
const LARGEST = 16 << 20;

/** Why a file has to be read by the store itself, which knows what to say when it cannot. */
export class UnreadFile extends Error {}

type Allocate = (byteLength: number) => Uint8Array;

export interface FileReader {
  /**
   * The whole file in memory from `allocate`; undefined where there is none.
   * @throws UnreadFile for everything else
   */
  read(path: string, allocate: Allocate): Uint8Array | undefined;
  /** Opens a file, to be closed. @throws UnreadFile, when it is another by now, too */
  open(file: KnownFile): OpenFile;
  /** Of everything read two numbers: the milliseconds it took, and how many bytes it was. */
  readonly reads: readonly number[];
}

export interface OpenFile {
  /** A part in memory from `allocate`. @throws UnreadFile */
  read(extent: Extent, allocate: Allocate): Uint8Array;
  close(): void;
}

export async function fileReader(): Promise<FileReader> {
  const fs = await loadBuiltin<typeof NodeFs>("node:fs");
  if (fs === undefined) throw new UnreadFile("there are no files here");
  const reads: number[] = [];
  const measured = <Bytes extends Uint8Array | undefined>(read: () => Bytes): Bytes => {
    const began = performance.now();
    const bytes = read();
    reads.push(performance.now() - began, bytes?.length ?? 0);
    return bytes;
  };
  return {
    reads,
    read: (path, allocate) => measured(() => readFile(fs, path, allocate)),
    open: (file) => {
      const descriptor = openFile(fs, file);
      return {
        read: (extent, allocate) => measured(() => readPart(fs, descriptor, extent, allocate)),
        close: () => fs.closeSync(descriptor),
      };
    },
  };
}

function readFile(fs: typeof NodeFs, path: string, allocate: Allocate): Uint8Array | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(path, flagsOf(fs));
    const status = fs.fstatSync(descriptor);
    if (!status.isFile()) throw new UnreadFile(path);
    return readPart(fs, descriptor, { offset: 0, length: status.size }, allocate);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new UnreadFile(path, { cause: error });
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

function openFile(fs: typeof NodeFs, { path, version }: KnownFile): number {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(path, flagsOf(fs));
    const status = fs.fstatSync(descriptor);
    if (status.isFile() && fileVersion(status) === version) return descriptor;
    throw new UnreadFile(path);
  } catch (error) {
    if (descriptor !== undefined) fs.closeSync(descriptor);
    throw new UnreadFile(path, { cause: error });
  }
}

function readPart(
  fs: typeof NodeFs,
  descriptor: number,
  { offset, length }: Extent,
  allocate: Allocate,
): Uint8Array {
  if (length > LARGEST) throw new UnreadFile(`${length} bytes`);
  const bytes = allocate(length);
  try {
    for (let done = 0; done < length; ) {
      const count = fs.readSync(descriptor, bytes, done, length - done, offset + done);
      if (count === 0) throw new UnreadFile(`${length} bytes at ${offset}`);
      done += count;
    }
    return bytes;
  } catch (error) {
    throw new UnreadFile(`${length} bytes at ${offset}`, { cause: error });
  }
}

/** Not to wait for somebody who writes into a named pipe. */
function flagsOf({ constants }: typeof NodeFs): number {
  return constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
}
