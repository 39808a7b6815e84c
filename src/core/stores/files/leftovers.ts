/** Removes what writers that died left in a directory: temporary files and locks. */
import * as fs from "node:fs";
import { join } from "node:path";
import { isLockName, removeIfDead } from "./locks.js";
import { isTemporary, temporaryPath } from "./write.js";

/**
 * Milliseconds. An older temporary file belongs to a writer that died: no write of one file takes an hour,
 * and locks are renewed.
 */
export const LEFTOVER_AGE = 3_600_000;

/** How many temporary files and locks were removed, and their total bytes. */
export interface TemporaryFiles {
  readonly files: number;
  readonly bytes: number;
}

/**
 * Removes temporary files from a directory if they are older than `age` milliseconds, and locks whose owner
 * is known to be dead or that are older than LEFTOVER_AGE.
 */
export async function removeTemporary(directory: string, age: number): Promise<TemporaryFiles> {
  let [files, bytes] = [0, 0];
  const names = (await fs.promises.readdir(directory)).filter(isTemporary);
  if (names.length === 0) return { files, bytes };
  const now = timeIn(directory);
  for (const name of names) {
    const path = join(directory, name);
    const status = fs.statSync(path, { throwIfNoEntry: false });
    if (status === undefined) continue;
    const isLock = isLockName(name);
    const isOld = now - status.mtimeMs >= (isLock ? LEFTOVER_AGE : age);
    if (isOld) await fs.promises.rm(path, { recursive: true, force: true });
    else if (!isLock || !removeIfDead(path)) continue;
    files++;
    bytes += status.isFile() ? status.size : 0;
  }
  return { files, bytes };
}

/**
 * The present time by the clock that gives files their times: on a network, that of the server, which may
 * differ from this host's.
 */
function timeIn(directory: string): number {
  const path = temporaryPath(directory);
  fs.writeFileSync(path, "", { flag: "wx" });
  try {
    return fs.statSync(path).mtimeMs;
  } finally {
    fs.rmSync(path, { force: true });
  }
}
