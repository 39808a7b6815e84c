/**
 * The folder of the arrays, in memory if the system has a file system there (Linux). On ext4 creating a file
 * takes from 20 us to milliseconds, depending on earlier deletions. With thousands of files that would
 * dominate every write, for all rivals alike.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";

export const FOLDER = existsSync("/dev/shm") ? "/dev/shm/wazarr-bench" : "build/bench-data";

/** Directory of an array to read. */
export function directoryOf({ name }: { readonly name: string }): string {
  return join(FOLDER, name.replaceAll(/[^a-z0-9]+/gi, "-"));
}
