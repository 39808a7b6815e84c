/**
 * Reading chunks from files in a worker, in Node: without the calling thread, and right into the memory they are decoded from. Not by
 * stores/files/read.ts, which imports node:fs: workers are bundled for browsers, too.
 */
import type * as NodeFs from "node:fs";
import { loadBuiltin } from "../node-builtin.js";
import { isMissing } from "../stores/files/failure.js";

/** Larger files are read by the calling thread, in memory of their own. */
const LARGEST = 16 << 20;

/** Why a file has to be read by the store itself, which knows what to say when it cannot. */
export class UnreadFile extends Error {}

export interface FileReader {
  /**
   * The whole file in memory from `allocate`; undefined where there is none.
   * @throws UnreadFile for everything else
   */
  read(path: string, allocate: (byteLength: number) => Uint8Array): Uint8Array | undefined;
  /** Of every file two numbers: the milliseconds it took, and how many bytes it has. */
  readonly reads: readonly number[];
}

export async function fileReader(): Promise<FileReader> {
  const fs = await loadBuiltin<typeof NodeFs>("node:fs");
  if (fs === undefined) throw new UnreadFile("there are no files here");
  const reads: number[] = [];
  return {
    reads,
    read(path, allocate) {
      const began = performance.now();
      const bytes = readFile(fs, path, allocate);
      reads.push(performance.now() - began, bytes?.length ?? 0);
      return bytes;
    },
  };
}

function readFile(
  fs: typeof NodeFs,
  path: string,
  allocate: (byteLength: number) => Uint8Array,
): Uint8Array | undefined {
  let descriptor: number | undefined;
  try {
    // Not to wait for somebody who writes into a named pipe.
    descriptor = fs.openSync(path, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
    const status = fs.fstatSync(descriptor);
    if (!status.isFile() || status.size > LARGEST) throw new UnreadFile(path);
    const bytes = allocate(status.size);
    for (let done = 0; done < bytes.length; ) {
      const count = fs.readSync(descriptor, bytes, done, bytes.length - done, done);
      if (count === 0) throw new UnreadFile(path);
      done += count;
    }
    return bytes;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new UnreadFile(path, { cause: error });
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}
