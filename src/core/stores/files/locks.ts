/**
 * Locks between processes and threads. A lock is a file beside the locked file, created exclusively: its text
 * names the owner (owner.ts) and has a counter, which the owner increments as a sign of life. No clock is
 * compared with that of another process:
 * - The lock of a thread of this host that has ended is taken over at once, that of one that lives never,
 *   however long it is suspended.
 * - Of an owner elsewhere, only the text counts. A waiter takes the lock over after it has itself watched the
 *   text for STALE without a change.
 * - An owner checks that the lock is still its own immediately before it publishes a value
 *   (`FileLock.check`). So one that was suspended, while others took it for dead, gets an error when it
 *   wakes, and overwrites nothing.
 * The system may suspend an owner elsewhere between that check and the rename that follows it: then its value
 * overwrites what was written meanwhile. Only the file system could close this window of microseconds, and
 * none has a conditional rename.
 *
 * To remove the lock of a dead owner, a process first takes a guard: a directory with one empty file whose
 * name is the owner. The guard is created elsewhere and renamed into place, which fails if a non-empty
 * directory is there. A stale guard is taken over by renaming its file, which succeeds for only one process.
 * So no process removes a lock that another has just taken. Directories would suffice for all locks, but on
 * ext4 creating and removing one takes 3.4 ms, against 0.1 ms for a file.
 */
import * as fs from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ConflictError, StoreError } from "../../../base/errors.js";
import { codeOf, isMissingFile } from "../check-store.js";
import { fileVersion } from "../storage-identity.js";
import { prune } from "./directories.js";
import { isOwn, lifeOf, newOwner } from "./owner.js";
import { TEMPORARY, temporaryPath } from "./write.js";

/** Milliseconds for which a waiter watches a lock that does not change before it takes the owner for dead. */
const STALE = 60_000;
/** A living owner changes its lock file at this interval, in milliseconds. */
const SIGN_OF_LIFE = 5_000;
/** Longest mean pause between two attempts in milliseconds. */
const LONGEST_PAUSE = 32;
/** Milliseconds between two looks that count as watching at most: a waiter may have been suspended itself. */
const LONGEST_LOOK = 1_000;

const LOCK = `${TEMPORARY}lock-`;
const GUARD = `${TEMPORARY}guard-`;

/** Whether the name of a file is that of a lock. */
export const isLockName = (name: string): boolean => name.startsWith(LOCK);

/** A lock that this thread holds, or has lost to another that took this one for dead. */
export class FileLock {
  readonly #path: string;
  readonly #base: string;
  readonly #file: string;
  readonly #owner: string;
  #signs = 0;
  /** The version of the locked file when the lock was taken, or this owner wrote it. */
  #version: string | undefined;

  constructor(path: string, base: string, file: string, owner: string) {
    this.#path = path;
    this.#base = base;
    this.#file = file;
    this.#owner = owner;
    this.#version = versionOf(path);
  }

  get #isHeld(): boolean {
    return textOf(this.#file)?.startsWith(`${this.#owner} `) === true;
  }

