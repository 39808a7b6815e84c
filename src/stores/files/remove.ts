/** Removing directories. */
import { statSync } from "node:fs";
import { readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isNoEntry } from "./failure.js";

/**
 * Removes a directory with what is in it, or only that; a file of its name, which is another key, stays.
 * @returns whether there was one
 */
export async function removeDirectory(directory: string, isKept: boolean): Promise<boolean> {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return false;
  const doomed = isKept ? (await readdir(directory)).map((name) => join(directory, name)) : [directory];
  for (const path of doomed) await rm(path, { recursive: true, force: true });
  return true;
}

/** Removes directories that hold nothing, upwards as long as they begin with `base`: no key begins with their prefix. */
export async function prune(directory: string, base: string): Promise<void> {
  for (let path = directory; path.startsWith(base); path = dirname(path)) {
    try {
      await rmdir(path);
    } catch (error) {
      // Something is in it, or another writer was here first: then what is above may be empty all the same.
      if (!isNoEntry(error)) return;
    }
  }
}
