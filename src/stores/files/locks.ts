/**
 * Locks between processes: a file beside the one that it is for, made where there is none, whose text is the owner. What a dead owner left is
 * removed by one process at a time, which holds a lock of another kind meanwhile: a directory with one empty file in it, whose name is
 * the owner. That is made elsewhere and renamed to its place, which fails where one stands that is not empty; and it is taken over by
 * renaming its file, which of several that try one finds. So nobody ever removes a lock that somebody has just taken. Directories alone
 * would do, but ext4 takes 3.4 ms to make and remove one, and 0.1 ms for a file.
 */
import { createHash, randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join, sep } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { codeOf, isMissing } from "../check-store.js";
import { prune } from "./directories.js";
import { isTemporary, TEMPORARY, temporaryPath } from "./write.js";

/** Milliseconds. An owner that lives says so every few seconds; one that has not for so long is dead, wherever it ran. */
const STALE = 60_000;
const SIGN_OF_LIFE = 5_000;
/** The longest pause between two attempts. */
const LONGEST_PAUSE = 32;

const LOCK = `${TEMPORARY}lock-`;
/** Process ids mean something on one host, and among those that see the same processes. */
const host = createHash("sha256").update(`${hostname()} ${processNamespace()}`).digest("hex").slice(0, 16);
const owner = `${host}-${process.pid}-${randomUUID()}`;

function processNamespace(): string {
  try {
    return fs.readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** The files of the locks that are held, and what keeps them fresh. */
const held = new Set<string>();
let freshener: NodeJS.Timeout | undefined;

function keepFresh(file: string): void {
  held.add(file);
  freshener ??= setInterval(() => {
    const now = new Date();
    for (const each of held) fs.utimes(each, now, now, () => {});
  }, SIGN_OF_LIFE).unref();
}

function leaveAlone(file: string): void {
  held.delete(file);
  if (held.size > 0) return;
  clearInterval(freshener);
  freshener = undefined;
}

/**
 * Waits until no other process, nor thread, holds the lock of a file.
 * @param base directories that are empty are removed below it afterwards
 * @returns what gives the lock back
 * @throws errors of node:fs, the signal's reason
 */
export async function lockFile(
  path: string,
  base: string,
  signal: AbortSignal | undefined,
): Promise<() => Promise<void>> {
  const lock = join(dirname(path), `${LOCK}${basename(path)}`);
  for (let wait = 1; ; wait = Math.min(LONGEST_PAUSE, wait * 2)) {
    signal?.throwIfAborted();
    if (takeFile(lock)) break;
    // Not all at the same time.
    await pause(wait * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
  }
  const taken = Date.now();
  keepFresh(lock);
  return async () => {
    leaveAlone(lock);
    // After a long time it may be another's.
    if (Date.now() - taken < STALE || ownerOf(lock) === owner) quietly(() => fs.unlinkSync(lock));
    if (!fs.existsSync(path)) await prune(dirname(path), base);
  };
}

function takeFile(lock: string, isSecond = false): boolean {
  let descriptor: number;
  try {
    descriptor = fs.openSync(lock, "wx");
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") {
      fs.mkdirSync(dirname(lock), { recursive: true });
      return !isSecond && takeFile(lock, true);
    }
    // Windows has another error for a file that is just being removed.
    if (code !== "EEXIST" && !(sep === "\\" && code === "EPERM")) throw error;
    if (isStaleFile(lock)) removeStale(lock);
    return false;
  }
  try {
    fs.writeSync(descriptor, owner);
  } finally {
    fs.closeSync(descriptor);
  }
  return true;
}

function removeStale(lock: string): void {
  const guard = `${lock}.break`;
  if (!take(guard)) return;
  try {
    // Whoever had the guard before may have removed it, and somebody taken it since.
    if (isStaleFile(lock)) quietly(() => fs.unlinkSync(lock));
  } finally {
    quietly(() => fs.unlinkSync(join(guard, owner)));
    quietly(() => fs.rmdirSync(guard));
  }
}

/** Empty where the owner is yet to write it, and where there is no lock. */
function ownerOf(lock: string): string {
  try {
    return fs.readFileSync(lock, "utf8");
  } catch {
    return "";
  }
}

const isStaleFile = (lock: string): boolean => isStale(lock, ownerOf(lock));

/** Takes the guard of a lock, a directory. */
function take(lock: string): boolean {
  const names = entriesOf(lock);
  if (names.length > 0) return names.some((name) => isStale(join(lock, name), name) && takeOver(lock, name));
  const made = temporaryPath(dirname(lock));
  fs.mkdirSync(made, { recursive: true });
  try {
    fs.closeSync(fs.openSync(join(made, owner), "wx"));
    fs.renameSync(made, lock);
    return true;
  } catch (error) {
    fs.rmSync(made, { recursive: true, force: true });
    // Windows renames no directory over another, not even over an empty one.
    quietly(() => fs.rmdirSync(lock));
    if (fs.existsSync(lock) || isMissing(error) || ["ENOTEMPTY", "EEXIST"].includes(codeOf(error) ?? ""))
      return false;
    throw error;
  }
}

/** Whether it was still there. */
function takeOver(lock: string, name: string): boolean {
  try {
    // First it is fresh, so that nobody takes it over again once it has its new name.
    fs.utimesSync(join(lock, name), new Date(), new Date());
    fs.renameSync(join(lock, name), join(lock, owner));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function entriesOf(lock: string): string[] {
  try {
    return fs.readdirSync(lock);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** Whether the owner of a lock is dead. */
function isStale(file: string, name: string): boolean {
  const [where, pid] = name.split("-");
  if (where === host && !isAlive(Number(pid))) return true;
  const status = fs.statSync(file, { throwIfNoEntry: false });
  return status !== undefined && Date.now() - status.mtimeMs > STALE;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is one too.
    return codeOf(error) === "EPERM";
  }
}

/** What was removed. */
export interface TemporaryFiles {
  readonly files: number;
  readonly bytes: number;
}

/** Removes temporary files, and locks that nobody holds, that are older than so many milliseconds from a directory. */
export async function removeTemporary(directory: string, age: number): Promise<TemporaryFiles> {
  let [files, bytes] = [0, 0];
  for (const name of await fs.promises.readdir(directory)) {
    if (!isTemporary(name)) continue;
    const path = join(directory, name);
    const status = fs.statSync(path, { throwIfNoEntry: false });
    if (status === undefined || Date.now() - status.mtimeMs < age || isHeldLock(path)) continue;
    await fs.promises.rm(path, { recursive: true, force: true });
    files++;
    bytes += status.isFile() ? status.size : 0;
  }
  return { files, bytes };
}

const isHeldLock = (path: string): boolean =>
  basename(path).startsWith(LOCK) && !path.endsWith(".break") && !isStaleFile(path);

function quietly(action: () => void): void {
  try {
    action();
  } catch {
    // Somebody else removed it, or has taken its place.
  }
}