  /**
   * To be called immediately before the locked file is replaced or removed. @param key for the error
   * @throws StoreError if it is lost; ConflictError if somebody without a lock has changed the file: another
   * program, or a write that replaced the value as a whole
   */
  check(key: string): void {
    if (this.#isHeld) {
      const now = versionOf(this.#path);
      if (now === this.#version) return;
      // Who reads again reads this version, or a later one, which the next check notices.
      this.#version = now;
      throw new ConflictError("another writer changed the file after it was read; read it again", { key });
    }
    throw new StoreError(
      "lost the lock of a file, and wrote nothing: this process gave no sign of life for a minute (suspended, or its event loop was blocked), or the lock file was deleted. Another process may have changed the file: repeat the write",
      { key },
    );
  }

  /** To be called after this owner has replaced or removed the file. */
  wrote(): void {
    this.#version = versionOf(this.#path);
  }

  /**
   * Shows that the owner lives. Only a file that is this lock is changed, though another may get its name
   * meanwhile.
   */
  async renew(): Promise<void> {
    const file = await fs.promises.open(this.#file, "r+");
    try {
      const { buffer, bytesRead } = await file.read(
        Buffer.alloc(this.#owner.length),
        0,
        this.#owner.length,
        0,
      );
      if (buffer.toString("utf8", 0, bytesRead) !== this.#owner) return;
      await file.write(counterText(++this.#signs), this.#owner.length);
    } finally {
      await file.close();
    }
  }

  /**
   * Removes empty directories of the locked file too. @throws errors of node:fs: others wait for a lock that
   * cannot be removed
   */
  async unlock(): Promise<void> {
    locksByPath.delete(this.#owner);
    if (locksByPath.size === 0) {
      clearInterval(renewing);
      renewing = undefined;
    }
    if (this.#isHeld) unlinkIfThere(this.#file);
    if (!fs.existsSync(this.#path)) await prune(dirname(this.#path), this.#base);
  }
}

function versionOf(path: string): string | undefined {
  const status = fs.statSync(path, { throwIfNoEntry: false });
  return status && fileVersion(status);
}

/** Always of the same length, so that a reader never sees a part of it. */
const counterText = (count: number): string => ` ${String(count).padStart(12, "0")}`;

/** Locks that this thread holds, by owner, and the timer that renews them. */
const locksByPath = new Map<string, FileLock>();
let renewing: NodeJS.Timeout | undefined;

function hold(owner: string, lock: FileLock): void {
  locksByPath.set(owner, lock);
  let isBusy = false;
  renewing ??= setInterval(async () => {
    if (isBusy) return;
    isBusy = true;
    // One after the other: a write of many small chunks holds thousands of locks, more than a process may
    // open files.
    for (const each of [...locksByPath.values()]) {
      await each.renew().catch(() => {
        // The lock is lost, or the file system does not answer: `check` will tell.
      });
    }
    isBusy = false;
  }, SIGN_OF_LIFE).unref();
}

/**
 * Takes the lock of a file; waits while another process or thread holds it.
 * @param base unlocking removes empty directories of the file below this path
 * @throws errors of node:fs, the signal's reason
 */
export async function lockFile(
  path: string,
  base: string,
  signal?: AbortSignal | undefined,
): Promise<FileLock> {
  const file = join(dirname(path), `${LOCK}${basename(path)}`);
  const watches = { lock: new Watch(), guard: new Watch() };
  for (let wait = 1; ; wait = Math.min(LONGEST_PAUSE, wait * 2)) {
    signal?.throwIfAborted();
    const owner = takeFile(file);
    if (owner !== undefined) {
      const lock = new FileLock(path, base, file, owner);
      hold(owner, lock);
      return lock;
    }
    removeIfDead(file, watches);
    // A random pause keeps waiting processes from trying at the same time.
    await pause(wait * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
  }
}

/** @returns the owner's name; undefined if somebody has the lock */
function takeFile(lock: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = fs.openSync(lock, "wx");
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") fs.mkdirSync(dirname(lock), { recursive: true });
    // Windows reports EPERM for a file that is being removed.
    else if (code !== "EEXIST" && !(sep === "\\" && code === "EPERM")) throw error;
    return undefined;
  }
  const owner = newOwner();
  try {
    fs.writeSync(descriptor, `${owner}${counterText(0)}`);
    return owner;
  } catch (error) {
    fs.rmSync(lock, { force: true });
    throw error;
  } finally {
    fs.closeSync(descriptor);
  }
}

/** How long a waiter has watched one text without a change. */
class Watch {
  #text: string | undefined;
  #last = 0;
  #watched = 0;

  hasStayed(text: string): boolean {
    const now = performance.now();
    this.#watched = text === this.#text ? this.#watched + Math.min(now - this.#last, LONGEST_LOOK) : 0;
    this.#text = text;
    this.#last = now;
    return this.#watched > STALE;
  }
}

interface Watches {
  readonly lock: Watch;
  readonly guard: Watch;
}

/** Whether the owner of a lock is dead. @param text the owner's name and what follows it */
function isDead(text: string, watch: Watch | undefined): boolean {
  const [owner = ""] = text.split(" ");
  if (isOwn(owner)) return !locksByPath.has(owner);
  const life = lifeOf(owner);
  return life === "dead" || (life === "unknown" && watch?.hasStayed(text) === true);
}

/**
 * Removes a lock whose owner is dead. @param watches without them, only owners that are known to be dead
 * count @returns whether it did
 */
export function removeIfDead(lock: string, watches?: Watches): boolean {
  const text = textOf(lock);
  if (text === undefined || !isDead(text, watches?.lock)) return false;
  const guard = join(dirname(lock), `${GUARD}${basename(lock).slice(LOCK.length)}`);
  const owner = newOwner();
  if (!takeGuard(guard, owner, watches?.guard)) return false;
  try {
    // Read it again: the previous holder of the guard may have removed the lock, and another process may have
    // taken it since.
    if (textOf(lock) !== text) return false;
    unlinkIfThere(lock);
    return true;
  } finally {
    quietly(() => fs.unlinkSync(join(guard, owner)));
    quietly(() => fs.rmdirSync(guard));
  }
}

/** The text of a lock file; undefined if there is none, "" if the owner has not written it yet. */
function textOf(lock: string): string | undefined {
  try {
    return fs.readFileSync(lock, "utf8");
  } catch (error) {
    // ESTALE: another host of a network file system has removed it. Windows: it is being removed.
    if (isMissingFile(error) || ["ESTALE", "EPERM"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
}

/** Tries to take a guard directory. @returns whether it succeeded */
function takeGuard(guard: string, owner: string, watch: Watch | undefined): boolean {
  const [name] = entriesOf(guard);
  if (name !== undefined) return isDead(name, watch) && takeOver(guard, name, owner);
  const made = temporaryPath(dirname(guard));
  fs.mkdirSync(made, { recursive: true });
  try {
    fs.closeSync(fs.openSync(join(made, owner), "wx"));
    fs.renameSync(made, guard);
    return true;
  } catch (error) {
    fs.rmSync(made, { recursive: true, force: true });
    // Windows does not rename a directory over another one, not even over an empty one: remove it for the
    // next attempt.
    quietly(() => fs.rmdirSync(guard));
    if (fs.existsSync(guard) || isMissingFile(error) || ["ENOTEMPTY", "EEXIST"].includes(codeOf(error) ?? ""))
      return false;
    throw error;
  }
}

/** Takes over a stale guard by renaming its file. @returns whether this process was the one that succeeded */
function takeOver(guard: string, name: string, owner: string): boolean {
  try {
    fs.renameSync(join(guard, name), join(guard, owner));
    return true;
  } catch (error) {
    if (isMissingFile(error)) return false;
    throw error;
  }
}

function entriesOf(guard: string): string[] {
  try {
    return fs.readdirSync(guard);
  } catch (error) {
    if (isMissingFile(error)) return [];
    throw error;
  }
}

function unlinkIfThere(file: string): void {
  try {
    fs.unlinkSync(file);
  } catch (error) {
    if (!isMissingFile(error)) throw error;
  }
}

function quietly(action: () => void): void {
  try {
    action();
  } catch {
    // Another process has removed or replaced the file.
  }
}
