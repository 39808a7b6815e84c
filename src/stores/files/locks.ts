/**
 * Locks between processes. A lock is a file beside the locked file, created exclusively; its text names the owner. To remove the lock of a
 * dead owner, a process first takes a guard: a directory with one empty file whose name is the owner. The guard is created elsewhere and
 * renamed into place, which fails if a non-empty directory is there. A stale guard is taken over by renaming its file, which succeeds for
 * only one process. So no process removes a lock that another has just taken. Directories would suffice for all locks, but on ext4
 * creating and removing one takes 3.4 ms, against 0.1 ms for a file.
 */
import { createHash, randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join, sep } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { codeOf, isMissingFile } from "../check-store.js";
import { prune } from "./directories.js";
import { isTemporary, TEMPORARY, temporaryPath } from "./write.js";

/** Milliseconds. A living owner updates its lock file every SIGN_OF_LIFE; an owner that has not for STALE counts as dead, on any host. */
const STALE = 60_000;
const SIGN_OF_LIFE = 5_000;
/** Longest mean pause between two attempts in milliseconds. */
const LONGEST_PAUSE = 32;

const LOCK = `${TEMPORARY}lock-`;
/** Hash of host name and process namespace: process ids are comparable only among processes with the same hash. */
const host = createHash("sha256").update(`${hostname()} ${processNamespace()}`).digest("hex").slice(0, 16);
const owner = `${host}-${process.pid}-${randomUUID()}`;

function processNamespace(): string {
  try {
    return fs.readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** Lock files that this process holds, and the timer that updates their times. */
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
 * Takes the lock of a file; waits while another process or thread holds it.
 * @param base the unlock function removes empty directories of the file below this path
 * @returns the unlock function
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
    // A random pause keeps waiting processes from trying at the same time.
    await pause(wait * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
  }
  const taken = Date.now();
  keepFresh(lock);
  return async () => {
    leaveAlone(lock);
    // After STALE milliseconds another process may have taken over the lock.
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
    // Windows reports EPERM for a file that is being removed.
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
    // Check again: the previous holder of the guard may have removed the lock, and another process may have taken it since.
    if (isStaleFile(lock)) quietly(() => fs.unlinkSync(lock));
  } finally {
    quietly(() => fs.unlinkSync(join(guard, owner)));
    quietly(() => fs.rmdirSync(guard));
  }
}

/** The owner in a lock file; "" when the owner has not written it yet, or the lock does not exist. */
function ownerOf(lock: string): string {
  try {
    return fs.readFileSync(lock, "utf8");
  } catch {
    return "";
  }
}

const isStaleFile = (lock: string): boolean => isStale(lock, ownerOf(lock));

/** Tries to take a guard directory. @returns whether it succeeded */
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
    // Windows does not rename a directory over another one, not even over an empty one: remove it for the next attempt.
    quietly(() => fs.rmdirSync(lock));
    if (fs.existsSync(lock) || isMissingFile(error) || ["ENOTEMPTY", "EEXIST"].includes(codeOf(error) ?? ""))
      return false;
    throw error;
  }
}

/** Takes over a stale guard by renaming its file. @returns whether this process was the one that succeeded */
function takeOver(lock: string, name: string): boolean {
  try {
    // Update the times first, so that no other process finds the renamed file stale and takes it over again.
    fs.utimesSync(join(lock, name), new Date(), new Date());
    fs.renameSync(join(lock, name), join(lock, owner));
    return true;
  } catch (error) {
    if (isMissingFile(error)) return false;
    throw error;
  }
}

function entriesOf(lock: string): string[] {
  try {
    return fs.readdirSync(lock);
  } catch (error) {
    if (isMissingFile(error)) return [];
    throw error;
  }
}

/** Whether the owner of a lock is dead. @param name the owner: the hash of its host, its process id and a UUID */
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
    // EPERM: the process exists, but belongs to another user.
    return codeOf(error) === "EPERM";
  }
}

/** How many temporary files and locks were removed, and their total bytes. */
export interface TemporaryFiles {
  readonly files: number;
  readonly bytes: number;
}

/** Removes temporary files, and locks without a living holder, from a directory if they are older than `age` milliseconds. */
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
    // Another process has removed or replaced the file.
  }
}
