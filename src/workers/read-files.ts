/**
 * Reads chunks from files in a Node worker, without the calling thread and directly into the memory from
 * which they are decoded. It does not use core/stores/files/read.ts, which imports node:fs, because workers
 * are bundled for browsers too.
 */
import type * as NodeFs from "node:fs";
import { isMissingFile } from "../core/stores/check-store.js";
import type { Allocate } from "../core/stores/store.js";

/** Bytes. The calling thread reads larger values. */
const LARGEST = 16 << 20;
/**
 * Thrown when a worker cannot read a file. The store then reads it itself and reports its own error if that
 * fails.
 */
export class UnreadFile extends Error {}

/** Reads a whole file; undefined when it is missing. @throws UnreadFile for any other failure */
export function readFile(fs: typeof NodeFs, path: string, allocate: Allocate): Uint8Array | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(path, flagsOf(fs));
    const status = fs.fstatSync(descriptor);
    if (!status.isFile()) throw new UnreadFile(path);
    return readAll(fs, descriptor, status.size, allocate);
  } catch (error) {
    if (isMissingFile(error)) return undefined;
    throw new UnreadFile(path, { cause: error });
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}
function readAll(fs: typeof NodeFs, descriptor: number, length: number, allocate: Allocate): Uint8Array {
  if (length > LARGEST) throw new UnreadFile(`${length} bytes`);
  const bytes = allocate(length);
  try {
    for (let done = 0; done < length; ) {
      const count = fs.readSync(descriptor, bytes, done, length - done, done);
      if (count === 0) throw new UnreadFile(`${length} bytes`);
      done += count;
    }
    return bytes;
  } catch (error) {
    throw new UnreadFile(`${length} bytes`, { cause: error });
  }
}

/** O_NONBLOCK keeps `open` from waiting for a writer when the path is a named pipe. */
function flagsOf({ constants }: typeof NodeFs): number {
  return constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
}
