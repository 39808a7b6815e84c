/**
 * Flushes files to the disk, so that a crash of the machine takes nothing of them. Writes do not do this one
 * by one (see write.ts): a flush waits for the disk, and the flushes of many files at once share that wait.
 */
import * as fs from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { codeOf, isMissingFile } from "../check-store.js";

const open = promisify(fs.open);
const close = promisify(fs.close);
const flushData = promisify(fs.fdatasync);
const flushAll = promisify(fs.fsync);

/** Files that are open at once. */
const OPEN_AT_ONCE = 32;

/** Windows flushes only files that are open for writing. */
const FLAGS = process.platform === "win32" ? "r+" : "r";

/**
 * Codes of directories that cannot be flushed: Windows and some network file systems have no such call, and
 * the directory above the root may be one that this process must not read.
 */
const NOT_FLUSHED = new Set(["EINVAL", "ENOTSUP", "EISDIR", "EPERM", "EACCES"]);

/**
 * Flushes files, and the directories that name them, up to the one that names `root`. A file that is missing
 * counts as removed: then only the directories are flushed.
 * @throws errors of node:fs
 */
export async function flushFiles(paths: readonly string[], root: string): Promise<void> {
  await eachAtOnce(paths, async (path) => {
    await flush(path, FLAGS, flushData);
  });
  const directories = new Set([root, dirname(root)]);
  for (const path of paths)
    for (let above = dirname(path); above.length > root.length; above = dirname(above))
      directories.add(above);
  await eachAtOnce([...directories], async (path) => {
    try {
      await flush(path, "r", flushAll);
    } catch (error) {
      if (!NOT_FLUSHED.has(codeOf(error) ?? "")) throw error;
    }
  });
}

async function flush(path: string, flags: string, how: (descriptor: number) => Promise<void>): Promise<void> {
  let descriptor: number;
  try {
    descriptor = await open(path, flags);
  } catch (error) {
    if (isMissingFile(error)) return;
    throw error;
  }
  try {
    await how(descriptor);
  } finally {
    await close(descriptor);
  }
}

async function eachAtOnce(paths: readonly string[], action: (path: string) => Promise<void>): Promise<void> {
  const left = paths.values();
  const worker = async (): Promise<void> => {
    for (const path of left) await action(path);
  };
  await Promise.all(Array.from({ length: Math.min(OPEN_AT_ONCE, paths.length) }, worker));
}
