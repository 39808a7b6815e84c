/**
 * Where arrays stand. In memory where the system has files there (Linux): creating thousands of files on ext4 costs from 20 us to milliseconds each,
 * depending on what was deleted before, for every rival alike, and would be all that a write measures.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";

export const FOLDER = existsSync("/dev/shm") ? "/dev/shm/wazarr-bench" : "build/bench-data";

/** Where an array stands that is read. */
export function directoryOf({ name }: { readonly name: string }): string {
  return join(FOLDER, name.replaceAll(/[^a-z0-9]+/gi, "-"));
}
