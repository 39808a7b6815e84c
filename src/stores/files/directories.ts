/** Directories of a file system store: which keys can be names in one, listing, removing. */
import { type Dirent, statSync } from "node:fs";
import { readdir, realpath, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { InvalidArgumentError, StoreError, UnsupportedError } from "../../errors.js";
import { checkDepth } from "../../metadata/path.js";
import { fileError, isMissing, isNoEntry } from "../check-store.js";
import type { AbsolutePath, DirectoryListing, StoreOptions } from "../store.js";
import { isTemporary } from "./write.js";

async function entries(directory: string, prefix: AbsolutePath): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw fileError("list a directory", prefix, error);
  }
}

/** What an entry is, links followed; undefined for links to nothing, pipes, devices and temporary files. */
async function kindOf(entry: Dirent, directory: string): Promise<"file" | "directory" | undefined> {
  if (isTemporary(entry.name)) return undefined;
  const status = entry.isSymbolicLink()
    ? await stat(join(directory, entry.name)).catch(() => undefined)
    : entry;
  if (status?.isFile()) return "file";
  return status?.isDirectory() ? "directory" : undefined;
}

/**
 * Keys and prefixes directly in a directory. A directory is a prefix even when there is no file anywhere below it. Left out are links to a
 * directory that the path to this one leads through, from `root` on: they would never end.
 */
export async function listDirectory(
  directory: string,
  prefix: AbsolutePath,
  root: string,
): Promise<DirectoryListing> {
  const keys: AbsolutePath[] = [];
  const prefixes: AbsolutePath[] = [];
  for (const entry of await entries(directory, prefix)) {
    const kind = await kindOf(entry, directory);
    if (kind === "file") keys.push(`${prefix}${entry.name}`);
    if (kind !== "directory") continue;
    if (entry.isSymbolicLink() && (await isCircle(join(directory, entry.name), directory, root))) continue;
    prefixes.push(`${prefix}${entry.name}/`);
  }
  return { keys, prefixes };
}

/** Whether a link leads to a directory on the path to the one it stands in, or above one of these. */
async function isCircle(link: string, directory: string, root: string): Promise<boolean> {
  const target = await realpath(link);
  for (let path = directory; path.length >= root.length; path = dirname(path)) {
    if (isAbove(target, await realpath(path))) return true;
    if (path === dirname(path)) break;
  }
  return false;
}

/**
 * Keys of all files below a directory, as they are found. A directory that several links lead to is listed once: with two links to the
 * directory that they stand in, the number of paths would double with every level.
 * @throws StoreError where directories are nested without end (checkDepth)
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
    const kind = await kindOf(entry, directory);
    if (kind === "file") yield `${prefix}${entry.name}`;
    if (kind !== "directory") continue;
    const below = join(directory, entry.name);
    if (entry.isSymbolicLink()) {
      const target = await realpath(below);
      // A link to a directory above itself would never end.
      if (linked.has(target) || isAbove(target, await realpath(directory))) continue;
      linked.add(target);
    }
    yield* walk(below, `${prefix}${entry.name}/`, options, linked);
  }
}

/** A directory and all below it, links not followed. */
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

/** Whether a real path is another one, or above it. */
function isAbove(target: string, directory: string): boolean {
  return `${directory}${sep}`.startsWith(target.endsWith(sep) ? target : `${target}${sep}`);
}

/**
 * The absolute path of a directory, given as a path or a file: URL.
 * @throws InvalidArgumentError for another URL, and for no path at all
 */
export function rootOf(root: unknown): string {
  if (typeof statSync !== "function") {
    throw new UnsupportedError(
      "FileSystemStore needs the file system of Node, Bun or Deno: in a browser take HttpStore, ZipStore, or a directory that the user picks (docs/stores.md)",
    );
  }
  const path = pathOf(root);
  // Only where a file stands: a directory may have any name.
  const [, extension] = /\.(zip|h5|hdf5|nc)$/i.exec(path) ?? [];
  if (extension === undefined || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return path;
  const advice =
    extension.toLowerCase() === "zip"
      ? 'an archive: ZipStore of wazarr/stores/zip reads it, new ZipStore(new FileSystemStore(folder), "/name.zip")'
      : "a file of HDF5 or NetCDF, which is another format than Zarr: convert it, with xarray's to_zarr for one";
  throw new InvalidArgumentError(`expected a directory, got ${JSON.stringify(path)}, ${advice}`);
}

function pathOf(root: unknown): string {
  const text = root instanceof URL ? root.href : root;
  if (typeof text === "string" && /^file:\/\//i.test(text)) return resolve(fileURLToPath(text));
  // Text with a scheme would name a directory "https:" in the current one.
  if (typeof text === "string" && text !== "" && !/^[a-z][a-z\d+.-]+:\/\//i.test(text)) return resolve(text);
  throw new InvalidArgumentError(
    `expected the path of a directory or its file: URL, got ${JSON.stringify(text)}; HttpStore takes http(s) URLs`,
  );
}

/** @param relative the key without its leading "/" @throws StoreError for what means something else as a path */
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
