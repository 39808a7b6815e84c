/** Directories of a FileSystemStore: checks of names, listing and removal. */
import { type Dirent, lstatSync, type Stats, statSync } from "node:fs";
import { readdir, realpath, rename, rm, rmdir, stat } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { StoreError } from "../../../base/errors.js";
import { checkDepth } from "../../../metadata/path.js";
import { codeOf, fileError, isMissingFile, isNoEntry } from "../check-store.js";
import type { AbsolutePath, DirectoryListing, StoreOptions } from "../store.js";
import { isTemporary, temporaryPath } from "./write.js";

async function entries(directory: string, prefix: AbsolutePath): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (isMissingFile(error)) return [];
    throw fileError("list a directory", prefix, error);
  }
}

/**
 * The kind of an entry, after following links; undefined for broken links, pipes, devices and temporary
 * files.
 * @throws StoreError for a link that cannot be followed, such as one into a directory without permission: a
 * listing without the link would be incomplete
 */
async function kindOf(
  entry: Dirent,
  directory: string,
  prefix: AbsolutePath,
): Promise<"file" | "directory" | undefined> {
  if (isTemporary(entry.name)) return undefined;
  const status = entry.isSymbolicLink() ? await linkStatus(join(directory, entry.name), prefix) : entry;
  if (status?.isFile()) return "file";
  return status?.isDirectory() ? "directory" : undefined;
}

async function linkStatus(path: string, prefix: AbsolutePath): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissingFile(error) || codeOf(error) === "ELOOP") return undefined;
    throw fileError("follow a link", `${prefix}${basename(path)}`, error);
  }
}

/**
 * Lists keys and prefixes directly in a directory. An empty directory is a prefix too. Links to a directory
 * on the path from `root` to this one are left out, because following them never ends.
 */
export async function listDirectory(
  directory: string,
  prefix: AbsolutePath,
  root: string,
): Promise<DirectoryListing> {
  const keys: AbsolutePath[] = [];
  const prefixes: AbsolutePath[] = [];
  for (const entry of await entries(directory, prefix)) {
    const kind = await kindOf(entry, directory, prefix);
    if (kind === "file") keys.push(`${prefix}${entry.name}`);
    if (kind !== "directory") continue;
    if (entry.isSymbolicLink() && (await isCircle(join(directory, entry.name), directory, root))) continue;
    prefixes.push(`${prefix}${entry.name}/`);
  }
  return { keys, prefixes };
}

/** Whether a link leads to a directory on the path from `root` to `directory`, or to a parent of one. */
async function isCircle(link: string, directory: string, root: string): Promise<boolean> {
  const target = await realpath(link);
  for (let path = directory; path.length >= root.length; path = dirname(path)) {
    if (isAbove(target, await realpath(path))) return true;
    if (path === dirname(path)) break;
  }
  return false;
}

/**
 * Yields the keys of all files below a directory. A directory with several links to it is listed through one
 * link only: otherwise two links in each directory would double the number of paths with every level.
 * @throws StoreError for directories that are nested too deeply (checkDepth)
 */
export async function* walk(
  directory: string,
  prefix: AbsolutePath,
  options?: StoreOptions,
  linked: Set<string> = new Set(),
): AsyncGenerator<AbsolutePath, void> {
  options?.signal?.throwIfAborted();
  checkDepth(prefix);
  for (const entry of await entries(directory, prefix)) {
    const kind = await kindOf(entry, directory, prefix);
    if (kind === "file") yield `${prefix}${entry.name}`;
    if (kind !== "directory") continue;
    const below = join(directory, entry.name);
    if (entry.isSymbolicLink()) {
      const target = await realpath(below);
      // Following a link to its own directory or a parent of it never ends.
      if (linked.has(target) || isAbove(target, await realpath(directory))) continue;
      linked.add(target);
    }
    yield* walk(below, `${prefix}${entry.name}/`, options, linked);
  }
}

/** Yields a directory and all directories below it, without following links. */
export async function* directoriesBelow(
  directory: string,
  options?: StoreOptions,
): AsyncGenerator<string, void> {
  options?.signal?.throwIfAborted();
  yield directory;
  for (const entry of await entries(directory, "/"))
    if (entry.isDirectory() && !isTemporary(entry.name))
      yield* directoriesBelow(join(directory, entry.name), options);
}

