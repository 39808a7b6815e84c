/**
 * Writes values as files atomically: the bytes go to a temporary file in the same directory, which is then
 * renamed over the old file. Readers see the old value or the new one, even after the process is killed.
 * There is no such guarantee for a power failure, because files are not fsynced here: that costs milliseconds
 * per file, and less if many are flushed together (see flush.ts).
 *
 * Measured on Node 20, ext4, two cores, ten concurrent writes, creating / replacing a file, us per file:
 *   4 KiB: synchronous 78 / 115, thread pool 122 / 159; a plain writeFile, not atomic, after mkdir -p:
 *     112 / 55
 *   128 KiB: synchronous 179 / 238, thread pool 151 / 177, write and rename only 124 / 172; plain 180 / 107
 *   1 MiB: synchronous 755 / 899, thread pool 439 / 547, write and rename only 332 / 405; plain 408 / 355
 * So small values are written synchronously, and for large values only write and rename use the thread pool.
 * A writer that encodes chunks one by one writes all of them synchronously (`setNow`), because copies and
 * hops for the thread pool cost more than it saves (64 MiB in chunks of 256 KiB: 44 ms of processor time
 * against 65). A missing directory is created only after a write fails for lack of it, so the store need not
 * remember which directories exist.
 */
import { randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { codeOf, isNoEntry } from "../check-store.js";

/** Bytes. From this size on, copying into the page cache takes longer than a hop to the thread pool. */
export const SMALLEST_ASYNCHRONOUS = 64 * 1024;

/** Prefix of the reserved names of temporary files and locks. */
export const TEMPORARY = ".wazarr-temporary-";
// Unique among processes, threads (each loads this module) and hosts that share the directory.
const writer = randomUUID();
let count = 0;

/** Whether a file or directory name is reserved for temporary files and locks, which are not values. */
export function isTemporary(name: string): boolean {
  return name.startsWith(TEMPORARY);
}

/** A unique path for a temporary file in a directory. */
export function temporaryPath(directory: string): string {
  return join(directory, `${TEMPORARY}${writer}-${count++}`);
}

// Creating a temporary file is retried, because another writer that deletes the last value of a directory
// removes the directory.
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

/**
 * Writes a file synchronously. @param check called immediately before the file is replaced
 * @throws errors of node:fs and of `check`, after removing the temporary file
 */
export function writeFileSync(path: string, value: Uint8Array, check?: () => void): void {
  const temporary = openTemporarySync(dirname(path));
  try {
    try {
      for (let done = 0; done < value.byteLength; ) done += fs.writeSync(temporary.descriptor, value, done);
    } finally {
      fs.closeSync(temporary.descriptor);
    }
    check?.();
    fs.renameSync(temporary.path, path);
  } catch (error) {
    fs.rmSync(temporary.path, { force: true });
    throw error;
  }
}

/**
 * Creates a file with its content, synchronously. @returns false if the path exists
 * @throws errors of node:fs, after removing the temporary file
 */
export function createFileSync(path: string, value: Uint8Array): boolean {
  const temporary = openTemporarySync(dirname(path));
  try {
    try {
      for (let done = 0; done < value.byteLength; ) done += fs.writeSync(temporary.descriptor, value, done);
    } finally {
      fs.closeSync(temporary.descriptor);
    }
    // A link, unlike a rename, fails if the path exists.
    fs.linkSync(temporary.path, path);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    if (!["EPERM", "ENOTSUP", "EMLINK", "ENOSYS"].includes(codeOf(error) ?? "")) throw error;
    return createWithoutLinks(path, value);
  } finally {
    fs.rmSync(temporary.path, { force: true });
  }
}

/** For file systems without links (FAT, some of networks): a reader may see a part of the content. */
function createWithoutLinks(path: string, value: Uint8Array): boolean {
  try {
    fs.writeFileSync(path, value, { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
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
 * Writes a file through the thread pool. With `isQuick` it opens and closes the file synchronously, which
 * takes no longer than a hop. @param check called immediately before the file is replaced
 * @throws errors of node:fs and of `check` and the signal's reason, after removing the temporary file
 */
export async function writeFile(
  path: string,
  value: Uint8Array,
  isQuick: boolean,
  signal: AbortSignal | undefined,
  check?: () => void,
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
    if (check === undefined) {
      await rename(temporary.path, path);
    } else {
      // Nothing may come between the check and the rename.
      check();
      fs.renameSync(temporary.path, path);
    }
  } catch (error) {
    await fs.promises.rm(temporary.path, { force: true });
    throw error;
  }
}
