/**
 * Writing values as files, atomically: the bytes go to a temporary file in the same directory, which is then renamed
 * over the old one. Readers see the old value or the new one, and so does whoever looks after the process was killed;
 * what a power failure leaves is for the file system to say (nothing is fsynced: it costs milliseconds a file).
 *
 * Measured on Node 20, ext4, two cores, ten writes in flight, creating / replacing a file, us a file:
 *   4 KiB: synchronous 78 / 115, thread pool 122 / 159; a plain writeFile, not atomic, after mkdir -p: 112 / 55
 *   128 KiB: synchronous 179 / 238, thread pool 151 / 177, thread pool for write and rename only 124 / 172; plain 180 / 107
 *   1 MiB: synchronous 755 / 899, thread pool 439 / 547, write and rename only 332 / 405; plain 408 / 355
 * So small values are written at once, and of large ones only what takes time leaves the thread. Who encodes one chunk after the
 * other writes all of them at once (`setNow`): what the thread pool spares is lost again in copies for it and in hops (64 MiB of
 * chunks of 256 KiB: 44 ms of processor time against 65). Directories are not
 * made before a write but when it fails for the lack of one, which needs no memory of which directories exist.
 */
import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { isNoEntry } from "../check-store.js";

/** From here on copying into the page cache takes longer than a hop to the thread pool. */
export const SMALLEST_ASYNCHRONOUS = 64 * 1024;

/** How names begin that are kept for temporary files, and for locks. */
export const TEMPORARY = ".wazarr-temporary-";
// Unique among processes, threads (each loads this module) and hosts that share the directory.
const writer = randomUUID();
let count = 0;

/** Whether a file or directory name is kept for temporary files, which are no values. */
export function isTemporary(name: string): boolean {
  return name.startsWith(TEMPORARY);
}

/** A name in a directory that nobody else uses. */
export function temporaryPath(directory: string): string {
  return join(directory, `${TEMPORARY}${writer}-${count++}`);
}

// A directory may vanish between its making and its use, when another writer deletes the last value in it.
const ATTEMPTS = 4;

function openTemporarySync(directory: string): { path: string; descriptor: number } {
  for (let attempt = 1; ; attempt++) {
    const path = temporaryPath(directory);
    try {
      return { path, descriptor: fs.openSync(path, "wx") };
    } catch (error) {
      if (attempt === ATTEMPTS || !isNoEntry(error)) throw error;
      fs.mkdirSync(directory, { recursive: true });
    }
  }
}

/** Writes a file without a promise. @throws errors of node:fs; no temporary file is left then */
export function writeFileSync(path: string, value: Uint8Array): void {
  const temporary = openTemporarySync(dirname(path));
  try {
    try {
      for (let done = 0; done < value.byteLength; ) done += fs.writeSync(temporary.descriptor, value, done);
    } finally {
      fs.closeSync(temporary.descriptor);
    }
    fs.renameSync(temporary.path, path);
  } catch (error) {
    fs.rmSync(temporary.path, { force: true });
    throw error;
  }
}

const open = promisify(fs.open);
const write = promisify(fs.write);
const close = promisify(fs.close);
const rename = promisify(fs.rename);

async function openTemporary(directory: string): Promise<{ path: string; descriptor: number }> {
  for (let attempt = 1; ; attempt++) {
    const path = temporaryPath(directory);
    try {
      return { path, descriptor: await open(path, "wx") };
    } catch (error) {
      if (attempt === ATTEMPTS || !isNoEntry(error)) throw error;
      await fs.promises.mkdir(directory, { recursive: true });
    }
  }
}

/**
 * Writes a file through the thread pool; with `isQuick` the opening and closing, which take no longer than a hop, are
 * done at once. @throws errors of node:fs and the signal's reason; no temporary file is left then
 */
export async function writeFile(
  path: string,
  value: Uint8Array,
  isQuick: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  const directory = dirname(path);
  const temporary = isQuick ? openTemporarySync(directory) : await openTemporary(directory);
  try {
    try {
      for (let done = 0; done < value.byteLength; ) {
        done += (await write(temporary.descriptor, value, done)).bytesWritten;
        signal?.throwIfAborted();
      }
    } finally {
      if (isQuick) fs.closeSync(temporary.descriptor);
      else await close(temporary.descriptor);
    }
    await rename(temporary.path, path);
  } catch (error) {
    await fs.promises.rm(temporary.path, { force: true });
    throw error;
  }
}