/** Whether the real path `target` is `directory` or a parent of it. */
function isAbove(target: string, directory: string): boolean {
  return `${directory}${sep}`.startsWith(target.endsWith(sep) ? target : `${target}${sep}`);
}

/**
 * @param relative the key without its leading "/"
 * @throws StoreError for names that have another meaning in the file system
 */
export function checkNames(relative: string, key: string): string {
  // On Windows a backslash separates directories and a colon names a drive or a stream of a file.
  if (sep === "\\" && /[\\:]/.test(relative)) {
    throw new StoreError('expected a key without "\\" and ":", which mean something else in Windows paths', {
      key,
    });
  }
  if (isTemporary(relative.slice(relative.lastIndexOf("/") + 1))) {
    throw new StoreError("expected another key: names of this form are kept for temporary files", { key });
  }
  return relative;
}

/**
 * Removes a directory and its content; with `isKept` only its content. A file of that name is another key and
 * stays. Each directory is renamed first, so that readers see all of it or nothing, even if the process is
 * killed; later writers sweep what is left.
 * @param isSpared whether to leave a file of this path where it is, with the directories above it. If there
 * are such files, documents go before chunks
 * @returns whether the directory existed
 */
export async function removeDirectory(
  directory: string,
  isKept: boolean,
  isSpared?: (path: string) => boolean,
): Promise<boolean> {
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return false;
  const isLink = !isKept && lstatSync(directory).isSymbolicLink();
  if (!isLink && isSpared !== undefined && (await hasSpared(directory, isSpared))) {
    await removeOthers(directory, isKept, isSpared);
    return true;
  }
  const doomed = isKept ? (await readdir(directory)).map((name) => join(directory, name)) : [directory];
  for (const path of doomed) await rm(await aside(path), { recursive: true, force: true });
  return true;
}

/** Files of a directory that are removed at once. */
const REMOVED_AT_ONCE = 64;

/** Removes what is not spared: documents first, and each directory without spared files as a whole. */
async function removeOthers(
  directory: string,
  isKept: boolean,
  isSpared: (path: string) => boolean,
): Promise<void> {
  const found = await readdir(directory, { withFileTypes: true });
  const isDirectory = (entry: Dirent): boolean => entry.isDirectory() && !isTemporary(entry.name);
  const files = found.filter((entry) => !isDirectory(entry)).map(({ name }) => name);
  const documents = files.filter((name) => DOCUMENT.test(name));
  const others = files.filter((name) => !DOCUMENT.test(name));
  for (const some of [documents, ...batches(others, REMOVED_AT_ONCE)]) {
    const paths = some.map((name) => join(directory, name)).filter((path) => !isSpared(path));
    await Promise.all(paths.map((path) => rm(path, { recursive: true, force: true })));
  }
  for (const { name } of found.filter(isDirectory)) {
    const path = join(directory, name);
    if (await hasSpared(path, isSpared)) await removeOthers(path, false, isSpared);
    else await rm(await aside(path), { recursive: true, force: true });
  }
  // Fails if something was spared, or another writer has written into it.
  if (!isKept) await rmdir(directory).catch(() => {});
}

const DOCUMENT = /^(?:zarr\.json|\.z(?:array|group|attrs|metadata))$/;

function* batches<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size);
}

async function hasSpared(directory: string, isSpared: (path: string) => boolean): Promise<boolean> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    const isFound =
      entry.isDirectory() && !isTemporary(entry.name) ? await hasSpared(path, isSpared) : isSpared(path);
    if (isFound) return true;
  }
  return false;
}

/**
 * Renames an entry to a name that no listing shows.
 * @returns the new path, or the old one if it cannot be renamed, such as a mount point
 */
async function aside(path: string): Promise<string> {
  const hidden = temporaryPath(dirname(path));
  try {
    await rename(path, hidden);
    return hidden;
  } catch {
    return path;
  }
}

/**
 * Removes `directory` if it is empty, then its parents as long as they are empty and their paths begin with
 * `base`.
 */
export async function prune(directory: string, base: string): Promise<void> {
  for (let path = directory; path.startsWith(base); path = dirname(path)) {
    try {
      await rmdir(path);
    } catch (error) {
      // Stop at a directory that is not empty. If another writer removed it already, its parents may still be
      // empty.
      if (!isNoEntry(error)) return;
    }
  }
}
